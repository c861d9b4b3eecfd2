/** Why one is not signed in: a sentence for the person who wrote the sign-in. */
export class SignInFailed extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'SignInFailed'
  }
}

/** Of what may fail. @throws what is another error */
export const unlessOther = (error: unknown): void => {
  if (!(error instanceof SignInFailed)) throw error
}

/** Tries an identity out: signs in, looks for the proof, and looks whether nobody gets it, too. */
import type { LoginAnswer } from '../contract/domain-login.ts'
import type { SignIn } from '../contract/identity.ts'
import { EgressError } from '../egress/door/egress.ts'
import { drawnProof, NEEDS_TEXT } from './drawn.ts'
import { SignInFailed } from './failure.ts'
import { proven } from './proof.ts'
import { type Credentials, createSignIn, isOfPages, type Session, type SignInPorts, type Step } from './sign-in.ts'
import { originOf } from './visitor.ts'

export interface TryOutPorts extends Omit<SignInPorts, 'told'> {
  /** From now on requests carry it, and nobody is told of its secrets. */
  readonly become: (credentials: Credentials) => void
  /** Without what is secret. */
  readonly text: (text: string) => string
  /** Pictures of steps, by their place. */
  readonly picture: (step: number, jpeg: Uint8Array) => void
}

/** `given`: cookie and header of an identity that has them; null where it signs in by itself. */
export const tryOut = async (
  how: SignIn & { readonly proof: NonNullable<SignIn['proof']> },
  given: Credentials | null,
  ports: TryOutPorts,
): Promise<LoginAnswer> => {
  const taken: Step[] = []
  const say = (state: LoginAnswer['state'], reason: string): LoginAnswer => ({
    ...{ state, reason: ports.text(reason), without: null, with: null },
    steps: taken.map(({ title, ok, detail, picture }) => ({
      ...{
        title: ports.text(title),
        ok,
        detail: detail === null ? null : ports.text(detail),
        picture: picture !== null,
      },
    })),
  })
  const take = (step: Step): void => {
    if (step.picture !== null) ports.picture(taken.length, step.picture)
    taken.push(step)
  }
  try {
    const session =
      given === null
        ? await createSignIn(how, { ...ports, told: take })()
        : { ...given, origin: await originOf(ports.egress, ports.place.domain) }
    ports.become(session)
    if ('storage' in session && isOfPages(session)) return await tryInPages(session, how.proof, ports, say)
    const mine = await proven(ports.egress, session.origin, how.proof)
    if (mine.isSignedIn === null) return say('not_tested', `${mine.why}.`)
    if (!mine.isSignedIn) return say('rejected', `It is not proven: ${mine.why}.`)
    const strangers = await proven(ports.egress, session.origin, how.proof, false)
    if (strangers.isSignedIn === true)
      return say('no_difference', `${how.proof.path} shows and answers the same to nobody: it proves nothing.`)
    return say('works', `Signed in, ${how.proof.path} shows and answers what the proof says; to nobody it does not.`)
  } catch (error) {
    if (error instanceof SignInFailed) return say('rejected', `${error.message}.`)
    if (error instanceof EgressError || error instanceof DOMException) return say('not_tested', OUT_OF_TIME)
    throw error
  }
}

const tryInPages = async (
  { origin, storage, elsewhere: [interfaceAt] = [] }: Session,
  { path, text }: NonNullable<SignIn['proof']>,
  { browser }: Pick<SignInPorts, 'browser'>,
  say: (state: LoginAnswer['state'], reason: string) => LoginAnswer,
): Promise<LoginAnswer> => {
  const why =
    text === undefined ? NEEDS_TEXT : await drawnProof(browser, new URL(path, origin).href, text, storage.items)
  if (why !== null) return say('rejected', `It is not proven: ${why}.`)
  return say(
    'works',
    `Signed in, ${path} shows what the proof says in a browser; to nobody it does not. Requests to this domain carry nothing: the session counts at ${interfaceAt}, which needs an identity of its own as a domain.`,
  )
}

const OUT_OF_TIME = 'It did not come to an end in time.'

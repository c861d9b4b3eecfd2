/** What the types of the DOM do not know: of workers, and of browsers that have more. */
interface More {
  readonly WorkerNavigator: { readonly prototype: Navigator }
  readonly NavigatorUAData: { readonly prototype: { readonly getHighEntropyValues: () => unknown } }
  readonly Keyboard: { readonly prototype: { readonly getLayoutMap: () => unknown } }
}

/** The realm that the script runs in. Anything may be missing: a worker has no document, an old browser lacks the new. */
export const scope: Partial<typeof globalThis & More> = globalThis

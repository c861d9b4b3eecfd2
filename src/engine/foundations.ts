/**
 * Whether what all code of a thread stands on is as it was: the prototypes of the language and its global names. Judgements read
 * what hostile sites sent; one that wrote into a prototype by such a name (CWE-1321) must not decide over the next run's.
 */

const PROTOTYPES = [
  Object,
  Function,
  Array,
  String,
  Number,
  Boolean,
  Symbol,
  BigInt,
  RegExp,
  Date,
  Promise,
  Map,
  Set,
  WeakMap,
]
  .map(({ prototype }): object => prototype)
  .concat(Error.prototype, URL.prototype, URLSearchParams.prototype, Uint8Array.prototype, Iterator.prototype)

/** Each name of an object, and what stands behind it. */
type Names = ReadonlyMap<PropertyKey, unknown>

/** Takes down what stands now; the answer tells whether it still does. */
export const watchFoundations = (): (() => boolean) => {
  const watched = PROTOTYPES.map((object) => ({ object, names: namesOf(object) }))
  const globals = globalNames()
  return () =>
    sameNames(globals, globalNames()) && watched.every(({ object, names }) => sameNames(names, namesOf(object)))
}

const namesOf = (object: object): Names =>
  new Map(
    Reflect.ownKeys(object).map((name) => {
      const property = Reflect.getOwnPropertyDescriptor(object, name)
      return [name, property?.get ?? property?.value]
    }),
  )

/** The names alone: a look at what stands behind some of them makes Node load it. */
const globalNames = (): Names => new Map(Reflect.ownKeys(globalThis).map((name) => [name, null]))

const sameNames = (before: Names, now: Names): boolean =>
  before.size === now.size && [...before].every(([name, value]) => now.has(name) && Object.is(now.get(name), value))

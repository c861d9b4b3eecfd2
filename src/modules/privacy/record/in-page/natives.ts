/** Puts proxies over native functions, so that the page sees each with all its properties. What a page gives is `unknown`. */
import { quietly } from './tell.ts'

type Native = (...given: unknown[]) => unknown
type Before<S> = (self: S, given: readonly unknown[]) => void

const watched = <S>(native: Native, before: Before<S>): Native =>
  new Proxy(native, {
    apply: (target, self: S, given) => {
      quietly(() => before(self, given))
      return Reflect.apply(target, self, given)
    },
  })

/** `before` is told of each call of a method, ahead of it. An owner that is missing has none. */
export const wrap = <S>(owner: S | undefined, key: keyof S & string, before: Before<S>): void => {
  const native: unknown = owner?.[key]
  if (typeof native !== 'function') return
  const given = Object.getOwnPropertyDescriptor(owner, key)
  quietly(() => Object.defineProperty(owner, key, { ...given, value: watched(native as Native, before) }))
}

/** The same for reading and for setting a property. */
export const wrapAccessor = <S>(
  owner: S | undefined,
  key: string,
  { onGet, onSet }: { readonly onGet?: Before<S>; readonly onSet?: Before<S> },
): void => {
  const given = owner && Object.getOwnPropertyDescriptor(owner, key)
  if (!given?.configurable || !given.get) return
  const get = onGet === undefined ? given.get : watched(given.get, onGet)
  const set = onSet === undefined || given.set === undefined ? given.set : watched(given.set as Native, onSet)
  Object.defineProperty(owner, key, { ...given, get, set } as PropertyDescriptor)
}

/** `instead` may answer with other arguments for a constructor; null leaves those of the page. */
export const wrapConstructor = (
  key: 'WebSocket' | 'Worker' | 'SharedWorker',
  instead: (given: readonly unknown[]) => readonly unknown[] | null,
): void => {
  const constructors = globalThis as unknown as Record<string, (new (...given: unknown[]) => object) | undefined>
  const native = constructors[key]
  if (typeof native !== 'function') return
  constructors[key] = new Proxy(native, {
    construct: (target, given, as) => Reflect.construct(target, instead(given) ?? given, as),
  })
}

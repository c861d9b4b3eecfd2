/** What is kept in the browser: web storage, databases, cookies. */
import { wrap, wrapAccessor } from './natives.ts'
import { scope } from './scope.ts'
import { framesOf, scriptOf, stackNow } from './stack.ts'
import type { Message, Tell } from './tell.ts'

type Store = Extract<Message, { readonly kind: 'storage' }>['store']

/** A value as text, as much of it as is told. */
export const excerptOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 256)

export const watchStorage = (tell: Tell): void => {
  const stored = (store: Store, key: string, value: unknown): void =>
    tell({ kind: 'storage', store, key: key.slice(0, 200), value: excerptOf(value), script: scriptOf() })
  wrap(scope.Storage?.prototype, 'setItem', (self, [key, value]) =>
    stored(self === scope.localStorage ? 'localStorage' : 'sessionStorage', String(key), String(value)),
  )
  for (const key of ['put', 'add'] as const)
    wrap(scope.IDBObjectStore?.prototype, key, ({ transaction, name }, [value, id]) =>
      stored('indexedDB', `${transaction.db.name}/${name}/${excerptOf(id ?? '')}`, value),
    )
  /** What follows the value says how long it is asked to last; the value itself is nobody's business. */
  const cookie = (line: unknown, expires?: unknown): void => {
    const stack = stackNow()
    const [pair = '', ...rest] = String(line).split(';')
    const name = (pair.split('=')[0] ?? '').trim().slice(0, 200)
    const attributes =
      typeof expires === 'number' ? `Expires=${new Date(expires).toUTCString()}` : rest.join(';').slice(0, 300)
    tell({ kind: 'cookie', name, attributes, script: scriptOf(stack), stack: framesOf(stack) })
  }
  wrapAccessor(scope.Document?.prototype, 'cookie', { onSet: (_, [line]) => cookie(line) })
  wrap(scope.CookieStore?.prototype, 'set', (_, [given]) => {
    const { name, expires } = (given ?? {}) as { readonly name?: unknown; readonly expires?: unknown }
    cookie(name ?? given, expires)
  })
}

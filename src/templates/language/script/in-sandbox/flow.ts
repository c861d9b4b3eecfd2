/** Globals of `flow`: a function for the steps of each protocol, and what is known under `template`. */
import type { Host } from './main.ts'

export const addFlow = (scope: Record<string, unknown>, host: Host, protocols: readonly string[]): void => {
  for (const protocol of protocols) scope[protocol] = (...steps: unknown[]) => host.ask('start', protocol, ...steps)
  scope.set = (name: unknown, value: unknown) => {
    host.now('set', String(name), value)
  }
  scope.iterate = (...lists: unknown[]) =>
    lists.flatMap((list) => (Array.isArray(list) ? list : list === undefined || list === null ? [] : [list]))
  const known = (name: string | symbol): unknown =>
    typeof name === 'string' ? (host.now('get', name) ?? undefined) : undefined
  const set: Record<string | symbol, unknown> = Object.create(null)
  scope.template = new Proxy(set, {
    get: (own, name) => {
      if (name === 'hasOwnProperty') return (of: string) => known(of) !== undefined || of in own
      return known(name) ?? own[name]
    },
    has: (own, name) => known(name) !== undefined || name in own,
  })
}

/** Runs inside of the sandbox, before a script: makes its globals of what the host lends. */

import { addModules, type ModuleGiven } from './modules.ts'
import { octetsOf, readJson, textOf, writeJson, writeText } from './plain.ts'

export interface Given {
  /** Globals by value. */
  readonly values: Readonly<Record<string, unknown>>
  /** Helper functions of expressions. */
  readonly helpers?: readonly string[]
  readonly modules?: readonly ModuleGiven[]
  /** Protocols whose steps a flow may start. */
  readonly protocols?: readonly string[]
}

export interface Host {
  readonly now: (name: string, ...args: readonly unknown[]) => unknown
  /** The script waits for the answer. */
  readonly ask: (name: string, ...args: readonly unknown[]) => unknown
}

type Raw = (name: string, args: string) => string

/** What the host threw, to be caught by the script or to end it. */
class Thrown extends Error {
  constructor(thrown: { readonly name: string; readonly message: string }) {
    super(thrown.message)
    this.name = thrown.name
  }
}

const called =
  (raw: Raw): Host['now'] =>
  (name, ...args) => {
    const answer = readJson(raw(name, writeJson(args))) as {
      value?: unknown
      thrown?: { name: string; message: string }
    }
    if (answer.thrown !== undefined) throw new Thrown(answer.thrown)
    return answer.value
  }

/** Takes away what would make code of texts: no script needs it, and it hides what a script does. */
const forbidCode = (scope: Record<string, unknown>): void => {
  const forbidden = function code(): never {
    throw new TypeError('no code is made of texts')
  }
  const kinds = [
    () => undefined,
    async () => undefined,
    function* none() {
      yield undefined
    },
    async function* none() {
      yield undefined
    },
  ]
  for (const kind of kinds) Object.defineProperty(Object.getPrototypeOf(kind), 'constructor', { value: forbidden })
  scope.eval = forbidden
  scope.Function = forbidden
}

export const main = (given: Given) => {
  const scope = globalThis as unknown as Record<string, unknown>
  const host: Host = { now: called(scope.$now as Raw), ask: called(scope.$ask as Raw) }
  delete scope.$now
  delete scope.$ask
  forbidCode(scope)
  const exported = addTools(scope, host)
  for (const name of given.helpers ?? []) scope[name] = (...args: unknown[]) => host.now('helper', name, ...args)
  addModules(scope, host, given.modules ?? [])
  if (given.protocols !== undefined) addFlow(scope, host, given.protocols)
  Object.assign(scope, given.values)
  return {
    plain: (value: unknown) => writeText(value) ?? 'null',
    state: () => writeText({ exported: exported(), port: scope.Port }) ?? 'null',
  }
}

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

/** Returns what says what was exported last: a list of none or one. */
export const addTools = (scope: Record<string, unknown>, host: Host): (() => readonly unknown[]) => {
  let exported: readonly unknown[] = []
  const log = (): undefined => undefined
  Object.assign(scope, {
    log,
    console: { log },
    to_json: (value: unknown) => writeText(value, 1) ?? '',
    ToString: textOf,
    ToBytes: octetsOf,
    to_array: (value: unknown) => (Array.isArray(value) ? value : [value]),
    btoa: (text: unknown) => host.now('helper', 'base64', String(text)),
    atob: (text: unknown) => host.now('helper', 'base64_decode', String(text)),
    Rand: (count: number) => host.now('random', count),
    RandInt: () => Math.floor(Math.random() * 2 ** 31),
    isPortOpen: (where: unknown, port: unknown) => host.ask('isPortOpen', where, port),
    // A socket of UDP is open for whoever sends; only an answer tells more, and the script waits for that itself.
    isUDPPortOpen: (where: unknown, port: unknown) => host.now('isTarget', where, port),
    getNetworkPort: (port: unknown, otherwise: unknown) =>
      /^(?:80|443|8080|8443|8081|53)$/.test(String(port)) ? otherwise : port,
    exit: () => host.now('exit'),
    process: { exit: () => host.now('exit') },
    Export: (...values: unknown[]) => {
      const value = values.length > 1 ? values.map((one) => textOf(one ?? '')).join('') : values[0]
      exported = [value]
      return value ?? null
    },
    ExportAs: (name: unknown, value: unknown) => {
      scope[String(name)] = value
      host.now('set', String(name), textOf(value ?? ''))
      return value ?? null
    },
  })
  return () => exported
}

/** Runs inside of the sandbox, before a script: makes its globals of what the host lends. */

import { addFlow } from './flow.ts'
import { addModules, type ModuleGiven } from './modules.ts'
import { readJson, writeJson, writeText } from './plain.ts'
import { addTools } from './tools.ts'

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

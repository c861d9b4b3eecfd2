/** How modules of scripts are made: functions over a fresh connection, and those that are known and not offered. */

import type { Probe, Proved } from '../../../../protocols/services/probe.ts'
import { openTalk, type Talk } from '../../../../protocols/services/talk.ts'
import {
  functionOf,
  numberOf,
  objectOf,
  ScriptAnswer,
  type ScriptObject,
  type ScriptValue,
  scriptValue,
  stringOf,
} from '../../../language/script/value.ts'
import { StepSkipped } from '../../executor.ts'
import type { NetParts } from '../net.ts'

export type Ask = (talk: Talk, args: readonly ScriptValue[]) => Promise<unknown>

/** `ldap://host` and `host` mean the same. */
export const hostOf = (value: ScriptValue): string => stringOf(value).replace(/^\w{1,10}:\/\//, '')

export const placeOf = (parts: NetParts, host: ScriptValue, port: ScriptValue) =>
  parts.place(hostOf(host), numberOf(port) || Number(stringOf(port)))

/** A function of a script whose first two arguments are host and port; what does not answer as the service throws. */
export const asking = (parts: NetParts, ask: Ask) =>
  functionOf(async (args) => {
    const [host, port, ...rest] = args
    return scriptValue(await conversation(parts, placeOf(parts, host, port), (talk) => ask(talk, rest)))
  })

/** @throws EgressError, and what `ask` throws */
export const conversation = async <Result>(
  parts: NetParts,
  place: { readonly host: string; readonly port: number },
  ask: (talk: Talk) => Promise<Result>,
): Promise<Result> => {
  const talk = await openTalk(parts.egress, { ...place, secure: false })
  try {
    return await ask(talk)
  } finally {
    talk.end()
  }
}

/** Asks as the services module does. @throws ScriptAnswer where what answers is another service */
export const proved = async (probe: Probe, talk: Talk, service: string): Promise<Proved> => {
  const found = await probe.run(talk)
  if (found === null) throw new ScriptAnswer(`what answers there is not ${service}`)
  return found
}

/** Functions that a scanner which must not harm does not lend: a script that calls one is held back by policy. */
const refusing = (module: string, why: string, names: readonly string[]): Readonly<Record<string, ScriptValue>> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      functionOf(() => {
        throw new StepSkipped(`${module}.${name} ${why}`, 'policy')
      }),
    ]),
  )

export interface ModuleShape {
  readonly name: string
  /** Of a class whose objects have the same functions. */
  readonly client?: string
  readonly asks: Readonly<Record<string, Ask>>
  readonly signsIn?: readonly string[]
  readonly changes?: readonly string[]
}

export const moduleOf = (parts: NetParts, { name, client, asks, signsIn, changes }: ModuleShape): ScriptObject => {
  const members: Readonly<Record<string, ScriptValue>> = {
    ...Object.fromEntries(Object.entries(asks).map(([key, ask]) => [key, asking(parts, ask)])),
    ...refusing(name, 'signs in', signsIn ?? []),
    ...refusing(name, 'sends or changes something', changes ?? []),
  }
  return objectOf(client === undefined ? members : { ...members, [client]: functionOf(() => objectOf(members)) })
}

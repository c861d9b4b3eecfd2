/** How modules of scripts are made: functions over a fresh connection, and those that are known and not offered. */
import type { Probe, Proved } from '../../../../protocols/services/probe.ts'
import { openTalk, type Talk } from '../../../../protocols/services/talk.ts'
import { ScriptAnswer } from '../../../language/script/errors.ts'
import { numberOf, stringOf } from '../../../language/script/plain.ts'
import type { NetParts } from '../net.ts'

/** A question over one connection. Resolves to plain data. @throws ScriptAnswer where another service answers */
export type Ask = (talk: Talk) => Promise<unknown>

/** A function of a script. Resolves to plain data. @throws ScriptAnswer, EgressError, StepSkipped */
export type Call = (parts: NetParts, args: readonly unknown[]) => Promise<unknown>

/** `smb://host` and `host` mean the same. */
const hostOf = (value: unknown): string => stringOf(value).replace(/^\w{1,10}:\/\//, '')

export const placeOf = (parts: NetParts, [host, port]: readonly unknown[]) => parts.place(hostOf(host), numberOf(port))

/** A function whose first two arguments are host and port. */
export const asking =
  (ask: Ask): Call =>
  (parts, args) =>
    conversation(parts, placeOf(parts, args), ask)

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

export interface ModuleShape {
  readonly name: string
  /** A class whose objects have the same functions. */
  readonly client?: string
  /** The class gets host and port, its functions the rest. */
  readonly bound?: boolean
  readonly calls: Readonly<Record<string, Call>>
  /** What a scanner that must not harm does not lend, by why: a script that calls one is held back by policy. */
  readonly refused?: Readonly<Record<string, readonly string[]>>
}

export const SIGNS_IN = 'signs in'

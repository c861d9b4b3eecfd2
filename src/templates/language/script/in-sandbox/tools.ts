/** Globals of every script: conversions, what it exports, and a log that nobody reads. */

import type { Host } from './main.ts'
import { octetsOf, textOf, writeText } from './plain.ts'

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

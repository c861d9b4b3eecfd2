/** `require`: connections, buffers, and services that say what they are. */

import type { Host } from './main.ts'
import { hexOf, octetsOf, textOf } from './plain.ts'

export interface ModuleGiven {
  readonly name: string
  readonly functions: readonly string[]
  /** A class whose objects have the same functions. */
  readonly client: string | null
  /** The class gets host and port, its functions the rest. */
  readonly bound: boolean
}

type Members = Record<string, unknown>

const buffer = (host: Host): Members => {
  let held: number[] = []
  const write = (octets: Uint8Array): Members => {
    held = held.concat(Array.from(octets))
    return self
  }
  const octets = (): Uint8Array => Uint8Array.from(held)
  const self: Members = {
    Write: (data: unknown) => write(octetsOf(data)),
    WriteString: (text: unknown) => write(octetsOf(text)),
    Pack: (format: unknown, value: unknown) => write(host.now('pack', format, value) as Uint8Array),
    Bytes: octets,
    String: () => textOf(octets()),
    Hex: () => hexOf(octets()),
    Hexdump: () => hexOf(octets()),
    Len: () => held.length,
  }
  return self
}

/** A buffer is sent as what it holds. */
const sendable = (data: unknown): Uint8Array => {
  const bytes = typeof data === 'object' && data !== null && 'Bytes' in data ? data.Bytes : null
  return octetsOf(typeof bytes === 'function' ? bytes() : data)
}

const connection = (host: Host, id: unknown): Members => {
  const send = (octets: Uint8Array): number => {
    host.now('net.send', id, octets)
    return octets.length
  }
  const read = (whole: boolean, coded: (octets: Uint8Array) => unknown) => (count?: unknown) =>
    coded(host.ask('net.read', id, count, whole || count === undefined) as Uint8Array)
  const octets = (bytes: Uint8Array): Uint8Array => bytes
  return {
    Send: (data: unknown) => send(sendable(data)),
    SendHex: (hex: unknown) => send(host.now('octetsOfHex', String(hex)) as Uint8Array),
    SendArray: (data: unknown) => send(octetsOf(Array.isArray(data) ? data : [])),
    Recv: read(false, octets),
    RecvString: read(false, textOf),
    RecvHex: read(false, hexOf),
    RecvFull: read(true, octets),
    RecvFullString: read(true, textOf),
    RecvFullHex: read(true, hexOf),
    SetTimeout: () => undefined,
    Close: () => host.now('net.close', id),
  }
}

/** A message that is never sent. */
const mail = (): Members => {
  const message: Members = { String: () => '' }
  for (const name of ['From', 'To', 'Subject', 'Body', 'Auth']) message[name] = () => message
  return message
}

const service = (host: Host, { name, functions, client, bound }: ModuleGiven): Members => {
  const members = (...first: readonly unknown[]): Members =>
    Object.fromEntries(
      functions.map((one) => [one, (...args: unknown[]) => host.ask(`${name}.${one}`, ...first, ...args)]),
    )
  const made: Members = bound ? {} : members()
  if (client !== null) {
    made[client] = function client(...place: unknown[]) {
      return bound ? members(...place) : members()
    }
  }
  if (name === 'smtp')
    made.SMTPMessage = function message() {
      return mail()
    }
  return made
}

export const addModules = (scope: Members, host: Host, given: readonly ModuleGiven[]): void => {
  const newBuffer = function newBuffer() {
    return buffer(host)
  }
  const bytes = { Buffer: newBuffer, NewBuffer: newBuffer }
  const open = (secure: boolean) => (kind: unknown, address: unknown) =>
    connection(host, host.ask('net.open', kind, address, secure))
  const modules = new Map<string, Members>([
    ['nuclei/bytes', bytes],
    ['nuclei/structs', bytes],
    ['nuclei/net', { Open: open(false), OpenTLS: open(true) }],
    ...given.map((one) => [`nuclei/${one.name}`, service(host, one)] as const),
  ])
  scope.bytes = bytes
  scope.require = (name: unknown) => modules.get(String(name)) ?? host.now('require', String(name))
}

/** SSH: identification, the lists of SSH_MSG_KEXINIT (RFC 4253, 4.2 and 7.1), and the host key. Nobody signs in. */
import { identify, serviceOf } from '../../knowledge/services/services.ts'
import type { KexFacts } from './offers.ts'
import type { Probe } from './probe.ts'
import { EXCHANGE_REPLY, exchangeFor, payloadsOf, readHostKey } from './ssh-exchange.ts'
import { textOf } from './talk.ts'

const KEXINIT = 20
const MOST_NAMES = 64

export const ssh: Probe = {
  services: ['ssh'],
  greets: true,
  run: async (talk) => {
    const first = await talk.read((bytes) => /^SSH-[^\n]*\n/m.test(textOf(bytes)))
    const text = textOf(first)
    const line = /^SSH-[^\r\n]{1,255}/m.exec(text)?.[0]
    if (line === undefined) return null
    const identity = identify(serviceOf('ssh').products, line)
    talk.send('SSH-2.0-Sonde\r\n')
    const end = first.indexOf(0x0a, first.indexOf('SSH-')) + 1
    const early = first.subarray(end)
    const packet = Buffer.concat([early, await talk.read((bytes) => whole(Buffer.concat([early, bytes])))])
    const kex = readKexInit(packet, /^SSH-([\d.]+)/.exec(line)?.[1] ?? '')
    if (kex === null) return { service: 'ssh', ...identity }
    const exchange = exchangeFor(kex)
    if (exchange !== null) talk.send(exchange)
    const reply =
      exchange === null
        ? Buffer.alloc(0)
        : await talk.read((bytes) => payloadsOf(bytes).some((payload) => payload[0] === EXCHANGE_REPLY))
    return { service: 'ssh', ...identity, kex: { ...kex, hostKey: readHostKey(reply) } }
  },
}

const whole = (bytes: Buffer): boolean => bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE(0)

/** Null where it is no whole KEXINIT packet. */
export const readKexInit = (packet: Buffer, protocol: string): KexFacts | null => {
  if (packet.length < 22 || packet[5] !== KEXINIT) return null
  let at = 6 + 16
  const lists: string[][] = []
  for (let index = 0; index < 8; index += 1) {
    if (at + 4 > packet.length) return null
    const size = packet.readUInt32BE(at)
    if (size > 16_384 || at + 4 + size > packet.length) return null
    const names = packet.toString('latin1', at + 4, at + 4 + size).split(',')
    lists.push(names.filter((name) => /^[\x21-\x7e]{1,64}$/.test(name)).slice(0, MOST_NAMES))
    at += 4 + size
  }
  const [kex = [], hostKeys = [], inCiphers = [], outCiphers = [], inMacs = [], outMacs = [], compression = []] = lists
  return {
    protocol,
    kex,
    hostKeys,
    ciphers: [...new Set([...inCiphers, ...outCiphers])],
    macs: [...new Set([...inMacs, ...outMacs])],
    compression,
  }
}

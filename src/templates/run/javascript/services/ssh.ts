/** SSH: the banner, what the server offers, its host key, and which ways to sign in it names (RFC 4252, 5.2). */

import { readKexInit } from '../../../../protocols/services/ssh.ts'
import { EXCHANGE_REPLY, exchangeFor, payloadsOf, readHostKey } from '../../../../protocols/services/ssh-exchange.ts'
import { signInMethods } from '../../../../protocols/services/ssh-methods.ts'
import type { Talk } from '../../../../protocols/services/talk.ts'
import { ScriptAnswer } from '../../../language/script/errors.ts'
import { type Call, conversation, type ModuleShape, placeOf, SIGNS_IN } from './asking.ts'

/** The lists of SSH_MSG_KEXINIT as results name them, and as scripts read them. */
const LISTS = [
  ['kex_algorithms', 'KexAlgos'],
  ['host_key_algorithms', 'ServerHostKeyAlgos'],
  ['client_to_server_ciphers', 'CiphersClientServer'],
  ['server_to_client_ciphers', 'CiphersServerClient'],
  ['client_to_server_macs', 'MACsClientServer'],
  ['server_to_client_macs', 'MACsServerClient'],
  ['client_to_server_compression', 'CompressionClientServer'],
  ['server_to_client_compression', 'CompressionServerClient'],
] as const

const LONGEST_LIST = 16_384

/** Null where the packet is not whole, or is none. */
const listsOf = (packet: Buffer): ReadonlyMap<string, readonly string[]> | null => {
  if (packet.length < 22 || packet[5] !== 20 || packet.length < 4 + packet.readUInt32BE(0)) return null
  const lists = new Map<string, readonly string[]>()
  let at = 6 + 16
  for (const [name] of LISTS) {
    if (at + 4 > packet.length) return null
    const size = packet.readUInt32BE(at)
    if (size > LONGEST_LIST || at + 4 + size > packet.length) return null
    const text = packet.toString('latin1', at + 4, at + 4 + size)
    lists.set(name, text === '' ? [] : text.split(','))
    at += 4 + size
  }
  return lists
}

const info = async (talk: Talk) => {
  talk.send('SSH-2.0-Sonde\r\n')
  const seen = await talk.read((bytes) => listsOf(packetOf(bytes)) !== null)
  const banner = /SSH-[^\r\n]{1,255}/.exec(seen.toString('latin1'))?.[0]
  if (banner === undefined) throw new ScriptAnswer('what answers there is not SSH')
  const packet = packetOf(seen)
  const lists = listsOf(packet)
  const [, version = '', software = ''] = /^SSH-([\d.]+)-(.*)$/.exec(banner) ?? []
  const [product = '', ...comment] = software.split(' ')
  const key = await hostKeyOf(talk, packet, version)
  return {
    ServerID: { Raw: banner, ProtoVersion: version, SoftwareVersion: product, Comment: comment.join(' ') },
    ServerKex: {
      ...Object.fromEntries(lists ?? []),
      $also: Object.fromEntries(LISTS.map(([name, member]) => [member, name])),
    },
    Banner: '',
    DHKeyExchange: key === null ? {} : { server_host_key: keyFacts(key) },
  }
}

const packetOf = (bytes: Buffer): Buffer => {
  const line = bytes.indexOf(0x0a, Math.max(0, bytes.indexOf('SSH-')))
  return line < 0 ? Buffer.alloc(0) : bytes.subarray(line + 1)
}

const hostKeyOf = async (talk: Talk, packet: Buffer, version: string) => {
  const kex = readKexInit(packet, version)
  const exchange = kex && exchangeFor(kex)
  if (!exchange) return null
  talk.send(exchange)
  return readHostKey(await talk.read((bytes) => payloadsOf(bytes).some((payload) => payload[0] === EXCHANGE_REPLY)))
}

const keyFacts = ({ type, bits, sha256 }: NonNullable<ReturnType<typeof readHostKey>>) => ({
  algorithm: type,
  fingerprint_sha256: sha256,
  ...(type === 'ssh-rsa' ? { rsa_public_key: { length: bits } } : {}),
  ...(type.startsWith('ecdsa-') ? { ecdsa_public_key: { length: bits } } : {}),
})

const connectInfo: Call = async (parts, args) => {
  const place = placeOf(parts, args)
  const found = await conversation(parts, place, info)
  return { ...found, UserAuth: await conversation(parts, place, signInMethods) }
}

export const SSH: ModuleShape = {
  name: 'ssh',
  client: 'SSHClient',
  calls: { ConnectSSHInfoMode: connectInfo, Close: async () => true },
  refused: { [SIGNS_IN]: ['Connect', 'ConnectWithKey', 'Run'] },
}

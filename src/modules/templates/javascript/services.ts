/** Modules of scripts that greet a service and read how it introduces itself. None signs in. */
import {
  functionOf,
  numberOf,
  objectOf,
  ScriptAnswer,
  type ScriptValue,
  scriptValue,
  stringOf,
} from '../../../knowledge/templates/script/value.ts'
import { openTalk, type Talk } from '../../services/talk.ts'
import type { NetParts } from './net.ts'

type Ask = (talk: Talk) => Promise<unknown>

/** A function of a script over a fresh connection; what does not answer as the service throws. */
const asking = (parts: NetParts, ask: Ask) =>
  functionOf(async ([host, port]) => {
    const place = parts.place(stringOf(host), numberOf(port) || Number(stringOf(port)))
    const talk = await openTalk(parts.egress, { ...place, secure: false })
    try {
      return scriptValue(await ask(talk))
    } finally {
      talk.end()
    }
  })

const module = (parts: NetParts, client: string | null, functions: Readonly<Record<string, Ask>>): ScriptValue => {
  const members = Object.fromEntries(Object.entries(functions).map(([name, ask]) => [name, asking(parts, ask)]))
  return objectOf(client === null ? members : { ...members, [client]: functionOf(() => objectOf(members)) })
}

/** Null where a script of the catalogue would have to sign in or speak what is not offered. */
export const serviceModule = (name: string, parts: NetParts): ScriptValue | null => {
  switch (name) {
    case 'nuclei/ssh':
      return module(parts, 'SSHClient', { ConnectSSHInfoMode: sshInfo })
    case 'nuclei/redis':
      return module(parts, null, { GetServerInfo: redisInfo })
    case 'nuclei/mysql':
      return module(parts, 'MySQLClient', { IsMySQL: isMysql, FingerprintMySQL: mysqlGreeting })
    case 'nuclei/postgres':
      return module(parts, 'PGClient', { IsPostgres: isPostgres })
    case 'nuclei/rsync':
      return module(parts, null, { IsRsync: isRsync })
    default:
      return null
  }
}

const LISTS = [
  'kex_algorithms',
  'host_key_algorithms',
  'client_to_server_ciphers',
  'server_to_client_ciphers',
  'client_to_server_macs',
  'server_to_client_macs',
  'client_to_server_compression',
  'server_to_client_compression',
] as const

/** RFC 4253: the banner, then SSH_MSG_KEXINIT with what the server offers. */
const sshInfo: Ask = async (talk) => {
  talk.send('SSH-2.0-check\r\n')
  let bytes = await talk.read((seen) => keyExchangeOf(seen) !== null)
  if (keyExchangeOf(bytes) === null) bytes = Buffer.concat([bytes, await talk.read()])
  const banner = /SSH-[^\r\n]*/.exec(bytes.toString('latin1'))?.[0]
  if (banner === undefined) throw new ScriptAnswer('what answers there is not SSH')
  const [, version = '', software = ''] = /^SSH-([\d.]+)-(.*)$/.exec(banner) ?? []
  const offered = keyExchangeOf(bytes)
  return {
    ServerID: {
      Raw: banner,
      ProtoVersion: version,
      SoftwareVersion: software.split(' ')[0] ?? '',
      Comment: software.split(' ').slice(1).join(' '),
    },
    ServerKex: offered ?? {},
    Banner: '',
  }
}

const keyExchangeOf = (bytes: Buffer): Readonly<Record<string, readonly string[]>> | null => {
  const line = bytes.indexOf('\n', bytes.indexOf('SSH-'))
  if (line < 0 || bytes.length < line + 7) return null
  const packet = bytes.subarray(line + 1)
  const length = packet.readUInt32BE(0)
  if (packet.length < 4 + length || packet[5] !== 20) return null
  const lists: Record<string, readonly string[]> = {}
  let at = 6 + 16
  for (const name of LISTS) {
    if (at + 4 > packet.length) return null
    const size = packet.readUInt32BE(at)
    lists[name] = packet.toString('latin1', at + 4, at + 4 + size).split(',')
    at += 4 + size
  }
  return lists
}

const redisInfo: Ask = async (talk) => {
  talk.send('INFO\r\n')
  const answer = (await talk.read()).toString('latin1')
  if (!/^[$+-]/.test(answer)) throw new ScriptAnswer('what answers there is not Redis')
  if (answer.startsWith('-')) throw new ScriptAnswer(answer.trim().slice(0, 200))
  return answer.replace(/^\$\d+\r\n/, '')
}

/** The greeting of the protocol: length, sequence, protocol 10, version text (MySQL's own documentation, HandshakeV10). */
const greetingOf = (bytes: Buffer): string | null =>
  bytes[4] === 10 ? bytes.toString('latin1', 5, Math.max(5, bytes.indexOf(0, 5))) : null

const isMysql: Ask = async (talk) => greetingOf(await talk.read()) !== null
const mysqlGreeting: Ask = async (talk) => {
  const version = greetingOf(await talk.read())
  if (version === null) throw new ScriptAnswer('what answers there is not MySQL')
  return JSON.stringify({
    Host: talk.host,
    Port: talk.port,
    Protocol: 'mysql',
    TLS: false,
    Transport: 'tcp',
    Version: version,
  })
}

/** SSLRequest of PostgreSQL: one byte, S or N. */
const isPostgres: Ask = async (talk) => {
  talk.send(Buffer.from('0000000804d2162f', 'hex'))
  return /^[SN]$/.test((await talk.read((seen) => seen.length > 0)).toString('latin1'))
}

const isRsync: Ask = async (talk) => {
  const banner = (await talk.read()).toString('latin1')
  return { IsRsync: banner.startsWith('@RSYNCD:'), Banner: banner.trim().slice(0, 200) }
}

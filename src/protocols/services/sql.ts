/** MySQL, PostgreSQL, SQL Server, Oracle: what they say before anyone signs in. */
import { cpeOf } from '../../knowledge/services/service.ts'
import type { Probe } from './probe.ts'
import { atLeast, textOf } from './talk.ts'

/** Initial handshake packet, protocol 10, or an error packet that only MySQL sends (MySQL internals, connection phase). */
export const mysql: Probe = {
  services: ['mysql', 'sphinx'],
  greets: true,
  run: async (talk) => {
    const packet = await talk.read((bytes) => bytes.length >= 4 && bytes.length >= 4 + bytes.readUIntLE(0, 3))
    if (packet.length < 8 || packet[3] !== 0) return null
    if (packet[4] === 0xff) {
      const text = textOf(packet.subarray(7))
      const product = /MariaDB/i.test(text) ? 'MariaDB' : 'MySQL'
      return /Host .{1,200} is (?:not allowed|blocked)|Too many connections/i.test(text)
        ? { service: 'mysql', product, info: text.replace(/^#?\w{5}/, '').slice(0, 120) }
        : null
    }
    const end = packet.indexOf(0, 5)
    if (packet[4] !== 10 || end < 6) return null
    const named = textOf(packet.subarray(5, end)).slice(0, 100)
    const flags = packet.length >= end + 16 ? packet.readUInt16LE(end + 14) : 0
    return { service: 'mysql', ...mysqlProduct(named), starttls: (flags & 0x0800) !== 0 }
  },
}

/** `5.5.5-10.11.6-MariaDB-0+deb12u1`: the prefix is for replicas that refuse a first number above 5. */
export const mysqlProduct = (named: string) => {
  const maria = /^(?:5\.5\.5-)?(\d+\.\d+\.\d+)-MariaDB(?:-(.*))?$/i.exec(named)
  if (maria) {
    const version = maria[1] ?? null
    return { product: 'MariaDB', version, info: maria[2] ?? null, cpe: cpeOf('mariadb:mariadb', version) }
  }
  const [, version = null, info = null] = /^(\d+\.\d+\.\d+)(?:-(.+))?$/.exec(named) ?? []
  if (info && /percona/i.test(info))
    return { product: 'Percona Server', version, info, cpe: cpeOf('percona:percona_server', version) }
  return { product: 'MySQL', version: version ?? named, info, cpe: cpeOf('oracle:mysql', version) }
}

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f])

/**
 * SSLRequest, then a start-up with a protocol number that does not exist: the error that follows names the server's
 * source file and line, and the versions it takes (protocol documents, chapter 55). Nobody signs in.
 */
export const postgresql: Probe = {
  services: ['postgresql', 'cockroachdb'],
  run: async (talk) => {
    talk.send(SSL_REQUEST)
    const offer = await talk.read(atLeast(1))
    // The offer is one octet; a banner that begins with the same letter is longer.
    if (offer[0] !== 0x45 && (offer.length !== 1 || (offer[0] !== 0x53 && offer[0] !== 0x4e))) return null
    if (offer[0] === 0x45 && !textOf(offer).includes('FATAL')) return null
    if (offer[0] === 0x4e) talk.send(Buffer.from([0, 0, 0, 9, 0, 0xff, 0, 0, 0]))
    const error = textOf(
      offer[0] === 0x4e ? await talk.read((bytes) => bytes.length > 5 && bytes.length > bytes.readUInt32BE(1)) : offer,
    )
    if (offer[0] === 0x4e && !error.startsWith('E')) return null
    const range = /server supports (\d\.\d) to (\d\.\d)/.exec(error)?.[0] ?? null
    return {
      service: 'postgresql',
      ...speaker(error),
      version: null,
      info: range,
      starttls: offer[0] === 0x53,
    }
  },
}

/** Poolers and other databases speak the protocol too; the error of PostgreSQL itself names the routine in its source. */
const speaker = (error: string): { readonly product: string | null; readonly cpe: string | null } => {
  if (/\0F[\w./-]{1,80}\.c\0L\d+\0R\w+\0/.test(error)) {
    return { product: 'PostgreSQL DB', cpe: cpeOf('postgresql:postgresql', null) }
  }
  if (/\0F[\w./-]{1,80}\.go\0/.test(error)) return { product: 'CockroachDB', cpe: null }
  return { product: null, cpe: null }
}

/** PRELOGIN (MS-TDS 2.2.6.5): the answer holds the version of the server. */
const PRELOGIN = Buffer.from(
  [
    '1201002f00000100', // type, status, length 47, packet 1
    '00001a0006', // version at 26, 6 bytes
    '0100200001', // encryption
    '0200210001', // instance
    '0300220004', // thread
    '0400260001', // several result sets
    'ff',
    '00000000000002000000000000', // no version, encryption not supported, no name
  ].join(''),
  'hex',
)
export const mssql: Probe = {
  services: ['mssql'],
  run: async (talk) => {
    talk.send(PRELOGIN)
    const reply = await talk.read((bytes) => bytes.length >= 8 && bytes.length >= bytes.readUInt16BE(2))
    if (reply.length < 20 || reply[0] !== 4 || reply[8] !== 0) return null
    const at = 8 + reply.readUInt16BE(9)
    if (at + 6 > reply.length) return null
    const version = `${reply[at]}.${reply[at + 1]}.${reply.readUInt16BE(at + 2)}`
    return {
      service: 'mssql',
      product: 'Microsoft SQL Server',
      version,
      info: RELEASES[reply[at] ?? 0] ?? null,
      cpe: cpeOf('microsoft:sql_server', version),
    }
  },
}
const RELEASES: Readonly<Record<number, string>> = {
  9: '2005',
  10: '2008',
  11: '2012',
  12: '2014',
  13: '2016',
  14: '2017',
  15: '2019',
  16: '2022',
  17: '2025',
}

/** TNS connect that asks the listener for its version; a refusal names it too (VSNNUM in hexadecimal). */
const VERSION_ASKED = '(CONNECT_DATA=(COMMAND=version))'
const TNS = Buffer.concat([
  Buffer.from([
    0,
    58 + VERSION_ASKED.length,
    0,
    0,
    1,
    0,
    0,
    0,
    1,
    0x36,
    1,
    0x2c,
    0,
    0,
    8,
    0,
    0x7f,
    0xff,
    0x7f,
    8,
    0,
    0,
    0,
    1,
  ]),
  Buffer.from([0, VERSION_ASKED.length, 0, 58]),
  Buffer.alloc(30),
  Buffer.from(VERSION_ASKED),
])
export const oracle: Probe = {
  services: ['oracle'],
  run: async (talk) => {
    talk.send(TNS)
    const reply = textOf(await talk.read(undefined, 3_000))
    if (!/^[\s\S]{4}[\x02\x04\x05\x0b]/.test(reply) || !/VSNNUM=|TNSLSNR|\(DESCRIPTION=/.test(reply)) return null
    const number = Number(/VSNNUM=(\d{1,12})/.exec(reply)?.[1] ?? 0)
    const spoken = /Version (\d[\d.]{2,20})/.exec(reply)?.[1] ?? null
    const version =
      spoken ??
      (number > 0
        ? [24, 20, 12, 8, 0]
            .map((bits, index) => (number >>> bits) & ([0xff, 0xf, 0xff, 0xf, 0xff][index] ?? 0))
            .join('.')
        : null)
    return { service: 'oracle', product: 'Oracle TNS listener', version, cpe: cpeOf('oracle:database_server', version) }
  },
}

/** UDP services of the network itself: TFTP, NTP, QUIC, IKE, SQL Server's browser, SSDP, memcached, chargen. */
import { type DatagramService, printable } from '../datagram.ts'

/** Read request for a file that cannot exist (RFC 1350): a server answers with an error, and nothing is sent. */
const tftp: DatagramService = {
  id: 'tftp',
  title: 'TFTP',
  port: 69,
  payload: Buffer.from('\0\x01sonde-no-such-file\0octet\0', 'latin1'),
  anyPort: true,
  read: (reply) => {
    const code = reply.length >= 4 ? reply.readUInt16BE(0) : 0
    if (code === 5) return { says: `answers: ${printable(reply.subarray(4)) || `error ${reply.readUInt16BE(2)}`}` }
    return code === 3 ? { says: 'gives out a file by any name' } : null
  },
}

/** READVAR of association 0 in a control message (mode 6, RFC 9327): version and system of ntpd. */
const ntp: DatagramService = {
  id: 'ntp',
  title: 'NTP control (mode 6)',
  port: 123,
  payload: Buffer.from([0x16, 0x02, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
  read: (reply) => {
    if (reply.length < 12 || ((reply[0] ?? 0) & 7) !== 6 || ((reply[1] ?? 0) & 0x80) === 0) return null
    const text = reply.subarray(12).toString('latin1')
    const version = /version="ntpd\s+([^"@\s]{1,40})/.exec(text)?.[1]
    return {
      says: printable(text) || 'answers control messages',
      ...(version ? { product: 'ntpd', version } : {}),
    }
  },
}

/** REQ_MON_GETLIST_1 (mode 7, CVE-2013-5211): one packet asks for the last 600 clients. */
const monlist: DatagramService = {
  id: 'ntp-monlist',
  title: 'NTP monitor list (mode 7)',
  port: 123,
  payload: Buffer.concat([Buffer.from([0x17, 0x00, 0x03, 0x2a]), Buffer.alloc(4)]),
  read: (reply) => {
    const [first = 0, , implementation, request] = reply
    if (reply.length < 8 || (first & 0x87) !== 0x87 || implementation !== 3 || request !== 0x2a) return null
    const items = reply.readUInt16BE(4) & 0x0fff
    return { says: items > 0 ? `lists its last clients, ${items} in the first packet` : 'refuses the monitor list' }
  },
}

/** A long header of a version that nobody speaks: a QUIC server lists the versions it does (RFC 9000, 6.1). */
const quic: DatagramService = {
  id: 'quic',
  title: 'QUIC',
  port: 443,
  payload: Buffer.concat([
    Buffer.from([0xc0, 0x1a, 0x2a, 0x3a, 0x4a, 8, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0]),
    Buffer.alloc(1_200 - 24),
  ]),
  read: (reply) => {
    if (reply.length < 11 || ((reply[0] ?? 0) & 0x80) === 0 || reply.readUInt32BE(1) !== 0) return null
    const ids = 5 + 1 + (reply[5] ?? 0)
    const from = ids + 1 + (reply[ids] ?? 0)
    const versions: string[] = []
    for (let at = from; at + 4 <= reply.length && versions.length < 16; at += 4) {
      versions.push(`0x${reply.readUInt32BE(at).toString(16).padStart(8, '0')}`)
    }
    return versions.length > 0 ? { says: `versions ${versions.join(', ')}` } : null
  },
}

/** IKEv1 main mode (RFC 2409) with one proposal: AES-128, SHA-1, pre-shared key, group 2. Any IKE daemon answers. */
const ike: DatagramService = {
  id: 'ike',
  title: 'IKE',
  port: 500,
  payload: Buffer.concat([
    Buffer.from('736f6e6465303031', 'hex'), // initiator's cookie
    Buffer.alloc(8),
    Buffer.from([1, 0x10, 2, 0, 0, 0, 0, 0, 0, 0, 0, 84]), // next SA, version 1.0, main mode, length 84
    Buffer.from([0, 0, 0, 56, 0, 0, 0, 1, 0, 0, 0, 1]), // SA, IPsec, identity only
    Buffer.from([0, 0, 0, 44, 1, 1, 0, 1]), // proposal 1, ISAKMP, one transform
    Buffer.from([0, 0, 0, 36, 1, 1, 0, 0]), // transform 1, KEY_IKE
    Buffer.from('80010007800e0080800200028003000180040002800b0001800c0e10', 'hex'),
  ]),
  read: (reply) => {
    if (reply.length < 28 || reply.toString('latin1', 0, 8) !== 'sonde001') return null
    return { says: `answers IKE version ${(reply[17] ?? 0) >> 4}` }
  },
}

/** CLNT_UCAST_EX (MS-SQLR 2.2.2): the instances of SQL Server on this machine. */
const sqlBrowser: DatagramService = {
  id: 'mssql-browser',
  title: 'SQL Server browser',
  port: 1434,
  payload: Buffer.of(3),
  read: (reply) => {
    if (reply[0] !== 5 || reply.length < 3) return null
    const text = printable(reply.subarray(3), 400)
    const version = /Version;([\d.]{3,20})/.exec(text)?.[1]
    return { says: text, ...(version ? { product: 'Microsoft SQL Server', version } : {}) }
  },
}

const ssdp: DatagramService = {
  id: 'ssdp',
  title: 'SSDP (UPnP)',
  port: 1900,
  payload: Buffer.from(
    'M-SEARCH * HTTP/1.1\r\nHost: 239.255.255.250:1900\r\nMan: "ssdp:discover"\r\nMX: 1\r\nST: ssdp:all\r\n\r\n',
  ),
  read: (reply) => {
    const text = reply.toString('latin1')
    if (!/^HTTP\/1\.[01] 200 /.test(text)) return null
    return { says: `server: ${printable(/^server:(.*)$/im.exec(text)?.[1] ?? 'unnamed')}` }
  },
}

/** The frame of memcached's UDP (doc/protocol.txt) around `stats`, which is what attacks send. Counters, no values. */
const memcached: DatagramService = {
  id: 'memcached-udp',
  title: 'memcached over UDP',
  port: 11211,
  payload: Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 1, 0, 0]), Buffer.from('stats\r\n')]),
  read: (reply) => {
    const text = reply.subarray(8).toString('latin1')
    if (!/^(?:STAT |ERROR|SERVER_ERROR)/.test(text)) return null
    const version = /^STAT version ([\w.-]{1,30})/m.exec(text)?.[1]
    return { says: printable(text), ...(version ? { product: 'Memcached', version } : {}) }
  },
}

/** Get Channel Authentication Capabilities (IPMI 2.0, 22.13) before any session: which sign-ins the controller takes. */
const ipmi: DatagramService = {
  id: 'ipmi',
  title: 'IPMI',
  port: 623,
  payload: Buffer.from('0600ff07000000000000000000092018c88100388e04b5', 'hex'),
  read: (reply) => {
    const isAnswer = reply.length >= 30 && reply[0] === 6 && reply[3] === 7 && reply[19] === 0x38 && reply[20] === 0
    if (!isAnswer) return null
    const [types = 0, status = 0] = [reply[22], reply[23]]
    const anonymous = (status & 1) !== 0 ? ', anonymous sign-in enabled' : ''
    return { says: `${(types & 1) !== 0 ? 'takes sessions without a password' : 'asks for a sign-in'}${anonymous}` }
  },
}

const chargen: DatagramService = {
  id: 'chargen',
  title: 'Character generator',
  port: 19,
  payload: Buffer.from('\r\n'),
  read: (reply) =>
    reply.toString('latin1').includes('ABCDEFGHIJKLMNOPQRST') ? { says: 'sends characters (RFC 864)' } : null,
}

export const NETWORK_DATAGRAMS: readonly DatagramService[] = [
  chargen,
  tftp,
  ntp,
  monlist,
  quic,
  ike,
  sqlBrowser,
  ssdp,
  memcached,
  ipmi,
]

/** UDP services of names and directories: DNS, NetBIOS, CLDAP, SNMP, mDNS. */
import { type DatagramService, printable } from '../datagram.ts'
import { ber, berItems, berText } from './ber.ts'

const ID = 0x5e0d

/** CHAOS TXT version.bind (RFC 4892 describes the habit): BIND, Unbound, NSD and others answer or refuse it. */
const dnsQuery = (flags: number, name: readonly string[], type: number, kind: number): Buffer => {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(ID, 0)
  head.writeUInt16BE(flags, 2)
  head.writeUInt16BE(1, 4)
  const labels = name.map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]))
  return Buffer.concat([head, ...labels, Buffer.of(0, type >> 8, type & 0xff, kind >> 8, kind & 0xff)])
}

export const VERSION_QUERY = dnsQuery(0, ['version', 'bind'], 16, 3)

/** Version text of an answer to `VERSION_QUERY`: null when it is no answer to it, '' when it says none. */
export const readVersionAnswer = (reply: Buffer): string | null => {
  if (reply.length < 12 || reply.readUInt16BE(0) !== ID || ((reply[2] ?? 0) & 0x80) === 0) return null
  const answers = reply.readUInt16BE(6)
  const question = VERSION_QUERY.length
  if (answers === 0 || reply.length < question + 13) return ''
  // Name (pointer or whole), type, class, ttl, length, then the first string.
  const name = ((reply[question] ?? 0) & 0xc0) === 0xc0 ? 2 : VERSION_QUERY.length - 12 - 4
  const data = question + name + 10
  const size = reply[data] ?? 0
  return printable(reply.subarray(data + 1, data + 1 + size), 120)
}

const dns: DatagramService = {
  id: 'dns',
  title: 'DNS',
  port: 53,
  payload: VERSION_QUERY,
  read: (reply) => {
    const version = readVersionAnswer(reply)
    if (version === null) return null
    return version === '' ? { says: 'answers DNS, names no version' } : { says: `version.bind says "${version}"` }
  },
}

/** NBSTAT (RFC 1002, 4.2.17): the name table of a Windows or Samba host. */
const netbios: DatagramService = {
  id: 'netbios-ns',
  title: 'NetBIOS name service',
  port: 137,
  payload: dnsQuery(0, [`CK${'A'.repeat(30)}`], 0x21, 1),
  read: (reply) => {
    if (reply.length < 57 || reply.readUInt16BE(0) !== ID || ((reply[2] ?? 0) & 0x80) === 0) return null
    const count = reply[56] ?? 0
    const names = Array.from({ length: Math.min(count, 16) }, (_, index) =>
      printable(reply.subarray(57 + index * 18, 57 + index * 18 + 15), 15),
    )
    return { says: `names: ${[...new Set(names.filter((name) => name !== ''))].join(', ')}` }
  },
}

/** sysDescr.0 by SNMPv1 GetRequest (RFC 1157) with the community that devices ship with. */
const SYS_DESCR = ber(0x06, Buffer.of(0x2b, 6, 1, 2, 1, 1, 1, 0))
const snmp: DatagramService = {
  id: 'snmp',
  title: 'SNMP',
  port: 161,
  payload: ber(
    0x30,
    ber(0x02, Buffer.of(0)),
    berText(0x04, 'public'),
    ber(
      0xa0,
      ber(0x02, Buffer.of(ID >> 8, ID & 0xff)),
      ber(0x02, Buffer.of(0)),
      ber(0x02, Buffer.of(0)),
      ber(0x30, ber(0x30, SYS_DESCR, Buffer.of(5, 0))),
    ),
  ),
  read: (reply) => {
    const [message] = berItems(reply)
    const pdu = message?.tag === 0x30 ? berItems(message.body)[2] : undefined
    if (pdu?.tag !== 0xa2) return null
    const bindings = berItems(pdu.body)[3]
    const pair = bindings ? berItems(bindings.body)[0] : undefined
    const value = pair ? berItems(pair.body)[1] : undefined
    const text = value?.tag === 0x04 ? printable(value.body) : ''
    return { says: text === '' ? 'answers the community "public"' : `sysDescr: ${text}`, openTo: 'public' }
  },
}

/** Search of the root entry over UDP (MS-ADTS 6.3.3, RFC 1798): what amplification attacks send. */
export const ROOT_SEARCH = (id: number): Buffer =>
  ber(
    0x30,
    ber(0x02, Buffer.of(id)),
    ber(
      0x63,
      berText(0x04, ''),
      ber(0x0a, Buffer.of(0)),
      ber(0x0a, Buffer.of(0)),
      ber(0x02, Buffer.of(1)),
      ber(0x02, Buffer.of(5)),
      ber(0x01, Buffer.of(0)),
      berText(0x87, 'objectClass'),
      ber(0x30),
    ),
  )

const cldap: DatagramService = {
  id: 'cldap',
  title: 'LDAP over UDP',
  port: 389,
  payload: ROOT_SEARCH(7),
  read: (reply) => {
    const [message] = berItems(reply)
    const operation = message?.tag === 0x30 ? berItems(message.body)[1] : undefined
    if (operation?.tag !== 0x64 && operation?.tag !== 0x65) return null
    return { says: operation.tag === 0x64 ? 'gives its root entry to everyone' : 'answers without an entry' }
  },
}

/** PTR of _services._dns-sd._udp.local with the unicast bit (RFC 6762, 5.4; RFC 6763, 9). */
const mdns: DatagramService = {
  id: 'mdns',
  title: 'Multicast DNS',
  port: 5353,
  payload: dnsQuery(0, ['_services', '_dns-sd', '_udp', 'local'], 12, 0x8001),
  read: (reply) => {
    if (reply.length < 12 || ((reply[2] ?? 0) & 0x80) === 0) return null
    const names = [...reply.toString('latin1').matchAll(/_([a-z0-9-]{1,15})[^a-z0-9]_(?:tcp|udp)/g)].map(
      ([, name]) => name,
    )
    return { says: `announces ${[...new Set(names)].slice(0, 12).join(', ') || 'services'}` }
  },
}

export const DIRECTORY_DATAGRAMS: readonly DatagramService[] = [dns, netbios, snmp, cldap, mdns]

/** LDAP, DNS over TCP, NFS's port mapper, SIP, XMPP, RTSP. */

import { printable } from '../../knowledge/ports/datagram.ts'
import { berItems } from '../../knowledge/ports/datagrams/ber.ts'
import { ROOT_SEARCH, readVersionAnswer, VERSION_QUERY } from '../../knowledge/ports/datagrams/directory.ts'
import { cpeOf } from '../../knowledge/services/service.ts'
import type { Probe } from './probe.ts'
import { atLeast, textOf } from './talk.ts'

/** Anonymous search of the root entry (RFC 4512, 5.1), then of one level below its first naming context. */
export const ldap: Probe = {
  services: ['ldap'],
  run: async (talk) => {
    talk.send(ROOT_SEARCH(1))
    const reply = await talk.read((bytes) => berItems(bytes).some(({ body }) => berItems(body)[1]?.tag === 0x65))
    const operations = berItems(reply).flatMap(({ tag, body }) => (tag === 0x30 ? (berItems(body)[1] ?? []) : []))
    if (!operations.some(({ tag }) => tag === 0x64 || tag === 0x65)) return null
    const text = textOf(reply)
    const entry = operations.find(({ tag }) => tag === 0x64)
    const openldap = text.includes('OpenLDAProotDSE')
    const directory = /isGlobalCatalogReady|domainControllerFunctionality/i.test(text)
    return {
      service: 'ldap',
      product: openldap ? 'OpenLDAP' : directory ? 'Microsoft Active Directory LDAP' : null,
      cpe: openldap ? cpeOf('openldap:openldap', null) : null,
      access: entry
        ? {
            kind: 'directory',
            says: 'an anonymous search of the root entry was answered',
            mark: openldap ? 'OpenLDAProotDSE' : 'objectClass',
          }
        : null,
    }
  },
}

export const dnsTcp: Probe = {
  services: ['dns'],
  run: async (talk) => {
    talk.send(Buffer.concat([Buffer.of(0, VERSION_QUERY.length), VERSION_QUERY]))
    const reply = await talk.read((bytes) => bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE(0))
    const said = reply.length > 2 ? readVersionAnswer(reply.subarray(2)) : null
    if (said === null) return null
    const [, named] = /^(unbound|NSD|dnsmasq|PowerDNS[\w ]*|knot[\w ]*)/i.exec(said) ?? []
    const version = /(\d+\.\d+(?:\.\d+)?(?:-P\d+)?)/.exec(said)?.[1] ?? null
    // BIND answers with a bare version; distributions put their name behind it.
    const bind = !named && /^\d+\.\d+\.\d+/.test(said)
    return {
      service: 'dns',
      product: bind ? 'ISC BIND' : (named ?? null),
      version: bind || named ? version : null,
      info: said || null,
      cpe: bind ? cpeOf('isc:bind', version) : null,
    }
  },
}

const rpcCall = (program: number, version: number, procedure: number): Buffer => {
  const call = [0x5e0d0001, 0, 2, program, version, procedure, 0, 0, 0, 0]
  const body = Buffer.alloc(call.length * 4)
  for (const [index, word] of call.entries()) body.writeUInt32BE(word >>> 0, index * 4)
  const mark = Buffer.alloc(4)
  mark.writeUInt32BE((0x80000000 + body.length) >>> 0)
  return Buffer.concat([mark, body])
}

/** PMAPPROC_DUMP (RFC 1833, 3): which RPC programs run here. NFS among them is said. */
export const rpcbind: Probe = {
  services: ['rpcbind'],
  run: async (talk) => {
    talk.send(rpcCall(100_000, 2, 4))
    const reply = await talk.read(
      (bytes) => bytes.length >= 4 && bytes.length >= 4 + (bytes.readUInt32BE(0) & 0x7fffffff),
    )
    if (reply.length < 28 || reply.readUInt32BE(4) !== 0x5e0d0001 || reply.readUInt32BE(8) !== 1) return null
    const programs = new Set<number>()
    for (let at = 28; at + 20 <= reply.length && reply.readUInt32BE(at) === 1; at += 20)
      programs.add(reply.readUInt32BE(at + 4))
    const named = [...programs]
      .map((id) => PROGRAMS[id] ?? String(id))
      .slice(0, 20)
      .join(', ')
    return {
      service: 'rpcbind',
      product: 'rpcbind',
      info: named,
      access:
        programs.size > 0
          ? {
              kind: 'listing',
              says: `the programs were listed: ${named}`,
              mark: reply.subarray(28, 48).toString('hex'),
            }
          : null,
    }
  },
}
const PROGRAMS: Readonly<Record<number, string>> = {
  100000: 'portmapper',
  100003: 'nfs',
  100005: 'mountd',
  100021: 'nlockmgr',
  100024: 'status',
  100004: 'ypserv',
  100227: 'nfs_acl',
}

/** OPTIONS (RFC 3261, 11). */
export const sip: Probe = {
  services: ['sip'],
  run: async (talk) => {
    talk.send(
      `OPTIONS sip:sonde@${talk.host} SIP/2.0\r\nVia: SIP/2.0/TCP sonde.invalid;branch=z9hG4bKsonde\r\nFrom: <sip:sonde@sonde.invalid>;tag=1\r\nTo: <sip:sonde@${talk.host}>\r\nCall-ID: sonde\r\nCSeq: 1 OPTIONS\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n`,
    )
    const reply = textOf(await talk.read((bytes) => textOf(bytes).includes('\r\n\r\n')))
    if (!/^SIP\/2\.0 \d{3}/.test(reply)) return null
    const named = /^(?:Server|User-Agent):\s*([^\r\n]{1,100})/im.exec(reply)?.[1] ?? ''
    const [, product = null, version = null] = /^([A-Za-z][\w .]{0,30}?)(?: PBX)?[ /-]v?(\d[\w.]*)/.exec(named) ?? []
    return { service: 'sip', product: product ?? (printable(named, 60) || null), version }
  },
}

export const rtsp: Probe = {
  services: ['rtsp', 'daap'],
  run: async (talk) => {
    talk.send(`OPTIONS rtsp://${talk.host}:${talk.port}/ RTSP/1.0\r\nCSeq: 1\r\nUser-Agent: Sonde\r\n\r\n`)
    const reply = textOf(await talk.read((bytes) => textOf(bytes).includes('\r\n\r\n')))
    if (!/^RTSP\/1\.0 \d{3}/.test(reply)) return null
    const [, product = null, version = null] = /^Server:\s*([^/\r\n]{1,60})(?:\/([\w.]{1,20}))?/im.exec(reply) ?? []
    return { service: 'rtsp', product, version }
  },
}

export const xmpp: Probe = {
  services: ['xmpp'],
  run: async (talk) => {
    talk.send(
      `<?xml version='1.0'?><stream:stream to='${talk.host}' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>`,
    )
    const reply = textOf(await talk.read((bytes) => /<\/stream:features>|<\/stream:stream>/.test(textOf(bytes))))
    if (!/<stream:stream[^>]{0,400}>/.test(reply)) return null
    const product = /(ejabberd|prosody|openfire|tigase)/i.exec(reply)?.[1] ?? null
    return { service: 'xmpp', product, starttls: /urn:ietf:params:xml:ns:xmpp-tls/.test(reply) }
  },
}

/** No method but "no authentication" is offered (RFC 1928, 3): 00 means an open proxy. Nothing is relayed. */
export const socks: Probe = {
  services: ['socks'],
  run: async (talk) => {
    talk.send(Buffer.from([5, 1, 0]))
    const reply = await talk.read(atLeast(2), 1_500)
    if (reply.length !== 2 || reply[0] !== 5 || (reply[1] !== 0 && reply[1] !== 0xff)) return null
    return {
      service: 'socks',
      info: 'SOCKS 5',
      access: reply[1] === 0 ? { kind: 'control', says: 'the proxy asks nobody for a login', mark: '05 00' } : null,
    }
  },
}

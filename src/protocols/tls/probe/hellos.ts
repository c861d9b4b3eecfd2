/** The hellos that the probes vary. */
import { randomBytes } from 'node:crypto'
import { GROUPS, X25519 } from '../../../knowledge/tls/groups.ts'
import { COMMON_SCHEMES } from '../../../knowledge/tls/schemes.ts'
import { u8, vector } from '../wire/bytes.ts'
import { EXTENSION, type Extension, extension, type Hello } from '../wire/hello.ts'
import type { TlsEndpoint } from '../wire/prober.ts'
import { VERSION } from '../wire/record.ts'
import type { Service } from '../wire/starttls.ts'

const CLASSIC_GROUPS: readonly number[] = [
  29, 23, 24, 25, 30, 22, 26, 27, 28, 21, 20, 19, 18, 13, 14, 11, 12, 9, 10, 6, 7, 8, 17, 16, 15, 4, 5, 1, 2, 3,
]
export const TLS13_GROUPS: readonly number[] = GROUPS.filter((group) => group.modern).map((group) => group.code)

export const renegotiationInfo = (verify: Buffer = Buffer.alloc(0)): Extension =>
  extension(EXTENSION.renegotiation, vector(1, verify))

/** A hello of one version up to TLS 1.2; SSL 3.0 goes without extensions. */
export const classicHello = (
  endpoint: TlsEndpoint,
  version: number,
  suites: readonly number[],
  change: Partial<Hello> = {},
): Hello => ({
  version,
  suites,
  servername: version === VERSION.ssl3 ? null : nameOf(endpoint),
  groups: CLASSIC_GROUPS,
  ...(version >= VERSION.tls12 ? { schemes: COMMON_SCHEMES } : {}),
  more: version === VERSION.ssl3 ? [] : [renegotiationInfo()],
  ...change,
})

/**
 * Octets that every server takes for a public key of X25519, where no probe needs the private one. The highest bit has no
 * meaning (RFC 7748, 5), and yet there are libraries that refuse a key in which it is set.
 */
export const x25519Key = (): Buffer => {
  const key = randomBytes(32)
  key[31] = (key[31] ?? 0) & 0x7f
  return key
}

/** A TLS 1.3 hello with a share of X25519. */
export const modernHello = (endpoint: TlsEndpoint, suites: readonly number[], change: Partial<Hello> = {}): Hello => ({
  version: VERSION.tls12,
  suites,
  servername: nameOf(endpoint),
  sessionId: randomBytes(32),
  groups: TLS13_GROUPS,
  schemes: COMMON_SCHEMES,
  supportedVersions: [VERSION.tls13],
  keyShares: [{ group: X25519, key: x25519Key() }],
  ...change,
})

/** What a client of the service could offer; of a port whose service is not known, any of them. */
export const protocolsFor = (service: Service): readonly string[] => ALPN[service] ?? Object.values(ALPN).flat()

const ALPN: Readonly<Partial<Record<Service, readonly string[]>>> = {
  https: ['h2', 'http/1.1', 'http/1.0', 'spdy/3.1'],
  imap: ['imap'],
  smtp: ['smtp'],
  xmpp: ['xmpp-client'],
  postgresql: ['postgresql'],
}

/** No name is sent for an address (RFC 6066, 3). */
export const nameOf = (endpoint: TlsEndpoint): string | null =>
  /^[\d.]+$|:/.test(endpoint.host) ? null : endpoint.host

/** What a client of the service would ask first, and what changes nothing. */
export const question = ({ service, host }: TlsEndpoint): Buffer =>
  Buffer.from(
    service === 'https' ? `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n` : 'NOOP\r\n',
    'latin1',
  )

export const statusRequest: Extension = extension(EXTENSION.statusRequest, Buffer.from('0100000000', 'hex'))
/** RFC 6962, 3.3.1: an empty extension asks for the timestamps. */
export const timestampsWanted: Extension = extension(EXTENSION.timestamps)
export const heartbeatAllowed: Extension = extension(EXTENSION.heartbeat, u8(1))

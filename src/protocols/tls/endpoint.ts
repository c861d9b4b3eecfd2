/** What the prober tells of one TLS endpoint. Plain JSON; octets are hexadecimal, certificates base64. */
import type { Service } from './wire/starttls.ts'

export const PROTOCOLS = ['SSLv2', 'SSLv3', 'TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const

export type Protocol = (typeof PROTOCOLS)[number]

export const CODES: Readonly<Record<Exclude<Protocol, 'SSLv2'>, number>> = {
  SSLv3: 0x0300,
  TLSv1: 0x0301,
  'TLSv1.1': 0x0302,
  'TLSv1.2': 0x0303,
  'TLSv1.3': 0x0304,
}

export interface ProtocolFacts {
  readonly protocol: Protocol
  readonly state: 'offered' | 'refused' | 'unknown'
  /** In the server's order of preference where it has one, else by code. Empty for SSLv2. */
  readonly suites: readonly number[]
  /** False when a question remained without an answer: there may be more. */
  readonly complete: boolean
  /** Whose order decides; null where there is no choice. */
  readonly order: 'server' | 'client' | null
  /** Prefers ChaCha20 for a client that names it first, whatever its own order says. */
  readonly chachaFirst: boolean
  /** Set when the server answered with a version that was not offered. */
  readonly wrongVersion: number | null
  /** Set when the server picked a suite that was not offered. */
  readonly foreignSuite: number | null
  /** The octets that show the version: the server's hello, cut. */
  readonly hello: string | null
}

export interface DhFacts {
  readonly suite: number
  readonly bits: number
  readonly prime: string
  readonly generator: string
  readonly knownPrime: string | null
  readonly unexplained: boolean
  /** The same public value in two handshakes. */
  readonly reused: boolean
}

export interface ExtensionFacts {
  readonly types: readonly number[]
  readonly extendedMasterSecret: boolean
  readonly encryptThenMac: boolean
  readonly secureRenegotiation: boolean
  readonly sessionTicket: boolean
  readonly heartbeat: boolean
  readonly compression: boolean
  readonly staple: boolean
  /** Protocols that the server takes when offered alone. */
  readonly alpn: readonly string[]
  readonly clientCertificate: boolean
  /** The mark of RFC 8446, 4.1.3 in the random of a TLS 1.2 answer; null where TLS 1.3 is not offered. */
  readonly downgradeMark: boolean | null
}

/** What a server that speaks TLS 1.3 alone says, encrypted, of the extensions it knows. */
export interface ModernExtensionFacts {
  /** Protocols that the server takes when offered alone. */
  readonly alpn: readonly string[]
  readonly clientCertificate: boolean
  readonly staple: boolean
}

export interface Oracle<Verdict extends string> {
  /** not_applicable: the server lacks what the flaw needs; inconclusive: no stable answer. */
  readonly verdict: Verdict | 'safe' | 'not_applicable' | 'inconclusive'
  /** What was seen, line by line. */
  readonly notes: readonly string[]
}

export interface RenegotiationFacts {
  readonly secure: boolean
  /** Renegotiations that the server went along with, at most three. Null when not tried. */
  readonly accepted: number | null
  /** True when it accepted one without the protection of RFC 5746. */
  readonly legacyAccepted: boolean | null
  /** It was silent to the wish, and to a question behind it. */
  readonly unanswered?: true
}

export interface ResumptionFacts {
  readonly sessionId: boolean | null
  readonly ticket: boolean | null
  /** Seconds, of the first ticket. */
  readonly ticketLifetime: number | null
  /** Octets of early data that a TLS 1.3 ticket allows, 0 where no ticket is given; null without a handshake of TLS 1.3. */
  readonly earlyData: number | null
  /** The same early data was accepted twice. */
  readonly earlyDataReplayed: boolean | null
}

export interface ToleranceFacts {
  readonly probe: string
  readonly what: string
  readonly ok: boolean
  readonly answer: string
}

export interface ClientFacts {
  readonly client: string
  readonly current: boolean
  readonly protocol: string | null
  readonly suite: number | null
  readonly group: string | null
  readonly reason: string | null
}

export interface ServedCertificate {
  /** rsa, ec, … and size. */
  readonly key: string
  readonly bits: number | null
  readonly der: string
  readonly sha256: string
  readonly servername: string | null
  readonly signatureAlgorithm: string
}

export interface Sslv2State {
  readonly ciphers: readonly string[]
  readonly certificate: string | null
}

export interface EndpointFacts {
  readonly host: string
  readonly address: string
  readonly port: number
  readonly service: Service
  readonly protocols: readonly ProtocolFacts[]
  readonly sslv2: Sslv2State
  readonly groups: readonly number[]
  readonly schemes: readonly number[]
  readonly dh: readonly DhFacts[]
  /** Public values of ECDHE that came twice. */
  readonly ecdhReused: boolean
  /** Null where no version up to TLS 1.2 is offered, or none of the hellos with extensions was answered. */
  readonly extensions: ExtensionFacts | null
  /** Of a server that speaks TLS 1.3 alone; null where no handshake came far enough. */
  readonly modernExtensions?: ModernExtensionFacts | null
  readonly certificates: readonly ServedCertificate[]
  /** Timestamps of transparency logs in an extension of the handshake: their list, base64. Null where none came. */
  readonly timestampList?: string | null
  /** What happens to a hello without a name. */
  readonly withoutName: 'same' | 'other' | 'refused' | 'unknown'
  readonly fallbackScsv: 'honoured' | 'ignored' | 'not_applicable' | 'unknown'
  readonly heartbleed: Oracle<'vulnerable'>
  readonly ccs: Oracle<'proven' | 'vulnerable'>
  readonly robot: Oracle<'strong' | 'weak'>
  readonly ticketbleed: Oracle<'vulnerable'>
  readonly padding: Oracle<'poodle' | 'oracle'>
  readonly starttlsInjection: Oracle<'vulnerable'>
  readonly renegotiation: RenegotiationFacts
  readonly resumption: ResumptionFacts
  readonly tolerance: readonly ToleranceFacts[]
  readonly clients: readonly ClientFacts[]
  /** Connections that this took. */
  readonly connections: number
}

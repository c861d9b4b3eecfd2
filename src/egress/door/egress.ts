/**
 * The only door to a target. Every call passes guard (is the address allowed), pace (may we ask now),
 * and audit (what was asked), in that order; nothing else in the product opens a socket to a target. Answers are as the
 * target sent them, the run's credentials included where it echoes them: what leaves the scan is redacted (decision 226).
 */
import type { Duplex } from 'node:stream'

export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** The method of a request whose body is said over a WebSocket. */
export const SAYS = 'WS'

export interface HttpRequest {
  /** `WS`: the body, a text, is said over a WebSocket that is opened at the address; the answer's body is what is said after it. */
  readonly method?: string
  readonly url: string
  /** Request target sent as it is, in place of the URL's path and query: dot segments, spaces, no coding. */
  readonly target?: string
  /**
   * Sent in this order and case, after the ones that egress sets itself (Host, User-Agent, Sonde-Run, credentials,
   * Accept, Accept-Encoding). One of the same name replaces egress's own, but for Sonde-Run.
   */
  readonly headers?: HeaderPairs
  readonly body?: Uint8Array | string
  /** Cap of the decoded body in bytes; the rest is not read. Default 4 MiB, never more than 16. */
  readonly maxBody?: number
  /** Milliseconds for the whole exchange. Default 10,000. */
  readonly timeout?: number
  /** Milliseconds that the request itself asks the target to wait: so much of an answer's time is no sign of strain. */
  readonly waits?: number
  /** It promises little: where others wait for the same address, it takes a turn behind seven of theirs. Default false. */
  readonly spare?: boolean
  /** False sends the request without the run's credentials. Default true. */
  readonly authenticated?: boolean
  /**
   * Nothing in it is of the run's session, as its sender knows: it is decided on as in a run without one. With `authenticated: false` alone.
   * Default false.
   */
  readonly stranger?: boolean
  /**
   * With the session of this other identity of the run, in place of its own; null: with its own, though the address is one that another alone is led to.
   * Absent: as `leads` says of the address, else with its own.
   */
  readonly as?: string | null
  /** The run's own cookies stay, whatever `headers` give by their names: half of another session ends this one. */
  readonly keepsOwnCookies?: boolean
  /** On the way to the start page, which is looked at even where an exclude pattern names it. */
  readonly entry?: boolean
  /** Do not stop at an invalid certificate; the exchange says what was wrong with it. Default true. */
  readonly insecure?: boolean
}

export interface HttpExchange {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: HeaderPairs
    readonly body: string | null
  }
  readonly address: string
  readonly port: number
  readonly httpVersion: string
  readonly status: number
  readonly statusText: string
  /** As received: order, case and repeats kept. */
  readonly headers: HeaderPairs
  /** Content decoded (gzip, deflate, br, zstd), at most `maxBody` bytes. */
  readonly body: Buffer
  /** True when the body is not whole: the cap or the timeout cut it, or the server ended it early. */
  readonly truncated: boolean
  /** Milliseconds. */
  readonly timing: { readonly connect: number; readonly firstByte: number; readonly total: number }
  readonly certificateError: string | null
}

export interface TcpTarget {
  /** A name (resolved once per run and pinned) or one of its addresses. */
  readonly host: string
  readonly port: number
  /** Milliseconds to connect. Default 5,000. */
  readonly timeout?: number
}

export interface ConnectTarget extends TcpTarget {
  /** Completes a TLS handshake first, whatever the certificate; the stream then carries what is inside. */
  readonly tls?: { readonly servername?: string | null; readonly alpn?: readonly string[] }
}

export interface DatagramTarget {
  readonly host: string
  readonly port: number
  readonly payload: Uint8Array
  /** Milliseconds. */
  readonly wait?: number
  /** Also takes answers from other ports of the host, as TFTP (RFC 1350) gives them. */
  readonly anyPort?: boolean
}

export interface SweepTarget {
  readonly host: string
  /** Tried in this order; each is one request of the budget, and each repeat one more. */
  readonly ports: readonly number[]
  /** Told now and then how many ports are settled. */
  readonly progress?: (settled: number) => void
}

export interface SweepResult {
  readonly address: string
  readonly open: readonly number[]
  readonly closed: readonly number[]
  /** Silent after every repeat, or unreachable by word of a router. */
  readonly filtered: readonly number[]
  /** Ports that answered only on repeat. */
  readonly recovered: number
  /** Attempts at once after the hardest loss, null when nothing was lost. */
  readonly slowedTo: number | null
  readonly attempts: number
}

export interface TlsTarget extends TcpTarget {
  /** SNI; null sends none. Default: the host. */
  readonly servername?: string | null
  readonly minVersion?: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'
  readonly maxVersion?: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'
  readonly ciphers?: string
  readonly alpn?: readonly string[]
  readonly requestOcsp?: boolean
}

export interface TlsSession {
  readonly address: string
  readonly protocol: string
  readonly cipher: string
  readonly alpn: string | null
  /** DER, leaf first, exactly as the server sent them. */
  readonly chain: readonly Buffer[]
  readonly ocspResponse: Buffer | null
  /** Why the default verification refused the chain, or null. */
  readonly authorizationError: string | null
}

export type DnsType =
  | 'A'
  | 'AAAA'
  | 'CAA'
  | 'CNAME'
  | 'DNSKEY'
  | 'DS'
  | 'MX'
  | 'NS'
  | 'NSEC'
  | 'NSEC3'
  | 'NSEC3PARAM'
  | 'PTR'
  | 'RRSIG'
  | 'SOA'
  | 'SRV'
  | 'TLSA'
  | 'TXT'

export interface DnsQuestion {
  readonly name: string
  readonly type: DnsType
  /** Address (with optional :port) of the server to ask; default the operator's resolver. */
  readonly server?: string
  readonly recursive?: boolean
  readonly dnssec?: boolean
  readonly checkingDisabled?: boolean
  readonly timeout?: number
}

export interface DnsAnswer {
  readonly server: string
  readonly rcode: string
  readonly authoritative: boolean
  readonly authenticated: boolean
  readonly answers: readonly DnsRecord[]
  readonly authorities: readonly DnsRecord[]
  readonly additionals: readonly DnsRecord[]
}

export interface DnsRecord {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly data: unknown
  /** RDATA in the canonical form of RFC 4034 (6.2), base64: what a DNSSEC signature covers. Absent for static names. */
  readonly rdata?: string
}

/** Addresses of a name, resolved once per run. */
export interface Resolution {
  readonly name: string
  readonly addresses: readonly string[]
  readonly source: 'hosts' | 'dns' | 'literal'
  /** A validating resolver refuses these addresses: the zone's DNSSEC is broken. */
  readonly unvalidated?: true
}

export interface Egress {
  /** The operator's DNSSEC trust anchors in place of the root's, each `name tag algorithm digest-type hex`. */
  readonly trustAnchors?: readonly string[]
  readonly resolve: (name: string) => Promise<Resolution>
  /** True for addresses of the target that the run must not ask for; `http` and the browser refuse them. */
  readonly excludes: (url: string) => boolean
  readonly http: (request: HttpRequest) => Promise<HttpExchange>
  /**
   * The run's credentials as they would go to this address; none for another host. For what sends a changed one to see whether it
   * is refused: they are sent back to that address alone, and kept in no facts. `as`: of another identity. Absent where there is no vault.
   */
  readonly credentialsFor?: (url: string, as?: string) => Promise<HeaderPairs>
  /**
   * Cookies, as a request sends them, by which an answer has begun a session beside the run's own: hidden as that is in all that leaves the
   * scan from now on, but for what says nothing of who is signed in. Absent where there is no vault.
   */
  readonly hideCookies?: (cookies: string) => void
  /**
   * Requests to this address, whatever its query, bring these cookies from now on: it shows nothing without them. What a request has itself of that
   * name holds; who asks as nobody or as another identity brings none. Absent where there is no vault.
   */
  readonly carry?: (url: string, cookies: string) => void
  /**
   * Only this other identity of the run is led there: from now on requests by this method to this address, with what else its query holds, are asked as
   * that one, those of the module's browsers too. Who says as whom it asks, or asks as nobody, does so. Absent where there is no vault.
   */
  readonly leads?: (as: string, method: string, url: string) => void
  /** As `credentialsFor` was before sessions were begun anew, the newest first, at most eight. Absent where there is no vault. */
  readonly formerCredentialsFor?: (url: string) => readonly HeaderPairs[]
  /** A raw TCP stream to a guarded, pinned address. The caller ends it; egress ends it with the module. */
  readonly connect: (target: ConnectTarget) => Promise<Duplex & { readonly remoteAddress: string }>
  /** Which of many ports of one host accept connections, as fast as the path bears. Nothing is sent. */
  readonly sweep: (target: SweepTarget) => Promise<SweepResult>
  readonly tls: (target: TlsTarget) => Promise<TlsSession>
  readonly dns: (question: DnsQuestion) => Promise<DnsAnswer>
  /** One datagram out, the replies within the wait back, at most 64 KiB. */
  readonly datagram: (target: DatagramTarget) => Promise<readonly Buffer[]>
  /** A guarded proxy for a browser, which opens TLS. */
  readonly browserProxy: (options?: BrowserProxyOptions) => Promise<BrowserProxy>
}

export interface BrowserProxyOptions {
  /** False leaves the run's credentials out. Default true. */
  readonly authenticated?: boolean
  /** With the session of this other identity of the run, in place of its own. */
  readonly as?: string
  /** Told of each request when it ends, whatever became of it. */
  readonly watch?: (request: ProxiedRequest) => void
  /**
   * JavaScript to write before a script with status 200, '' for none: a worker takes no hooks from its page. Asked when
   * the answer is there. `destination` is Sec-Fetch-Dest, which browsers send to secure origins alone, else ''.
   */
  readonly prefixOf?: (request: { readonly url: string; readonly destination: string }) => string
}

/** What came out of a browser, as it sent it. Not redacted. */
export interface ProxiedRequest {
  /** Milliseconds since the epoch when it came. */
  readonly at: number
  readonly duration: number
  readonly method: string
  /** Of a tunnel that was refused the origin alone is known. */
  readonly url: string
  readonly headers: HeaderPairs
  readonly body: Buffer | null
  readonly status: number | null
  readonly answered: HeaderPairs
  /** Bytes of the decoded answer. */
  readonly bytes: number
  readonly error: string | null
}

export interface BrowserProxy {
  /** `http://user:password@127.0.0.1:port`; without that user and password every request is refused with 407. */
  readonly url: string
  /** Hash of the key that the proxy shows for every https site, for `--ignore-certificate-errors-spki-list`. */
  readonly spki: string
  readonly close: () => Promise<void>
}

export type EgressErrorCode =
  | 'refused_by_guard' // the address is not one the operator allows
  | 'unresolvable'
  | 'unreachable' // refused, reset, no route
  | 'exhausted' // this machine has no descriptors, ports or buffers left: no statement about the target
  | 'timeout'
  | 'protocol' // the peer broke the protocol or a bound
  | 'excluded' // a pattern of the run or the domain names the address
  | 'budget' // the module has used its requests
  | 'auth_lost' // it would have been sent signed in, and the session is lost
  | 'aborted'

/** Every failure of egress. `code` decides what coverage says. */
export class EgressError extends Error {
  readonly code: EgressErrorCode
  /** With `unreachable`: this machine has no way to the address, so that nothing is said about who is there. */
  readonly noRoute: boolean
  constructor(
    code: EgressErrorCode,
    message: string,
    options?: { readonly cause?: unknown; readonly noRoute?: boolean },
  ) {
    super(message, options)
    this.name = 'EgressError'
    this.code = code
    this.noRoute = options?.noRoute ?? false
  }
}

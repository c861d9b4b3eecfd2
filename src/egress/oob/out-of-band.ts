/** Calls from outside: addresses of our own that only a target which was made to call can know. */

export interface OutOfBand {
  /**
   * A fresh address of this run, unguessable and never given twice. `kind` says what a call would prove, for the audit log.
   */
  readonly issue: (kind: string) => OobAddress
  /**
   * What came for the token so far; with nothing there yet, waits at most `deadlineMs` for the first call, or the first
   * that `wanted` takes. Put many places under test first and ask for their calls afterwards: then the wait is shared.
   * At most 16 calls of a token are kept.
   */
  readonly hits: (token: string, deadlineMs: number, wanted?: (hit: OobHit) => boolean) => Promise<readonly OobHit[]>
}

export interface OobAddress {
  readonly token: string
  /** `<token>.oob.example`; labels of the caller's choice may stand before it. Null where no domain is delegated to us. */
  readonly host: string | null
  /** `http://<token>.oob.example/`, or `http://198.51.100.7:8053/<token>/` without a domain. What follows is kept as the path. */
  readonly url: string
}

export interface OobHit {
  readonly token: string
  /** A question proves that something looked the name up, a request that something connected. */
  readonly protocol: 'dns' | 'http'
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Address of who called: for dns that of a resolver. */
  readonly from: string
  /** dns: labels before the token, '' without any. http: method, path behind the token and query, `GET /x`. At most 300 characters. */
  readonly detail: string
  /** User-Agent of a request, type of a question. At most 200 characters. */
  readonly agent: string
}

/** Where the listener is, and the key by which it knows the tokens of one run. */
export interface OobRun {
  /** Base64url, 32 bytes, of one run alone. */
  readonly key: string
  readonly domain: string | null
  /** Under which targets reach it. */
  readonly address: string
  readonly httpPort: number
  /** Calls come over a line that may be cut: that there was none is certain only once the other end has said so. */
  readonly relayed?: true
}

/** The operator's settings. */
export interface OobSettings {
  /** IP address under which targets reach the listener; what its names resolve to. */
  readonly address: string
  /** IP address to listen on; another one behind a translating router. */
  readonly bind: string
  /** Zone that is delegated to `address`, in lower case without a last dot. Null: calls by address alone. */
  readonly domain: string | null
  readonly httpPort: number
  readonly dnsPort: number
}

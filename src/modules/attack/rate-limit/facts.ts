/** Other modules have sent to the same form before: a run's requests to what may write are counted. */
export const SENT_OUT = 'the policy lets no more of them out'

export type EndpointKind = 'login' | 'one-time-code' | 'reset' | 'coupon' | 'search' | 'interface'

export interface Answer {
  readonly status: number
  /** Milliseconds to the first byte. */
  readonly ms: number
  /** Share of words in common with the first answer. */
  readonly likeness: number
  readonly retryAfter: string | null
}

export type SignalKind = 'status' | 'retry-after' | 'captcha' | 'other-page' | 'delay' | 'cut'

export interface Bypass {
  /** For example "X-Forwarded-For". */
  readonly by: string
  readonly accepted: number
  readonly asked: number
  /** Requests without it, between the others: how many were still refused. */
  readonly controlsRefused: number
  readonly controls: number
}

export interface Endpoint {
  readonly kind: EndpointKind
  readonly method: string
  readonly url: string
  /** With what chooses the program there alone, see `addressOf`; absent in facts of older runs. */
  readonly at?: string
  readonly answers: readonly Answer[]
  /** The first sign of a limit, and after how many requests it came. */
  readonly signal: { readonly kind: SignalKind; readonly after: number; readonly detail: string } | null
  /** Headers that tell of a limit, as last seen. */
  readonly told: Readonly<Record<string, string>>
  readonly bypasses: readonly Bypass[]
  /** Why it was ended before its number of requests, other than by a signal. */
  readonly aborted: string | null
  /** Requests planned. */
  readonly planned: number
  /** True where it answers 404 in words of its own, as an interface does to an account that it does not know. */
  readonly saysUnknown?: true
}

/** Usual names and passwords at one sign-in. */
export interface CredentialsTrial {
  readonly method: string
  readonly url: string
  /** With what chooses the program there alone, see `addressOf`. */
  readonly at: string
  /** How many pairs were tried. */
  readonly tried: number
  /** Why it was ended before all were. */
  readonly aborted: string | null
  /** The first that was let in, twice, while the same name was not with another password; null where none was. */
  readonly hit: {
    readonly name: string
    readonly password: string
    /** Of the answers, and where the right one led. */
    readonly status: number
    readonly location: string
    readonly refused: number
    /** Null where the form has what its page hands out once. */
    readonly replay: string | null
  } | null
}

export interface RateLimitFacts {
  readonly endpoints: readonly Endpoint[]
  /** Those that were not measured, and why, in words that follow a number; absent in facts of older runs. */
  readonly left?: readonly { readonly kind: EndpointKind; readonly reason: string }[]
  /** Null where none may be tried: of production systems. Absent in facts of older runs. */
  readonly credentials?: readonly CredentialsTrial[] | null
  /** Answer of a GraphQL interface to ten queries in one request; null where there is none. */
  readonly batch: {
    readonly url: string
    readonly accepted: boolean
    readonly excerpt: string
    /** It asked who is there, or did not answer. */
    readonly refused?: true
    /** Asked as the run's account. */
    readonly signedIn?: true
  } | null
}

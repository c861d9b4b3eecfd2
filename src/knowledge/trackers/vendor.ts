/** What is known of the companies behind third-party hosts. */

/** What a service is for; the first one of a vendor is its main one. */
export const VENDOR_PURPOSES = [
  'advertising',
  'analytics',
  'session-recording',
  'social',
  'ab-testing',
  'tag-management',
  'customer-data',
  'video',
  'maps',
  'captcha',
  'fonts',
  'chat',
  'fraud-prevention',
  'monitoring',
  'payment',
  'consent',
  'cdn',
  'other',
] as const
export type VendorPurpose = (typeof VENDOR_PURPOSES)[number]

export interface Vendor {
  /** Lower case, stable: `google-analytics`. */
  readonly id: string
  /** As people know it: "Google Analytics". */
  readonly name: string
  readonly legalEntity: string
  /** Seat of the legal entity's controlling company, ISO 3166-1 alpha-2; null where it is not known. */
  readonly country: string | null
  /** Listed in the EU-US Data Privacy Framework; null where it is not known or not asked (seat outside the US). */
  readonly dpf: boolean | null
  readonly purposes: readonly VendorPurpose[]
  /** Domains, each with all its subdomains; the longest match wins. A path after the name narrows it: `google.com/maps`. */
  readonly domains: readonly string[]
  readonly cookies?: readonly KnownCookie[]
  /** Names in the Global Vendor List of the IAB (TCF). */
  readonly tcfId?: number
}

export type CookiePurpose = 'necessary' | 'functional' | 'analytics' | 'marketing'

export interface KnownCookie {
  /** Exact name, or with one `*` at its end. */
  readonly name: string
  readonly purpose: CookiePurpose
}

export interface CookieKnowledge {
  readonly purpose: CookiePurpose
  /** The vendor whose cookie it is, where known. */
  readonly vendor: string | null
  /** Where it is written: "own table", a feed's name. */
  readonly source: string
}

/** An event that a page reports to a vendor, read from the request's own grammar. */
export interface PixelHit {
  readonly vendor: string
  /** "PageView", "purchase"; null where the vendor's grammar has none. */
  readonly event: string | null
  /** What the parameters say, in order: `{ name: 'dl', meaning: 'address of the page', value: 'https://…' }`. */
  readonly parameters: readonly PixelParameter[]
  /** Kinds of personal data that are sent, in clear or hashed: "e-mail", "phone", "name". */
  readonly identity: readonly string[]
}

export interface PixelParameter {
  readonly name: string
  readonly meaning: string
  readonly value: string
}

/** All that is known, with the feeds that the operator imported. */
export interface Trackers {
  readonly vendorOf: (url: string) => Vendor | null
  /** Company of a domain outside the table, from the entity data in the product. */
  readonly entityOf: (host: string) => { readonly name: string; readonly purposes: readonly VendorPurpose[] } | null
  readonly cookieOf: (name: string, host: string) => CookieKnowledge | null
  /** Name of the imported filter list that blocks this request as a tracker, or null. */
  readonly listed: (request: ListedRequest) => string | null
  readonly pixelOf: (url: string, body: string | null) => PixelHit | null
  /** What it rests on: name → version. */
  readonly versions: Readonly<Record<string, string>>
}

export interface ListedRequest {
  readonly url: string
  /** Address of the page. */
  readonly page: string
  /** `script`, `image`, `xhr`, `document`, `ping`, `websocket`, `font`, `stylesheet`, `media`, `other`. */
  readonly type: string
}

/** Purposes that a visitor has to be asked for before (ePrivacy Directive, Article 5(3)). */
export const isTracking = (purposes: readonly VendorPurpose[]): boolean =>
  purposes.some((purpose) =>
    ['advertising', 'analytics', 'session-recording', 'social', 'ab-testing', 'customer-data'].includes(purpose),
  )

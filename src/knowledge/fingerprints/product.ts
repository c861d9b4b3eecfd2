/** What the rules know, and what they are held against. */

export const KINDS = [
  'server',
  'language',
  'framework',
  'cms',
  'extension',
  'theme',
  'shop',
  'library',
  'cdn',
  'analytics',
  'marketing',
  'consent',
  'payment',
  'support',
  'security',
  'hosting',
  'media',
  'panel',
  'system',
  'service',
] as const
export type Kind = (typeof KINDS)[number]

/** Where a rule looks. */
export const SOURCES = [
  'header',
  'cookie',
  'meta',
  'html',
  'asset',
  'code',
  'title',
  'error',
  'favicon',
  // Subject and issuer of the certificate.
  'tls',
  // A value that the running page has under a name, e.g. `jQuery.fn.jquery`; `[object]` where it is no text.
  'global',
  // SHA-1 of a script; from the data of retire.js.
  'hash',
  // What a service beside the web said of itself.
  'banner',
] as const
export type Source = (typeof SOURCES)[number]

export interface Rule {
  readonly source: Source
  /** Lower case name of a header or a meta tag, name of a global as it is, '' elsewhere. */
  readonly name: string
  /** The first group that matched is the version. */
  readonly pattern: RegExp
  /** Of the pattern, see literal.ts; absent where nobody has looked for them yet. */
  readonly literals?: readonly string[]
  /** A weak sign is no identification by itself. */
  readonly weak: boolean
  /** A text that the rule matches, and the version that it reads there. Tests hold each rule to it. */
  readonly example: string
  readonly exampleVersion: string | null
}

export interface Product {
  readonly name: string
  readonly kind: Kind
  /** `vendor:product` names of the CPE dictionary; empty where it has none or we know none. */
  readonly cpe: readonly string[]
  readonly implies: readonly string[]
  readonly rules: readonly Rule[]
}

/** One thing that was seen, in the terms of the rules. */
export interface Signal {
  readonly source: Source
  readonly name: string
  readonly text: string
  /** The page or file where it was seen. */
  readonly url: string
}

/** Source expressions by their grammar: https://www.w3.org/TR/CSP3/#framework-directive-source-list */
export type Source =
  | { readonly kind: 'keyword'; readonly keyword: string }
  | { readonly kind: 'nonce'; readonly value: string }
  | { readonly kind: 'hash'; readonly algorithm: string; readonly value: string }
  | { readonly kind: 'scheme'; readonly scheme: string }
  | HostSource
  | { readonly kind: 'invalid'; readonly text: string }

export interface HostSource {
  readonly kind: 'host'
  readonly scheme: string | null
  /** Lower case; '*' or '*.name' for a wildcard. */
  readonly host: string
  /** Digits, '*', or null where none is given. */
  readonly port: string | null
  /** With its leading slash, or null. */
  readonly path: string | null
}

const KEYWORDS: readonly string[] = [
  'none',
  'self',
  'unsafe-inline',
  'unsafe-eval',
  'unsafe-hashes',
  'strict-dynamic',
  'report-sample',
  'wasm-unsafe-eval',
  'trusted-types-eval',
  'unsafe-allow-redirects',
  'unsafe-webtransport-hashes',
  'inline-speculation-rules',
  'report-sha256',
  'report-sha384',
  'report-sha512',
]

const NONCE = /^'nonce-([A-Za-z0-9+/_-]+={0,2})'$/i
const HASH = /^'(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+={0,2})'$/i
const SCHEME = /^([a-z][a-z0-9+.-]*):$/i
const HOST =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|\[[0-9a-f:.]+\]|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::(\d{1,5}|\*))?(\/[^?#]*)?$/i

/** Never throws; what fits no production is 'invalid' and matches nothing. */
export const parseSource = (token: string): Source => {
  const keyword = /^'([a-z0-9-]+)'$/i.exec(token)?.[1]?.toLowerCase()
  if (keyword !== undefined && KEYWORDS.includes(keyword)) return { kind: 'keyword', keyword }
  const nonce = NONCE.exec(token)
  if (nonce?.[1] !== undefined) return { kind: 'nonce', value: nonce[1] }
  const hash = HASH.exec(token)
  if (hash?.[1] !== undefined && hash[2] !== undefined) {
    return { kind: 'hash', algorithm: hash[1].toLowerCase(), value: hash[2] }
  }
  const scheme = SCHEME.exec(token)?.[1]
  if (scheme !== undefined) return { kind: 'scheme', scheme: scheme.toLowerCase() }
  const host = token.length > 2048 ? null : HOST.exec(token)
  if (host?.[2] === undefined) return { kind: 'invalid', text: token }
  return {
    kind: 'host',
    scheme: host[1]?.toLowerCase() ?? null,
    host: host[2].toLowerCase().replace(/\.$/, ''),
    port: host[3] ?? null,
    path: host[4] ?? null,
  }
}

/** A keyword written without its quotes: the browser takes `self` for a host of that name. */
export const isUnquotedKeyword = (token: string): boolean =>
  KEYWORDS.includes(token.toLowerCase()) || /^(nonce|sha256|sha384|sha512)-[A-Za-z0-9+/_=-]+$/i.test(token)

export const hasKeyword = (sources: readonly Source[], keyword: string): boolean =>
  sources.some((source) => source.kind === 'keyword' && source.keyword === keyword)

export const hasNonceOrHash = (sources: readonly Source[]): boolean =>
  sources.some(({ kind }) => kind === 'nonce' || kind === 'hash')

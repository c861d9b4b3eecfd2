import { policiesOf } from '../../../../page/headers/policies.ts'
import type { Page } from '../../../../page/page.ts'
import type { Modifier } from './grade.ts'

const BROAD = ['ftp:', 'http:', 'https:', '*', 'http://*', 'http://*.*', 'https://*', 'https://*.*']
const UNSAFE = ["'unsafe-inline'", 'data:']
const PASSIVE = ['img-src', 'media-src']

/**
 * The Observatory joins all policies of a page into one list of sources for each directive: what every policy that has
 * the directive allows. It takes a repeated directive for an error of the whole, unlike a browser, so that people notice.
 */
export const scoreContentSecurityPolicy = (page: Page): Modifier => {
  const policies = policiesOf(page)
  if (policies.length === 0) return { id: 'csp-not-implemented', points: -25 }
  const repeated = policies.flatMap(({ duplicates }) => duplicates).some((name) => !name.startsWith('report-'))
  const joined = new Map<string, readonly string[]>()
  for (const { directives } of policies) {
    for (const [name, tokens] of directives) {
      const lower = tokens.map((token) => token.toLowerCase())
      const common = joined.get(name)?.filter((token) => lower.includes(token)) ?? lower
      joined.set(name, common.length === 0 && name.endsWith('-src') ? ["'none'"] : common)
    }
  }
  if (joined.size === 0 || repeated) return { id: 'csp-header-invalid', points: -25 }
  return judge(joined, page.url.startsWith('https:'))
}

const judge = (csp: ReadonlyMap<string, readonly string[]>, secure: boolean): Modifier => {
  const governing = (name: string): readonly string[] => csp.get(name) ?? csp.get('default-src') ?? ['*']
  const script = withoutIgnored(governing('script-src'))
  const style = withoutIgnored(governing('style-src'))
  const object = governing('object-src')
  if (script.includes("'strict-dynamic'") && !script.some(isNonceOrHash))
    return { id: 'csp-header-invalid', points: -25 }
  if (
    script.some((source) => [...BROAD, ...UNSAFE].includes(source)) ||
    object.some((source) => BROAD.includes(source))
  ) {
    return { id: 'csp-implemented-with-unsafe-inline', points: -20 }
  }
  const active = [...csp].flatMap(([name, tokens]) =>
    PASSIVE.includes(name) ? [] : name === 'script-src' ? script : tokens,
  )
  if (secure && active.some(isInsecure)) return { id: 'csp-implemented-with-insecure-scheme', points: -20 }
  if ([...script, ...style].includes("'unsafe-eval'")) return { id: 'csp-implemented-with-unsafe-eval', points: -10 }
  const passive = PASSIVE.flatMap((name) => csp.get(name) ?? csp.get('default-src') ?? [])
  if (secure && passive.some(isInsecure)) {
    return { id: 'csp-implemented-with-insecure-scheme-in-passive-content-only', points: -10 }
  }
  if (style.some((source) => [...BROAD, ...UNSAFE].includes(source))) {
    return { id: 'csp-implemented-with-unsafe-inline-in-style-src-only', points: 0 }
  }
  const base = csp.get('default-src')
  return base?.length === 1 && base[0] === "'none'"
    ? { id: 'csp-implemented-with-no-unsafe-default-src-none', points: 10 }
    : { id: 'csp-implemented-with-no-unsafe', points: 5 }
}

const isNonceOrHash = (source: string): boolean => /^'(nonce|sha256|sha384|sha512)-/.test(source)
const isInsecure = (source: string): boolean => source.startsWith('http:') || source.startsWith('ftp:')

/** A nonce or hash voids 'unsafe-inline'; with 'strict-dynamic' it voids schemes and 'self' too. */
const withoutIgnored = (sources: readonly string[]): readonly string[] => {
  if (!sources.some(isNonceOrHash)) return sources
  const strict = sources.includes("'strict-dynamic'")
  return sources.filter(
    (source) =>
      source !== "'unsafe-inline'" &&
      !(strict && (source === "'self'" || BROAD.some((broad) => source.startsWith(broad)))),
  )
}

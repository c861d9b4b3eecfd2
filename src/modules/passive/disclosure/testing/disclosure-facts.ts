/** Disclosure facts for tables of cases: a tight-lipped site, changed where the case says so. */
import type { DisclosureFacts, Fetched, ScriptFacts, SourceMapFacts } from '../facts.ts'

export const ORIGIN = 'https://shop.test'

export const caseFetched = (path: string, body: string, change: Partial<Fetched> = {}): Fetched => ({
  url: `${ORIGIN}${path}`,
  status: 200,
  headers: [['Content-Type', 'text/plain; charset=utf-8']],
  body,
  truncated: false,
  ...change,
})

export const caseScript = (body: string, mapUrl: string | null = null): ScriptFacts => ({
  ...caseFetched('/static/shop.js', body),
  mapUrl,
})

export const caseMap = (text: string, withContent = 1): SourceMapFacts => ({
  scriptUrl: `${ORIGIN}/static/shop.js`,
  url: `${ORIGIN}/static/shop.js.map`,
  sources: ['src/shop.ts'],
  withContent,
  text,
})

export const caseDisclosure = (change: Partial<DisclosureFacts> = {}): DisclosureFacts => ({
  scripts: [],
  unfetched: 0,
  maps: [],
  robots: caseFetched('/robots.txt', 'User-agent: *\nDisallow: /cart\n'),
  securityTxt: caseFetched(
    '/.well-known/security.txt',
    'Contact: mailto:security@shop.test\nExpires: 2026-12-01T00:00:00Z\n',
  ),
  securityTxtAtRoot: caseFetched('/security.txt', 'Not found', { status: 404 }),
  malformed: caseFetched('/%c0%ae%c0%ae', 'Bad request', { status: 400 }),
  folders: [],
  ...change,
})

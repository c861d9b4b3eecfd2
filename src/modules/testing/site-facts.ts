/** Site facts for tables of cases: a healthy small site, changed where the case says so. */
import type { HeaderPairs } from '../../egress/door/egress.ts'
import type { Page } from '../../page/page.ts'
import type { Entry, SiteFacts } from '../passive/site/facts.ts'

export interface CasePage extends Partial<Omit<Page, 'headers'>> {
  /** Pairs, or a record for short; `content-type` is added when missing. */
  readonly headers?: HeaderPairs | Readonly<Record<string, string>>
}

export const casePage = (change: CasePage = {}): Page => {
  const body = change.body ?? '<!doctype html><html lang="en"><head><title>Shop</title></head><body>Hello</body></html>'
  const url = change.url ?? 'https://shop.test/'
  const contentType = change.contentType ?? 'text/html'
  return {
    url,
    status: 200,
    contentType,
    body,
    size: Buffer.byteLength(body),
    truncated: false,
    kind: 'plain',
    depth: 0,
    certificateError: null,
    evidence: { id: '00000000-0000-4000-8000-000000000001', filename: 'site-start.txt' },
    ...change,
    headers: withContentType(pairs(change.headers ?? []), contentType),
  }
}

export const caseEntry = (url: string, change: Partial<Entry> = {}): Entry => ({
  url,
  error: null,
  hops: [],
  finalUrl: url,
  evidence: null,
  ...change,
})

/** `page` changes the start page and both reloads; anything else replaces the whole field. */
export const caseSite = (change: Partial<SiteFacts> & { readonly page?: CasePage } = {}): SiteFacts => {
  const { page, ...rest } = change
  return {
    addresses: ['192.0.2.10'],
    http: caseEntry('http://shop.test/', {
      hops: [redirect('http://shop.test/', 'https://shop.test/')],
      finalUrl: 'https://shop.test/',
    }),
    https: caseEntry('https://shop.test/', {
      hops: [{ url: 'https://shop.test/', status: 200, location: null, headers: casePage(page).headers }],
    }),
    baseUrl: 'https://shop.test/',
    pages: [casePage(page)],
    reloads: [casePage(page), casePage(page)],
    missing: [casePage({ url: 'https://shop.test/zq8r', status: 404, body: 'Not found' })],
    ...rest,
  }
}

export const redirect = (url: string, location: string, status = 301) => ({
  url,
  status,
  location,
  headers: [['Location', location]] as HeaderPairs,
})

const pairs = (headers: HeaderPairs | Readonly<Record<string, string>>): HeaderPairs =>
  Array.isArray(headers) ? headers : Object.entries(headers as Record<string, string>)

const withContentType = (headers: HeaderPairs, contentType: string): HeaderPairs =>
  contentType === '' || headers.some(([name]) => name.toLowerCase() === 'content-type')
    ? headers
    : [['Content-Type', contentType], ...headers]

/** What a crawl would have left of the cases: one request and one place each. */
import type { CrawlFacts, CrawlRequest, InsertionPoint, Place } from '../../src/modules/crawl/facts.ts'
import { nameOf, type WebCase } from './case.ts'

export type Twin = 'careless' | 'careful'

export const inventoryOf = (cases: readonly WebCase[], origin: string, twin: Twin): CrawlFacts => ({
  requests: cases.map((one) => requestOf(one, origin, twin)),
  points: cases.map(({ place, value }, request): InsertionPoint => ({ request, place, name: nameOf(place), value })),
  pages: [],
  session: 'none',
})

const requestOf = ({ id, place, value, effect }: WebCase, origin: string, twin: Twin): CrawlRequest => {
  const path = `${origin}/${twin}/${id}`
  const plain = {
    method: 'GET',
    url: path,
    headers: [],
    body: null,
    effect: effect ?? 'reads',
    seenOn: [origin],
  } as const
  const encoded = encodeURIComponent(value)
  const posted = (type: string, body: string): CrawlRequest => ({
    ...plain,
    method: 'POST',
    headers: [['Content-Type', type]],
    body,
  })
  const shapes: Readonly<Record<Place, () => CrawlRequest>> = {
    query: () => ({ ...plain, url: `${path}?q=${encoded}&page=1` }),
    path: () => ({ ...plain, url: `${path}/${encoded}` }),
    header: () => ({ ...plain, headers: [['Referer', value]] }),
    cookie: () => ({ ...plain, headers: [['Cookie', `q=${encoded}`]] }),
    fragment: () => ({ ...plain, url: `${path}#${encoded}` }),
    form: () => posted('application/x-www-form-urlencoded', `q=${encoded}&page=1`),
    json: () => posted('application/json', JSON.stringify({ page: 1, item: { q: value } })),
    xml: () => posted('application/xml', `<?xml version="1.0"?><order><q>${escapeXml(value)}</q></order>`),
    multipart: () =>
      posted(
        'multipart/form-data; boundary=qx',
        `--qx\r\nContent-Disposition: form-data; name="q"\r\n\r\n${value}\r\n--qx--\r\n`,
      ),
  }
  return shapes[place]()
}

const escapeXml = (text: string): string => text.replace(/[<>&]/g, (char) => `&#${char.charCodeAt(0)};`)

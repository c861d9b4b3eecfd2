import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import type { CrawlFacts } from './facts.ts'
import { type Answer, closeCrawled, crawl } from './testing/crawling.ts'

afterEach(closeCrawled)

const form = (more: string) =>
  `<form action=/find method=post enctype=multipart/form-data><input name=article value=Lamp>${more}<button>Find</button></form>`

const siteOf = (more: string, bodies: string[] = []) => ({
  '/': form(more),
  '/find': (_request: IncomingMessage, body: string): Answer => {
    bodies.push(body)
    return '<p>One found</p>'
  },
})

const posted = (facts: CrawlFacts) => facts.requests.filter(({ method }) => method === 'POST')

it('a form in which nobody has to choose a file is asked without one as well, as often as it takes', async () => {
  const bodies: string[] = []
  const { facts } = await crawl(siteOf('<input type=file name=scan>', bodies), {}, 'test')
  const requests = posted(facts)
  expect(requests.map(({ effect, bound }) => [effect, bound])).toEqual([
    ['reads', 40],
    ['reads', undefined],
  ])
  expect(bodies.some((body) => body.includes('name="scan"; filename=""\r\n'))).toBe(true)
  const [, unfilled] = requests
  const places = facts.points
    .filter(({ request }) => request === unfilled?.id)
    .map(({ place, name }) => `${place} ${name}`)
  expect(places).toContain('multipart article')
  expect(places.filter((one) => one.includes('scan'))).toEqual([])
  // What may be sent a few times is not asked about headers.
  const ofFile = facts.points.filter(({ request }) => request === requests[0]?.id).map(({ place }) => place)
  expect(ofFile).toEqual(['multipart', 'file-name', 'file'])
})

it.each([
  ['one has to be chosen', '<input type=file name=scan required>'],
  ['nothing else is told', '<input type=file name=scan>'],
])('not where %s', async (why, more) => {
  const site = siteOf(more)
  const pages = why.startsWith('nothing')
    ? { ...site, '/': site['/'].replace('<input name=article value=Lamp>', '') }
    : site
  const { facts } = await crawl(pages, {}, 'test')
  expect(posted(facts)).toHaveLength(1)
})

it('nor on a system that people work with', async () => {
  const bodies: string[] = []
  const { facts } = await crawl(siteOf('<input type=file name=scan>', bodies))
  expect(posted(facts).map(({ harm }) => harm)).toEqual(['it uploads a file'])
  expect(bodies).toEqual([])
})

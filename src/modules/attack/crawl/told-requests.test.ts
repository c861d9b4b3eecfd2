import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, closeCrawled, crawl, json } from './testing/crawling.ts'
import { MANY_TOLD, TOLD_TO_WRITE } from './told-requests.ts'

afterEach(closeCrawled)

type Answering = Parameters<typeof crawl>[0][string]
const queryOf = (url: string | undefined): URLSearchParams => new URL(url ?? '/', 'http://shop.test').searchParams
const asked = async (pages: Readonly<Record<string, Answering>>, environment: 'production' | 'test' = 'production') => {
  const { facts, seen } = await crawl(pages, {}, environment)
  const places = facts.points.map(({ place, name, request }) => {
    const of = facts.requests.find(({ id }) => id === request)
    return `${of?.method} ${new URL(of?.url ?? '').pathname} ${place} ${name}`
  })
  return { facts, seen, places }
}

describe('a parameter that a page names in words', () => {
  const HOME = '<a href=/report>Report</a>'

  it.each<[string, Answering, string]>([
    ['with its value', 'Add ?detail=full for all of it.', '/report?detail=full'],
    ['by an address', 'See http://shop.test/report?detail=full.', '/report?detail=full'],
    ['in a comment', '<!-- was /report?detail=full before -->', '/report?detail=full'],
    ['in a comment without a value', '<!-- the "detail" parameter is for us -->', '/report?detail=test'],
    ['in its text', 'The parameter <code>detail</code> shows more.', '/report?detail=test'],
    ['as missing', { status: 400, body: 'Missing parameter: detail' }, '/report?detail=test'],
    ['by a notice', '<b>Warning</b>: Undefined array key "detail" in <b>/srv/report.php</b>', '/report?detail=test'],
    [
      'in JSON',
      { status: 422, type: 'application/json', body: '{"detail":[{"loc":["query","detail"],"msg":"Field required"}]}' },
      '/report?detail=test',
    ],
  ])('%s is a place of it', async (_name, answer, address) => {
    const { seen, places } = await asked({ '/': HOME, '/report': answer })
    expect(seen.filter((one) => one === `GET ${address}`)).toHaveLength(1)
    expect(places).toContain('GET /report query detail')
  })

  it('is none in a file of a script, where a choice between two values reads as an address', async () => {
    const code = 'function r(e,t){return t?e=t:e}var o=e?t.styles=n:t.other;// see /archive?all=1 of "detail" parameter'
    const { seen, places } = await asked({
      '/': '<link rel=modulepreload href=/parts.js><a href=/parts.js?v=1>Source</a><a href=/look.css>Look</a>',
      '/parts.js': { type: 'text/javascript', body: code },
      '/look.css': { type: 'text/css', body: 'a[href="x?y=1"]{color:red}' },
    })
    expect(seen.filter((one) => /[?&](?:t\.styles|t|y|detail)=|\/e\?/.test(one))).toEqual([])
    expect(places.filter((one) => /query (?!v$)/.test(one))).toEqual([])
  })

  it('is a place of an operation whose description leaves it out', async () => {
    const description = {
      openapi: '3.0.3',
      info: { title: 'Reports', version: '1' },
      paths: { '/report': { get: { responses: {} } } },
    }
    const report: Answering = ({ url }) =>
      queryOf(url).has('detail')
        ? json({ hits: [] })
        : { status: 400, type: 'application/json', body: '{"error":"Missing parameter: detail"}' }
    const { places } = await asked({ '/': 'Hello', '/openapi.json': json(description), '/report': report })
    expect(places).toContain('GET /report query detail')
  })

  it('is asked behind another one that was missing before it', async () => {
    const report = ({ url }: { readonly url?: string }): Answer => {
      const lacks = ['from', 'until'].find((name) => !queryOf(url).has(name))
      return lacks === undefined ? 'Fine' : { status: 400, body: `Missing parameter: ${lacks}` }
    }
    const { seen, places } = await asked({ '/': HOME, '/report': report })
    expect(seen).toContain('GET /report?from=test&until=test')
    expect(places).toEqual(expect.arrayContaining(['GET /report query from', 'GET /report query until']))
  })

  it('is added to the page as the site has it, and not to every choice of others', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `?choice${at}=a`)
    const { seen } = await asked({ '/': HOME, '/report': `<p>${names.join(' ')}` })
    const told = seen.filter((one) => one.startsWith('GET /report?choice'))
    expect(told.filter((one) => !one.includes('&')).length).toBe(8)
    expect(new Set(told).size).toBeLessThan(70)
  })

  it('beyond the longest list is counted as left out', async () => {
    const own = Array.from({ length: 20 }, (_, at) => `<p>the parameter word_${at}</p>`)
    const others = Array.from({ length: 20 }, (_, at) => `<p>?name_${at}=a</p>`)
    const { facts } = await asked({ '/': HOME, '/report': [...own, ...others].join('') })
    expect(facts.reach?.counts.find(({ reason }) => reason === MANY_TOLD)?.count).toBeGreaterThanOrEqual(10)
  })

  it('on each page of a handbook is asked at a few', async () => {
    const pages = Array.from(
      { length: 9 },
      (_, at) => [`/${'abcdefghi'[at]}`, 'The <code>detail</code> parameter'] as const,
    )
    const links = pages.map(([path]) => `<a href=${path}>${path}</a>`).join('')
    const { seen, facts } = await asked({ '/': links, ...Object.fromEntries(pages) })
    expect(seen.filter((one) => one.endsWith('?detail=test'))).toHaveLength(5)
    expect(facts.reach?.counts.find(({ reason }) => reason === MANY_TOLD)?.count).toBe(4)
  })

  it.each([
    ['does what must not be done', 'Add ?action=delete_account to close it.', 'action='],
    ['answers whether it is meant', 'Add ?confirm=yes to go on.', 'confirm='],
  ])('that %s is not sent', async (_name, text, part) => {
    const { seen } = await asked({ '/': HOME, '/report': text })
    expect(seen.join('\n')).not.toContain(part)
  })
})

describe('a field that an answer misses', () => {
  const FORM = '<form method=post action=/find><input name=q value=tent><button>Search</button></form>'

  it.each<[string, string, Answer, string]>([
    ['of a form', FORM, { status: 400, body: 'Missing parameter: kind' }, 'POST /find form kind'],
    ['by a notice', FORM, 'Notice: Undefined index: kind in /srv/find.php', 'POST /find form kind'],
    [
      'of an interface',
      `<script>fetch('/find', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({q: 'tent'})})</script>`,
      { status: 422, type: 'application/json', body: '{"errors":{"kind":["is required"]}}' },
      'POST /find json /kind',
    ],
    [
      'of the query beside a body',
      FORM,
      { status: 422, type: 'application/json', body: '{"detail":[{"loc":["query","kind"],"msg":"Field required"}]}' },
      'POST /find query kind',
    ],
  ])('%s is a place of the request', async (_name, page, answer, place) => {
    const bodies: string[] = []
    const find: Answering = ({ url }, body) => {
      bodies.push(`${url} ${body}`)
      return /kind/.test(`${url} ${body}`) ? 'Nothing found' : answer
    }
    const { places } = await asked({ '/': page, '/find': find }, 'test')
    expect(places).toContain(place)
    expect(bodies.some((one) => /kind/.test(one))).toBe(true)
  })

  it('is not sent to a system that people work with', async () => {
    const bodies: string[] = []
    const find: Answering = (_request, body) => {
      bodies.push(body)
      return { status: 400, body: 'Missing parameter: kind' }
    }
    const { facts } = await asked({ '/': FORM, '/find': find })
    expect(bodies.join('\n')).not.toContain('kind')
    expect(facts.reach?.counts.some(({ reason }) => reason === TOLD_TO_WRITE)).toBe(true)
  })
})

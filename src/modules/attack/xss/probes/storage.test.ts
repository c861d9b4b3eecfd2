import { describe, expect, it } from 'vitest'
import { caseCrawl } from '../../crawl/testing/crawl-facts.ts'
import { SHARED } from '../../insertion-points/shared.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import type { Context } from '../facts.ts'
import { known, scanned } from '../testing/scanned.ts'
import { sendTogether, togetherOf } from './storage.ts'
import {
  add,
  feedsOf,
  type Planted,
  pagesOf,
  placesOf,
  readAgain,
  type SeenSoFar,
  showsOwn,
  someOfEach,
} from './stored-pages.ts'
import { payloadsFor } from './stored-payloads.ts'

const first = (context: Partial<Context>, isDrawn = false): readonly string[] =>
  payloadsFor({ kind: 'text', tag: 'p', attribute: null, quote: '', ...context }, 123_456, isDrawn)
    .slice(0, 2)
    .map(({ payload }) => payload)

it('stores first what encoded markup does not stop', () => {
  const [address, element] = first({ kind: 'url', tag: 'a', attribute: 'href', quote: '"' })
  expect(address).toMatch(/^javascript:/)
  expect(element).toMatch(/^"></)
  expect(first({ kind: 'script', tag: 'script', quote: "'" })[0]).not.toContain('<')
  expect(first({})[0]).toMatch(/^</)
  expect(first({}, true)[0]).toMatch(/^<img/)
})

it('looks first at pages of the form that stored, and at what their scripts ask for, however many others there are', () => {
  const page = (path: string, contentType = 'text/html') => ({
    ...{ url: `http://shop.test${path}`, status: 200, contentType, title: '', depth: 1, source: 'link' as const },
  })
  const feed = (path: string, seenOn: string) => ({
    ...{ id: path, method: 'GET', url: `http://shop.test${path}`, shape: path, encoding: 'none' as const, fields: [] },
    ...{ body: null, source: 'browser' as const, seenOn: [`http://shop.test${seenOn}`], sent: true, harm: null },
  })
  const others = Array.from({ length: 400 }, (_, at) => `/page${at}`)
  const crawl = {
    ...caseCrawl(),
    urls: [...others, '/notes'].map((path) => page(path)),
    requests: [...others.map((path) => feed(`${path}/data`, path)), feed('/api/notes', '/notes')],
  }
  const request = { url: 'http://shop.test/notes', seenOn: ['http://shop.test/notes'] }
  const planted = { word: 'qx0123456789', probe: { request }, location: '' } as unknown as Planted
  expect(pagesOf(crawl, [planted])[0]).toBe('http://shop.test/notes')
  expect(feedsOf(crawl, [planted])[0]?.url).toBe('http://shop.test/api/notes')
})

it.each([
  ['with the fields of the form, which puts it back', 'ok'],
  ['without a body, which empties it', null],
])('finds what one record keeps, though the same is also posted with a query of its own, %s', async (_name, value) => {
  let note = ''
  const crawl = known([{ name: 'note', value: 'ok', type: 'text' }])
  const [form] = crawl.requests
  if (form === undefined) throw new Error('no form')
  const feed = { id: 'b', method: 'GET', encoding: 'none', fields: [], source: 'browser', sent: true } as const
  const { found } = await scanned(
    (sent, { url, method }) => {
      if (method === 'POST') note = sent.get('note') ?? ''
      if (url === '/feed') return JSON.stringify({ note })
      return "<p id=p></p><script>fetch('/feed').then((r) => r.json()).then((d) => { p.innerHTML = d.note })</script>"
    },
    {
      ...crawl,
      requests: [
        form,
        {
          ...{ ...form, id: 'q', url: 'http://shop.test/notes?view=list', shape: 'http://shop.test/notes?view' },
          ...(value === null ? { fields: [], encoding: 'none' as const } : {}),
        },
        { ...form, ...feed, url: 'http://shop.test/feed', shape: 'http://shop.test/feed' },
      ],
      points: [
        { id: 'a:form:note', request: 'a', place: 'form', name: 'note', example: 'ok' },
        { id: 'q:query:view', request: 'q', place: 'query', name: 'view', example: 'list' },
      ],
    },
  )
  expect(found).toEqual(['xss/stored confirmed'])
})

it('keeps of the places that show a word those of other parts of the site, as one may encode what another does not', () => {
  const one = {} as Planted
  const seen: SeenSoFar = new Map()
  const at = (path: string) => ({ url: `http://shop.test/${path}`, drawnOn: null, text: '' })
  for (const path of ['index.php?page=account', 'index.php?page=profile&u=1', 'index.php?page=profile&u=2'])
    add(seen, one, [at(path)])
  add(
    seen,
    one,
    ['profile&u=3', 'profile&u=4', 'topic&t=1'].map((query) => at(`index.php?page=${query}`)),
  )
  expect(seen.get(one)?.map(({ url }) => url.slice('http://shop.test/index.php?page='.length))).toEqual([
    'account',
    'profile&u=1',
    'profile&u=2',
    'topic&t=1',
  ])
})

it.each([
  ['as it is', (text: string) => text, ['xss/stored confirmed']],
  ['as text', (text: string) => text.replaceAll('<', '&lt;'), []],
])(
  'finds what its own page encodes and another shows %s, though the record keeps one value alone',
  async (_name, shows, expected) => {
    let nick = 'ok'
    const crawl = known([
      { name: 'nick', value: 'ok', type: 'text' },
      { name: 'motto', value: 'ok', type: 'hidden' },
    ])
    const [form] = crawl.requests
    if (form === undefined) throw new Error('no form')
    const page = { status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' } as const
    const encoded = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    const { found } = await scanned(
      (sent, { url, method }) => {
        if (method === 'POST') nick = sent.get('nick') ?? ''
        return url === '/people'
          ? `<ul><li>${shows(nick)}</li></ul>`
          : `<form><input name="nick" value="${encoded(nick)}"></form>`
      },
      {
        ...crawl,
        urls: [...crawl.urls, { ...page, url: 'http://shop.test/people' }],
        // What the page puts in itself is asked last, and puts the first back each time.
        requests: [{ ...form, shownOn: [form.seenOn[0] ?? form.url], effect: 'writes', bound: 40 }],
        points: ['nick', 'motto'].map((name) => ({
          ...{ id: `a:form:${name}`, request: 'a', place: 'form', name, example: 'ok' },
          ...(name === 'motto' ? { role: 'hidden' as const } : {}),
        })),
      },
    )
    expect(found).toEqual(expected)
  },
)

it('finds what a record keeps that another module writes into for as long as it asks', async () => {
  let kept = ''
  let othersAsk = true
  const crawl = known([{ name: 'q', value: 'tent', type: 'text' }])
  const board = crawl.urls.map((one) => ({ ...one, url: 'http://shop.test/board' }))
  const { found } = await scanned(
    (sent, { url, method }) => {
      if (method === 'POST') kept = othersAsk ? 'what the other sends' : (sent.get('q') ?? '')
      return url === '/board' ? `<p>${kept}</p>` : '<p>Saved</p>'
    },
    { ...crawl, urls: [...crawl.urls, ...board] },
    null,
    'test',
    'text/html',
    ({ scope }) => {
      const leave = scope.of(SHARED).writes.join()
      const progress = (doing: string): void => {
        if (!doing.startsWith('what other modules')) return
        othersAsk = false
        leave()
      }
      return { progress }
    },
  )
  expect(found).toEqual(['xss/stored confirmed'])
})

it('sends fields of one record that each showed at once by one request, each with its own word', async () => {
  const request = {
    ...{ id: 'a', method: 'POST', url: 'http://shop.test/profile', body: 'nick=ok&motto=ok&city=ok' },
    headers: [['Content-Type', 'application/x-www-form-urlencoded']] as const,
  }
  const bodies: string[] = []
  const planted = (name: string, shows: boolean): Planted => {
    const { probe } = fakeProbe(
      (value, changed) => {
        bodies.push(String(changed?.body ?? value))
        return { text: '' }
      },
      { place: 'form', name, value: 'ok', request },
    )
    const place = { url: 'http://shop.test/profile', drawnOn: null, text: '' }
    return { word: `qx-${name}`, probe, location: '', ...(shows ? { shown: [place] } : {}) }
  }
  const all = [planted('nick', true), planted('motto', true), planted('city', false)]
  const groups = togetherOf(new Map(all.map((one) => [one, 2])))
  expect(groups.map((some) => some.map(({ word }) => word))).toEqual([['qx-nick', 'qx-motto']])
  // What the page shows before anything is sent is none of these.
  bodies.length = 0
  for (const some of groups) await sendTogether(some)
  expect(bodies).toEqual(['nick=qx-nick&motto=qx-motto&city=ok'])
})

describe('many records of one program', () => {
  const goods = Array.from({ length: 400 }, (_, at) => `http://shop.test/goods/${at}`)
  const programOf = (url: string) => (url.startsWith('http://shop.test/goods/') ? 'goods/*' : undefined)

  it('come behind the only list, but for those of the form itself', () => {
    const page = { status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' } as const
    const crawl = { ...caseCrawl(), urls: [...goods, 'http://shop.test/news'].map((url) => ({ ...page, url })) }
    const [own = ''] = goods.slice(-1)
    const request = { url: own, seenOn: [own] }
    const planted = { word: 'qx0123456789', probe: { request }, location: '' } as unknown as Planted
    const { places, left } = placesOf(crawl, [planted], programOf, () => false)
    const urls = places.map(({ url }) => url)
    expect([urls[0], urls.includes('http://shop.test/news'), left]).toEqual([own, true, 101])
  })

  it('are read again in part for what is sent anew: some of them, and those that show something of the run', () => {
    const shows = goods[300] ?? ''
    const places = [...goods, 'http://shop.test/news'].map((url) => ({ url, drawnOn: null }))
    const again = readAgain(places, programOf, new Set([shows])).map(({ url }) => url)
    expect(again).toEqual([...goods.slice(0, 3), shows, 'http://shop.test/news'])
  })

  it('and so are pages that numbers in their query alone tell apart, but not those that words choose', () => {
    const pages = (name: string, values: readonly (string | number)[]) =>
      values.map((value) => ({ url: `http://shop.test/list?${name}=${value}`, drawnOn: null }))
    const places = [...pages('page', [1, 2, 3, 4, 5]), ...pages('show', ['new', 'old', 'all', 'mine'])]
    expect(readAgain(places, () => undefined, new Set()).map(({ url }) => url.split('?')[1])).toEqual([
      ...['page=1', 'page=2', 'page=3', 'show=new', 'show=old', 'show=all', 'show=mine'],
    ])
  })

  it('and where there was no time for all places some of each folder, numbers aside', () => {
    const pages = ['orders', 'stock'].flatMap((folder) =>
      Array.from({ length: 50 }, (_, at) => ({ url: `http://shop.test/${folder}/2026-${at}/view`, drawnOn: null })),
    )
    const own = pages[49]?.url ?? ''
    expect(someOfEach(pages, new Set([own])).map(({ url }) => url)).toEqual([
      ...pages.slice(0, 20).map(({ url }) => url),
      own,
      ...pages.slice(50, 70).map(({ url }) => url),
    ])
  })

  it.each([
    ['a word that was sent', '<p>qx0123456789</p>', true],
    ['what a form is filled with', '<p>By sonde38ada5170b</p>', true],
    ['nothing of it', '<p>By Anna</p>', false],
  ])('show %s', (_name, text, expected) => expect(showsOwn({ text })).toBe(expected))
})

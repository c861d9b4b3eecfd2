import { expect, test } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { grouped, withOwnAround } from './groups.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'
import { byWorth, levelOf } from './order.ts'

const request = { ...caseRequest({ method: 'POST', encoding: 'urlencoded' }), bound: 40 } as unknown as ProbeRequest
const field = (name: string, value: string, role?: 'hidden' | 'button'): ProbePoint => ({
  ...{ request, place: 'form', name, value },
  ...(role === undefined ? {} : { role }),
})

test('of what may be sent a few times only an object stands beside what people fill, before all else of the page itself', () => {
  const state = field(
    'state',
    'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhw',
    'hidden',
  )
  const others = [field('go', 'Next', 'button'), field('of', '17', 'hidden'), field('act', 'add', 'hidden')]
  const month = field('month', 'May')
  expect([state, month, ...others].map(levelOf)).toEqual([0, 0, 4, 1, 2])
  expect(byWorth([...others, state, month]).map(({ name }) => name)).toEqual(['state', 'month', 'of', 'act', 'go'])
})

test('what is behind the sign-in of somebody else comes behind all that has an answer of its own', () => {
  const of = (path: string, turned: boolean): ProbePoint => ({
    ...{ place: 'query', name: 'id', value: '7' },
    request: turned ? { ...requestAt(path), turnedAway: true } : requestAt(path),
  })
  const [office, shop] = [of('/office', true), of('/shop', false)]
  const guess: ProbePoint = { ...of('/shop', false), name: 'page', guessed: true }
  expect(byWorth([office, guess, shop])).toEqual([shop, guess, office])
})

test('a cookie that holds an object is asked with the first values, twice', () => {
  const cookies = ['/a', '/b', '/c'].flatMap((path) =>
    ['theme', 'state'].map(
      (name): ProbePoint => ({
        ...{
          request: requestAt(path),
          place: 'cookie',
          name,
          value: name === 'state' ? 'BAh7BkkiCHBlcgY6BkVUaQs=' : 'light',
        },
      }),
    ),
  )
  const query = { ...field('q', 'x'), place: 'query' as const, request: requestAt('/d') }
  const ranked = byWorth([...cookies, query]).map(({ name, request: { url } }) => `${name} ${new URL(url).pathname}`)
  expect(ranked.slice(0, 3).toSorted()).toEqual(['q /d', 'state /a', 'state /b'])
})

test('a form of many fields keeps others waiting for its first dozen', () => {
  const fields = Array.from({ length: 30 }, (_, index) => ({
    ...field(`field-${String.fromCharCode(97 + index)}`, 'x'),
    request: requestAt('/large', 'POST'),
  }))
  const other = { ...field('q', 'x'), request: requestAt('/small', 'POST') }
  expect(byWorth([...fields, other]).findIndex(({ name }) => name === 'q')).toBe(12)
})

test('what a script asks for belongs to its own program, whatever links have the same names', () => {
  const linked = ['/a', '/b', '/c'].map((path) => ({
    ...field('item', '7'),
    place: 'query' as const,
    request: requestAt(path),
  }))
  const called = {
    ...field('item', '7'),
    place: 'query' as const,
    request: { ...requestAt('/ajax'), called: true as const },
  }
  const ranked = byWorth([...linked, called]).map(({ request: { url } }) => new URL(url).pathname)
  expect(ranked).toEqual(['/a', '/b', '/ajax', '/c'])
})

test('what an extension brings comes before the system that it was added to', () => {
  const of = (path: string, seenOn: readonly string[] = []): ProbePoint => ({
    ...field('id', '7'),
    place: 'query' as const,
    request: { ...requestAt(path), seenOn: seenOn.map((one) => `http://shop.test${one}`) },
  })
  const points = [
    of('/desk/posts'),
    of('/desk/users', ['/desk/start', '/desk/tools?page=seat-plan']),
    of('/desk/tools?page=seat-plan'),
    of('/desk/call?action=seats', ['/content/plugins/seat-plan/js/seats.js']),
  ]
  const ranked = (folders: readonly string[]) =>
    byWorth(points, folders).map(({ request: { url } }) => url.slice('http://shop.test'.length))
  const folders = ['http://shop.test/desk/js/', 'http://shop.test/content/plugins/seat-plan/js/']
  expect(ranked(folders).slice(0, 2)).toEqual(['/desk/tools?page=seat-plan', '/desk/call?action=seats'])
  expect(ranked([]).slice(0, 2)).toEqual(['/desk/posts', '/desk/users'])
})

test('of what may be sent a few times only, which part of a list is shown stands behind what people fill', () => {
  const paging = [field('page', '1'), field('/per_page', '20'), field('offset', '0')]
  const others = [field('page', 'about'), field('amount', '3'), field('pages_read', '12')]
  expect([...paging, ...others].map(levelOf)).toEqual([1, 1, 1, 0, 0, 0])
})

const requestAt = (path: string, method = 'GET', bound?: number): ProbeRequest => ({
  ...{
    id: `${method} ${path}`,
    method,
    url: `http://shop.test${path}`,
    headers: [],
    body: null,
    effect: 'reads',
    seenOn: [],
  },
  ...(bound === undefined ? {} : { bound }),
})
const at = (request: ProbeRequest, place: ProbePoint['place'], name: string): ProbePoint => ({
  ...{ request, place, name, value: 'x' },
})

test('requests of each kind have their turn, so that something of everything was asked when the time is over', () => {
  const many = Array.from({ length: 5 }, (_, n) => at(requestAt(`/goods/find${n}`), 'query', `q${n}`))
  const posted = Array.from({ length: 2 }, (_, n) => at(requestAt(`/goods/add${n}`, 'POST', 40), 'json', `/note${n}`))
  const [first, second] = ['who', 'what'].map((name) => at(requestAt('/people/look'), 'query', name))
  if (!first || !second) throw new Error('two fields')
  expect(byWorth([...many, ...posted, first, second]).map(({ name }) => name)).toEqual([
    ...['q0', '/note0', 'who', 'what'],
    ...['q1', '/note1'],
    ...['q2', 'q3', 'q4'],
  ])
})

test('folders of records are of one kind', () => {
  const records = Array.from({ length: 3 }, (_, n) => at(requestAt(`/lists/${n + 7}/find`), 'query', `q${n}`))
  const other = at(requestAt('/find'), 'query', 'all')
  expect(byWorth([...records, other]).map(({ name }) => name)).toEqual(['q0', 'all', 'q1', 'q2'])
})

test('a cookie that holds an object is asked first where its program sets it, however many others are sent it', () => {
  const at = (path: string, own: boolean): ProbePoint => ({
    ...{ request: requestAt(path), place: 'cookie', name: 'settings', value: 'gASVDQAAAAAAAACMBHpvbmWUjAFBlIaULg==' },
    ...(own ? { own: true } : {}),
  })
  const others = Array.from({ length: 9 }, (_, index) => at(`/page${index}`, false))
  expect(byWorth([...others, at('/settings', true)]).findIndex(({ own }) => own === true)).toBeLessThan(3)
  expect(byWorth([...others, at('/settings', false)]).at(-1)?.request.url).toMatch(/settings$/)
})

test('a header or cookie that few requests have belongs to its program as a field does', () => {
  const requests = Array.from({ length: 8 }, (_, n) => requestAt(`/tools/t${n}`, 'POST', 40))
  const around = (request: ProbeRequest): readonly ProbePoint[] =>
    ['User-Agent', 'X-Client'].map((name) => at(request, 'header', name))
  const points = requests.flatMap((request, n) => [
    ...(n === 7 ? [at(request, 'header', 'X-Tool'), at(request, 'cookie', 'tool')] : []),
    ...around(request),
  ])
  const marked = withOwnAround(points)
  expect(marked.filter(({ own }) => own).map(({ name }) => name)).toEqual(['X-Tool', 'tool'])
  expect(
    byWorth(marked)
      .slice(0, 2)
      .map(({ name }) => name),
  ).toEqual(['X-Tool', 'tool'])
  expect(marked.filter(({ own }) => own).map(levelOf)).toEqual([0, 0])
})

test('of few writes a header of its own takes none for what every client sends', () => {
  const posted = requestAt('/tools/send', 'POST', 40)
  const points = withOwnAround(['User-Agent', 'Referer', 'X-Tool'].map((name) => at(posted, 'header', name)))
  const names = grouped(points).map(({ name, members }) => members?.map((one) => one.name) ?? [name])
  expect(names).toEqual([['User-Agent', 'Referer'], ['X-Tool']])
})

test('a program in a further language is asked behind all that is new, and takes no turn of a name', () => {
  const some = ['rooms', 'find', 'news'].flatMap((page) =>
    ['en', 'de', 'fr'].map((language) => at(requestAt(`/${language}/${page}?sort=a`), 'query', 'sort')),
  )
  const alone = at(requestAt('/other/list?sort=a'), 'query', 'sort')
  const asked = byWorth([...some, alone]).map(({ request: { url } }) => new URL(url).pathname)
  expect(asked.slice(0, 4).toSorted()).toEqual(['/en/find', '/en/news', '/en/rooms', '/other/list'])
  expect(asked).toHaveLength(10)
})

test('a field is asked with the button beside it, and with the others of a page behind all that is new', () => {
  const find = { ...requestAt('/list', 'POST'), id: 'find' }
  const save = { ...requestAt('/list', 'POST'), id: 'save' }
  const of = (name: string, request: ProbeRequest, far: boolean) => ({
    ...{ ...field(name, 'x'), request },
    ...(far ? { far: true as const } : {}),
  })
  const points = [of('note', find, true), of('quick', find, false), of('note', save, false), of('quick', save, true)]
  expect(byWorth(points).map(({ name, request }) => `${name} ${request.id}`)).toEqual([
    'quick find',
    'note save',
    'note find',
    'quick save',
  ])
})

test('a record that each program calls by the same name belongs to its program', () => {
  const linked = (path: string, name: string, value: string): ProbePoint => ({
    ...{ ...field(name, value), place: 'query' as const },
    request: requestAt(path),
  })
  const records = ['/a', '/b', '/c', '/d'].map((path) => linked(path, 'id', '7'))
  const settings = ['/a', '/b', '/c', '/d'].map((path) => linked(path, 'lang', 'en'))
  const asked = byWorth([...settings, ...records]).map(
    ({ request: { url }, name }) => `${new URL(url).pathname} ${name}`,
  )
  expect(asked.indexOf('/d id')).toBeLessThan(asked.indexOf('/c lang'))
})

test('the search in the head of every page comes behind what each page has of its own', () => {
  const tokens = [{ name: '__VIEWSTATE', value: 'dDwt' }]
  const points = Array.from({ length: 10 }, (_, page) => ({ ...requestAt(`/page-${page}`, 'POST'), tokens })).flatMap(
    (request) => [
      { ...field('quick', 'x'), request },
      { ...field('name', 'x'), request: { ...request, id: `${request.id} own` } },
    ],
  )
  const own = points.map((point, index) =>
    index > 13 && point.name === 'name' ? { ...point, name: `own-${index}` } : point,
  )
  const asked = byWorth(own).map(({ name }) => name)
  const third = asked.flatMap((name, at) => (name === 'quick' ? [at] : []))[2] ?? 0
  expect(asked.lastIndexOf('name')).toBeLessThan(third)
})

test('the token of a form comes behind all that people fill; one that a link brings is looked up', () => {
  const token = { ...field('form_key', '134fc326b3b8a6f8', 'hidden'), request: requestAt('/enter', 'POST') }
  const name = { ...field('login', 'ada'), request: requestAt('/enter', 'POST') }
  const query = (path: string, one: string, more = {}): ProbePoint => ({
    ...{ request: { ...requestAt(path), ...more }, place: 'query', name: one, value: '134fc326b3b8a6f8' },
  })
  const points = [query('/list', 'token', { formPage: 'http://shop.test/list' }), token, name, query('/reset', 'token')]
  expect(byWorth(points).map(({ name: one, request: { url } }) => `${new URL(url).pathname} ${one}`)).toEqual([
    ...['/enter login', '/reset token', '/list token', '/enter form_key'],
  ])
})

import { describe, expect, it } from 'vitest'
import { readHtml } from '../../../page/html.ts'
import { ANY_COOKIE, pointsOf } from '../insertion-points/points.ts'
import { procedureOf, procedureText } from '../insertion-points/procedure.ts'
import { draftsOfForm } from './forms.ts'
import { createFrontier } from './frontier.ts'
import { createRequests } from './requests.ts'
import { scopeOf } from './scope.ts'

const scope = scopeOf({ host: 'shop.test', port: null })
const ORIGIN = 'https://shop.test'

describe('scope', () => {
  it.each([
    ['host', 'https://shop.test/', true],
    ['www sibling', 'https://www.shop.test/', true],
    ['subdomain', 'https://api.shop.test/', false],
    ['name that ends alike', 'https://evilshop.test/', false],
    ['user in front', 'https://shop.test@evil.test/', false],
    ['with a user', 'https://a:b@shop.test/', false],
    ['other port', 'https://shop.test:8443/', false],
    ['no http', 'ftp://shop.test/', false],
  ])('%s', (_name, url, expected) => {
    expect(scope.holds(new URL(url))).toBe(expected)
  })
})

describe('frontier', () => {
  const add = (frontier: ReturnType<typeof createFrontier>, path: string, depth = 1, label = '') =>
    frontier.add(`${ORIGIN}${path}`, depth, 'link', null, label)

  it('takes each address once, without fragment, shallow ones first', () => {
    const frontier = createFrontier(scope)
    expect([add(frontier, '/b', 2), add(frontier, '/a'), add(frontier, '/a#x'), add(frontier, '/a')]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect([frontier.next()?.url, frontier.next()?.url, frontier.next()]).toEqual([`${ORIGIN}/a`, `${ORIGIN}/b`, null])
  })

  it('a slash too many makes no other page', () => {
    const frontier = createFrontier(scope)
    expect([add(frontier, '/admin/users'), add(frontier, '/admin//users')]).toEqual([true, false])
  })

  const from = (frontier: ReturnType<typeof createFrontier>, path: string, on: string) =>
    frontier.add(`${ORIGIN}${path}`, 1, 'link', `${ORIGIN}${on}`)
  const dull = { any: false, words: [1, 1] } as const

  it('no number of siblings ends a folder: what a list names is asked for, however much it is', () => {
    const frontier = createFrontier(scope)
    const taken = Array.from({ length: 600 }, (_, index) => from(frontier, `/shop/item-${index}.php?id=1`, '/'))
    expect(taken.filter(Boolean)).toHaveLength(600)
  })

  it('a calendar ends when its days lead to nothing but days that say the same', () => {
    const frontier = createFrontier(scope)
    let day = 1
    from(frontier, `/calendar/2026/${day}`, '/')
    for (let next = frontier.next(); next !== null && day < 100; next = frontier.next()) {
      frontier.saw(next.url, dull)
      day += 1
      from(frontier, `/calendar/2026/${day}`, new URL(next.url).pathname)
    }
    expect(day).toBeLessThan(20)
    expect(frontier.leftOut()).toEqual({ 'pages lead to more of their own kind, and the last ones were all alike': 1 })
  })

  it('a list that is narrowed by what can be combined ends, whatever its pages say', () => {
    const frontier = createFrontier(scope)
    let asked = 0
    from(frontier, '/list?a=0', '/')
    for (let next = frontier.next(); next !== null && asked < 500; next = frontier.next()) {
      asked += 1
      frontier.saw(next.url, { any: false, words: [asked * 0x01234567, asked * 0x0fedcba9] })
      const { search } = new URL(next.url)
      for (const name of ['a', 'b', 'c']) from(frontier, `/list?${name}=${asked}&of=${asked}`, `/list${search}`)
    }
    expect(asked).toBeLessThan(60)
  })

  it('what brings no news waits behind what may', () => {
    const frontier = createFrontier(scope)
    for (let item = 0; item < 9; item += 1) from(frontier, `/item/${item}`, '/')
    for (let item = 0; item < 3; item += 1) frontier.saw(frontier.next()?.url ?? '', dull)
    frontier.add(`${ORIGIN}/about`, 1, 'link', null)
    expect(frontier.next()?.url).toBe(`${ORIGIN}/about`)
  })

  it('a redirect that mends slashes is followed, once', () => {
    const frontier = createFrontier(scope)
    add(frontier, '/app//start')
    const mended = () => frontier.add(`${ORIGIN}/app/start`, 1, 'redirect', `${ORIGIN}/app//start`)
    expect([mended(), mended(), add(frontier, '/app/start')]).toEqual([true, false, false])
  })

  it('an address that a link calls a deed is left alone wherever else it is seen', () => {
    const left: string[] = []
    const frontier = createFrontier(scope, undefined, undefined, {
      left: (url, harm) => void left.push(`${url} ${harm}`),
      note: () => undefined,
      judge: (_url, harm) => harm,
    })
    const bare = (path: string) => frontier.add(`${ORIGIN}${path}`, 1, 'script', null)
    expect(bare('/u?id=3&r=1')).toBe(true)
    expect(add(frontier, '/u?id=3&r=1', 1, 'Delete')).toBe(false)
    expect(bare('/u?id=4&r=1')).toBe(false)
    expect(add(frontier, '/v?id=1', 1, 'Remove')).toBe(false)
    expect(add(frontier, '/v?id=1', 1, 'Details')).toBe(false)
    expect(add(frontier, '/v?id=2', 1, 'Details')).toBe(true)
    expect(frontier.add(`${ORIGIN}/w?id=2`, 1, 'link', null, 'W', 'it asks before it is done')).toBe(false)
    expect(frontier.next()?.url).toBe(`${ORIGIN}/v?id=2`)
    expect(frontier.next()).toBeNull()
    expect(left).toEqual([
      `${ORIGIN}/u?id=3&r=1 it deletes`,
      `${ORIGIN}/u?id=4&r=1 it deletes`,
      `${ORIGIN}/v?id=1 it deletes`,
      `${ORIGIN}/w?id=2 it asks before it is done`,
    ])
    expect(frontier.harmOf(`${ORIGIN}/u?id=9&r=1`)).toBe('it deletes')
  })

  it('what sounds like a deed among records that have each a name of its own is a title', () => {
    const frontier = createFrontier(scope)
    expect(add(frontier, '/news/1', 1, 'Water is back')).toBe(true)
    expect(add(frontier, '/news/2', 1, 'Transfer all')).toBe(false)
    expect(frontier.harmOf(`${ORIGIN}/news/3`)).toBe('it sets up or reconfigures the application')
    expect(add(frontier, '/news/4', 1, 'Compost')).toBe(true)
    expect(frontier.harmOf(`${ORIGIN}/news/3`)).toBeNull()
    expect(frontier.harmOf(`${ORIGIN}/news/2`)).toBe('it sets up or reconfigures the application')
    for (const id of [1, 2, 3]) expect(add(frontier, `/copy/${id}`, 1, 'Show')).toBe(true)
    expect(add(frontier, '/copy/4', 1, 'Delete')).toBe(false)
    expect(frontier.harmOf(`${ORIGIN}/copy/5`)).toBe('it deletes')
  })

  it('asks for the first document and picture of a folder, which a program may hand out by name, and for no other', () => {
    const frontier = createFrontier(scope)
    const names = ['/files/a.pdf', '/files/b.pdf', '/other/c.zip', '/files/d.png', '/files/e.jpg', '/files/f.css']
    expect(names.map((path) => add(frontier, path))).toEqual([true, false, true, true, false, false])
    expect(frontier.add(`${ORIGIN}/named/e.pdf`, 1, 'script', null)).toBe(false)
    const many = Array.from({ length: 30 }, (_, index) =>
      add(frontier, `/${'abcdefghijklmnopqrstuvwxyzäöüß'[index]}/x.pdf`),
    )
    expect(many.filter(Boolean)).toHaveLength(8)
  })

  it('leaves out what does harm by address or label, files, what is deep, and other hosts', () => {
    const frontier = createFrontier(scope)
    expect(add(frontier, '/logout')).toBe(false)
    expect(add(frontier, '/a/1', 1, 'Delete this')).toBe(false)
    expect(add(frontier, '/a.png')).toBe(false)
    expect(add(frontier, '/deep'.repeat(41))).toBe(false)
    expect(frontier.add('https://api.shop.test/', 1, 'link', null)).toBe(false)
    expect(frontier.add('https://other.example/', 1, 'link', null)).toBe(false)
    expect(frontier.otherHosts()).toEqual(['api.shop.test'])
    expect(frontier.leftOut()).toEqual({
      'a file that is no page': 1,
      'more than 40 folders deep': 1,
      'it deletes': 1,
      'it ends the session': 1,
    })
  })
})

/** On a test system what uploads and what nobody knows the effect of is asked, too. */
const ON_TEST = () => ({ environment: 'test', signedIn: false, staff: false, excludes: () => false }) as const

describe('requests and points', () => {
  const page = `<form method=post action=/save enctype=multipart/form-data><input name=title><input type=radio name=r value=1><input type=radio name=r value=2><input type=file name=f><button name=go value=1>Save</button></form>
<form action=/find><input name=q><select name=kind></select></form>
<form method=post action=/signup><input type=email name=mail><input type=hidden name=token value=abc></form>`
  const drafts = readHtml(page, `${ORIGIN}/p`).forms.flatMap((form) => draftsOfForm(form, `${ORIGIN}/p`))

  it('forms become requests with values that they accept', () => {
    const requests = createRequests()
    for (const draft of drafts) requests.add(draft)
    expect(requests.all()).toMatchObject([
      {
        method: 'POST',
        encoding: 'multipart',
        harm: 'it saves something',
        fields: [{ name: 'title' }, { name: 'r', value: '1' }, { name: 'f' }, { name: 'go' }],
      },
      { method: 'GET', url: `${ORIGIN}/find?q=test&kind=test`, encoding: 'none' },
      {
        method: 'POST',
        encoding: 'urlencoded',
        fields: [
          { name: 'mail', value: 'test@example.org' },
          { name: 'token', value: 'abc' },
        ],
      },
    ])
  })

  const sent = (encoding: 'json' | 'urlencoded', body: string) => ({
    ...({ method: 'POST', url: `${ORIGIN}/rpc`, encoding, source: 'browser', seenOn: ORIGIN, sent: true } as const),
    ...(encoding === 'json'
      ? { body }
      : { fields: [...new URLSearchParams(body)].map(([name, value]) => ({ name, value, type: 'text' })) }),
  })

  it.each([
    [
      'procedures of JSON-RPC',
      'json',
      '{"method":"user.get","params":{"id":1}}',
      '{"method":"user.find","params":{"id":1}}',
      2,
    ],
    ['names at any depth', 'json', '{"data":{"user":{"name":"a"}}}', '{"data":{"user":{"mail":"a"}}}', 2],
    ['actions in a form that a script sends', 'urlencoded', 'action=get_users&id=1', 'action=get_roles&id=1', 2],
    ['other values', 'json', '{"q":"lamp","page":1}', '{"q":"chair","page":2}', 1],
    ['more of a list', 'json', '{"items":[{"id":1}]}', '{"items":[{"id":1},{"id":2}]}', 1],
    ['keys that are identifiers', 'json', '{"items":{"17":{"n":1}}}', '{"items":{"18":{"n":1}}}', 1],
    ['a text that names nothing', 'json', '{"type":"two words"}', '{"type":"three words more"}', 1],
  ] as const)('%s tell requests apart or do not', (_name, encoding, one, other, count) => {
    const requests = createRequests(ON_TEST)
    for (const body of [one, other]) requests.add(sent(encoding, body))
    expect(requests.all()).toHaveLength(count)
  })

  it.each([
    ['json', '{"method":"user.get","params":{"id":1}}', 'method=user.get'],
    ['json', '{"query":"query Q($id: ID!) { one: order(id: $id) { id } }"}', 'query order'],
    ['json', '{"query":"mutation { rename(id: 1) { id } }","operationName":"A"}', 'mutation rename'],
    ['json', '{"query":"red chairs","page":1}', ''],
    ['json', '[{"method":"user.get"}]', ''],
    ['urlencoded', 'action=get_users&id=1', 'action=get_users'],
    ['urlencoded', 'q=chair', ''],
  ] as const)('what a body of %s says is to be done: %s', (encoding, body, words) => {
    const requests = createRequests(ON_TEST)
    requests.add(sent(encoding, body))
    expect(requests.all().map((one) => procedureText(procedureOf(one)))).toEqual([words])
  })

  it('what is posted alike to programs of one address, by words in its query, is kept apart within a bound', () => {
    const posted = (query: string) => ({
      ...({ method: 'POST', url: `${ORIGIN}/index?${query}`, encoding: 'urlencoded', source: 'form' } as const),
      ...{ seenOn: `${ORIGIN}/`, sent: false, fields: [{ name: 'q', value: 'tent', type: 'text' }] },
    })
    const kept = (queries: readonly string[]): readonly string[] => {
      const requests = createRequests(ON_TEST)
      for (const query of queries) requests.add(posted(query))
      return requests.all().map(({ url }) => new URL(url).search)
    }
    expect(kept(['view=boats', 'view=lakes', 'view=boats&page=2'])).toHaveLength(3)
    expect(kept(['id=1', 'id=2', 'of=a1b2', 'of=c3d4'])).toEqual(['?id=1', '?of=a1b2'])
    const many = [...'abcdefghijklmnopqrst'].map((sign) => `view=${sign.repeat(5)}`)
    expect(kept(many).length).toBeLessThanOrEqual(13)
  })

  it('bodies that differ in what is within them are kept apart within a bound', () => {
    const requests = createRequests(ON_TEST)
    for (let index = 0; index < 200; index += 1)
      requests.add(
        sent(
          'json',
          `{"filter":{"by-${'abcdefghij'[index % 10]}${'klmnopqrstuvwxyzabcd'[Math.floor(index / 10)]}":1}}`,
        ),
      )
    expect(requests.all()).toHaveLength(31)
  })

  it('forms that most pages have are learned behind what pages have of their own', () => {
    const requests = createRequests(ON_TEST)
    const post = (url: string, name: string) =>
      requests.add({
        ...{ method: 'POST', url: `${ORIGIN}${url}`, source: 'form', seenOn: `${ORIGIN}${url}`, sent: false },
        ...{ encoding: 'urlencoded', fields: [{ name, value: 'a', type: 'text' }] },
      })
    for (let page = 0; page < 12; page += 1) post(`/${'abcdefghijkl'[page]}.php`, 'doc')
    post('/own', 'q')
    const first = requests.unlearned()
    expect(first.map(({ url }) => new URL(url).pathname)).toEqual(['/a.php', '/b.php', '/c.php', '/own'])
    for (const { id } of first) requests.learned(id, 'reads', 2)
    expect(requests.unlearned()).toHaveLength(9)
  })

  it('one request of a shape, seen on many pages; ids last from run to run', () => {
    const requests = createRequests()
    const draft = { method: 'GET', source: 'link', sent: true } as const
    const first = requests.add({ ...draft, url: `${ORIGIN}/item/1?a=1`, seenOn: `${ORIGIN}/` })
    const second = requests.add({ ...draft, url: `${ORIGIN}/item/2?a=9`, seenOn: `${ORIGIN}/b` })
    expect(second?.id).toBe(first?.id)
    expect(second?.id).toMatch(/^[0-9a-f]{12}$/)
    expect(requests.all()).toMatchObject([{ url: `${ORIGIN}/item/1?a=1`, seenOn: [`${ORIGIN}/`, `${ORIGIN}/b`] }])
  })

  it.each(['reads', 'unclear'] as const)(
    'what a page sends takes the place of what its script was read to send, which %s, and is learned anew',
    (seen) => {
      const requests = createRequests(ON_TEST)
      const post = { method: 'POST', url: `${ORIGIN}/api/find`, encoding: 'json', seenOn: `${ORIGIN}/` } as const
      const read = requests.add({ ...post, source: 'script', sent: false, body: '{"filter":"1"}' })
      requests.learned(read?.id ?? '', seen, 2)
      const own = requests.add({ ...post, source: 'browser', sent: true, body: '{"filter":{"sort":"up"}}' })
      requests.add({ ...post, source: 'script', sent: false, body: '{"filter":"1"}' })
      expect(own?.id).toBe(read?.id)
      expect(requests.all()).toMatchObject([{ body: '{"filter":{"sort":"up"}}', effect: 'unknown', source: 'browser' }])
      expect(requests.unlearned()).toHaveLength(1)
    },
  )

  it('what the site took of a page takes the place of what it refused of another, and nothing takes its place', () => {
    const requests = createRequests(ON_TEST)
    const post = { method: 'POST', url: `${ORIGIN}/keep`, encoding: 'json', source: 'browser', sent: true } as const
    const sent = (slug: string, taken: boolean) =>
      requests.add({ ...post, seenOn: `${ORIGIN}/${slug}`, body: JSON.stringify({ slug, text: 'a' }), taken })
    const ids = [sent('1', false), sent('pie', false), sent('bread', true), sent('soup', true), sent('2', false)]
    expect(new Set(ids.map((one) => one?.id)).size).toBe(1)
    expect(requests.all()).toMatchObject([{ body: '{"slug":"bread","text":"a"}' }])
  })

  it.each(['reads', 'unclear', 'writes'] as const)(
    'what a page sends to another record than its script was read to is learned once, which %s',
    (seen) => {
      const requests = createRequests(ON_TEST)
      const put = { method: 'PUT', encoding: 'json', seenOn: `${ORIGIN}/` } as const
      requests.add({ ...put, url: `${ORIGIN}/api/lists/1`, source: 'script', sent: false, body: '{"title":"1"}' })
      requests.add({ ...put, url: `${ORIGIN}/api/lists/2`, source: 'browser', sent: true, body: '{"title":"Tents"}' })
      const [one, ...others] = requests.unlearned()
      expect(others).toEqual([])
      expect(one?.url).toBe(`${ORIGIN}/api/lists/2`)
      requests.learned(one?.id ?? '', seen, 2)
      expect(requests.unlearned()).toEqual([])
      expect(requests.all()).toMatchObject([{ url: `${ORIGIN}/api/lists/2`, tried: 2 }])
    },
  )

  it('every place that takes a value', () => {
    const requests = createRequests(ON_TEST)
    const base = { source: 'browser', seenOn: null, sent: false } as const
    requests.add({ ...base, method: 'GET', url: `${ORIGIN}/item/42/x?sort=up`, sent: true })
    requests.add({
      ...base,
      method: 'POST',
      url: `${ORIGIN}/api`,
      encoding: 'json',
      body: '{"a":{"b/c":[1,"x"]},"query":"{a}"}',
    })
    requests.add({
      ...base,
      method: 'POST',
      url: `${ORIGIN}/soap`,
      encoding: 'xml',
      body: '<e:E><id>7</id><n><m x="1">y</m></n></e:E>',
    })
    requests.add({
      ...base,
      method: 'POST',
      url: `${ORIGIN}/up`,
      encoding: 'multipart',
      fields: [
        { name: 't', value: 'v', type: 'text' },
        { name: 'f', value: '', type: 'file' },
      ],
    })
    const points = pointsOf(requests.all(), new Map([['theme', 'dark']]))
    const own = points.filter(({ place, guessed }) => place !== 'name' && !guessed)
    expect(own.map(({ place, name, example }) => [place, name, example]).toSorted()).toEqual(
      [
        ['query', 'sort', 'up'],
        ['own-name', 'sort', 'sort'],
        ['path', '1', '42'],
        ['json', '/a/b~1c/0', '1'],
        ['json', '/a/b~1c/1', 'x'],
        ['xml', 'id', '7'],
        ['xml', '/e:E[1]/n[1]/m[1]/@x', '1'],
        ['xml', 'm', 'y'],
        ['multipart', 't', 'v'],
        ['file-name', 'f', 'note.txt'],
        ['file', 'f', 'A note.'],
        ['header', 'User-Agent', 'Mozilla/5.0'],
        ['header', 'Referer', 'https://example.org/'],
        ['header', 'X-Forwarded-For', '192.0.2.1'],
        ['header', 'X-Forwarded-Host', 'example.org'],
        ['header', 'Accept-Language', 'en'],
        ['cookie', ANY_COOKIE, ANY_COOKIE],
        ['cookie', 'theme', 'dark'],
      ].toSorted(),
    )
    expect(new Set(points.map(({ id }) => id)).size).toBe(points.length)
  })
})

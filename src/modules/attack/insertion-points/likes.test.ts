/** Requests of one program for one record after the other, and those that only look so. */
import { afterEach, describe, expect, it } from 'vitest'
import type { FindingDefinition } from '../../module.ts'
import { caseCrawl } from '../crawl/testing/crawl-facts.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'
import { familiesOf, ofPrograms, placesMerged, standInsOf } from './likes.ts'
import type { Plan } from './plan.ts'
import type { Reply } from './prober.ts'
import { reachPartOf } from './reach-part.ts'
import { closeProbed, crawlOf, pointOf, probed } from './testing/probing.ts'
import { findingAt } from './verdict.ts'

afterEach(closeProbed)

const request = (path: string, change: Partial<ProbeRequest> = {}): ProbeRequest => ({
  ...{ id: path, method: 'GET', url: `http://shop.test${path}`, headers: [], body: null, effect: 'reads', seenOn: [] },
  ...change,
})
const WORDS = 'ridge alder moss bracken zephyr willow heron fen tarn beck holm scree ghyll rowan'.split(' ')
const goods = WORDS.map((word) => request(`/goods/${word}?sort=up`))

/** Two columns, a field and a button around a list of any length. */
const page = (path: string, change: { readonly column?: string; readonly rows?: number } = {}): string =>
  `<!doctype html><title>${path}</title><body class="shop"><nav><ul><li><a href="/">Home</a></li></ul></nav><main>
  <form action="${path.split('?')[0]}"><label>Sort<input name="sort"></label><button>Show</button></form>
  <table><tr><th>Name</th><th>${change.column ?? 'Price'}</th></tr>${'<tr><td>a</td><td>1</td></tr>'.repeat(change.rows ?? 3)}
  </table></main></body>`

const FORM: ProbeRequest['headers'] = [['Content-Type', 'application/x-www-form-urlencoded']]

const reply = (text: string, status = 200): Reply => ({
  ...{ value: '', status, text, contentType: 'text/html', location: '', headers: [], ms: 1, replay: '' },
})
const merged = (
  requests: readonly ProbeRequest[],
  answer: (path: string, at: number) => Reply,
  upset: (request: ProbeRequest) => Promise<Reply | null> = async () => null,
) => {
  const paths = requests.map(({ id }) => id)
  const get = async ({ id }: ProbeRequest): Promise<Reply> => answer(id, paths.indexOf(id))
  return standInsOf(requests, get, upset)
}

describe('records of one program', () => {
  it('are asked at the first two, however long their lists are', async () => {
    const standIns = await merged(goods, (path, rows) => reply(page(path, { rows: rows + 1 })))
    expect([...standIns.keys()]).toEqual(goods.map(({ id }) => id))
    const asked = goods.slice(0, 2).map(({ id }) => id)
    expect([...standIns.values()]).toEqual(Array(14).fill({ asked, program: '/goods/*' }))
    const points = goods.map((one): ProbePoint => ({ request: one, place: 'query', name: 'sort', value: 'up' }))
    expect([...placesMerged(points, standIns).keys()]).toEqual(points.slice(2))
  })

  it.each([
    ['words of a query', WORDS.map((word) => `/wiki.php?page=${word}&do=edit`), 12],
    ['numbers of what is called an id', WORDS.map((_, at) => `/show?topicId=${at + 3}`), 12],
    ['a page for each of two deeds', WORDS.flatMap((word) => [`/w?n=${word}&do=edit`, `/w?n=${word}&do=diff`]), 24],
    ['names of programs', WORDS.map((word) => `/index.php?page=${word}.php`), 0],
    ['numbers of anything else', WORDS.map((_, at) => `/show?case=${at + 3}`), 0],
    ['words beside another word', WORDS.map((word, at) => `/wiki.php?page=${word}&by=${WORDS[(at * 5) % 14]}`), 0],
  ])('are told apart by %s', async (_, paths, count) => {
    const standIns = await merged(
      paths.map((path) => request(path)),
      (path) => reply(page(path, { column: /do=(\w+)/.exec(path)?.[1] ?? 'Price' })),
    )
    const spared = [...standIns].filter(([id, { asked }]) => !asked.includes(id))
    expect(spared).toHaveLength(count)
  })

  it('of another make are asked at two as well, however few, where the program is known by many', async () => {
    const others = ['sikkim', 'assam', 'kenya', 'ceylon'].map((word) => request(`/goods/${word}?sort=up`))
    const lone = request('/goods/nepal?sort=up')
    const column = (path: string) => (path.includes('nepal') ? 'On loan' : 'Sold out')
    const standIns = await merged([...goods, ...others, lone], (path, at) =>
      reply(page(path, at < goods.length ? {} : { column: column(path) })),
    )
    expect(standIns.get('/goods/ceylon?sort=up')?.asked).toEqual(['/goods/sikkim?sort=up', '/goods/assam?sort=up'])
    expect(standIns.has(lone.id)).toBe(false)
    expect(standIns.size).toBe(18)
  })

  it('are known by their names in JSON', async () => {
    const names = ['id', 'name', 'price', 'stock', 'size', 'colour', 'made', 'by']
    const record = JSON.stringify(Object.fromEntries(names.map((name) => [name, name.length])))
    expect((await merged(goods, () => ({ ...reply(record), contentType: 'application/json' }))).size).toBe(14)
  })

  it.each<[string, readonly ProbeRequest[], (path: string, at: number) => Reply]>([
    ['columns of another name', goods, (path, at) => reply(page(path, { column: `Column ${WORDS[at]}` }))],
    ['no page', goods, (path) => reply(page(path), 404)],
    ['a page too plain to tell', goods, () => reply('<!doctype html><p>Fine.')],
    ['too few of them', goods.slice(0, 11), (path) => reply(page(path))],
    ['another parameter', WORDS.map((word) => request(`/goods/${word}?${word}=1`)), () => reply(page('/goods'))],
    ['parts of an application', WORDS.map((word) => request(`/${word}/list?sort=up`)), () => reply(page('/list'))],
    [
      'buttons that say something else',
      goods,
      (path, at) => reply(page(path).replace('<button>', `<input type="submit" value="Add ${WORDS[at]}"><button>`)),
    ],
    ['numbered names', WORDS.map((_, index) => request(`/goods/part${index}?sort=up`)), () => reply(page('/goods'))],
    ['programs by their ending', WORDS.map((word) => request(`/${word}.php?sort=up`)), () => reply(page('/'))],
    ['what may write', goods.map((one) => ({ ...one, effect: 'unknown' as const })), () => reply(page('/'))],
    [
      'another view of a front controller',
      WORDS.map((word) => request(`/goods/${word}?view=${word}`, { route: `view=${word}` })),
      () => reply(page('/goods')),
    ],
  ])('not merged: %s', async (_name, requests, answer) => expect((await merged(requests, answer)).size).toBe(0))

  it('not merged: what answers otherwise to signs that break most languages', async () => {
    const upset = async ({ id }: ProbeRequest): Promise<Reply> =>
      reply(`${page('/goods')}${id.includes('moss') ? `'"\\)<%=(` : '&#39;&quot;\\)&lt;%=('}`)
    const standIns = await merged(goods, (path) => reply(page(path)), upset)
    expect([...standIns.keys()]).toEqual(goods.flatMap(({ id }) => (id.includes('moss') ? [] : [id])))
  })

  it('each is of one family alone, the largest', () => {
    const both = ['tents', 'packs'].flatMap((kind) => WORDS.map((word) => request(`/${kind}/${word}?sort=up`)))
    expect(familiesOf(both).map((family) => family.length)).toEqual([14, 14])
  })
})

describe('few records of one program', () => {
  const CODES = ['BR-100', 'BR-220', 'PU-310', 'SE-015', 'VA-700']
  const parts = CODES.map((word) => request(`/parts/${word}?tab=stock`))
  const postsOf = (words: readonly string[]): readonly ProbeRequest[] =>
    words.map((word) =>
      request(`/parts/${word}/reviews`, {
        ...{ method: 'POST', headers: FORM, body: 'text=a', effect: 'unknown', bound: 40 },
        seenOn: [`http://shop.test/parts/${word}`],
      }),
    )
  /** Of a word that nobody has, and of a folder that there is not. */
  const known = (
    requests: readonly ProbeRequest[],
    nobody: string,
    missing: string,
    text: (path: string) => string = (path) => page(path),
  ) =>
    standInsOf(
      requests,
      async ({ id }) => reply(text(id)),
      async ({ id }) => reply(text(id)),
      async (address) => {
        const { pathname } = new URL(address)
        if (!pathname.includes('qzvkx')) return reply(text(pathname))
        return reply(pathname.startsWith('/qzvkx') ? missing : nobody, 404)
      },
    )
  const missing = '<!doctype html><body><h1>Not found</h1>'
  const nobody = '<!doctype html><body><main><p>No such part</p><a href="/parts">All parts</a></main>'

  it('are asked each, and are one program, where that answers to a word that nobody has', async () => {
    const posts = postsOf(CODES)
    const standIns = await known([...parts, ...posts], nobody, missing)
    expect([...standIns]).toEqual([
      ...parts.map(({ id }) => [id, { asked: [], program: '/parts/*' }]),
      ...posts.map(({ id }) => [id, { asked: [], program: '/parts/*/reviews' }]),
    ])
    const points = parts.map((one): ProbePoint => ({ request: one, place: 'query', name: 'tab', value: 'stock' }))
    expect(placesMerged(points, standIns).size).toBe(0)
    expect(new Set(ofPrograms(points, standIns).map(({ request: { program } }) => program))).toEqual(
      new Set(['/parts/*']),
    )
  })

  it.each<[string, readonly ProbeRequest[], string, ((path: string) => string)?]>([
    ['a word that nobody has is answered as any folder', parts, missing],
    ['pages are built apart', parts, nobody, (path) => page(path, { column: path.slice(7, 12) })],
    ['pages of forms are', postsOf(CODES), nobody, (path) => page(path, { column: path.slice(7, 13) })],
    ['they are two', parts.slice(0, 2), nobody],
    ['numbers tell names of programs apart', [1, 2, 3, 4].map((n) => request(`/parts/case-${n}?tab=a`)), nobody],
  ])('are several programs where %s', async (_what, requests, answer, text) =>
    expect((await known(requests, answer, missing, text)).size).toBe(0),
  )
})

describe('what each of such pages posts of its own', () => {
  const posting = (word: string): Partial<ProbeRequest> => ({
    ...{ method: 'POST', headers: FORM, body: 'text=a', effect: 'unknown', bound: 40 },
    seenOn: [`http://shop.test/goods/${word}`],
  })
  const posts = (change: (word: string) => Partial<ProbeRequest> = () => ({})): readonly ProbeRequest[] =>
    WORDS.map((word) => request(`/goods/${word}/reviews`, { ...posting(word), ...change(word) }))
  const never = async (): Promise<Reply> => {
    throw new Error('What may write is not sent')
  }
  const mergedPosts = (requests: readonly ProbeRequest[], text = (path: string) => page(path)) =>
    standInsOf(requests, never, never, async (address) => reply(text(new URL(address).pathname)))

  it('is asked at two by each module, other ones, by the pages that have the forms', async () => {
    const requests = posts()
    const standIns = await mergedPosts(requests)
    const points = requests.map((one): ProbePoint => ({ request: one, place: 'form', name: 'text', value: 'a' }))
    const askedBy = (turn: number) => {
      const merged = placesMerged(points, standIns, turn)
      return points.flatMap((point, at) => (merged.has(point) ? [] : [at]))
    }
    expect([0, 1, 2, 3].map(askedBy)).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
      [0, 1],
    ])
    expect([...placesMerged(points, standIns, 1).values()].every((two) => two.length === 2)).toBe(true)
  })

  it('is asked at two by each module whatever make the page is, one of the most frequent and one of another', async () => {
    const more = 'sikkim assam kenya ceylon'.split(' ').map((word) => request(`/goods/${word}/reviews`, posting(word)))
    const requests = [...posts(), ...more]
    const standIns = await mergedPosts(requests, (path) => {
      const column = path.includes('ceylon') ? 'On loan' : 'Sold out'
      return page(path, more.some(({ url }) => url.includes(`${path}/`)) ? { column } : {})
    })
    const points = requests.map((one): ProbePoint => ({ request: one, place: 'form', name: 'text', value: 'a' }))
    const asked = [0, 1, 2].map((turn) => {
      const merged = placesMerged(points, standIns, turn)
      return points.flatMap((point, at) => (merged.has(point) ? [] : [at]))
    })
    expect(asked).toEqual([
      [0, WORDS.length],
      [1, WORDS.length + 1],
      [2, WORDS.length + 2],
    ])
  })

  it.each<[string, readonly ProbeRequest[], ((path: string) => string)?]>([
    ['pages that are built apart', posts(), (path) => page(path, { column: path.split('/')[2] ?? '' })],
    ['pages that are called otherwise', posts(() => ({ seenOn: ['http://shop.test/goods'] }))],
    ['forms of a script', posts((word) => ({ seenOn: [`http://shop.test/${word}/app.js`] }))],
    ['other fields', posts((word) => ({ body: `${word}=a` }))],
    ['deletions', posts(() => ({ deletes: true }))],
    ['a sign-in', posts(() => ({ signsIn: true }))],
    ['JSON', posts(() => ({ headers: [['Content-Type', 'application/json']], body: '{}' }))],
  ])('not merged: %s', async (_name, requests, text) => expect((await mergedPosts(requests, text)).size).toBe(0))
})

it('an archive is of one program, whatever the dates in the paths of its records', () => {
  const archive = WORDS.map((word, n) => request(`/notes/${2020 + n}/${(n % 12) + 1}/${word}?sort=up`))
  expect(familiesOf(archive).map((family) => family.length)).toEqual([WORDS.length])
  const steps = WORDS.map((word, n) => request(`/notes/step-${n}/${word}?sort=up`))
  expect(familiesOf(steps)).toEqual([])
})

describe('places of pages built alike', () => {
  const crawl = () => {
    const of = crawlOf(WORDS.map((word) => pointOf(word, 'query', 'sort', 'up')))
    const requests = of.requests.map((one) => ({ ...one, url: `http://shop.test/goods/${one.id}?sort=up` }))
    return { ...caseCrawl(), points: of.points, requests }
  }
  const answering = (boom: (path: string) => boolean, change: Partial<Plan<string>> = {}) =>
    probed(
      (asked, response) => {
        const { pathname, searchParams } = new URL(asked.url ?? '', 'http://shop.test')
        response.setHeader('Content-Type', 'text/html')
        response.end(`${page(pathname)}${searchParams.get('sort')?.endsWith("'") && boom(pathname) ? 'boom' : ''}`)
      },
      crawl(),
      ...([null, null, change] as const),
    )

  it('are asked at two, and say with which they were merged', async () => {
    const { facts, ends, hits, asked } = await answering(() => false)
    expect({ ends, hits }).toEqual({ ends: Array(14).fill('tested'), hits: [] })
    expect(facts.points.filter(({ requests }) => requests > 0)).toHaveLength(2)
    expect(asked).toBeLessThan(14 * 2 + 2 * 12)
    const { entries } = reachPartOf(facts, crawl())
    expect(entries.map(({ fate }) => fate)).toEqual(['asked', 'asked', ...Array(12).fill('merged')])
    expect(entries.at(-1)).toMatchObject({ with: 'http://shop.test/goods/ridge', reason: null })
  })

  it.each<[string, (path: string) => boolean, number]>([
    ['one of the two is', (path) => /ridge|fen/.test(path), 2],
    ['both are', () => true, 14],
  ])('are asked each where %s hit, and nothing tells one flaw from another', async (_name, boom, expected) => {
    const { hits, facts } = await answering(boom)
    expect(hits).toHaveLength(expected)
    expect(facts.points.every(({ with: other }) => other === undefined)).toBe(true)
  })

  it.each<[string, (path: string) => boolean, number]>([
    ['one of the two is hit, each', (path) => /ridge|fen/.test(path), 2],
    ['both are, no other', () => true, 2],
  ])('where flaws are told apart and %s is asked; what is found is one flaw', async (_name, boom, expected) => {
    const { hits, facts } = await answering(boom, { kindOf: (hit) => hit })
    expect(hits).toHaveLength(expected)
    const found = facts.points.filter((point) => point.hits.length > 0)
    const definition = { id: 'test/boom' } as unknown as FindingDefinition
    const causes = found.map((point) => findingAt(point, definition, { confidence: 'firm', detail: '' }).cause)
    expect([...new Set(causes)]).toEqual(['GET /goods/* sort'])
    expect(facts.points.filter((point) => point.with !== undefined)).toHaveLength(boom('moss') ? 12 : 0)
  })
})

import type { BrowserContext } from 'playwright-core'
import { expect, it } from 'vitest'
import { createDoubtful } from '../../doubtful.ts'
import { builtOf } from '../insertion-points/kinds.ts'
import { createBrowsing, createGuesses, createQueue } from './browsing.ts'
import type { ReachRow, ScriptedPage } from './facts.ts'
import { readPage } from './pages.ts'
import { createReachNotes } from './reach.ts'

/** What is told of pages that nobody has the time to open. */
const rowsOf = async (
  scripted: readonly ScriptedPage[],
  guessed: readonly ScriptedPage[] = [],
  chosenIn: (url: string) => string = () => '',
): Promise<readonly ReachRow[]> => {
  const rows: ReachRow[] = []
  const profile = { addInitScript: async () => undefined, route: async () => undefined, close: async () => undefined }
  const browsing = createBrowsing({
    launch: async () => ({
      version: '1',
      newContext: async () => profile as unknown as BrowserContext,
      close: async () => undefined,
    }),
    scripted: () => scripted,
    chosenIn,
    guessed: () => guessed,
    meant: () => (url) => (url.endsWith('/orders/list') ? 'https://shop.test/api/orders/list' : null),
    missing: null,
    isPage: () => undefined,
    follow: async () => undefined,
    notes: { ...createReachNotes(), note: (row) => void rows.push(row) },
    inScope: () => true,
    decide: () => ({ send: 'never', reason: 'a test' }),
    link: () => false,
    request: () => false,
    cookie: () => undefined,
    expressions: [],
    elsewhere: () => undefined,
    doubt: createDoubtful<string>([]),
    alive: async () => true,
    signal: new AbortController().signal,
    progress: () => undefined,
    until: () => performance.now() - 1,
  })
  await browsing.run()
  return rows
}

it('pages that nobody had the time to open are told', async () => {
  const rows = await rowsOf([
    { url: 'https://shop.test/', code: 'app' },
    { url: 'https://shop.test/#/board', code: 'app' },
  ])
  expect(rows.map(({ url, fate }) => `${url} ${fate}`)).toEqual([
    'https://shop.test/ cut_off',
    'https://shop.test/#/board cut_off',
  ])
})

it('what scripts call without its base is the request that they send', async () => {
  const rows = await rowsOf(
    [{ url: 'https://shop.test/', code: 'app' }],
    ['/terms', '/orders/list'].map((path) => ({ url: `https://shop.test${path}`, code: 'app' })),
  )
  expect(rows.slice(1).map(({ url, fate, with: other }) => [new URL(url).pathname, fate, other])).toEqual([
    ['/terms', 'left_out', undefined],
    ['/orders/list', 'merged', 'https://shop.test/api/orders/list'],
  ])
})

it('what scripts mean a request by is opened when all else on pages was done', () => {
  const guesses = createGuesses(
    {
      guessed: () => ['/orders/list', '/terms'].map((path) => ({ url: `https://shop.test${path}`, code: 'app' })),
      meant: () => (url) => (url.endsWith('/list') ? 'https://shop.test/api/orders/list' : null),
      missing: 'https://shop.test/none',
      isPage: () => undefined,
    },
    new Map(),
  )
  const all = (pages: readonly ScriptedPage[]): readonly string[] => pages.map(({ url }) => url)
  expect(guesses.next(all)).toEqual(['https://shop.test/none', 'https://shop.test/terms'])
  expect(guesses.next(all)).toEqual([])
  expect(guesses.next(all, true)).toEqual(['https://shop.test/orders/list'])
  expect(guesses.next(all, true)).toEqual([])
})

it('of many pages of a program, called by words and built alike, two are opened, and those say for which others', async () => {
  const WORDS = 'ridge alder moss bracken zephyr willow heron fen tarn beck holm scree'.split(' ')
  const goods = WORDS.map((word) => ({ url: `https://shop.test/goods/${word}/`, code: 'shop', built: 'goods' }))
  const rows = await rowsOf(goods)
  expect(rows.map(({ fate }) => fate)).toEqual(['cut_off', 'cut_off', ...Array(10).fill('merged')])
  expect(rows.at(-1)?.with).toBe('https://shop.test/goods/ridge/')
})

it('of each page that one program makes, as a parameter chooses, two are opened', async () => {
  const urls = ['news', 'profile', 'topic'].flatMap((page) => [1, 2, 3].map((id) => `index.php?page=${page}&id=${id}`))
  const pages = urls.map((path) => ({ url: `https://shop.test/${path}`, code: 'board' }))
  const rows = await rowsOf(pages, [], (url) => `page=${new URL(url).searchParams.get('page')}`)
  expect(rows.filter(({ fate }) => fate === 'merged').map(({ url }) => url.split('?')[1])).toEqual([
    ...['page=news&id=3', 'page=profile&id=3', 'page=topic&id=3'],
  ])
})

it('how a page is built is told apart from its name', () => {
  const page = (name: string, label: string) =>
    `<!doctype html><title>${name}</title><body><nav><ul><li><a href="/goods">Goods</a></ul></nav><main><h1>${name}</h1><section>
     <p>It is new.</p></section><form action="/goods/${name}/reviews"><label>${label}<input name=text></label><button>Send</button></form></main>`
  const [ridge, alder, other] = [
    ['ridge', 'Text'],
    ['alder', 'Text'],
    ['fen', 'Note'],
  ].map(([name = '', label = '']) => builtOf(page(name, label), `https://shop.test/goods/${name}`).built)
  expect(ridge).toMatch(/^[0-9a-f]{16}$/)
  expect(alder).toBe(ridge)
  expect(other).not.toBe(ridge)
  expect(builtOf('<p>Fine', 'https://shop.test/goods/ridge')).toEqual({})
})

it('pages of one kind with the same scripts stand for one another, but where a field is called as its page is', async () => {
  const at = (name: string) => `https://shop.test/tools/${name}.html`
  const page = (name: string, field: string): ScriptedPage => {
    const html = `<!doctype html><title>${name}</title><body><nav><ul><li><a href="/tools">Tools</a></ul></nav><main><h1>${name}</h1><section>
      <p>Fill it.</p></section><form><label>Value<input name="${field}"></label><input type=button onclick="send('${name}')"></form></main>`
    const { code, built } = readPage(html, at(name))
    return { url: at(name), code, ...built }
  }
  const names = Array.from({ length: 14 }, (_, index) => `Report${index + 10}`)
  const fates = async (fieldOf: (name: string) => string) =>
    (await rowsOf(names.map((name) => page(name, fieldOf(name))))).map(({ fate }) => fate)
  const merged = async (fieldOf: (name: string) => string) =>
    (await fates(fieldOf)).filter((fate) => fate === 'merged').length
  expect(await merged(() => 'amount')).toBe(12)
  expect(await merged((name) => name)).toBe(0)
})

it('of a folder of views two are opened before those of others, whenever these are learned of', () => {
  const queue = createQueue({ notes: createReachNotes(), chosenIn: () => '' })
  const pages = (paths: readonly string[]) => paths.map((path) => ({ url: `https://shop.test/#/${path}`, code: 'app' }))
  const take = (): string | undefined => queue.next()?.split('#/')[1]
  queue.add(pages(['topic/ridge', 'topic/alder', 'topic/moss', 'topic/fen', 'basket']))
  expect([take(), take()]).toEqual(['topic/ridge', 'topic/alder'])
  queue.add(pages(['topic/ridge', 'login', 'register']))
  expect(Array.from({ length: 5 }, take)).toEqual(['basket', 'login', 'register', 'topic/moss', 'topic/fen'])
  expect([take(), queue.count()]).toEqual([undefined, 0])
})

it('pages of one kind that send something new each have one more opened for it, those that bring nothing have not', () => {
  const queue = createQueue({ notes: createReachNotes(), chosenIn: () => '' })
  const lessons = Array.from({ length: 5 }, (_, index) => `https://shop.test/course#lesson/${index + 1}`)
  queue.add(lessons.map((url) => ({ url, code: 'app' })))
  const opened: (string | undefined)[] = []
  for (let url = queue.next(); url !== undefined; url = queue.next()) {
    opened.push(url.split('/').at(-1))
    if (!url.endsWith('/2')) queue.brought(url)
  }
  expect(opened).toEqual(['1', '2', '3', '4', '5'])
  queue.add([6, 7, 8, 9].map((id) => ({ url: `https://shop.test/item#item/${id}`, code: 'app' })))
  expect([queue.next(), queue.next(), queue.next()].map((url) => url?.split('/').at(-1))).toEqual(['6', '7', undefined])
})

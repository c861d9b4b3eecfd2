/** Tables for spreadsheets that hold what people have stored. A real server, and its safe twins. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { inventoryOf } from '../insertion-points/inventory.ts'
import { crawlOf, pointOf } from '../insertion-points/testing/probing.ts'
import { askFormulas, beginsCell } from './probes/formulas.ts'
import { bodyOf, close, row, scan } from './testing/asides.ts'

afterEach(close)

const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** A form whose titles stand in a table, each written by `cell`. */
const asking = async (
  cell: (title: string) => string,
  {
    environment = 'test',
    table = '/repairs/export',
    keeps = true,
    fails = false,
  }: { environment?: 'test' | 'production'; table?: string; keeps?: boolean; fails?: boolean } = {},
) => {
  const titles = ['Tap']
  let posts = 0
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop.test')
    if (request.method === 'POST') {
      posts += 1
      const title = new URLSearchParams(await bodyOf(request)).get('title') ?? ''
      if (keeps) titles.push(title)
      return void response.end('<p>Thank you</p>')
    }
    if (pathname === table && fails) return void response.writeHead(500).end()
    if (pathname !== table) return void response.end('<form method="post"><input name="title"></form>')
    response
      .setHeader('Content-Type', 'text/csv;charset=UTF-8')
      .end(`title,state\r\n${titles.map((one) => `${cell(one)},new`).join('\r\n')}`)
  }
  const crawl = crawlOf([pointOf('a', 'form', 'title')], {
    urls: [row('/repairs'), row(table, 200, 'text/csv;charset=UTF-8')],
  })
  const known = {
    ...crawl,
    requests: crawl.requests.map((one) => ({
      ...{ ...one, method: 'POST', url: 'http://shop.test/repairs', encoding: 'urlencoded' as const, bound: 40 },
      ...{ source: 'form' as const, fields: [{ name: 'title', value: '', type: 'text' }] },
    })),
  }
  const { found, stateOf, said } = await scan(
    (request, response) => void handle(request, response),
    known,
    environment,
    async (ctx, prober) => ({ formulas: await askFormulas(ctx, known, inventoryOf(known), prober.at) }),
  )
  return { found, state: stateOf('injection/formula'), said, posts }
}

it.each([
  ['as it is', (title: string) => title],
  ['in quotes', inQuotes],
])('a table that writes what was stored %s is told', async (_how, cell) => {
  const { found, state, said, posts } = await asking(cell)
  expect([found, state]).toEqual([['injection/formula confirmed'], 'fail'])
  expect(said).toMatch(/^=qf[0-9a-f]{10} and =qf[0-9a-f]{10}, sent in title, begin cells of \/repairs\/export\./)
  expect(posts).toBe(2)
})

it.each([
  ['puts an apostrophe in front', (title: string) => inQuotes(title.replace(/^[=+@-]/, "'$&"))],
  ['puts a tab in front', (title: string) => inQuotes(title.replace(/^[=+@-]/, '\t$&'))],
  ['has words in front', (title: string) => inQuotes(`Repair: ${title}`)],
  ['has a line in front', (title: string) => inQuotes(`Repair,\n${title}`)],
  ['leaves the sign out', (title: string) => title.replace(/^[=+@-]+/, '')],
])('one that %s is not', async (_how, cell) => {
  const { found, state, posts } = await asking(cell)
  expect([found, state, posts]).toEqual([[], 'pass', 1])
})

it('what is not kept is not', async () => {
  expect(await asking(inQuotes, { keeps: false })).toMatchObject({ found: [], state: 'pass' })
})

it('a table that does not answer any more is not said to be read', async () => {
  expect(await asking(inQuotes, { fails: true })).toMatchObject({ found: [], state: 'inconclusive' })
})

it.each([
  ['=qf1', true],
  ['a,=qf1', true],
  ['a,b\nc,"=qf1, and more"', true],
  ['a;b\nc;"say ""x"""\n=qf1;d', true],
  ['pipe 5" wide,=qf1', true],
  ["a,'=qf1", false],
  ['a,"b,=qf1"', false],
  ['a,"b ""\n=qf1"', false],
  ['a; =qf1', false],
])('%j: a cell of it begins so, or none does: %s', (text, begins) => {
  expect(beginsCell(text, '=qf1')).toBe(begins)
})

it('is read in one pass, whatever its quotes', () => {
  // Each quote read to the end of the text would be 10^10 steps.
  expect(beginsCell(`${'"'.repeat(262_143)}=qf1`, '=qf1')).toBe(false)
})

it('on a production system nothing is stored', async () => {
  expect(await asking(inQuotes, { environment: 'production' })).toMatchObject({ state: 'not_tested', posts: 0 })
})

it('without a table nothing is stored', async () => {
  const crawl = crawlOf([pointOf('a', 'form', 'title')])
  const { stateOf } = await scan(
    (_request, response) => void response.end(),
    crawl,
    'test',
    async (ctx, prober) => ({
      formulas: await askFormulas(ctx, crawl, inventoryOf(crawl), prober.at),
    }),
  )
  expect(stateOf('injection/formula')).toBe('not_applicable')
})

/** A form that writes, may be sent a few times only, and says no more than that it failed; and its careful twin. */
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { SHARED } from '../insertion-points/shared.ts'
import { collect } from './collect.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const PAGE = 'http://shop.test/join'
const form = caseRequest({
  ...{ id: 'join', method: 'POST', url: PAGE, shape: PAGE, encoding: 'urlencoded', seenOn: [PAGE] },
  ...{ effect: 'writes', bound: 40 },
  fields: Object.entries({ name: 'small', mail: 'ida@shop.test', wish: 'small', seats: '7' }).map(([name, value]) => ({
    ...{ name, value, type: 'text' },
  })),
})
const crawl = caseCrawl({
  requests: [form],
  points: form.fields.map(({ name, value }) => ({
    ...{ id: `join:form:${name}`, request: 'join', place: 'form', name, example: value },
  })),
})

/** What it says; nothing where it counts alone. */
type Insert = (db: DatabaseSync, row: Readonly<Record<string, string>>) => unknown

/** `isLoud`: what fails is an error of the server. */
const found = async (insert: Insert, isLoud = false, bound = 40) => {
  const db = new DatabaseSync(':memory:')
  db.exec('create table waiting (name, mail, wish)')
  db.exec("create table codes (code, number, percent); insert into codes values ('small', 7, 10), ('large', 8, 20)")
  let posts = 0
  const site = await serveCase(187, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const says = (text: string) =>
        response
          .setHeader('Content-Type', 'text/html')
          .end(`<!doctype html><title>Club</title><h1>Waiting list</h1>${text}`)
      if (request.method !== 'POST') return void says('<form method=post></form>')
      posts += 1
      const row = Object.fromEntries(new URLSearchParams(body))
      try {
        const said = insert(db, row)
        if (typeof said === 'string') return void says(said)
      } catch {
        if (isLoud) response.statusCode = 500
        return void says('<p>That did not work, please try again a little later or call us.</p>')
      }
      const { count } = db.prepare('select count(*) as count from waiting').get() as { count: number }
      says(`<p>Thank you ${row.name?.replaceAll('<', '&lt;')}, you are number ${count} on the list now.</p>`)
    },
  })
  cleanups.push(site.close, () => db.close())
  const { ctx, close } = collectContext(site.address, { module: 'sqli', requests: 5_000 })
  cleanups.push(close)
  // Two more modules want their parts of what the form may be sent.
  for (const _ of [1, 2]) ctx.scope.of(SHARED).writes.join()
  const { points } = await collect(ctx, { crawl: { ...crawl, requests: [{ ...form, bound }] } })
  return { hits: points.flatMap(({ at, hits }) => hits.map(({ technique }) => `${technique} ${at.name}`)), posts }
}

it('a statement that fails is proven by conditions before all else takes the few requests', async () => {
  const { hits, posts } = await found((db, { name, mail = '', wish }) =>
    db.prepare(`insert into waiting values (?, '${mail}', ?)`).run(name ?? '', wish ?? ''),
  )
  expect(hits).toEqual(['boolean mail'])
  expect(posts).toBeLessThanOrEqual(40)
})

it.each([24, 30])('a proof that ran out goes on with what was kept, of %i', async (bound) => {
  const { hits, posts } = await found(
    (db, { name, mail = '', wish }) => {
      db.prepare(`insert into waiting values (?, '${mail}', ?)`).run(name ?? '', wish ?? '')
    },
    true,
    bound,
  )
  expect(hits).toEqual(['boolean mail'])
  expect(posts).toBeLessThanOrEqual(bound)
})

it('so it is where each that is taken makes the page a longer one', async () => {
  const { hits, posts } = await found((db, { name = '', mail = '', wish = '' }) => {
    db.prepare(`insert into waiting values (?, ?, '${wish}')`).run(name, mail)
    const rows = db.prepare('select name, mail, wish from waiting').all() as Record<string, string>[]
    const told = (row: Record<string, string>): string =>
      `<b>${row.name} (${row.mail})</b> asks for ${row.wish}`.repeat(9)
    return `<ul>${rows.map((row, at) => `<li>${at} ${told(row).replaceAll('<', '&lt;')}`).join('')}</ul>`
  }, true)
  expect(hits).toEqual(['boolean wish'])
  expect(posts).toBeLessThanOrEqual(40)
})

/** A text that is joined to another or stands in a condition is no number, as databases in strict modes say of what is written. */
const strictly = (text: string): string => {
  if (/'\|\||'and/i.test(text)) throw new Error('incorrect value')
  return text
}

it('what takes neither conditions nor joined texts is proven by sums, by the words of a page that shows what it keeps', async () => {
  const { hits, posts } = await found((db, { name = '', mail = '', wish = '', seats = '' }) => {
    const kept = (): string => {
      const row = db.prepare('select name, mail, wish from waiting order by rowid desc').get() as Record<string, string>
      return ['name', 'mail', 'wish'].map((of) => `<input name=${of} value="${row?.[of] ?? ''}">`).join('')
    }
    try {
      db.prepare(`insert into waiting values (?, ?, '${strictly(wish)}')`).run(name, mail + seats)
      return `<p>Saved.</p>${kept()}`
    } catch {
      return `<p>Not saved.</p>${kept()}`
    }
  })
  expect(hits).toEqual(['boolean wish'])
  expect(posts).toBeLessThanOrEqual(40)
})

it('fields are asked as one, and what shows none of them to be read takes few of what their form may be sent', async () => {
  const asked: string[] = []
  await found((_db, row) => {
    if (Object.values(row).some((value) => value.includes(`'"`))) asked.push(Object.values(row).join())
    return '<p>Thank you.</p>'
  })
  expect(asked[0]?.split(`'"`)).toHaveLength(5)
})

/** What a code is worth; a statement that fails finds none, as far as the page tells. */
const worth = (find: () => unknown): string => {
  let row: unknown
  try {
    row = find()
  } catch {
    row = undefined
  }
  return row === undefined
    ? '<h2>No such code</h2><p>Please look at your letter again.</p>'
    : '<h2>Well done</h2><p>You get 10 percent off whatever you order today, and a mug.</p>'
}

it.each<[string, string, Insert]>([
  [
    'a text',
    'boolean wish',
    (db, { wish }) => worth(() => db.prepare(`select * from codes where code='${wish}' and percent > 0`).get()),
  ],
  [
    'a number',
    'boolean seats',
    (db, { seats }) => worth(() => db.prepare(`select * from codes where number=${seats} and percent > 0`).get()),
  ],
])(
  '%s that finds something is asked to the end at once, though three want the few requests',
  async (_, hit, insert) => {
    const { hits, posts } = await found(insert)
    expect(hits).toEqual([hit])
    expect(posts).toBeLessThanOrEqual(40)
  },
)

it.each<[string, Insert]>([
  [
    'finds by what is bound',
    (db, { wish = '' }) => worth(() => db.prepare('select * from codes where code = ?').get(wish)),
  ],
  [
    'finds by what stands before the first quote',
    (db, { wish = '' }) =>
      worth(() => {
        if (wish.includes('\\')) throw new Error('no such code')
        return db.prepare('select * from codes where code = ?').get(wish.split("'")[0] ?? '')
      }),
  ],
  [
    'binds its values',
    (db, { name, mail, wish }) =>
      db.prepare('insert into waiting values (?, ?, ?)').run(name ?? '', mail ?? '', wish ?? ''),
  ],
  [
    'takes no quotes',
    (_db, { mail = '' }) => {
      if (mail.includes("'")) throw new Error('no such address')
    },
  ],
])('what %s is not accused', async (_name, insert) => {
  expect((await found(insert)).hits).toEqual([])
})

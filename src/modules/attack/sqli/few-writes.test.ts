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
  fields: ['name', 'mail', 'wish'].map((name) => ({
    name,
    value: name === 'mail' ? 'ida@shop.test' : 'small',
    type: 'text',
  })),
})
const crawl = caseCrawl({
  requests: [form],
  points: form.fields.map(({ name, value }) => ({
    ...{ id: `join:form:${name}`, request: 'join', place: 'form', name, example: value },
  })),
})

type Insert = (db: DatabaseSync, row: Readonly<Record<string, string>>) => unknown

const found = async (insert: Insert) => {
  const db = new DatabaseSync(':memory:')
  db.exec('create table waiting (name, mail, wish)')
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
        insert(db, row)
      } catch {
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
  const { points } = await collect(ctx, { crawl })
  return { hits: points.flatMap(({ at, hits }) => hits.map(({ technique }) => `${technique} ${at.name}`)), posts }
}

it('a statement that fails is proven by conditions before all else takes the few requests', async () => {
  const { hits, posts } = await found((db, { name, mail = '', wish }) =>
    db.prepare(`insert into waiting values (?, '${mail}', ?)`).run(name ?? '', wish ?? ''),
  )
  expect(hits).toEqual(['boolean mail'])
  expect(posts).toBeLessThanOrEqual(40)
})

it.each<[string, Insert]>([
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

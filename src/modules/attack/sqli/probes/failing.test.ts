/** A registration: taken once, refused from then on, and failing where its statement is broken. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import type { Part } from '../../insertion-points/plan.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isAnsweredExactly } from '../boolean.ts'
import { probePoint } from '../collect.ts'
import type { SqliHit } from '../facts.ts'
import { askFailing } from './failing.ts'

const registering = (look: (db: DatabaseSync, mail: string) => unknown) => {
  const db = new DatabaseSync(':memory:')
  db.exec('create table people (mail text)')
  return (mail: string): { status?: number; text: string; location?: string } => {
    const form = '<form method=post><h1>Register</h1><input name=mail><input type=password name=password></form>'
    try {
      if (look(db, mail)) return { text: `${form}<p>This address is already in use by somebody who is registered.</p>` }
    } catch {
      return { status: 500, text: '<h1>Sorry</h1><p>We could not look up this address.</p>' }
    }
    db.prepare('insert into people values (?)').run(mail)
    return { status: 302, text: '', location: '/login' }
  }
}

const found = async (look: Parameters<typeof registering>[0], part: Part = 'whole') => {
  const request = {
    method: 'POST',
    url: 'http://shop.test/register',
    body: 'mail=',
    effect: 'writes' as const,
    bound: 40,
  }
  const point = { place: 'form' as const, name: 'mail', value: 'ida@shop.test', request }
  const { probe, sent } = fakeProbe(registering(look), point)
  const hits: SqliHit[] = []
  await probePoint(probe, (hit) => void hits.push(hit), part)
  return { hits, sent }
}

it('a statement is proven by its errors where the page is another one each time', async () => {
  const { hits } = await found((db, mail) => db.prepare(`select 1 from people where mail = '${mail}'`).get())
  expect(hits).toMatchObject([{ technique: 'boolean', boundary: "text in ', joined, by its errors" }])
  expect(hits.every((hit) => hit.technique === 'boolean' && isAnsweredExactly(hit))).toBe(true)
})

it('a database that takes no text for a condition is asked by texts that are joined, before all else', async () => {
  const typed = (db: DatabaseSync, mail: string) => {
    if (/'and\(/i.test(mail)) throw new Error('argument of AND must be type boolean')
    return db.prepare(`select 1 from people where mail = '${mail}'`).get()
  }
  const { hits, sent } = await found(typed, 'first')
  expect(hits).toMatchObject([{ technique: 'boolean', boundary: "text in ', joined, by its errors" }])
  expect(sent.length).toBeLessThanOrEqual(17)
})

it('a statement that breaks and is whole again may take what is promised to others, before conditions are asked', async () => {
  const db = new DatabaseSync(':memory:')
  const request = { method: 'POST', url: 'http://shop.test/a', body: 'mail=', effect: 'writes' as const, bound: 40 }
  const look = (mail: string): { text: string } => {
    try {
      db.prepare(`select '${mail}'`).get()
      return { text: '<h1>Alerts</h1><p>You will hear from us.</p>' }
    } catch {
      return { text: '<h1>Alerts</h1><p>That did not work. Please try again later.</p>' }
    }
  }
  const { probe, sent } = fakeProbe(look, { place: 'form', name: 'mail', value: 'ida@shop.test', request })
  const before: number[] = []
  const pursue = () => void before.push(sent.filter((value) => value.includes('Case')).length)
  await askFailing({ ...probe, pursue }, await probe.broken())
  expect(before[0]).toBe(0)
})

it('is proven with what is left of the few requests of a form', async () => {
  const { hits, sent } = await found((db, mail) => db.prepare(`select 1 from people where mail = '${mail}'`).get())
  const [hit] = hits
  expect(hit?.technique === 'boolean' && hit.trials).toHaveLength(8)
  expect(sent.length).toBeLessThanOrEqual(16)
})

it.each([
  ['binds it', (db: DatabaseSync, mail: string) => db.prepare('select 1 from people where mail = ?').get(mail)],
  [
    'fails by any quote',
    (_db: DatabaseSync, mail: string) => {
      if (mail.includes("'")) throw new Error('no such address')
    },
  ],
])('nothing is found where the page %s', async (_name, look) => {
  const { hits, sent } = await found(look)
  expect(hits).toEqual([])
  expect(sent.length).toBeLessThan(30)
})

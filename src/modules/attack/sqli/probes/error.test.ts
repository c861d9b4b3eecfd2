/** A form whose answer shows the errors of its statement, and which may be sent a few times only. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { Bounded } from '../../insertion-points/prober.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import type { MessageHit } from '../facts.ts'
import { breakStatement, errorsBehind } from './error.ts'

const NOTE = { place: 'form', name: 'note', value: 'small' } as const
const SCARCE = { method: 'POST', effect: 'writes', bound: 40 } as const

/** What was told of an entry, and what it took; `most`: so many values are taken. */
const asked = async (answer: (value: string) => string, most = Number.POSITIVE_INFINITY, request: object = SCARCE) => {
  let taken = 0
  const { probe, sent } = fakeProbe(
    (value) => {
      taken += 1
      if (taken > most) throw new Bounded('no more')
      return { text: answer(value) }
    },
    { ...NOTE, request },
  )
  const told: MessageHit[] = []
  const { message } = await breakStatement(probe)
  const behind = message === null ? null : await errorsBehind(probe, message, (one) => told.push(one)).catch(() => null)
  return { told: told.length, hit: behind?.hit ?? null, comes: behind?.comes ?? null, sent: sent.length }
}

const inserting = (): ((value: string) => string) => {
  const db = new DatabaseSync(':memory:')
  db.exec('create table entries (note)')
  return (value) => {
    try {
      db.exec(`insert into entries values ('${value}')`)
      return '<p>Thank you</p>'
    } catch (error) {
      return `<p>SQLITE_ERROR: ${(error as Error).message}</p>`
    }
  }
}

it('few requests show products before it is asked whether the error comes each time', async () => {
  const { told, hit, sent } = await asked(inserting())
  expect([told, hit?.dbms]).toEqual([1, 'SQLite'])
  expect(sent).toBeLessThanOrEqual(6)
})

it('an error that was shown is told where no more may be sent', async () => {
  const { told, hit } = await asked(inserting(), 5)
  expect([told, hit]).toEqual([1, null])
})

it('an error that comes once is none, however few may be sent', async () => {
  let errors = 0
  const once = (value: string): string => {
    if (/^small'+"/.test(value)) errors += 1
    return errors === 1 && /^small'+"/.test(value) ? '<p>SQLITE_ERROR: near "x": syntax error</p>' : '<p>Thank you</p>'
  }
  for (const request of [SCARCE, { method: 'GET', effect: 'reads' }]) {
    errors = 0
    const { told, comes } = await asked(once, Number.POSITIVE_INFINITY, request)
    expect([told, comes]).toEqual([0, false])
  }
})

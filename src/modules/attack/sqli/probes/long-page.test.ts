/** A page of some length, on which a few words tell that something failed. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { noiseOf } from '../../insertion-points/likeness.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { failingWays } from './failing.ts'
import { askUnion } from './union.ts'

const AROUND = Array.from({ length: 400 }, (_, index) => `<li><a href="/part/${index}">Part ${index}</a></li>`).join('')

const listing = () => {
  const db = new DatabaseSync(':memory:')
  db.exec("create table claims (no text, summary text); insert into claims values ('C-1', 'roof'), ('C-2', 'car')")
  return (word: string): { text: string } => {
    const page = (own: string) => ({
      text: `<h1>Claims</h1><ul>${AROUND}</ul><form method=post><input name=word></form>${own}`,
    })
    try {
      const rows = db.prepare(`select no, summary from claims where summary like '%${word}%' order by no`).all()
      return page(rows.map(({ no, summary }) => `<p>${no} ${summary}</p>`).join(''))
    } catch {
      return page('<p>The list could not be loaded.</p>')
    }
  }
}

const asked = () => {
  const request = { method: 'POST', url: 'http://shop.test/claims', body: 'word=', effect: 'reads' as const }
  return fakeProbe(listing(), { place: 'form' as const, name: 'word', value: 'zebra', request }).probe
}

it('columns are counted by it', async () => {
  const probe = asked()
  expect(await askUnion(probe, await probe.broken())).toMatchObject({ technique: 'union', columns: 2 })
})

it('conditions are told by it', async () => {
  const probe = asked()
  expect(noiseOf(await probe.baseline())).toBe(0)
  const ways = await failingWays(probe, await probe.broken())
  const hits = await Promise.all(ways.map((way) => way()))
  expect(hits.find((hit) => hit !== null)).toMatchObject({ boundary: "text in ', joined, by its errors" })
})

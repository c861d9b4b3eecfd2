/** Servers of Java refuse a path with an encoded slash or backslash, whatever else it holds. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { breakOut } from '../insertion-points/word.ts'
import { probePoint } from './collect.ts'
import type { SqliHit } from './facts.ts'

const asked = async (place: 'path' | 'query') => {
  const log = new DatabaseSync(':memory:')
  log.exec('Create Table visits(note)')
  const { probe, sent } = fakeProbe(
    (value) => {
      if (/[/\\]/.test(value)) return { status: 400, text: '<h1>Bad Request</h1>' }
      try {
        log.exec(`Insert Into visits Values('${value}')`)
        return { text: '<p>Noted.</p>' }
      } catch {
        return { text: '<p>That went wrong.</p>' }
      }
    },
    { place, value: 'harbour' },
  )
  const hits: SqliHit[] = []
  await probePoint(probe, (hit) => hits.push(hit))
  log.close()
  return { hits, sent }
}

it('a statement that writes what stands in a path is asked by what a path may hold', async () => {
  const { hits, sent } = await asked('path')
  expect(hits).toMatchObject([{ technique: 'boolean', boundary: "text in ', joined" }])
  expect(sent.filter((value) => /[/\\]/.test(value))).toEqual([])
  expect(breakOut('harbour', 'path')).toBe(`harbour'")`)
})

it('elsewhere filters that take spaces out are thought of first', async () => {
  expect((await asked('query')).sent.some((value) => value.includes('Case/**/When('))).toBe(true)
})

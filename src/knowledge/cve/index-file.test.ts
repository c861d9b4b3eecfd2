/** The compiled index against the plainest reading of the same records. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { affects } from './affects.ts'
import { openIndex, writeIndex } from './index-file.ts'
import type { Affected, CveMatch, CveRecord } from './record.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-index-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const KEY = 'cpe:vendor:product'
const until = (start: string | null, end: string, key = KEY): Affected => ({
  ...{ key, scheme: 'generic', anyUpdate: false, conditional: false },
  range: { start, startIncluded: true, end, endIncluded: false },
})
const record = (n: number, score: number | null, affected: readonly Affected[], exploited = false): CveRecord => ({
  ...{ id: `CVE-2026-${10_000 + n}`, summary: `Flaw ${n}, "quoted", [in] {brackets}`, score, vector: null, cwe: null },
  ...{ references: [], exploitedSince: exploited ? '2026-01-02' : null, affected },
})
/** Records with scores in no order, some with two ranges that both hold, one in seven exploited, and another product beside them. */
const records = (count: number): readonly CveRecord[] =>
  Array.from({ length: count }, (_, n) =>
    record(
      n,
      n % 11 === 0 ? null : ((n * 37) % 101) / 10,
      [
        until(null, `${1 + (n % 9)}.${n % 5}.0`),
        ...(n % 3 === 0 ? [until('1.0.0', `${2 + (n % 9)}.0.${n % 4}`)] : []),
        ...(n % 5 === 0 ? [until(null, '99.0', 'cpe:vendor:other')] : []),
      ],
      n % 7 === 0,
    ),
  )
const found = (list: readonly CveRecord[], version: string): readonly CveMatch[] => {
  const file = join(folder, `${randomUUID()}.db`)
  writeIndex(file, list)
  const index = openIndex(file, 'test', '1')
  try {
    return index.find(KEY, version)
  } finally {
    index.close()
  }
}
const weight = ({ exploitedSince, score }: Pick<CveRecord, 'exploitedSince' | 'score'>): number =>
  (exploitedSince === null ? 0 : 1_000) + Math.round((score ?? 5) * 10)

test.each(['0.9', '1.2.3', '3.0.0', '5.4.9', '9.4.0', '40'])(
  'of %s each is told that holds, the gravest first',
  (version) => {
    const all = records(150)
    const wanted = all.filter(({ affected }) => affected.some((one) => one.key === KEY && affects(one, version)))
    const told = found(all, version)
    expect(told.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
    expect(told.map(weight)).toEqual(told.map(weight).toSorted((a, b) => b - a))
    for (const { id, affected, summary } of told) {
      expect(affects(affected, version), id).toBe(true)
      expect(summary).toBe(wanted.find((one) => one.id === id)?.summary)
    }
  },
)

test('of more than two hundred the gravest two hundred are told, each once', () => {
  const all = records(900)
  const holding = all.filter(({ affected }) => affected.some((one) => one.key === KEY && affects(one, '1.2.3')))
  const told = found(all, '1.2.3')
  expect(holding.length).toBeGreaterThan(300)
  expect(new Set(told.map(({ id }) => id)).size).toBe(200)
  expect(told.map(weight)).toEqual(
    holding
      .map(weight)
      .toSorted((a, b) => b - a)
      .slice(0, 200),
  )
})

test('of a product without a record nothing is told', () => {
  expect(found([], '1.0')).toEqual([])
  expect(found([record(1, 9, [until(null, '1.0')])], '1.0')).toEqual([])
})

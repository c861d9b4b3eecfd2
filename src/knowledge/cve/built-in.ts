/**
 * What the product brings along: 152 records about software that a scanner can recognise from outside, and a table for libraries of pages.
 * This product uses data from the NVD API but is not endorsed or certified by the NVD.
 */
import { readFileSync } from 'node:fs'
import { tableOfBuild } from '../tables-of-build.ts'
import { affects } from './affects.ts'
import { readLibraries } from './libraries.ts'
import type { Affected, CveMatch, CveRecord, CveSource } from './record.ts'

/**
 * In terms of `CveRecord`, as each run reads it; what it leaves out of a record's CPE tree is said by a mark. `affected` is by key, with its
 * ranges as intervals of versions: `[1.0,1.4)`, `[1.2]` for one version, `*` behind one that stands for all its updates, `?` behind one that
 * holds only on a platform or in a set-up.
 */
const FILE = new URL('./web-stack.json', import.meta.url)
const INTERVAL =
  /^(?<opens>[[(])(?<start>[^,\])]*)(?<between>,?)(?<end>[^,\])]*)(?<closes>[\])])(?<update>\*?)(?<conditional>\??)$/

interface WebStack {
  readonly records: readonly (Omit<CveRecord, 'affected'> & { readonly affected: Readonly<Record<string, string>> })[]
}

/** Disputed in NVD: they stand in no record, and no other feed's word for them counts. */
const DISPUTED = ['CVE-2019-9193', 'CVE-2020-15778', 'CVE-2021-28861']

export const BUILT_IN_VERSION = 'built-in 2026.11'

let source: CveSource | null = null
let records: readonly CveRecord[] | null = null

export const builtIn = (): CveSource => {
  source ??= inMemory(readBuiltIn())
  return source
}

/** Read once. @throws Error where a range is none */
export const readBuiltIn = (): readonly CveRecord[] => {
  records ??= (tableOfBuild('cve') as readonly CveRecord[] | null) ?? [...readWebStack(), ...readLibraries()]
  return records
}

const readWebStack = (): readonly CveRecord[] =>
  (JSON.parse(readFileSync(FILE, 'utf8')) as WebStack).records.map(({ affected, ...record }) => ({
    ...record,
    affected: Object.entries(affected).flatMap(([key, ranges]) =>
      ranges.split(' ').map((range) => affectedBy(key, range)),
    ),
  }))

const affectedBy = (key: string, range: string): Affected => {
  const parts = INTERVAL.exec(range)?.groups
  if (parts === undefined) throw new Error(`web-stack.json: ${key}: “${range}” is no range`)
  const { opens, start = '', between, end = '', closes, update, conditional } = parts
  return {
    ...{ key, scheme: 'generic' as const },
    range: {
      start: start || null,
      startIncluded: opens === '[',
      end: (between === '' ? start : end) || null,
      endIncluded: closes === ']',
    },
    ...{ anyUpdate: update === '*', conditional: conditional === '?' },
  }
}

const inMemory = (records: readonly CveRecord[]): CveSource => {
  const byKey = Map.groupBy(
    records.flatMap(({ affected, ...record }) => affected.map((one): CveMatch => ({ ...record, affected: one }))),
    (match) => match.affected.key,
  )
  const find = (key: string, version: string): readonly CveMatch[] => {
    const found = (byKey.get(key) ?? []).filter((match) => affects(match.affected, version))
    return [...new Map(found.map((match) => [match.id, match])).values()]
  }
  const isWithdrawn = (id: string): boolean => DISPUTED.includes(id)
  const holds = (key: string, id: string): boolean => (byKey.get(key) ?? []).some((match) => match.id === id)
  return { feed: 'nvd', version: BUILT_IN_VERSION, find, follows: () => false, holds, isWithdrawn }
}

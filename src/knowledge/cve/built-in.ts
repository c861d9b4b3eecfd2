/**
 * What the product brings along: 152 records about software that a scanner can recognise from outside, and a table for libraries of pages.
 * This product uses data from the NVD API but is not endorsed or certified by the NVD.
 */
import { readFileSync } from 'node:fs'
import { parseNvd } from '../feeds/parse/nvd.ts'
import { affects } from './affects.ts'
import { readLibraries } from './libraries.ts'
import type { CveMatch, CveRecord, CveSource } from './record.ts'

const FILE = new URL('./nvd-web-stack.json', import.meta.url)

/** The file leaves out the platform conditions of these: Windows, hardware, a Java version, a framework. */
const CONDITIONAL = [
  'CVE-2019-0232',
  'CVE-2024-4577',
  'CVE-2017-7269',
  'CVE-2022-22965',
  'CVE-2021-3129',
  'CVE-2019-19781',
]
/** Disputed in NVD, where the tag stands; the file leaves tags out. */
const DISPUTED = ['CVE-2019-9193', 'CVE-2020-15778', 'CVE-2021-28861']

export const BUILT_IN_VERSION = 'built-in 2026.11'

let source: CveSource | null = null

export const builtIn = (): CveSource => {
  source ??= inMemory(readBuiltIn())
  return source
}

export const readBuiltIn = (): readonly CveRecord[] => [...readWebStack(), ...readLibraries()]

const readWebStack = (): readonly CveRecord[] =>
  [...parseNvd(JSON.parse(readFileSync(FILE, 'utf8')), 'nvd-web-stack.json')]
    .flatMap((record) => ('withdrawn' in record || DISPUTED.includes(record.id) ? [] : [record]))
    .map((record) =>
      CONDITIONAL.includes(record.id)
        ? { ...record, affected: record.affected.map((one) => ({ ...one, conditional: true })) }
        : record,
    )

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

/**
 * Records about libraries that pages load, from `libraries.ranges`: a line for each product by its name in the fingerprints, below it
 * its CVEs. A range begins with its first version, or with the first release where it names none, and ends before its last.
 */
import { readFileSync } from 'node:fs'
import { allProducts } from '../fingerprints/products.ts'
import { NPM } from './names.ts'
import type { Affected, CveRecord } from './record.ts'

const FILE = new URL('./libraries.ranges', import.meta.url)
const ROW = /^(CVE-\d{4}-\d{4,}) \| ((?:[\w.-]*\.\.[\w.-]+ ?)+) \| (\d+\.\d|-) \| (\d+) \| (\S.{10,120}\.)$/

/** @throws Error with the line where one cannot be read, or names no product that is recognised */
export const readLibraries = (text = readFileSync(FILE, 'utf8')): readonly CveRecord[] => {
  const keys = new Map(allProducts().map(({ name, cpe }) => [name, keyOf(name, cpe)]))
  let key: string | null = null
  return text.split('\n').flatMap((line, index): readonly CveRecord[] => {
    if (line === '' || line.startsWith('#')) return []
    const row = ROW.exec(line)
    if (row === null) key = keys.get(line) ?? null
    if (key === null) throw new Error(`libraries.ranges:${index + 1}: “${line}” is no product`)
    return row === null ? [] : [recordOf(row, key)]
  })
}

const keyOf = (name: string, cpe: readonly string[]): string | null => {
  const npm = NPM[name]
  if (npm !== undefined) return `npm:${npm}`
  return cpe[0] === undefined ? null : `cpe:${cpe[0].toLowerCase()}`
}

const recordOf = (row: RegExpExecArray, key: string): CveRecord => {
  const [, id = '', ranges = '', score = '', cwe = '', summary = ''] = row
  return {
    ...{ id, summary, score: score === '-' ? null : Number(score), vector: null, cwe: Number(cwe) },
    references: [`https://nvd.nist.gov/vuln/detail/${id}`],
    exploitedSince: null,
    affected: ranges.split(' ').map((range) => affectedBy(range, key)),
  }
}

const affectedBy = (range: string, key: string): Affected => {
  const [start = '', end = ''] = range.split('..')
  const between = { start: start === '' ? null : start, startIncluded: true, end, endIncluded: false }
  return { key, scheme: 'generic', range: between, anyUpdate: false, conditional: false }
}

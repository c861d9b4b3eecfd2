/**
 * CVEs of 2025 and 2026 of software that Debian or npm install: of each the number, the affected versions, one version or more before
 * the fix and as many with it, and where its maker says so. The files hold facts alone; records are made from them by the tests.
 *
 *     # Apache HTTP Server
 *     CVE-2025-54090 | 2.4.64..2.4.65 | 2.4.64 | 2.4.65 | https://httpd.apache.org/security/vulnerabilities_24.html
 *
 * A range begins with its first version, or with the first release where it names none, and ends before its last.
 */
import { readdirSync, readFileSync } from 'node:fs'

export interface KnownCve {
  readonly id: string
  readonly product: string
  /** `start` null: from the first release. `end` is no part of it. */
  readonly ranges: readonly { readonly start: string | null; readonly end: string }[]
  readonly vulnerable: readonly string[]
  readonly fixed: readonly string[]
  readonly source: string
}

const FOLDER = new URL('./', import.meta.url)

/** @throws Error with file and line where a row is none */
export const knownCves = (): readonly KnownCve[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.cves'))
    .toSorted()
    .flatMap((file) => rowsOf(file).map(({ product, cells, fail }) => cveOf(product, cells, fail)))

export interface DebianFix {
  readonly id: string
  readonly product: string
  /** With its epoch, as Debian writes it. */
  readonly fixed: string
}

/** What Debian 12 has fixed without raising the upstream version, by the changelogs of its packages. */
export const debianFixes = (): readonly DebianFix[] =>
  rowsOf('debian.fixes').map(({ product, cells: [id = '', fixed = ''] }) => ({ id, product, fixed }))

interface Row {
  readonly product: string
  readonly cells: readonly string[]
  readonly fail: (reason: string) => never
}

const rowsOf = (file: string): readonly Row[] => {
  let product = ''
  return readFileSync(new URL(file, FOLDER), 'utf8')
    .split('\n')
    .flatMap((line, index): Row[] => {
      const fail = (reason: string): never => {
        throw new Error(`${file}:${index + 1}: ${reason}`)
      }
      if (line.trim() === '') return []
      if (line.startsWith('# ')) {
        product = line.slice(2)
        return []
      }
      return [{ product, cells: line.split(' | '), fail }]
    })
}

const cveOf = (product: string, cells: readonly string[], fail: Row['fail']): KnownCve => {
  const [id = '', ranges = '', vulnerable = '', fixed = '', source = ''] = cells
  if (!/^CVE-202[56]-\d{4,}$/.test(id) || !source.startsWith('https://'))
    fail('number and address of the source are needed')
  const before = vulnerable.split(' ')
  const after = fixed.split(' ')
  if (before.length !== after.length || before.includes('')) fail('each version before the fix has one with it')
  return {
    ...{ id, product, vulnerable: before, fixed: after, source },
    ranges: ranges.split(' ').map((text) => {
      const [start = '', end = ''] = text.split('..')
      return end === '' ? fail(`“${text}” has no end`) : { start: start === '' ? null : start, end }
    }),
  }
}

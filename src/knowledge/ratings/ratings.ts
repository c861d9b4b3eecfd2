/** CVSS vectors of our checks, and the item of the testing guide that each belongs to: what `checks.ratings` says, read once. */
import { readFileSync } from 'node:fs'
import { tableOfBuild } from '../tables-of-build.ts'

/** Why a definition has no vector. */
export const UNRATED = {
  hardening: 'CVSS rates vulnerabilities; this is a defence that is missing or weaker than it could be.',
  operation: 'CVSS rates what an attacker can do; this is a fault that shows without one.',
  privacy: 'CVSS has no metric for what the law on data protection asks.',
  observation: 'An observation, no weakness by itself.',
  source: 'The vector comes with the record or the template that the finding rests on.',
} as const

export interface Rating {
  /** Complete vectors with their prefixes; null where none applies, and then `reason` says why. */
  readonly vectors: { readonly v3_1: string; readonly v4_0: string } | null
  readonly reason: string | null
  /** Base scores of the vectors, where a build has worked them out. */
  readonly scores?: { readonly v3_1: number; readonly v4_0: number }
  /** WSTG-… (OWASP Web Security Testing Guide) or ASVS-4.0.3-…; null where neither has an item for it. */
  readonly standard: string | null
}

/** One row of the file. @throws Error that names the row */
export const parseRating = (row: string): readonly [id: string, rating: Rating] => {
  const [id = '', ...rest] = row.split(' ')
  const standard = STANDARD.test(rest.at(-1) ?? '') ? (rest.pop() ?? null) : null
  const [first = '', second] = rest
  const reason = Object.entries(UNRATED).find(([name]) => name === first)?.[1] ?? null
  if (rest.length === 1 && reason !== null) return [id, { vectors: null, reason, standard }]
  if (rest.length !== 2 || second === undefined || !first.startsWith('AV:') || !second.startsWith('AV:')) {
    throw new Error(`not a row of ratings: ${row}`)
  }
  return [id, { vectors: { v3_1: `CVSS:3.1/${first}`, v4_0: `CVSS:4.0/${second}` }, reason: null, standard }]
}

const STANDARD = /^(?:WSTG-[A-Z]{4}-\d\d|ASVS-4\.0\.3-\d+\.\d+\.\d+)$/

const readRatings = (): readonly (readonly [id: string, rating: Rating])[] =>
  readFileSync(new URL('./checks.ratings', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseRating)

const table = tableOfBuild('ratings') as Readonly<Record<string, Rating>> | null

/** By the id of the definition. */
export const RATINGS: ReadonlyMap<string, Rating> = new Map(table === null ? readRatings() : Object.entries(table))

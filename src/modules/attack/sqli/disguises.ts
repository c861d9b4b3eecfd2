/** Other spellings of the same statement, for places whose filters take words, spaces or comments out. */
import type { Probe } from '../insertion-points/prober.ts'
import { conjunction } from '../insertion-points/word.ts'
import { truePredicate } from './predicates.ts'

export interface Disguise {
  readonly name: string
  /** Of what stands behind the place's own value. */
  readonly of: (sql: string) => string
}

const WORDS = /\b(?:select|union|all|case|when|then|else|end|and|or|xor|not|in|order|by|from|cast|as|concat|sleep)\b/gi

/** A space behind the two dashes is part of a comment's beginning. */
const spaces = (sql: string, by: string): string => sql.replace(/(?<!--) /g, by)

const SPACED: Disguise = { name: 'comments as spaces', of: (sql) => sql.replaceAll('/**/', ' ') }

/** Those that read alike for all databases that a filter is met before. */
export const DISGUISES: readonly Disguise[] = [
  { name: 'spaces as comments', of: (sql) => spaces(sql, '/**/') },
  SPACED,
  { name: 'line breaks for both', of: (sql) => spaces(sql.replaceAll('/**/', ' '), '\n') },
  {
    // What is taken out once leaves the word behind.
    name: 'words within words',
    of: (sql) => sql.replace(WORDS, (word) => `${word.slice(0, 1)}${word}${word.slice(1)}`),
  },
]

/** On a line of its own: what looks for a line that is right finds the place's own value (`^\d+$` of Ruby; CWE-777). */
export const ON_A_LINE: Disguise = { name: 'on a line of its own', of: (sql) => `\n${sql}` }

/**
 * Servers of Java, and others, refuse a path with an encoded slash or backslash before any program sees it (Tomcat, `encodedSolidusHandling`):
 * comments are spaces there, which a path may hold.
 */
export const inPath = (probe: Probe): Probe => (probe.point.place === 'path' ? disguised(probe, SPACED) : probe)

/** Of places to which everything is sent so. */
const spellings = new WeakMap<Probe, string>()

/** What is sent in one spelling is answered in it: empty for the plain one. */
export const spellingOf = (probe: Probe): string => spellings.get(probe) ?? ''

/** The same place, to which everything is sent in this spelling. What modules share about it stays as it is. */
export const disguised = (probe: Probe, { name, of }: Disguise): Probe => {
  const { value: own } = probe.point
  const send: Probe['send'] = (value, asking) =>
    probe.send(value.startsWith(own) ? `${own}${of(value.slice(own.length))}` : of(value), asking)
  const joined: Probe['joined'] = (quote) => send(conjunction(own, quote, truePredicate().text), { language: 'sql' })
  const other = { ...probe, send, joined }
  spellings.set(other, name)
  return other
}

/** Labels of buttons, read by whole phrases first, then by the longest known part. */
import { lazily } from '../lazily.ts'
import { fold } from './fold.ts'
import type { ButtonRole } from './label.ts'
import { LANGUAGES } from './languages.ts'

export interface ReadLabel {
  readonly role: ButtonRole
  /** ISO 639-1 of the first language that has these words. */
  readonly language: string
  /** 1: the whole label is a known phrase. Below: the share of it that is. Never under 0.5. */
  readonly score: number
}

/** Characters of a folded label; longer ones are sentences. */
const LONGEST_LABEL = 80
/** A shorter phrase counts only as a whole label: "no", "ok", "gem". */
const SHORTEST_PART = 4
/** Share of a label that the known words have to fill. */
const LEAST_SHARE = 0.5
/** "Accept only what is necessary": words for both have to fill more, as forms accept required conditions, too. */
const LEAST_SHARE_NEGATED = 0.55

const ROLES: readonly ButtonRole[] = ['reject', 'accept', 'acknowledge', 'settings', 'save', 'revoke']

/**
 * Null for everything that is no such label, also where it says two things at once ("Accept or decline").
 * `language` (of the page, ISO 639-1) wins where several languages share a phrase.
 */
export const readLabel = (text: string, language?: string): ReadLabel | null => {
  if (text.length > 4 * LONGEST_LABEL) return null
  const label = fold(text)
  if (label === '' || label.length > LONGEST_LABEL) return null
  return wholeLabel(label, language) ?? partOfLabel(label, language)
}

interface Phrase {
  readonly text: string
  readonly role: ButtonRole
  readonly language: string
}

interface Phrases {
  readonly whole: ReadonlyMap<string, readonly Phrase[]>
  /** Longest first, so that "accept only necessary" is seen before "accept". */
  readonly parts: readonly Phrase[]
  /** Of each language. */
  readonly negations: ReadonlyMap<string, ReadonlySet<string>>
}

const phrases = lazily((): Phrases => {
  const all = LANGUAGES.flatMap((words) =>
    ROLES.flatMap((role) => words[role].map((text) => ({ text: fold(text), role, language: words.language }))),
  )
  const parts = all.filter(({ text }) => text.length >= SHORTEST_PART)
  return {
    whole: Map.groupBy(all, ({ text }) => text),
    parts: parts.toSorted((a, b) => b.text.length - a.text.length),
    negations: new Map(LANGUAGES.map((words) => [words.language, new Set(words.negations.map(fold))])),
  }
})

const wholeLabel = (label: string, language: string | undefined): ReadLabel | null => {
  const found = phrases().whole.get(label)
  const phrase = found?.find((one) => one.language === language) ?? found?.[0]
  return phrase ? { role: phrase.role, language: phrase.language, score: 1 } : null
}

const partOfLabel = (label: string, language: string | undefined): ReadLabel | null => {
  const padded = ` ${label} `
  const within = phrases().parts.filter(({ text }) => padded.includes(` ${text} `))
  const longest = within[0]
  if (longest === undefined) return null
  const best =
    within.find(({ text, language: its }) => text.length === longest.text.length && its === language) ?? longest
  const rest = padded.replace(` ${best.text} `, ' ').trim()
  const restWords = rest.split(' ')
  const negations = phrases().negations.get(best.language) ?? new Set()
  const negating = restWords.filter((word) => negations.has(word))
  if (negating.length > 0) {
    const share = (best.text.length + negating.join(' ').length + 1) / label.length
    if (best.role !== 'accept' || share < LEAST_SHARE_NEGATED) return null
    return { role: 'reject', language: best.language, score: Math.min(share, 0.9) }
  }
  const other = within.find(({ text, role }) => role !== best.role && ` ${rest} `.includes(` ${text} `))
  const roles = [best.role, other?.role]
  if (roles.every((role) => role === 'accept' || role === 'reject')) return null
  // "Manage or reject" leads to another layer: it refuses nothing itself.
  if (other && roles.includes('settings') && roles.includes('reject')) {
    const both = (best.text.length + other.text.length + 1) / label.length
    return both < LEAST_SHARE ? null : { role: 'settings', language: best.language, score: Math.min(both, 0.9) }
  }
  const share = best.text.length / label.length
  return share < LEAST_SHARE ? null : { role: best.role, language: best.language, score: share }
}

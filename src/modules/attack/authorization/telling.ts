/** Which values belong to somebody, and which of them say it by themselves. */
import type { Answer, Leaf } from './answers.ts'
import { isWording } from './wording.ts'

const EMAIL = /[^\s@"'<>]{1,64}@[\w-]+(?:\.[\w-]+)+/
const MEMBER =
  /e_?mail|phone|mobile|^tel$|address|street|iban|^bic$|card|ssn|birth|^dob$|salary|wage|^pay$|net_?pay|gross|tax|passport|account_?(?:no|number)|secret|token|api_?key|password|diagnos|medical|insurance|balance|national_?id/i

/** Data of a person, by its form or by the name of what holds it. */
export const isPersonal = ({ name, value }: Leaf): boolean =>
  EMAIL.test(value) || (MEMBER.test(name) && value.length >= 3) || /^[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}/.test(value)

/** A word that scans make up, or what they fill in where an address is asked for. */
export const isOfRun = ({ value }: Leaf): boolean => OF_RUNS.test(value)
const OF_RUNS = /\b(?:qx|sonde)[\da-f]{7,}|qzvkx|^(?:https?:\/\/|test@)example\.org/

/** A label or a sentence: a program says so of anybody's thing. */
export const isSaid = ({ value }: Leaf): boolean => /^\D*[\p{L}\s][.:!?…]$/u.test(value)

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Unlike what two people may have in common by chance: no word of a list, no small number, no date. */
export const isTelling = (leaf: Leaf): boolean => {
  const { value } = leaf
  if (DATE.test(value) || /^(?:true|false|null)$/i.test(value)) return false
  if (/^https?:\/\/|^\//.test(value)) return false
  if (isPersonal(leaf)) return true
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return value.replace(/\D/g, '').length >= 5
  return value.length >= 8 && /[\s\d@]/.test(value)
}

/**
 * Telling values that both answers to the same question have: what changes by itself belongs to nobody, and what a page repeats of how the
 * run introduces itself, or of what its address or form asks for, is whoever's asks. The program's own words are nobody's.
 */
export const stableLeaves = (first: Answer, second: Answer): readonly Leaf[] => {
  if (isWording(first.text)) return []
  const seen = new Set<string>()
  const { headers, url, body } = first.exchange.request
  const form = /^[^\s{<]*=/.test(body ?? '') ? [...new URLSearchParams(body ?? '').values()] : []
  const asked = [...new URL(url).searchParams.values(), ...form].map((value) => value.replace(/\s+/g, ' '))
  const ours = headers.flatMap(([name, value]) => (INTRODUCES.test(name) && value !== '' ? [value] : []))
  const isOurs = ({ value }: Leaf): boolean =>
    ours.some((one) => one.includes(value) || value.includes(one)) || asked.some((one) => one.includes(value))
  return first.leaves.filter((leaf) => {
    if (!second.values.has(leaf.value) || seen.has(leaf.value) || !isTelling(leaf) || isOurs(leaf)) return false
    seen.add(leaf.value)
    return true
  })
}

const INTRODUCES = /^(?:user-agent|from|sonde-run)$/i

/** Share of values in common beyond what the same person is shown twice, 0 to 1 and more. */
export const sameness = (answer: Answer, [first, second]: readonly [Answer, Answer]): number => {
  const stable = [...first.values].filter((value) => second.values.has(value))
  if (stable.length === 0) return 0
  return stable.filter((value) => answer.values.has(value)).length / stable.length
}

/** Of what somebody owns, the share that an answer shows: a view with masked fields shows little of it. */
export const carriedOf = (
  own: readonly Leaf[],
  answer: Answer,
): { readonly share: number; readonly leaves: readonly Leaf[] } => {
  const leaves = own.filter(({ value }) => answer.values.has(value))
  return { share: own.length === 0 ? 0 : leaves.length / own.length, leaves }
}

/** The most telling first. */
export const byWeight = (leaves: readonly Leaf[]): readonly Leaf[] =>
  leaves.toSorted((a, b) => Number(isPersonal(b)) - Number(isPersonal(a)))

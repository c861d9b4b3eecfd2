/**
 * Whether a short answer that says "ok" tells of what it was sent: what looks something up answers otherwise to a value that is nowhere, and
 * the same again to its own, where what stores takes either.
 */
import type { RequestTemplate } from '../crawl/facts.ts'
import { jsonWith } from '../insertion-points/body.ts'
import { leavesOf } from '../insertion-points/points.ts'
import { isToken } from '../insertion-points/tokens.ts'
import { controlValue } from '../insertion-points/word.ts'
import { areEqual } from './reads.ts'

export interface Otherwise {
  /** With another value in all that people fill. */
  readonly template: RequestTemplate
  /** Those that stood there, and the one that stands there now: an answer may repeat them. */
  readonly own: readonly string[]
  readonly mark: string
}

const TYPED = ['text', 'search', 'textarea', 'number', '']

/**
 * Null where people fill nothing in it. Numbers stay where there are texts, and become one that no record has where there are none.
 */
export const otherwise = (template: RequestTemplate, mark: string): Otherwise | null => {
  const { fields, encoding, body } = template
  if (encoding === 'json') {
    const leaves = chosen(leavesOf(body ?? '').map(([name, value]) => ({ name, value })))
    const changed = leaves.reduce<string | null>((now, one) => now && withLeaf(now, one, mark), body)
    return leaves.length === 0 || changed === null
      ? null
      : { template: { ...template, body: changed }, own: leaves.map(({ value }) => value), mark }
  }
  const typed = chosen(fields.filter(({ type }) => TYPED.includes(type)))
  const own = typed.map(({ value }) => value)
  const other = fields.map((field) =>
    typed.includes(field) ? { ...field, value: otherThan(field.value, mark) } : field,
  )
  return typed.length === 0 ? null : { template: { ...template, fields: other }, own, mark }
}

const NUMBER = /^\d+$/

const chosen = <Named extends { readonly name: string; readonly value: string }>(
  all: readonly Named[],
): readonly Named[] => {
  const filled = all.filter(
    ({ name, value }) => value !== '' && !/^(?:true|false)$/.test(value) && !isToken(name.replace(/.*\//, ''), value),
  )
  const texts = filled.filter(({ value }) => !NUMBER.test(value))
  return texts.length > 0 ? texts : filled
}

const otherThan = (value: string, mark: string): string => (NUMBER.test(value) ? controlValue(value) : mark)

const withLeaf = (body: string, { name, value }: { name: string; value: string }, mark: string): string | null => {
  const other = otherThan(value, mark)
  // A number stays one.
  const isNumber = NUMBER.test(value) && jsonWith(body, name, Number(value)) === JSON.stringify(JSON.parse(body))
  return jsonWith(body, name, isNumber ? Number(other) : other)
}

/** Whether the answers differ in more than the values themselves. */
export const isToldApart = ({ own, mark }: Otherwise, usual: string, other: string): boolean =>
  !areEqual(without(usual, own), without(other, [mark, ...own.map(controlValue)]))

const without = (text: string, values: readonly string[]): string =>
  values
    .filter((value) => value !== '')
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(value, '*'), text)

/** Whether an answer that says "ok" says anything beside it, the names of its members aside. */
export const saysMore = (text: string): boolean =>
  /[\p{L}\p{N}]/u.test(
    text
      .replace(/<[^<>]*>/g, ' ')
      .replace(/"[^"\\]{0,60}"\s*:/g, ' ')
      .replace(/\b(?:ok(?:ay)?|success|true|false|null|done|accepted|received)\b/gi, ' '),
  )

/** A member that says how something is, `"available": true`: nothing was done to it. */
const STATE =
  /^(?:known|exists?|found|(?:in)?valid|taken|free|unique|possible|open|eligible|match(?:es)?|correct|in_?stock|[a-z]{3,20}[ai]ble)$/i

/** Whether all that a short answer says beside "ok" is how something is. */
export const statesOnly = (text: string): boolean => {
  const named = [...text.matchAll(/"([^"\\]{1,60})"\s*:\s*(?:true|false)\b/g)].map(([, name = '']) =>
    name.replace(/^(?:is|has)_?(?=[A-Z_]|[a-z]{4})/, ''),
  )
  const others = text.replace(/"[^"\\]{1,60}"\s*:\s*(?:true|false|null)\b/g, ' ')
  return named.some((name) => STATE.test(name)) && !/[\p{L}\p{N}]/u.test(others)
}

/** Words for what was done to what is kept, alone: of a short answer they are enough to take it for one that writes. */
const DEED =
  /\b(?:saved|sent|added|created|updated|changed|stored|kept|registered|subscribed|unsubscribed|submitted|counted|posted|deleted|removed|booked|ordered|paid|uploaded|recorded|enrolled|signed up|scheduled|assigned|set|written|inserted|confirmed|thanks|gespeichert|gesendet|angelegt|geändert|gelöscht|gebucht|bestellt|enregistrée?|envoyée?|guardad[oa]|enviad[oa]|salvat[oa]|inviat[oa]|opgeslagen|verzonden)\b/iu

export const tellsOfDeed = (text: string): boolean => DEED.test(text.replace(/"[^"\\]{0,60}"\s*:/g, ' '))

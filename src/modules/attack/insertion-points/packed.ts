/**
 * Values within values: JSON, base64 and a second percent-encoding inside of one parameter, cookie or field. What a program unpacks
 * is a place of its own, and a probe is packed as its value was found.
 */

import { literalsIn, withLiteral } from '../../../descriptions/graphql/document.ts'
import { jsonTreeOf } from '../../../page/json.ts'
import { percentDecoded } from '../../../page/percent.ts'
import type { Packing, Scheme } from '../crawl/facts.ts'
import { encodeValue, jsonWith } from './body.ts'
import { isSealed } from './sealed.ts'

/** As deep as applications nest, and of one value so many leaves. */
const MAX_DEPTH = 3
const MAX_LEAVES = 12
const MAX_LENGTH = 8_192
/** Shorter words are base64 by chance; padding is no accident. */
const LEAST = 8
const LEAST_PADDED = 4
const LEAST_TEXT = 16
/** What names, paths and addresses are written with: a key of letters of all kinds hardly ever comes out so. */
const WRITTEN = /^[\w .,@/:-]+$/

export interface PackedLeaf {
  readonly steps: readonly string[]
  readonly value: string
}

/** Its leaves, with the way to each; none where it is no packing of anything. */
export const leavesWithin = (value: string): readonly PackedLeaf[] =>
  value.length > MAX_LENGTH || isSealed(value) ? [] : visit(value, [], MAX_DEPTH).slice(0, MAX_LEAVES)

const visit = (value: string, steps: readonly string[], depth: number): readonly PackedLeaf[] => {
  const own = steps.length > 0 && !/^[/&]/.test(steps.at(-1) ?? '') ? [{ steps, value }] : []
  if (depth === 0) return own
  const json = scalarsOf(value)
  if (json !== null) return json.flatMap((leaf) => leafOf([...steps, leaf.pointer], leaf.value, depth))
  const once = /%[0-9a-f]{2}/i.test(value) ? percentDecoded(value) : value
  if (once !== value) return visit(once, [...steps, 'url'], depth - 1)
  // A query in a query is an address; in base64 it is what a program keeps for itself.
  if (steps.at(-1) === 'base64' && FORM.test(value))
    return [...own, ...value.split('&').flatMap((pair) => leafOf([...steps, `&${nameIn(pair)}`], valueIn(pair), depth))]
  const text = textOf(value)
  return text === null ? own : visit(text, [...steps, 'base64'], depth - 1)
}

/** Pairs as a form writes them, two or more. */
const FORM = /^[\w.-]{1,60}=[^&=]*(?:&[\w.-]{1,60}=[^&=]*)+$/
const nameIn = (pair: string): string => pair.split('=')[0] ?? ''
const valueIn = (pair: string): string => pair.split(/=(.*)/s)[1] ?? ''
/** Some programs decode what stands there and others do not: as it is, but for what would end or change it. */
const asValue = (text: string): string => text.replace(/[&%+]/g, encodeURIComponent)

/** A member of JSON, and what is packed in it once more. */
const leafOf = (steps: readonly string[], value: string, depth: number): readonly PackedLeaf[] => {
  const within = visit(value, steps, depth - 1)
  return within.length > 0 ? within : [{ steps, value }]
}

/** The value with another leaf; null where the way leads nowhere in it. */
export const packed = ({ steps, whole }: Packing, leaf: string): string | null => {
  const [step, ...rest] = steps
  if (step === undefined) return leaf
  if (isLiteral(step)) return withLiteral(whole, step.slice(LITERAL.length), leaf)
  const inner = unpacked(whole, step)
  const changed = inner === null ? null : packed({ steps: rest, whole: inner }, leaf)
  if (changed === null) return null
  if (step === 'url') return encodeValue(changed)
  if (step.startsWith('&'))
    return whole
      .split('&')
      .map((pair) => (nameIn(pair) === step.slice(1) ? `${nameIn(pair)}=${asValue(changed)}` : pair))
      .join('&')
  if (isScheme(step)) return `${step} ${changed}`
  if (step === 'user') return `${changed}:${unpacked(whole, 'password')}`
  if (step === 'password') return `${unpacked(whole, 'user')}:${changed}`
  if (step === NUMBER)
    return whole.replace(
      NUMBERED,
      (_, before: string, _number: string, ending: string) => `${before}${changed}${ending}`,
    )
  if (step === SUBJECT) return whole.replace(COMMANDED, (_, command: string) => `${command}${changed}`)
  return step === 'base64' ? base64Like(whole, changed) : jsonWith(whole, step, changed)
}

/** What a header Authorization tells in a scheme: a name and a password (RFC 7617), or a token (RFC 6750), made up. */
export const leavesOfScheme = (scheme: Scheme): readonly (Packing & { readonly value: string })[] => {
  if (scheme === 'Bearer') return [{ steps: [scheme], whole: `${scheme} ${NOBODY}`, value: NOBODY }]
  const whole = `${scheme} ${Buffer.from(`${NOBODY}:${NOBODY}`).toString('base64')}`
  return ['user', 'password'].map((part) => ({ steps: [scheme, 'base64', part], whole, value: NOBODY }))
}

/** In front of the way to a value in a document of GraphQL. */
const LITERAL = 'literal '
const isLiteral = (step: string): boolean => step.startsWith(LITERAL)

/** It stands in a document of GraphQL, where a value is a text or a number. */
export const isInDocument = ({ steps }: Pick<Packing, 'steps'>): boolean => steps.some(isLiteral)

/** Values that stand in a document of GraphQL as they are: scripts that put it together write there what people typed. */
export const leavesOfDocument = (document: string): readonly PackedLeaf[] =>
  literalsIn(document)
    .slice(0, MAX_LEAVES)
    .map(({ path, value }) => ({ steps: [`${LITERAL}${path}`], value }))

/** Whom no site knows. */
const NOBODY = 'qzv-held'

/** The number before the ending of a name. */
export const NUMBER = 'number'
const NUMBERED = /^(.*[-_.a-z])(\d+)(\.[a-z]\w{1,4})$/i

/** Of `part-12.html` 12; null of a name without such a number or without an ending. */
export const numberOf = (name: string): string | null => NUMBERED.exec(name)?.[2] ?? null

/** What an argument of Web Forms is about, behind what is to be done: `name` of `Sort$name`. */
export const SUBJECT = 'argument'
const COMMANDED = /^([A-Za-z]{1,30}\$)(.*)$/s

/** Null of an argument that is about a row or a page by its number: the framework reads that. */
export const subjectOf = (argument: string): string | null => {
  const subject = COMMANDED.exec(argument)?.[2] ?? ''
  return /^-?\d*$/.test(subject) ? null : subject
}

const isScheme = (step: string): step is Scheme => step === 'Basic' || step === 'Bearer'

/** As a person reads the way: "base64, JSON /kind". */
export const wayOf = ({ steps }: Pick<Packing, 'steps'>): string =>
  steps
    .map((step) => {
      if (step.startsWith('/')) return `JSON ${step}`
      if (isLiteral(step)) return `argument ${step.slice(LITERAL.length)}`
      return step === 'url' ? 'percent-encoded' : step.replace(/^&/, 'parameter ')
    })
    .join(', ')

const unpacked = (value: string, step: string): string | null => {
  if (isLiteral(step)) return literalsIn(value).find(({ path }) => path === step.slice(LITERAL.length))?.value ?? null
  if (step === 'url') return percentDecoded(value)
  if (step.startsWith('&')) {
    const found = value.split('&').find((pair) => nameIn(pair) === step.slice(1))
    return found === undefined ? null : valueIn(found)
  }
  if (isScheme(step)) return value.slice(step.length + 1)
  if (step === 'base64') return textOf(value)
  if (step === NUMBER) return numberOf(value)
  if (step === SUBJECT) return subjectOf(value)
  if (step === 'user') return value.split(':')[0] ?? ''
  if (step === 'password') return value.split(/:(.*)/s)[1] ?? ''
  return scalarsOf(value)?.find(({ pointer }) => pointer === step)?.value ?? null
}

/** Members of an object or list that are no objects or lists themselves; null for what is neither. */
const scalarsOf = (text: string): readonly { readonly pointer: string; readonly value: string }[] | null => {
  const root = jsonTreeOf(text)
  if (root === undefined) return null
  const found: { pointer: string; value: string }[] = []
  const walk = (value: unknown, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return void found.push({ pointer, value: String(value ?? '') })
    for (const [key, inner] of Object.entries(value))
      walk(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
  walk(root, '')
  return found
}

/** What base64 stands for, where that is text that somebody wrote; null for anything else. */
const textOf = (value: string): string | null => {
  const isPadded = value.endsWith('=')
  if (value.length < (isPadded ? LEAST_PADDED : LEAST) || !/^(?:[A-Za-z0-9+/]+|[\w-]+)={0,2}$/.test(value)) return null
  const bytes = Buffer.from(value, 'base64')
  const text = bytes.toString('utf8')
  if (base64Like(value, text) !== value || !/^[\t\r\n\x20-\x7e\u00a0-\u024f]+$/.test(text)) return null
  if (scalarsOf(text) !== null) return text
  // Words and numbers come out as text now and then.
  const isMixed = /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value)
  return isPadded || value.length >= LEAST_TEXT || (isMixed && WRITTEN.test(text)) ? text : null
}

/** In the alphabet of the first, and padded as that is. */
const base64Like = (like: string, text: string): string => {
  const plain = Buffer.from(text).toString('base64')
  const coded = /[-_]/.test(like) ? plain.replaceAll('+', '-').replaceAll('/', '_') : plain
  return like.length % 4 === 0 ? coded : coded.replace(/=+$/, '')
}

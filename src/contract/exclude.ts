/**
 * Exclude patterns: addresses of the target that a run never asks for. Globs over the path, and over parameters of the
 * query behind a "?". A doubt is decided for excluding: case does not count, and every way to write a path is read.
 */
import { z } from 'zod'

export const MAX_PATTERNS = 50
/** The run's own and the domain's together. */
export const MAX_MERGED = 2 * MAX_PATTERNS
const MAX_LENGTH = 200
const MAX_STARS = 10

export const ExcludePattern = z
  .string()
  .min(1)
  .max(MAX_LENGTH)
  .regex(/^\/[\x21-\x7e]*$/, 'must begin with "/" and hold visible ASCII only (other characters percent-encoded)')
  .refine((text) => (text.match(/\*+/g) ?? []).length <= MAX_STARS, `must have at most ${MAX_STARS} wildcards`)
  .refine((text) => !text.includes('#'), 'must not hold "#": what stands behind it is never sent')
  .refine(
    (text) => !/(?:^|\/)(?:\.|%2e){1,2}(?:\/|\?|$)/i.test(text),
    'must not hold "." or ".." as a part of the path',
  )

export const ExcludePatterns = z
  .array(ExcludePattern)
  .max(MAX_PATTERNS)
  .describe(
    'Addresses of the target that are never asked for. "/admin" excludes this path and all below it, "*" stands for ' +
      'anything within one part of the path, "**" for anything. Behind "?" stand parameters that all have to be there, ' +
      'in any order: "/index.php?action=delete*". Case does not count. The start page alone is always looked at.',
  )

/** True for addresses that must not be asked for. Hosts are the caller's to tell apart. */
export type Exclusion = (url: string) => boolean

export const createExclusion = (patterns: readonly string[]): Exclusion => {
  const rules = patterns.slice(0, MAX_MERGED).map(ruleOf)
  if (rules.length === 0) return () => false
  return (address) => {
    const url = URL.parse(address)
    if (!url) return false
    const paths = readingsOf(url.pathname)
    const parameters = url.search === '' ? [] : parametersOf(url.search.slice(1))
    return rules.some(
      ({ path, query }) =>
        paths.some((one) => matches(path, one)) &&
        query.every((wanted) => parameters.some((one) => matches(wanted, one))),
    )
  }
}

/** Characters, and ANY for "**" or PART for "*". */
type Token = string
const ANY = '**'
const PART = '*'

interface Rule {
  readonly path: readonly Token[]
  /** Each has to match one parameter. */
  readonly query: readonly (readonly Token[])[]
}

const ruleOf = (pattern: string): Rule => {
  const [path = '', query] = pattern.split(/\?(.*)/s)
  const tidy = lastReading(path).replace(/\/+/g, '/').replace(/\/$/, '')
  return {
    // What lies below an excluded path is excluded with it.
    path: [...tokensOf(tidy), BELOW],
    query: query ? parametersOf(query).map((one) => wide(tokensOf(one))) : [],
  }
}

/** The end of the path, or a slash and anything. */
const BELOW = '/**'

const tokensOf = (text: string): readonly Token[] =>
  text.match(/\*{2,}|[\s\S]/gu)?.map((one) => (one.length > 1 && one[0] === '*' ? ANY : one)) ?? []

/** In the query "*" has no parts to keep to. */
const wide = (tokens: readonly Token[]): readonly Token[] => tokens.map((one) => (one === PART ? ANY : one))

/** Matches by the set of places that a pattern can have reached: time is length of the text times length of the pattern. */
const matches = (pattern: readonly Token[], text: string): boolean => {
  let places = closure(pattern, new Set([0]))
  for (const char of text) {
    const next = new Set<number>()
    for (const at of places) {
      const token = pattern[at]
      if (token === ANY || (token === PART && char !== '/')) next.add(at)
      else if (token === BELOW && char === '/') return true
      else if (token === char) next.add(at + 1)
    }
    if (next.size === 0) return false
    places = closure(pattern, next)
  }
  return places.has(pattern.length)
}

/** Wildcards may stand for nothing, and so may what lies below. */
const closure = (pattern: readonly Token[], places: Set<number>): Set<number> => {
  for (const at of places) if (pattern[at] === ANY || pattern[at] === PART || pattern[at] === BELOW) places.add(at + 1)
  return places
}

/** As sent, and as servers read it: decoded once and twice, dots resolved, without path parameters (";jsessionid=…"). */
const readingsOf = (path: string): readonly string[] => {
  const readings = new Set<string>()
  let text = path
  for (let round = 0; round < 3; round += 1) {
    const plain = text.toLowerCase().replaceAll('\\', '/')
    for (const one of [plain, plain.replace(/;[^/]*/g, '')]) readings.add(resolved(one))
    text = decoded(text)
  }
  return [...readings]
}

const parametersOf = (query: string): readonly string[] => query.replaceAll('+', ' ').split('&').map(lastReading)

const lastReading = (text: string): string => decoded(decoded(text)).toLowerCase()

const resolved = (path: string): string => {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** Escapes that are none stay as they are, the others are decoded all the same. */
const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex')
    return bytes.toString(bytes.every((byte) => byte < 0x80) ? 'latin1' : 'utf8')
  })

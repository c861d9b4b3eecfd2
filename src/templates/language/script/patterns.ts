/** Regular expressions of scripts, in bounded time: read as RE2, which the catalogue's scripts are also. */
import { bytesOfText } from '../bytes.ts'
import { DslError } from '../expression/value.ts'
import { compileRegex, type Regex } from '../regex/regex.ts'
import {
  functionOf,
  isFunction,
  isPattern,
  ScriptError,
  type ScriptPattern,
  type ScriptValue,
  stringOf,
} from './value.ts'

const regexOf = ({ source, flags }: ScriptPattern): Regex => {
  const wanted = [...flags].filter((flag) => 'ims'.includes(flag)).join('')
  try {
    return compileRegex(wanted === '' ? source : `(?${wanted})${source}`)
  } catch (error) {
    if (error instanceof DslError) throw new ScriptError(error.message)
    throw error
  }
}

export const callPattern = (pattern: ScriptPattern, key: string): ScriptValue => {
  if (key === 'test') return functionOf(([text]) => regexOf(pattern).test(bytesOfText(stringOf(text))))
  if (key === 'exec')
    return functionOf(([text]) => matchPattern(stringOf(text), { ...pattern, flags: pattern.flags.replace('g', '') }))
  if (key === 'source') return pattern.source
  return undefined
}

const MOST_GROUPS = 20

const patternOf = (what: ScriptValue, flags = ''): ScriptPattern =>
  isPattern(what) ? what : { kind: 'pattern', source: stringOf(what), flags }

/** Groups are those of the match alone, as `matchAll` gives them. */
export const allMatches = (text: string, what: ScriptValue): ScriptValue => {
  const pattern = patternOf(what)
  return [...regexOf(pattern).groups(bytesOfText(text), 0)].map((match) =>
    matchPattern(match, { ...pattern, flags: pattern.flags.replace('g', '') }),
  )
}

export const searchPattern = (text: string, what: ScriptValue): number => {
  const [first] = regexOf(patternOf(what)).groups(bytesOfText(text), 0)
  return first === undefined ? -1 : text.indexOf(first)
}

export const matchPattern = (text: string, what: ScriptValue): ScriptValue => {
  const pattern = patternOf(what)
  const regex = regexOf(pattern)
  const bytes = bytesOfText(text)
  const whole = regex.groups(bytes, 0)
  if (whole.length === 0) return null
  if (pattern.flags.includes('g')) return [...whole]
  const groups = Array.from({ length: MOST_GROUPS }, (_, group) => regex.groups(bytes, group)[0])
  const last = groups.findLastIndex((group) => group !== undefined)
  return groups.slice(0, last + 1)
}

export const splitByPattern = (text: string, pattern: ScriptPattern): ScriptValue[] => {
  const found = regexOf(pattern)
    .groups(bytesOfText(text), 0)
    .filter((match) => match !== '')
  const pieces: string[] = []
  let rest = text
  for (const match of found) {
    const at = rest.indexOf(match)
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at + match.length)
  }
  return [...pieces, rest]
}

export const replacePattern = async (
  text: string,
  what: ScriptValue,
  by: ScriptValue,
  all: boolean,
): Promise<ScriptValue> => {
  if (!isPattern(what)) {
    const old = stringOf(what)
    const made = isFunction(by) ? stringOf(await by.call([old])) : stringOf(by)
    return all ? text.replaceAll(old, () => made) : text.replace(old, () => made)
  }
  const regex = regexOf(what)
  const matches = regex.groups(bytesOfText(text), 0)
  const chosen = what.flags.includes('g') || all ? matches : matches.slice(0, 1)
  let done = ''
  let rest = text
  for (const match of chosen) {
    const at = rest.indexOf(match)
    if (at < 0) break
    const made = isFunction(by) ? stringOf(await by.call([match])) : filled(regex, match, stringOf(by))
    done += rest.slice(0, at) + made
    rest = rest.slice(at + match.length)
    if (match === '' && rest !== '') {
      done += rest[0]
      rest = rest.slice(1)
    }
  }
  return done + rest
}

/** `$1` and `$&` in the replacement. */
const filled = (regex: Regex, match: string, by: string): string =>
  by.replace(/\$(?:(\d)|(&)|(\$))/g, (_, group: string | undefined, whole: string | undefined) => {
    if (group !== undefined) return regex.groups(bytesOfText(match), Number(group))[0] ?? ''
    return whole === undefined ? '$' : match
  })

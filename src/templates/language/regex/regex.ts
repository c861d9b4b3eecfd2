/**
 * Regular expressions of strangers over pages of strangers, in bounded time: V8 first, watched, and the linear engine where
 * V8 does not finish. Semantics are those of RE2. Texts are byte strings; patterns are read as Unicode, as RE2 does over UTF-8.
 */
import { createContext, Script } from 'node:vm'
import { RE2JS } from 're2js'
import { bytesOfText, isAscii, textOfBytes } from '../bytes.ts'
import { DslError } from '../expression/value.ts'
import { translate, Untranslatable } from './translate.ts'

/** Milliseconds that V8 has for one pattern on one text. */
const WATCH = 50
const LONGEST = 4 * 1024 * 1024
/** What the linear engine sees of a text: it takes up to 10 ms for a KiB with the worst pattern of the catalogue. */
const LONGEST_LINEAR = 512 * 1024
/** Patterns that are kept compiled. */
const KEPT = 20_000
const LONGEST_PATTERN = 100_000
/** Without one of these a match has a greatest length, and V8 goes through a text in linear time. */
const UNBOUNDED = /[*+]|\{\d+,|\{\d{3}/
/** Matches that one extraction gives. */
const MOST = 1_000

export interface Regex {
  readonly test: (text: string) => boolean
  /** Byte strings of the group in every match, in order; at most 1,000. A group that took no part is ''. */
  readonly groups: (text: string, group: number) => readonly string[]
  /** `$1` and `${1}` in `by` are groups. */
  readonly replaceAll: (text: string, by: string) => string
}

const cache = new Map<string, Regex>()

/** @throws DslError where it is no RE2 pattern */
export const compileRegex = (pattern: string): Regex => {
  const kept = cache.get(pattern)
  if (kept !== undefined) return kept
  if (cache.size >= KEPT) cache.clear()
  const regex = build(pattern)
  cache.set(pattern, regex)
  return regex
}

/** Null when RE2 reads it, else what is wrong with it. */
export const regexProblem = (pattern: string): string | null => {
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const build = (pattern: string): Regex => {
  if (pattern.length > LONGEST_PATTERN) throw new DslError('a pattern beyond 100,000 characters')
  const fast = fastOf(pattern)
  let linear: RE2JS | null = null
  // A pattern that V8 does not read must still be one of RE2's, or a mistake would pass as "does not match".
  const slow = (): RE2JS => {
    linear ??= compileLinear(pattern)
    return linear
  }
  if (fast === null) slow()
  const harmless = fast !== null && !UNBOUNDED.test(pattern)
  /** Patterns that were slow once are slow again: they go to the linear engine at once. */
  let strikes = 0
  const run = <Result>(
    text: string,
    quick: (regex: RegExp, text: string) => Result,
    linearly: () => Result,
  ): Result => {
    if (fast !== null && harmless) return quick(fast, text)
    if (fast !== null && strikes < 3) {
      const result = watched(() => quick(fast, text))
      if (result.finished) return result.value
      strikes += 1
    }
    return linearly()
  }
  const prepared = (text: string): string => {
    const bounded = text.length > LONGEST ? text.slice(0, LONGEST) : text
    return isAscii(bounded) ? bounded : textOfBytes(bounded)
  }
  return {
    test: (bytes) => {
      const text = prepared(bytes)
      return run(
        text,
        (regex) => {
          regex.lastIndex = 0
          return regex.test(text)
        },
        () => slow().matcher(text.slice(0, LONGEST_LINEAR)).find(),
      )
    },
    groups: (bytes, group) => {
      const text = prepared(bytes)
      return run(
        text,
        (regex) => quickGroups(regex, text, group),
        () => linearGroups(slow(), text.slice(0, LONGEST_LINEAR), group),
      ).map(bytesOfText)
    },
    replaceAll: (bytes, by) => {
      const text = prepared(bytes)
      return bytesOfText(
        slow()
          .matcher(text.slice(0, LONGEST_LINEAR))
          .replaceAll(textOfBytes(by).replace(/\$\{(\d+)\}/g, '$$$1')),
      )
    },
  }
}

const fastOf = (pattern: string): RegExp | null => {
  try {
    const { source, flags } = translate(pattern)
    return new RegExp(source, `${flags}g`)
  } catch (error) {
    if (error instanceof Untranslatable || error instanceof SyntaxError) return null
    throw error
  }
}

const compileLinear = (pattern: string): RE2JS => {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    throw new DslError(`"${pattern.slice(0, 80)}" is no pattern: ${error instanceof Error ? error.message : error}`)
  }
}

const quickGroups = (regex: RegExp, text: string, group: number): string[] => {
  const found: string[] = []
  regex.lastIndex = 0
  for (let match = regex.exec(text); match !== null && found.length < MOST; match = regex.exec(text)) {
    if (group < match.length) found.push(match[group] ?? '')
    if (match[0] === '') regex.lastIndex += 1
  }
  return found
}

const linearGroups = (regex: RE2JS, text: string, group: number): string[] => {
  const matcher = regex.matcher(text)
  const found: string[] = []
  while (found.length < MOST && matcher.find()) {
    if (group <= matcher.groupCount()) found.push(matcher.group(group) ?? '')
  }
  return found
}

/**
 * V8 stops a regular expression only where a script stops: inside `vm` with a timeout. One watch costs about 0.4 ms, so
 * the work of one answer is watched as a whole, and pattern by pattern only where the whole took too long.
 */
const openStage = () => {
  const stage = createContext(Object.assign(Object.create(null) as { work: (() => unknown) | null }, { work: null }))
  return { stage, script: new Script('work()') }
}
/** Made when it is first needed: a start would pay a millisecond for what most scans never ask. */
let opened: ReturnType<typeof openStage> | null = null
let watching = false

/** Runs `work` under one watch; work that is cut is begun again, each pattern then watched by itself. So it must be pure. */
export const watchTogether = <Value>(work: () => Value): Value => {
  const result = watched(work)
  return result.finished ? result.value : work()
}

type Watched<Value> = { readonly finished: true; readonly value: Value } | { readonly finished: false }

const watched = <Value>(work: () => Value): Watched<Value> => {
  if (watching) return { finished: true, value: work() }
  opened ??= openStage()
  const { stage, script } = opened
  stage.work = work
  watching = true
  try {
    return { finished: true, value: script.runInContext(stage, { timeout: WATCH }) as Value }
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { finished: false }
    throw error
  } finally {
    stage.work = null
    watching = false
  }
}

/**
 * By which words a page says that a value was not taken: "Not saved." in the place of "Saved.". Where the page shows what was stored as well, it is
 * another one each time, and these words alone tell.
 */
import { withoutEcho } from '../../insertion-points/likeness.ts'
import type { Reply } from '../../insertion-points/prober.ts'
import { WORD } from '../../insertion-points/word.ts'

export interface Words {
  /** That the failed answer has, and no other. */
  readonly said: readonly string[]
  /** That all others have. */
  readonly missing: readonly string[]
}

/** A sentence or a label of the page's own: no number, no sign that code or a value has. */
const PLAIN = /^[\p{L}][\p{L} .,!?:;’-]{1,199}$/u
/** Of a page so many parts are read. */
const MOST_PARTS = 4_000

/** `failed`: an answer of an error that is hidden; `usual`: answers to what was taken. */
export const wordsOfFailure = (failed: Reply, usual: readonly Reply[]): Words => {
  const [own, others] = [partsOf(failed), usual.map(partsOf)]
  const [first = new Set<string>()] = others
  return {
    said: [...own].filter((part) => others.every((other) => !other.has(part))),
    missing: [...first].filter((part) => !own.has(part) && others.every((other) => other.has(part))),
  }
}

/** An error has words that differ with what broke the statement: some of them are enough, as long as nothing says that all went well. */
export const saysFailed = ({ said, missing }: Words, reply: Reply): boolean => {
  const parts = partsOf(reply)
  if (missing.some((part) => parts.has(part))) return false
  return said.length > 0 ? said.some((part) => parts.has(part)) : missing.length > 0
}

export const saysTaken = ({ said, missing }: Words, reply: Reply): boolean => {
  const parts = partsOf(reply)
  if (said.some((part) => parts.has(part))) return false
  return missing.length > 0 ? missing.every((part) => parts.has(part)) : said.length > 0
}

/** What stands between tags, or between the signs of JSON, and the words of the address that it leads to. */
const partsOf = ({ text, location, value, echoes = [value] }: Reply): ReadonlySet<string> => {
  const told = `${location.replaceAll(/[/?&=]/g, '\n')}\n${echoes.reduce(withoutEcho, text)}`
  const parts = told.split(/<[^<>]{0,2000}>|[<>"{}[\]\n]/, MOST_PARTS).map((part) => part.trim())
  return new Set(parts.filter((part) => PLAIN.test(part) && !part.includes(WORD)))
}

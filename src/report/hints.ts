/** What tells findings of one title apart, in a few words for lists. Pure. */
import type { Finding } from '../contract/finding.ts'
import { placeText } from './canonical.ts'

const MAX_LENGTH = 70

/** By finding id; a title that stands alone needs no hint. */
export const hints = (findings: readonly Finding[], named = 'parameter'): ReadonlyMap<string, string> =>
  new Map(
    Map.groupBy(findings, ({ title }) => title)
      .values()
      .filter((group) => group.length > 1)
      .flatMap((group) => {
        const texts = hintsOf(group, named)
        return group.map(({ id }, index): [string, string] => [id, shortened(texts[index] ?? '')])
      })
      .filter(([, text]) => text !== ''),
  )

/** The place where it differs, else what differs in the sentence about it, else both. */
const hintsOf = (group: readonly Finding[], named: string): string[] => {
  const places = group.map(({ location }) => pathText(location, named))
  if (areDistinct(places)) return places
  const words = differences(group.map(({ detail }) => detail))
  return areDistinct(words) ? words : group.map((_, index) => [places[index], words[index]].filter(Boolean).join(', '))
}

const areDistinct = (texts: readonly string[]): boolean => new Set(texts).size === texts.length && !texts.includes('')

/** Without the host, which all places of a scan share as a rule. */
const pathText = (location: Finding['location'], named: string): string => {
  const url = URL.parse(location.url ?? '')
  return placeText(url === null ? location : { ...location, url: url.pathname + url.search }, named)
}

/** Each text without the words that all of them begin or end with. */
const differences = (texts: readonly string[]): string[] => {
  const lists = texts.map((text) => text.replace(/[.\s]+$/, '').split(/\s+/))
  const shortest = Math.min(...lists.map(({ length }) => length))
  const shared = (wordAt: (words: readonly string[], index: number) => string | undefined, most: number): number => {
    let count = 0
    while (count < most && new Set(lists.map((words) => wordAt(words, count))).size === 1) count++
    return count
  }
  const first = shared((words, index) => words[index], shortest)
  const last = shared((words, index) => words.at(-1 - index), shortest - first)
  return lists.map((words) => words.slice(first, words.length - last).join(' '))
}

const shortened = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`

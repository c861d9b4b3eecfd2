/**
 * Which characters come back, asked in one request; where that dies of one of them, in halves. Each place in which the
 * word comes out has its own filter, so each has its own answer.
 */
import { placesOf } from './contexts.ts'

/**
 * The bracket that opens is last: what strips tags takes all that follows it. Behind the one that closes stands a slash: see
 * `NOWHERE`.
 */
export const CHARACTERS = [...`>/"'\`\\()=; \${}:&#%-+.,[]|!*@?\n\t<`] as const

/** By character what came back in its place; null where it, and what is behind it, is gone. */
export type Came = ReadonlyMap<string, string | null>

/** Sends a value. Null where it is refused. */
export type Ask = (value: string) => Promise<string | null>

const MOST = 14
const LONGEST = 60

/** Alone, in upper case first: there are filters of brackets that look for small letters behind. */
const mark = (index: number, alone: boolean): string => `${alone ? 'Z' : 'z'}${index.toString(36)}z`

/**
 * Makes a path of the word behind a closing bracket. Where a program hands a value to a shell, the bracket redirects its output: to a
 * file in a folder that there is not, the shell opens none and starts nothing.
 */
const NOWHERE = '/'
/** As it comes back, where it is written otherwise. */
const NOWHERE_CAME = /^(?:\\?\/|&#(?:x2f|47);|&sol;|%2f)/i

export const questionOf = (word: string, tokens: readonly string[]): string =>
  `${word}${tokens.map((token, index) => `${token}${mark(index, tokens.length === 1)}${pathOf(tokens, index)}`).join('')}`

const pathOf = (tokens: readonly string[], index: number): string =>
  REDIRECTS.has(tokens[index] ?? '') && tokens[index + 1] !== NOWHERE ? NOWHERE : ''

/** One for each place in which the word came back, in the order of the text. */
export const readAnswer = (text: string, word: string, tokens: readonly string[]): readonly Came[] =>
  placesOf(text, word).map((at) => {
    const came = new Map<string, string | null>()
    let from = at + word.length
    for (const [index, token] of tokens.entries()) {
      const behind = mark(index, false)
      const rest = text.slice(from, from + LONGEST + behind.length)
      const end = rest.toLowerCase().indexOf(behind)
      came.set(token, end < 0 ? null : rest.slice(0, end))
      if (end < 0) continue
      from += end + behind.length
      if (pathOf(tokens, index) !== '') from += NOWHERE_CAME.exec(text.slice(from, from + 6))?.[0].length ?? 0
    }
    return came
  })

export interface Surviving {
  /** Questions. */
  readonly most?: number
  /** Without it nothing can be written in any of the places, so once it is gone the others need not be known. */
  readonly vital?: string | null
  /** What is known of characters that are not asked about: gone, or taken to come. */
  readonly unasked?: Came
}

/** `places`: how often the word comes back by itself. An answer with another number of them is taken as one for all. */
export const askSurvival = async (
  ask: Ask,
  word: string,
  places: number,
  tokens: readonly string[] = CHARACTERS,
  { most = MOST, vital = null, unasked = new Map() }: Surviving = {},
): Promise<readonly Came[]> => {
  const known: Map<string, string | null>[] = Array.from({ length: Math.max(1, places) }, () => new Map(unasked))
  const waiting: (readonly string[])[] = [tokens]
  for (let asked = 0; asked < most; asked += 1) {
    const batch = waiting.shift()
    if (!batch || (vital !== null && known.every((one) => isGone(one, vital)))) {
      if (batch) waiting.push(batch)
      break
    }
    const text = await ask(questionOf(word, batch))
    const answers = text === null ? [] : readAnswer(text, word, batch)
    for (const [index, one] of known.entries()) {
      const mine = answers.length === known.length ? [answers[index]] : answers
      for (const token of batch) {
        const came = mine.map((each) => each?.get(token) ?? null)
        const best = came.find((each) => each === token) ?? came.find((each) => each !== null) ?? null
        if (best !== null || batch.length === 1) one.set(token, best)
      }
    }
    const lost = batch.filter((token) => known.every((one) => !one.has(token)))
    // What was cut off comes in the next; where nothing came, one of them is the cause.
    if (lost.length === 0) continue
    if (lost.length < batch.length) waiting.unshift(lost)
    else waiting.push(...suspectsOf(lost))
  }
  // What there was no time to ask may pass; of a single question nothing more is known.
  if (most === 1) return known
  for (const one of known) {
    const taken = waiting.flat().filter((token) => !one.has(token))
    // The slash behind it may be what was refused.
    if (one.get('<') === '<' && one.get('>') === null && one.get(NOWHERE) === null) taken.push('>')
    for (const token of taken) one.set(token, token)
    assumed.set(one, new Set([...taken, ...unasked.keys()]))
  }
  return known
}

const assumed = new WeakMap<Came, ReadonlySet<string>>()

/** Whether all characters of a text that were asked about have been seen to come back, and none was taken to for want of time. */
export const isSeenIn = (came: Came, text: string): boolean =>
  ![...(assumed.get(came) ?? [])].some((token) => text.includes(token))

/** Lost, or written in another way. */
const isGone = (came: Came, token: string): boolean => came.has(token) && came.get(token)?.endsWith(token) !== true

/** What refuses a value mostly does so for a bracket: each alone, then the others, then halves. */
const suspectsOf = (tokens: readonly string[]): readonly (readonly string[])[] => {
  const [brackets, others] = [
    tokens.filter((one) => BRACKETS.includes(one)),
    tokens.filter((one) => !BRACKETS.includes(one)),
  ]
  if (brackets.length > 0 && others.length > 0) return [...brackets.map((one) => [one]), others]
  const half = Math.ceil(tokens.length / 2)
  return [tokens.slice(0, half), tokens.slice(half)]
}
const BRACKETS: readonly string[] = ['<', '>']

/** Ways to write a character that some sites decode, or cut free, after they have looked; the same way stands at the same index. */
export const formsOf = (char: string): readonly string[] => {
  const code = char.charCodeAt(0)
  const hex = code.toString(16).padStart(2, '0')
  return [
    `%${hex}`,
    `%25${hex}`,
    `%2525${hex}`,
    `&#${code};`,
    `\\u00${hex}`,
    `\\x${hex}`,
    // Narrowed to the plain form by what normalises (NFKC), or cut to one byte.
    String.fromCharCode(0xfee0 + code),
    String.fromCharCode(0x100 + code),
    // In front of an element that a filter takes out: what is left is the beginning of another one.
    char === '<' ? '<<x>' : char,
    `${char}${char}`,
    `\0${char}`,
  ]
}

/** What is a closing bracket, or becomes one where a site decodes it. */
const REDIRECTS: ReadonlySet<string> = new Set(['>', ...formsOf('>')])

/** What a report says by itself, in its language: phrases by their English, numbers, dates and names. Pure. */
import type { Finding, Severity } from '../../contract/finding.ts'
import type { Language } from '../../contract/language.ts'
import { DE, NOUNS_DE, TABLE_DE } from './de.ts'

/** A phrase of the report, by its English; `{1}` is its first value. */
export type Phrase = keyof typeof DE
/** What is counted, by its English singular. */
export type Noun = keyof typeof NOUNS_DE

export interface Words {
  (phrase: Phrase, ...values: readonly (string | number)[]): string
  readonly language: Language
  /** Of words that come from elsewhere; as they are where they are none of ours. */
  readonly known: (text: string) => string
  /** Of the document (BCP 47). */
  readonly tag: string
  /** 2417 → "2,417" */
  readonly number: (value: number) => string
  /** (0.514, 1) → "51.4", in the writing of the language. */
  readonly decimal: (value: number, digits: number) => string
  /** "2026-11-21T…" → "21 November 2026", in UTC; what is no date stays as it is. */
  readonly date: (timestamp: string) => string
  /** (2, 'problem') → "2 problems" */
  readonly many: (count: number, noun: Noun) => string
  /** ['a', 'b', 'c'] → "a, b and c" */
  readonly list: (items: readonly string[]) => string
  readonly severity: Readonly<Record<Severity, string>>
  readonly confidence: Readonly<Record<Finding['confidence'], string>>
}

const ENGLISH_PLURALS: Readonly<Partial<Record<Noun, string>>> = {
  'problem is': 'problems are',
  'problem was': 'problems were',
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' }

/** Making one costs a hundred times what using it does. */
const formatsOf = (tag: string) => {
  const decimals = new Map<number, Intl.NumberFormat>()
  return {
    whole: new Intl.NumberFormat(tag),
    day: new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
    decimals: (digits: number): Intl.NumberFormat => {
      const bounds = { minimumFractionDigits: digits, maximumFractionDigits: digits }
      const made = decimals.get(digits) ?? new Intl.NumberFormat(tag, { ...bounds, useGrouping: false })
      decimals.set(digits, made)
      return made
    },
  }
}

const make = (language: Language): Words => {
  const tag = LOCALES[language]
  let made: ReturnType<typeof formatsOf> | null = null
  const formats = () => {
    made ??= formatsOf(tag)
    return made
  }
  const translated: Readonly<Record<string, string>> = language === 'de' ? DE : {}
  const say = (phrase: Phrase, ...values: readonly (string | number)[]): string =>
    (translated[phrase] ?? phrase).replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index) - 1] ?? ''))
  const number = (value: number): string => formats().whole.format(value)
  const nouns = (noun: Noun): readonly [string, string] =>
    language === 'de' ? NOUNS_DE[noun] : [noun, ENGLISH_PLURALS[noun] ?? `${noun}s`]
  return Object.assign(say, {
    ...{ language, tag, number, known: (text: string) => translated[text] ?? text },
    decimal: (value: number, digits: number) => formats().decimals(digits).format(value),
    date: (timestamp: string) => dateIn(formats().day, timestamp),
    many: (count: number, noun: Noun) => `${number(count)} ${nouns(noun)[count === 1 ? 0 : 1]}`,
    list: (items: readonly string[]) =>
      items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${say('and')} ${items.at(-1)}`,
    severity: {
      ...{ critical: say('Critical'), high: say('High'), medium: say('Medium'), low: say('Low'), info: say('Info') },
    },
    confidence: { confirmed: say('Confirmed'), firm: say('Firm'), tentative: say('Tentative') },
  })
}

const dateIn = (day: Intl.DateTimeFormat, timestamp: string): string => {
  const date = new Date(timestamp)
  return Number.isNaN(date.getTime()) ? timestamp : day.format(date)
}

const WORDS: Readonly<Record<Language, Words>> = { en: make('en'), de: make('de') }

export const wordsOf = (language: Language): Words => WORDS[language]

/** The table of words that a reader may not know, as [English word, English meaning] is given. */
export const glossaryIn = (
  { language }: Words,
  english: readonly (readonly [word: string, meaning: string])[],
): readonly (readonly [word: string, meaning: string])[] => (language === 'de' ? TABLE_DE : english)

/** Words of the interface in the reader's language. Findings are asked for in it, too; what a check saw stays as the scanner wrote it, in English. */
import { useQueryClient } from '@tanstack/react-query'
import { IntlMessageFormat } from 'intl-messageformat'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import type { Language } from '../../../src/contract/language.ts'
import { Early } from '../components/early.tsx'
import { type Phrases, saidIn } from '../phrases.ts'
import { readIn } from '../reading.ts'
import { remember, remembered } from '../storage.ts'
import { EN } from './en.ts'
import type { Key, Room, Words } from './words.ts'

export type { Language } from '../../../src/contract/language.ts'
export type { Key } from './words.ts'
export type Translate<Own extends string = never> = (
  key: Key | Own,
  values?: Readonly<Record<string, string | number>>,
) => string

export interface Text<Own extends string = never> {
  readonly language: Language
  readonly choose: (language: Language) => void
  readonly t: Translate<Own>
  /** What the service says in English, in the language; as it is where nobody has put it into words. */
  readonly said: (english: string) => string
}

const STORED = 'sonde.language'
const isLanguage = (value: string | null): value is Language => value === 'en' || value === 'de'

const preferred = (): Language => {
  const chosen = remembered(STORED)
  const language = isLanguage(chosen) ? chosen : navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en'
  readIn(language)
  return language
}

const messages: Record<Language, Map<string, IntlMessageFormat>> = { en: new Map(), de: new Map() }

/** Pure: a message of ICU (MessageFormat) with its values, in the plural forms and numbers of the language. */
const fill = (language: Language, words: string, values: Readonly<Record<string, string | number>>): string => {
  const known = messages[language].get(words)
  const message = known ?? new IntlMessageFormat(words, language, undefined, { ignoreTag: true })
  if (known === undefined) messages[language].set(words, message)
  return String(message.format(values))
}

const Context = createContext<Text | null>(null)

interface Dictionary {
  readonly of: Language
  readonly words: Words
  readonly phrases: Phrases
}
const ENGLISH: Dictionary = { of: 'en', words: EN, phrases: [] }

/** German is a file of its own: who reads English never loads it. */
const load = async (language: Language): Promise<Dictionary> => {
  if (language === 'en') return ENGLISH
  const { DE } = await import('./de.ts')
  return { of: 'de', words: DE, phrases: [] }
}

/** What the service says comes behind what the pages say: nothing is said by it at first. */
const withPhrases = async (dictionary: Dictionary): Promise<Dictionary> => {
  if (dictionary.of === 'en') return dictionary
  const { PHRASES } = await import('./de/phrases.ts')
  return { ...dictionary, phrases: PHRASES }
}

export const TextProvider = ({ children }: { readonly children: ReactNode }) => {
  const queries = useQueryClient()
  const [language, setLanguage] = useState(preferred)
  const [words, setWords] = useState<Dictionary | null>(language === 'en' ? ENGLISH : null)
  useEffect(() => {
    let current = true
    const show = (loaded: Dictionary): Dictionary => {
      if (current) setWords(loaded)
      return loaded
    }
    void load(language).then(show).then(withPhrases).then(show)
    return () => {
      current = false
    }
  }, [language])
  useEffect(() => {
    if (words !== null) document.documentElement.lang = words.of
  }, [words])
  const text = useMemo<Text | null>(
    () =>
      words && {
        language: words.of,
        choose: (chosen) => {
          remember(STORED, chosen)
          readIn(chosen)
          setLanguage(chosen)
          void queries.invalidateQueries()
        },
        t: (key, values = {}) => fill(words.of, words.words[key], values),
        said: (english) => saidIn(words.phrases, english),
      },
    [words, queries],
  )
  return text === null ? <Early /> : <Context value={text}>{children}</Context>
}

export const useText = (): Text => {
  const text = use(Context)
  if (text === null) throw new Error('There is no TextProvider around this')
  return text
}
export const useT = (): Translate => useText().t

/** With the words of a part that brings its own. */
export const useRoom = <Own extends string>(room: Room<Own>): Text<Own> => {
  const text = useText()
  const own = room[text.language]
  return {
    ...text,
    t: (key, values = {}) => (isOf(own, key) ? fill(text.language, own[key], values) : text.t(key, values)),
  }
}

const isOf = <Own extends string>(own: Readonly<Record<Own, string>>, key: Key | Own): key is Own =>
  Object.hasOwn(own, key)

/** Words of the interface in the reader's language. What a scan says stays as the scanner wrote it, in English. */
import { IntlMessageFormat } from 'intl-messageformat'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { remember, remembered } from '../storage.ts'
import { EN } from './en.ts'
import type { Key, Room, Words } from './words.ts'

export type { Key } from './words.ts'
export type Language = 'en' | 'de'
export type Translate<Own extends string = never> = (
  key: Key | Own,
  values?: Readonly<Record<string, string | number>>,
) => string

export interface Text<Own extends string = never> {
  readonly language: Language
  readonly choose: (language: Language) => void
  readonly t: Translate<Own>
}

const STORED = 'sonde.language'
const isLanguage = (value: string | null): value is Language => value === 'en' || value === 'de'

const preferred = (): Language => {
  const chosen = remembered(STORED)
  if (isLanguage(chosen)) return chosen
  return navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en'
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

/** German is a file of its own: who reads English never loads it. */
const load = async (language: Language): Promise<Words> => (language === 'en' ? EN : (await import('./de.ts')).DE)

export const TextProvider = ({ children }: { readonly children: ReactNode }) => {
  const [language, setLanguage] = useState(preferred)
  const [words, setWords] = useState<{ readonly of: Language; readonly words: Words } | null>(
    language === 'en' ? { of: 'en', words: EN } : null,
  )
  useEffect(() => {
    let current = true
    void load(language).then((loaded) => {
      if (current) setWords({ of: language, words: loaded })
    })
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
          setLanguage(chosen)
        },
        t: (key, values = {}) => fill(words.of, words.words[key], values),
      },
    [words],
  )
  return text && <Context value={text}>{children}</Context>
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

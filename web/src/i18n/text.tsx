/** Words of the interface in the reader's language. What a scan says stays as the scanner wrote it, in English. */
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { remember, remembered } from '../storage.ts'
import { EN } from './en.ts'
import type { Key, Words } from './words.ts'

export type { Key } from './words.ts'
export type Language = 'en' | 'de'
export type Translate = (key: Key, values?: Readonly<Record<string, string | number>>) => string

export interface Text {
  readonly language: Language
  readonly choose: (language: Language) => void
  readonly t: Translate
}

const STORED = 'sonde.language'
const isLanguage = (value: string | null): value is Language => value === 'en' || value === 'de'

const preferred = (): Language => {
  const chosen = remembered(STORED)
  if (isLanguage(chosen)) return chosen
  return navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en'
}

/** Pure: fills `{name}`; with a value `n`, the part before `|` is for one, the part after it for any other number. */
export const fill = (words: string, values: Readonly<Record<string, string | number>> = {}): string => {
  const [one = '', other = one] = words.split('|')
  const chosen = values.n === 1 ? one : other
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
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
        t: (key, values) => fill(words.words[key], values),
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

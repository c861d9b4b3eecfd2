/**
 * What people read of findings, in languages other than English: `<language>/<module>.texts` beside this file, and the fixed
 * sentences of coverage in `<language>/sentences.texts`.
 *
 * A block of a module's file is a definition's id with the hash of each English text that it translates, then title, why and
 * remediation, one a line; the block of the module itself has its title alone. `= other/id` stands for the same text of that block.
 * A text is shown in place of the English one only where that is the one it translates, so a run of an older version keeps its words
 * instead of getting others.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Language } from '../../contract/language.ts'

/** Texts of a definition, in the order of its block. */
export const PARTS = ['title', 'why', 'remediation'] as const
export type Part = (typeof PARTS)[number]

export interface Translated {
  /** Hash of the English text that it was written for. */
  readonly of: string
  readonly text: string
}

/** By the id of a definition (three texts) or of a module (one). */
export type Texts = ReadonlyMap<string, readonly Translated[]>

export interface Translator {
  readonly language: Language
  /** The title of a module; as it was given where there is none. */
  readonly module: (id: string, english: string) => string
  readonly part: (id: string, part: Part, english: string) => string
  /** A fixed sentence, or one of a fixed form with values; another comes back as it is. */
  readonly sentence: (english: string) => string
  /** Ids of definitions whose title has a word that begins like this; none in English, which is what is stored. */
  readonly named: (start: string) => readonly string[]
}

/** Of a text; eight digits are enough to see that it was changed. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** @throws Error that names the block which is none */
export const parseTexts = (source: string): Texts => {
  const blocks = blocksOf(source).map(([head = '', ...lines]): [string, Translated[]] => {
    const [id = '', ...hashes] = head.split(' ')
    if (hashes.length !== lines.length || !hashes.every((hash) => HASH.test(hash)))
      throw new Error(`${id}: a block is its id with a hash for each line below it`)
    return [id, lines.map((text, index) => ({ of: hashes[index] ?? '', text }))]
  })
  return new Map(blocks)
}

const HASH = /^[0-9a-f]{8}$/

/** English and the same in the language; `{1}` is a value. @throws Error that names the block which is none */
export const parseSentences = (source: string): ReadonlyMap<string, string> =>
  new Map(
    blocksOf(source).map(([english = '', text, ...more]) => {
      if (text === undefined || more.length > 0) throw new Error(`not a sentence and its translation: ${english}`)
      return [english, text]
    }),
  )

const blocksOf = (source: string): string[][] =>
  source
    .split(/\n{2,}/)
    .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
    .filter((lines) => lines.length > 0)

/** Files of the language. */
export const textFiles = (language: Language): ReadonlyMap<string, string> =>
  language === 'en'
    ? new Map()
    : new Map(
        readdirSync(folderOf(language))
          .filter((name) => name.endsWith('.texts'))
          .toSorted()
          .map((name) => [name.replace('.texts', ''), readFileSync(new URL(name, folderOf(language)), 'utf8')]),
      )

const folderOf = (language: Language): URL => new URL(`./${language}/`, import.meta.url)

const known = new Map<Language, Translator>()

/** Read from disk when a language is first asked for. */
export const translator = (language: Language): Translator => {
  const made = known.get(language) ?? (language === 'en' ? ENGLISH : translatorOf(language, textFiles(language)))
  known.set(language, made)
  return made
}

const ENGLISH: Translator = {
  language: 'en',
  module: (_id, english) => english,
  part: (_id, _part, english) => english,
  sentence: (english) => english,
  named: () => [],
}

/** @throws Error where a file is none of texts */
export const translatorOf = (language: Language, files: ReadonlyMap<string, string>): Translator => {
  const texts = new Map([...files].flatMap(([name, source]) => (name === SENTENCES ? [] : [...parseTexts(source)])))
  const find = (id: string, index: number, english: string): string => {
    const found = texts.get(id)?.[index]
    return found === undefined || found.of !== hashOf(english) ? english : resolved(texts, found.text, index)
  }
  return {
    language,
    module: (id, english) => find(id, 0, english),
    part: (id, part, english) => find(id, PARTS.indexOf(part), english),
    sentence: sentenceReader(parseSentences(files.get(SENTENCES) ?? '')),
    named: (start) => {
      const wanted = start.toLocaleLowerCase(language)
      return [...texts].flatMap(([id, [title]]) => {
        const words = (title === undefined ? '' : resolved(texts, title.text, 0))
          .toLocaleLowerCase(language)
          .split(/[^\p{L}\p{N}]+/u)
        return id.includes('/') && words.some((word) => word.startsWith(wanted)) ? [id] : []
      })
    },
  }
}

const SENTENCES = 'sentences'

/** @throws Error where it names a block that has no such line */
export const resolved = (texts: Texts, text: string, index: number): string => {
  if (!text.startsWith('= ')) return text
  const other = texts.get(text.slice(2))?.[index]?.text
  if (other === undefined || other.startsWith('= ')) throw new Error(`"${text}" leads to no text`)
  return other
}

const VALUE = /\{(\d)\}/g
/** Sentences stand one after the other, or are joined to one. */
const BETWEEN = /((?<=[.!?]) (?=[A-Z])|; )/
/** What counts hold apart: "3 left alone: it deletes, 7 for 2 other reasons". */
const LISTED = /, (?=\d)/

const sentenceReader = (sentences: ReadonlyMap<string, string>): ((english: string) => string) => {
  const forms = [...sentences].filter(([english]) => english.search(VALUE) >= 0).map(formOf)
  const one = (english: string): string | undefined => sentences.get(english) ?? formed(english)
  const formed = (english: string): string | undefined => {
    for (const { pattern, order, text } of forms) {
      const found = pattern.exec(english)
      if (found === null) continue
      const [, ...values] = found
      return text.replace(VALUE, (_, index: string) => value(values[order.indexOf(index)] ?? ''))
    }
    return undefined
  }
  /** A name or number as it is; what is of fixed words itself in the language. */
  const value = (english: string): string =>
    one(english) ?? all(english.split(LISTED).map(counted))?.join(', ') ?? english
  const counted = (item: string): string | undefined => {
    const [, count = '', reason = ''] = /^(\d[\d,]*) (.+)$/.exec(item) ?? []
    const text = reason === '' ? one(item) : one(reason)
    return text === undefined || reason === '' ? text : `${count} ${text}`
  }
  return (english) =>
    one(english) ??
    all(english.split(BETWEEN).map((part, index) => (index % 2 === 1 ? part : one(part))))?.join('') ??
    english
}

const all = (texts: readonly (string | undefined)[]): readonly string[] | null =>
  texts.every((text) => text !== undefined) ? texts : null

/** What is fixed in a form, and where its values stand. */
const formOf = ([english, text]: readonly [string, string]) => ({
  text,
  order: [...english.matchAll(VALUE)].map(([, index]) => index ?? ''),
  pattern: new RegExp(
    `^${english
      .split(/\{\d\}/)
      .map(RegExp.escape)
      .join('(.{1,400}?)')}$`,
    's',
  ),
})

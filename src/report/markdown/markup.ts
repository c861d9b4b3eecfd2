/**
 * The one way from text to Markdown (CommonMark 0.31 with the extensions of GitHub). A template's values are texts: what would be
 * markup is escaped, and words that some program makes a link or a mention of by itself (addresses, names of hosts, `@`) stand as
 * code, which none does. Text of a target never stands in a table: there a bar ends a cell even within code.
 */
import { withSigns } from '../signs.ts'
import type { Words } from '../words/words.ts'

/** Finished Markdown; nothing but the functions of this file makes it. */
export class Markdown {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Markdown | null | readonly Value[]

/** A template whose values are escaped; null and an empty list are nothing. */
export const md = (parts: TemplateStringsArray, ...values: readonly Value[]): Markdown =>
  new Markdown(
    values.reduce<string>(
      (text, value, index) => joined(joined(text, rendered(value)), parts[index + 1] ?? ''),
      parts[0] ?? '',
    ),
  )

const rendered = (value: Value): string => {
  if (value === null) return ''
  if (value instanceof Markdown) return value.text
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return inline(value)
  return value.reduce<string>((text, each) => joined(text, rendered(each)), '')
}

/** Two code spans side by side would be read as one. */
const joined = (before: string, after: string): string =>
  before.endsWith('`') && after.startsWith('`') ? `${before} ${after}` : before + after

/** In one line. */
const inline = (source: string): string => guarded(piece(oneLine(source)))

/** Of a line; spaces at its ends stay. */
const piece = (text: string): string => withSigns(text, words, named)

const named = (sign: string): string => `⟨${sign}⟩`

const oneLine = (text: string): string => text.replace(/[\s\u0085]+/g, ' ').trim()

/** At the beginning of a line or of an item these would begin a list, a rule or a heading. */
const guarded = (text: string): string => text.replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\').replace(/^(?=[-+=])/, '\\')

const words = (text: string): string =>
  text
    .split(/( )/)
    .map((word) => (LINKED.test(word) ? linked(word) : escaped(word)))
    .reduce(joined, '')

/** What programs make links, mentions or pictures of: addresses, hosts and files, `@name`, `#1`, `:name:`. */
const LINKED = /@|:\/\/|^\W*www\b|[\p{L}\p{N}]\.\p{L}{2,}|#\d|:(?:[a-z][\w+-]*|[+-]1):/iu

const linked = (word: string): string => {
  const [, before = '', core = '', after = ''] = /^([("'‘“]*)(.*?)([)"'’”.,;:!?]*)$/u.exec(word) ?? []
  return core === '' ? escaped(word) : escaped(before) + code(core).text + escaped(after)
}

const escaped = (text: string): string => text.replace(/[\\`*_[\]<>#|~&$^{}]/g, '\\$&')

/** Longer than any row of backticks in the text. */
const fenceOf = (text: string, least: number): string =>
  '`'.repeat(Math.max(least, 1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))))

/** As it is, in one line. */
export const code = (source: string): Markdown => {
  const text = withSigns(oneLine(source), (part) => part, named)
  if (text === '') return new Markdown('')
  const fence = fenceOf(text, 1)
  const pad = /^`|`$/.test(text) ? ' ' : ''
  return new Markdown(`${fence}${pad}${text}${pad}${fence}`)
}

/** Lines as they are, a block of their own. */
export const codeBlock = (source: string): Markdown => {
  const text = withSigns(source, (part) => part, named).trimEnd()
  const fence = fenceOf(text, 3)
  return new Markdown(`${fence}\n${text}\n${fence}`)
}

/** The text, or its beginning and how much is left out. Characters. */
export const clipped = (text: string, max: number, w: Words): string =>
  text.length <= max ? text : `${text.slice(0, max).toWellFormed()} … ${w('{1} more characters', text.length - max)}`

/** Text with `code` between backticks. */
export const marked = (text: string): Markdown =>
  new Markdown(
    guarded(
      oneLine(text)
        .split(/(`[^`]{1,300}`)/)
        .map((part, index) => (index % 2 === 1 ? code(part.slice(1, -1)).text : piece(part)))
        .reduce(joined, ''),
    ),
  )

const MAX_PROSE = 12_000

/** Blocks: paragraphs at empty lines, fenced blocks as code. */
export const prose = (text: string): readonly Markdown[] =>
  text
    .slice(0, MAX_PROSE)
    .split(/```[a-z]*\n([\s\S]*?)```/)
    .flatMap((part, index) =>
      index % 2 === 1
        ? [codeBlock(part)]
        : part
            .split(/\n\s*\n/)
            .filter((paragraph) => paragraph.trim() !== '')
            .map(marked),
    )

/** A link to what is an http address, else its text alone. */
export const link = (address: string, name: string): Markdown => {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || address.length > 2000) return md`${name}`
  const target = url.href.replace(/[\\<>\s]/g, (character) => encodeURIComponent(character))
  return md`[${name}](<${new Markdown(target)}>)`
}

/** Blocks with an empty line between them; those that are null or empty are left out. */
export const blocks = (parts: readonly (Markdown | null)[]): Markdown =>
  new Markdown(
    parts.flatMap((part) => (part === null || part.text.trim() === '' ? [] : [part.text.trim()])).join('\n\n'),
  )

export const list = (items: readonly Markdown[]): Markdown =>
  new Markdown(items.map(({ text }) => `- ${text}`).join('\n'))

/** Of words of our own alone. The first column is a heading, the others are figures. */
export const figures = (head: readonly string[], rows: readonly (readonly [string, ...number[]])[]): Markdown =>
  new Markdown(
    [
      head,
      head.map((_, index) => (index === 0 ? '---' : '--:')),
      ...rows.map(([name, ...counts]) => [name.replace(/[^\p{L}\p{N} ,()/-]/gu, ' '), ...counts.map(String)]),
    ]
      .map((row) => `| ${row.join(' | ')} |`)
      .join('\n'),
  )

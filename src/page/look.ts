/** What a page is, apart from what it says: by it pages of one code are told from those of another. */
import { createHash } from 'node:crypto'
import type { HtmlForm, HtmlInput, HtmlPage } from './html.ts'
import { nameShape, segmentShape } from './shape.ts'
import { distance, shareInCommon, simhash } from './similarity.ts'

export interface Look {
  /** How it is built: see `outlineOf`; of JSON its names. */
  readonly outline: ReadonlySet<string>
  /** Its forms, each by method, address and names; '' without. */
  readonly forms: string
  /** Likewise, by the names that people see: what a list is narrowed by stands in hidden fields of each of its forms. */
  readonly filled: string
  /** True where one of its forms is sent to the page itself. */
  readonly asksItself: boolean
  /** Title and first headings, without numbers. */
  readonly heading: string
  /** Of its words: see `simhash`. */
  readonly words: readonly [number, number]
  /** It lists nothing, so that nothing tells how its rows are built. */
  readonly lacksRows?: true
}

/** Share of the outline that two pages of one code have in common: lists are longer, parts are missing. */
const ALIKE = 0.7
const MAX_NAMES = 2_000

export const lookOf = (page: HtmlPage, html: string, url: string): Look => {
  const own = new URL(url).pathname
  const forms = page.forms.map((form) => formOf(form, own))
  return {
    outline: page.outline,
    forms: hashOf([...new Set(forms)].toSorted()),
    filled: hashOf([...new Set(page.forms.map((form) => formOf(form, own, isSeen)))].toSorted()),
    asksItself: forms.some((form) => form.startsWith('. ')),
    heading: [page.title, ...headings(html)]
      .join(' ')
      .replace(/[\d\s]+/g, ' ')
      .trim()
      .toLowerCase(),
    words: simhash(html),
  }
}

/** Of an answer that is no page. */
export const lookOfText = (text: string): Look => ({
  outline: new Set(
    [...text.slice(0, 200_000).matchAll(/"([\w$.-]{1,60})"\s*:/g)].slice(0, MAX_NAMES).map((match) => match[1] ?? ''),
  ),
  forms: '',
  filled: '',
  asksItself: false,
  heading: '',
  words: simhash(text),
  ...(isEmptied(text) ? { lacksRows: true as const } : {}),
})

/** Characters of a document that holds no rows. */
const LONGEST_EMPTIED = 2_000

/** A document of data that is an empty list, or whose members hold nothing but such and plain values. */
const isEmptied = (text: string): boolean => {
  if (text.length > LONGEST_EMPTIED || !/\[\s*\]/.test(text)) return false
  try {
    const data: unknown = JSON.parse(text)
    const isEmpty = (one: unknown): boolean => Array.isArray(one) && one.length === 0
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return isEmpty(data)
    const holding = Object.values(data).filter((one) => typeof one === 'object' && one !== null)
    return holding.length > 0 && holding.every(isEmpty)
  } catch (error) {
    if (error instanceof SyntaxError) return false // It is no such document.
    throw error
  }
}

export const isAlike = (a: Look, b: Look): boolean =>
  a.forms === b.forms && shareInCommon(a.outline, b.outline) >= ALIKE

/** True where the same is filled in by whoever sees them, and they are built alike. */
export const isAskedAlike = (a: Look, b: Look): boolean =>
  a.filled === b.filled && shareInCommon(a.outline, b.outline) >= ALIKE

/** Bits in which the words of one page may differ from one time to the next. */
const SAME_WORDS = 2

/** True where they say the same as well. */
export const isSamePage = (a: Look, b: Look): boolean =>
  a.heading === b.heading && distance(a.words, b.words) <= SAME_WORDS && isAlike(a, b)

const isSeen = ({ type }: HtmlInput): boolean => type !== 'hidden'

const formOf = (
  { action, method, inputs }: HtmlForm,
  own: string,
  counts: (input: HtmlInput) => boolean = () => true,
): string => {
  const path = URL.parse(action ?? '')?.pathname ?? ''
  const names = [...new Set(inputs.filter(counts).map(({ name }) => rowless(name)))].toSorted().join(',')
  return `${path === own ? '.' : path.split('/').map(segmentShape).join('/')} ${method} ${names}`
}

/** A list that can be edited has a field for each row, called after its record: `chosen[22947]`, `amount_17`. */
const rowless = (name: string): string => nameShape(name).replace(/([-_.:])\d+(?=$|[-_.:])/g, '$1')

const headings = (html: string): readonly string[] =>
  [...html.slice(0, 100_000).matchAll(/<h[12]\b[^>]{0,500}>([^<]{1,200})/gi)].slice(0, 3).map((match) => match[1] ?? '')

const hashOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)

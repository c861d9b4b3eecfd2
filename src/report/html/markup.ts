/**
 * The one way from text to HTML. A template's values are texts and are escaped for where they stand, in an element or
 * in an attribute; only what this module made itself goes in as it is. Characters that are invisible or change the
 * direction of what follows show as signs, so that a page of evidence reads as what it is.
 */
import { UNSEEN, withSigns } from '../signs.ts'
import type { Words } from '../words/words.ts'

/** Finished HTML; nothing but the functions of this file makes it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | null | readonly Value[]

/** A template whose values are escaped; null and an empty list are nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => {
  let text = parts[0] ?? ''
  let literal = text
  for (const [index, value] of values.entries()) {
    const inTag = literal.lastIndexOf('<') > literal.lastIndexOf('>')
    const part = parts[index + 1] ?? ''
    text += rendered(value, inTag) + part
    literal += part
  }
  return new Html(text)
}

const rendered = (value: Value, inTag: boolean): string => {
  if (value === null) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return inTag ? escaped(value.toWellFormed().replace(UNSEEN, ' ')) : visible(value)
  return value.map((each) => rendered(each, inTag)).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const visible = (source: string): string => withSigns(source, escaped, (sign) => `<span class="sign">${sign}</span>`)

/** The text, or its beginning and how much is left out. */
export const clipped = (text: string, max: number, w: Words): Html =>
  text.length <= max
    ? html`${text}`
    : html`${text.slice(0, max).toWellFormed()}<span class="quiet"> … ${w('{1} more characters', text.length - max)}</span>`

/** Text with `code` between backticks. */
export const marked = (text: string): Html =>
  html`${text.split(/`([^`\n]{1,300})`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`

const MAX_PROSE = 12_000

/** Paragraphs at empty lines, fenced blocks as code. */
export const prose = (text: string): Html =>
  html`${text
    .slice(0, MAX_PROSE)
    .split(/```[a-z]*\n([\s\S]*?)```/)
    .flatMap((part, index) =>
      index % 2 === 1
        ? [html`<pre tabindex="0"><code>${part.trimEnd()}</code></pre>`]
        : part
            .split(/\n\s*\n/)
            .filter((paragraph) => paragraph.trim() !== '')
            .map((paragraph) => html`<p>${marked(paragraph.trim())}</p>`),
    )}`

/** A link to what is an http address, else its text alone. It tells the site that it leads to nothing about the reader. */
export const link = (address: string, name: string): Html => {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || address.length > 2000) return html`${name}`
  return html`<a href="${url.href}" rel="noopener noreferrer nofollow">${name}</a>`
}

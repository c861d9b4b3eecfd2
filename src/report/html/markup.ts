/**
 * The one way from text to HTML. A template's values are texts and are escaped for where they stand, in an element or
 * in an attribute; only what this module made itself goes in as it is. Characters that are invisible or change the
 * direction of what follows show as signs, so that a page of evidence reads as what it is.
 */

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

/** Control, format, private and unassigned characters; all that nobody sees or that moves what others see. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu
/** One of them, several times over; or more marks on one letter than any script has. */
const SIGNS = /([\p{Cc}\p{Cf}\p{Co}\p{Cn}])\1*|(?<=\p{M}{4})\p{M}+/gu
const ALLOWED = new Set(['\n', '\t'])
/** Joins pictures to one: shown as it is between them. */
const JOINER = '\u200d'
const PICTURE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u

const visible = (source: string): string => {
  const text = source.toWellFormed().replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
  let result = ''
  let from = 0
  for (const match of text.matchAll(SIGNS)) {
    const [run, one] = match
    if (
      one !== undefined &&
      (ALLOWED.has(one) || (run === JOINER && PICTURE.test(text.slice(Math.max(0, match.index - 4), match.index))))
    )
      continue
    result += escaped(text.slice(from, match.index)) + (one === undefined ? '' : sign(one, [...run].length))
    from = match.index + run.length
  }
  return result + escaped(text.slice(from))
}

const sign = (character: string, count: number): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `<span class="sign">U+${code}${count > 1 ? ` ×${count}` : ''}</span>`
}

/** The text, or its beginning and how much is left out. */
export const clipped = (text: string, max: number): Html =>
  text.length <= max
    ? html`${text}`
    : html`${text.slice(0, max).toWellFormed()}<span class="quiet"> … ${text.length - max} more characters</span>`

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

/** What of a page is seen, found in one pass over the text however the page is written. */
import { withoutEntities } from '../../../page/entities.ts'

const BLOCKS = /<(?:br|\/?(?:p|div|li|tr|td|h[1-6]|pre|table|ul|ol|section|article|main|title))\b[^<>]{0,500}>/gi

/** A page's text with one line a block: rough, but it keeps what a program printed in the lines it printed. */
export const visibleText = (html: string): string =>
  withoutEntities(
    withoutElements(html, ['script', 'style'])
      .replace(BLOCKS, '\n')
      .replace(/<[^<>]{1,2000}>/g, ''),
  ).replaceAll('\u00a0', ' ')

const DOCUMENT = /^\s{0,100}[[{]/
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: '\t' }

/**
 * An error that a program is told in JSON (RFC 8259, 7), each line of its texts a line. What answers plainly may hold somebody’s words
 * about errors; it and everything else stays as it is.
 */
export const withLines = (body: string, status: number): string =>
  status >= 400 && DOCUMENT.test(body)
    ? body.replace(/\\(.)|"/g, (_found, escaped?: string) =>
        escaped === undefined ? '\n' : (ESCAPED[escaped] ?? escaped),
      )
    : body

/** The page without what it shows as sample text. An answer that is an error shows no samples. */
export const withoutSamples = (html: string, status: number): string =>
  status >= 400 ? html : withoutElements(html, ['pre', 'code', 'samp', 'textarea', 'blockquote'])

/**
 * The lines of a page that begin as messages of programs do. A heading, a link and a sentence with a message in it are somebody's
 * question or answer about it.
 */
export const outsideProse = (html: string): string =>
  visibleText(withoutElements(html, ['title', 'h[1-6]', 'a', 'li', 'td', 'option']))
    .split('\n')
    .filter((line) => MESSAGE.test(line))
    .join('\n')

/** Names of what fails, and words that programs put before their messages; then one that messages begin with. */
const MESSAGE =
  /^\s*(?:(?:[\w\\]{0,60}(?:Error|Exception|Warning)|error|warning|fatal|uncaught|query|failed|invalid|database|db|my\w{0,20}sql\w{0,20}|pg\w{0,20}|odbc|\w{0,20}sql\w{0,20}|in|\d+)[\s:,()[\]#-]*){0,6}(?:You have an error in your SQL|SQLSTATE\[|ERROR:|PG::|psycopg|Unclosed quotation|Incorrect syntax|SqlException|Microsoft |ORA-\d|SQLITE_ERROR|sqlite3\.|SQLite3::|SQL\d{4}N|DB2 SQL)/i

export const withoutComments = (html: string): string => cut(html, /<!--/g, () => /-->/g)

const withoutElements = (html: string, names: readonly string[]): string =>
  cut(html, new RegExp(`<(${names.join('|')})\\b`, 'gi'), (name) => new RegExp(`</${name}[^<>]{0,100}>?`, 'gi'))

/** Leaves out what lies between an opening and its end; one without end takes the rest. Linear: it never looks back. */
const cut = (html: string, opening: RegExp, endOf: (name: string) => RegExp): string => {
  const kept: string[] = []
  let at = 0
  for (;;) {
    opening.lastIndex = at
    const open = opening.exec(html)
    if (open === null) return [...kept, html.slice(at)].join('\n')
    kept.push(html.slice(at, open.index))
    const end = endOf(open[1] ?? '')
    end.lastIndex = opening.lastIndex
    const close = end.exec(html)
    if (close === null) return kept.join('\n')
    at = close.index + close[0].length
  }
}

/** What of a page a program may have printed itself, apart from what is shown as a sample or written about. */
import { visibleText, withoutElements } from '../../../page/visible.ts'

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

/** Without the entries of a log, each a line behind its time: what keeps a log shows it to those who look after it, and answers them without an error. */
export const withoutEntries = (text: string, status: number): string =>
  status >= 400
    ? text
    : text
        .split('\n')
        .filter((line) => !ENTRY.test(line))
        .join('\n')

/** `2026-11-30 14:56:19`, `30/Nov/2026:14:56:19`, `Mon Nov 30 14:56:19`. */
const ENTRY =
  /^[\s[("]{0,40}(?:\d{4}[-/.]\d\d[-/.]\d\d[T ,:]|\d\d?[-/.](?:\d\d|[A-Z][a-z]{2})[-/.]\d{4}[T ,:]|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d )\s{0,3}\d\d:\d\d:\d\d/

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

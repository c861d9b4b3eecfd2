/** What is kept of an answer to judge a file by its content: never a value that could be used. */

export interface FileAnswer {
  readonly status: number
  /** Lower case media type, '' when absent. */
  readonly type: string
  /** The first 4 KiB as text, values of secrets masked. */
  readonly text: string
  /** The first 32 bytes. */
  readonly hex: string
  /** Bytes received, up to the cap. */
  readonly size: number
}

const NAMES =
  'pass(?:word|wd|phrase)?|pwd|secret|token|api_?key|access_?key|private_?key|auth(?:orization)?|credentials?|dsn|salt|encryption_?key|app_?key|connection_?string|database_?url|redis_?url|mailer_?dsn'

const ASSIGNED = new RegExp(`((?:[\\w.-]*(?:${NAMES})[\\w.-]*)["']?\\s*(?:=>|=|:)\\s*["']?)([^"'\\s,;}<>]{3,})`, 'gi')
const PHP_DEFINED = new RegExp(
  `(define\\(\\s*["'][\\w]*(?:${NAMES}|KEY|SALT|USER)[\\w]*["']\\s*,\\s*["'])([^"']{1,})`,
  'gi',
)
const URL_PASSWORD = /([a-z][\w+.-]*:\/\/[^\s:@/]{0,100}:)([^\s@/]{1,200})(@)/gi
const HASHED = /^([\w.@-]{1,64}:)(\$\w{1,6}\$\S+|\{\w+\}\S+|[./\w]{13})$/gim
/** Of ASP.NET; a word there says that the server makes them. */
const MACHINE_KEYS = /(\b(?:validation|decryption)Key\s*=\s*["'])[\da-f]{32,}/gi
const BASE64_LINES = /^[A-Za-z0-9+/=]{40,}$/gm

/** Values of everything that is named like a secret, hashes, and bodies of keys. The grammar around them stays. */
export const maskValues = (text: string): string =>
  text
    .replace(PHP_DEFINED, '$1[masked]')
    .replace(ASSIGNED, '$1[masked]')
    .replace(URL_PASSWORD, '$1[masked]$3')
    .replace(HASHED, '$1[masked]')
    .replace(MACHINE_KEYS, '$1[masked]')
    .replace(BASE64_LINES, '[masked]')
    // Rows of a dump are people.
    .replace(/^((?:INSERT INTO|COPY)\s+\S{1,100})[\s\S]*$/im, '$1 [rows masked]')

/**
 * The answers of a whole run, as modules read them that judge all of them: those of the site alone, each content once, and
 * without what we sent ourselves, so that nothing of ours is ever taken for the site's.
 */
import { createHash } from 'node:crypto'
import { isOfSite } from '../contract/site-scope.ts'
import type { HeaderPairs, HttpExchange } from '../egress/door/egress.ts'
import { secretPassages } from '../knowledge/secrets/find.ts'
import { percentDecoded } from '../page/percent.ts'
import { MAX_TEXT, mediaTypeOf, textOf, wholeTextOf } from '../page/text.ts'
import { shellQuoted } from './evidence/pages.ts'
import type { ScanTarget } from './module.ts'

/** An answer that shows something new. */
export interface Content {
  readonly url: string
  readonly method: string
  readonly status: number
  readonly headers: HeaderPairs
  readonly contentType: string
  /** Decoded, at most 256 KiB; SENT in place of what the request had brought. */
  readonly text: string
  readonly truncated: boolean
  /** Id of the module that asked. */
  readonly module: string
}

export interface Reading {
  /** Answers of the site to all modules. */
  readonly answers: number
  /** Of them, contents that were new. */
  readonly contents: number
  /** New ones that nobody read, as the bounds were met. */
  readonly unread: number
}

export interface Answers {
  /** Calls `read` for what is of the site and new; not at all once the bounds are met. */
  readonly take: (exchange: HttpExchange, module: string, read: (content: Content) => void) => void
  /** Whether a text is, or is part of, what some request of the run had brought: stored, and shown since. */
  readonly isOurs: (text: string) => boolean
  readonly reading: () => Reading
}

/** Stands where an answer gave back what we had sent. */
export const SENT = '[sent]'

/** Modules that ask for what the site links, as visitors do. */
export const isPlainly = (module: string): boolean => ['site', 'crawl', 'disclosure', 'technology'].includes(module)

const MOST_CONTENTS = 20_000
/** Milliseconds that reading keeps this thread at work in one run: what else the machine does is not counted. */
const MOST_TIME = 60_000
/** Shorter values are words of the page as well. */
const SHORTEST_SENT = 8
const MOST_SENT = 20_000
const LONGEST_TEXT = 262_144

export const createAnswers = (target: Pick<ScanTarget, 'host' | 'port'>): Answers => {
  const seen = new Set<string>()
  const sent = new Set<string>()
  const named = new Set<string>()
  const spent = { time: 0 }
  const reading = { answers: 0, contents: 0, unread: 0 }

  const novel = (exchange: HttpExchange, module: string): Content | null => {
    const path = segmentsSent(exchange)
    // What a link leads to is called so by the site: a folder tells its name in its own listing.
    if (isPlainly(module)) for (const segment of path) isNew(named, segment)
    const values = sentBy(
      exchange,
      path.filter((segment) => !named.has(segment) && !WORDS.test(segment)),
    )
    for (const value of values) if (sent.size < MOST_SENT) sent.add(value)
    if (!isNew(seen, `bytes ${exchange.status} ${hashOf(exchange.body)}`)) return null
    const plain = readable(exchange)
    if (plain.trim() === '') return null
    const text = without(`${plain}${beyond(exchange)}`, values)
    if (!isNew(seen, `text ${exchange.status} ${hashOf(text.replace(/\d+|[0-9a-f]{8,}/gi, '0'))}`)) return null
    const { request, status, headers, truncated } = exchange
    const contentType = mediaTypeOf(exchange)
    return { url: request.url, method: request.method, status, headers, contentType, text, truncated, module }
  }

  return {
    take: (exchange, module, read) => {
      if (!isOfSite(target, exchange.request.url)) return
      reading.answers += 1
      if (spent.time > MOST_TIME || reading.contents >= MOST_CONTENTS) {
        reading.unread += 1
        return
      }
      const began = busy()
      const content = novel(exchange, module)
      if (content !== null) {
        reading.contents += 1
        read(content)
      }
      spent.time += busy() - began
    },
    isOurs: (text) => text.length >= SHORTEST_SENT && [...sent].some((one) => one.includes(text)),
    reading: () => ({ ...reading }),
  }
}

/** Milliseconds of the processor. */
const busy = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const isNew = (seen: Set<string>, key: string): boolean => {
  if (seen.has(key)) return false
  if (seen.size < 4 * MOST_CONTENTS) seen.add(key)
  return true
}

const hashOf = (of: string | Uint8Array): string => createHash('sha1').update(of).digest('base64')

/** What tells a secret behind the text that is kept: an application stands in its bundle behind its libraries. */
const beyond = (exchange: HttpExchange): string =>
  exchange.body.length > MAX_TEXT ? secretPassages(wholeTextOf(exchange), MAX_TEXT) : ''

/** Text by its type, and what a server sends without one or as any bytes, where it reads as text. */
const readable = (exchange: HttpExchange): string => {
  const text = textOf(exchange)
  if (text !== '' || !UNTYPED.test(mediaTypeOf(exchange))) return text
  const bytes = exchange.body.subarray(0, LONGEST_TEXT)
  return bytes.subarray(0, 4_096).includes(0) ? '' : bytes.toString('utf8')
}
const UNTYPED =
  /^(?:|application\/(?:octet-stream|sql|x-sql|x-httpd-php|x-php|x-sh|x-trash|yaml|x-yaml|toml)|chemical\/.+)$/

const segmentsSent = ({ request }: HttpExchange): readonly string[] =>
  new URL(request.url).pathname.split('/').map(percentDecoded)
/** What folders and programs are called, whoever asks for them: nothing is injected by letters alone. */
const WORDS = /^[a-z]+(?:[-_][a-z]+)*$/i

/** What a request brought that could come back: values and names of parameters, parts of the `path`, texts of the body. */
const sentBy = ({ request }: HttpExchange, path: readonly string[]): readonly string[] => {
  const { url, body } = request
  const { searchParams } = new URL(url)
  const ofBody = body === null ? [] : [body, ...[...new URLSearchParams(body)].flat(), ...stringsOf(body)]
  const ofHeaders = request.headers.flatMap(([, value]) => (/['"<>{}$`\\]/.test(value) ? [value] : []))
  return [...new Set([...[...searchParams].flat(), ...path, ...ofBody.slice(0, 200), ...ofHeaders])]
    .filter((value) => value.length >= SHORTEST_SENT && value.length < 10_000)
    .toSorted((a, b) => b.length - a.length)
}

/** Texts of JSON, of XML and of parts of a multipart body. */
const stringsOf = (body: string): readonly string[] =>
  [...body.slice(0, 50_000).matchAll(/"((?:[^"\\]|\\.){8,2000})"|>([^<>]{8,2000})<|\r\n\r\n([^\r]{8,2000})\r\n/g)].map(
    ([, json, xml, part]) => json?.replaceAll('\\"', '"').replaceAll('\\\\', '\\') ?? xml ?? part ?? '',
  )

/** A page gives a value back as it is, escaped for markup, within a script, or encoded in an address. */
const without = (text: string, values: readonly string[]): string =>
  values.reduce((left, value) => {
    const escaped = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const quoted = escaped.replaceAll('"', '&quot;')
    const forms = new Set([value, escaped, quoted, quoted.replaceAll("'", '&#39;'), quoted.replaceAll("'", '&#039;')])
    for (const form of [...forms, JSON.stringify(value).slice(1, -1), encoded(value)])
      left = left.replaceAll(form, SENT)
    return left
  }, text)

/** A lone surrogate has no encoding. */
const encoded = (value: string): string => encodeURIComponent(value.toWellFormed())

const CREDENTIALS = /^(?:cookie|authorization)$/i
const NOT_REPLAYED = /^(?:host|user-agent|sonde-run|accept-encoding|content-length|connection|cookie|authorization)$/i

const withoutPasswords = (body: string): string =>
  body
    .replace(/((?:^|&)[^=&]{0,60}pass[^=&]{0,60}=)[^&]*/gi, '$1***')
    .replace(/("[^"]{0,60}pass[^"]{0,60}"\s*:\s*")(?:[^"\\]|\\.)*/gi, '$1***')

/** The request as a command, without credentials and passwords. `signedIn`: of a run whose credentials it may have carried, which the command then names. */
export const replayOf = ({ method, url, headers, body }: HttpExchange['request'], signedIn = false): string =>
  [
    'curl -sik --path-as-is',
    ...(signedIn && headers.some(([name]) => CREDENTIALS.test(name)) ? ["-H '<the credentials of an account>'"] : []),
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...headers
      .filter(([name, value]) => !NOT_REPLAYED.test(name) && !(name.toLowerCase() === 'accept' && value === '*/*'))
      .map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary ${shellQuoted(withoutPasswords(body))}`]),
    shellQuoted(url),
  ].join(' ')

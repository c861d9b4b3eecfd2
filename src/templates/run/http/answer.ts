/** An http answer as operators name its parts. */
import { headerOf } from '../../../page/exchange.ts'
import type { Value } from '../../language/expression/value.ts'
import type { Answer } from '../../language/match/answer.ts'
import type { Text } from '../../language/match/text.ts'
import type { Reply } from './client.ts'
import type { HttpSpec } from './request.ts'

export interface HttpAnswer extends Answer {
  readonly reply: Reply
  readonly head: string
}

/** Names written as browsers and Go write them: `content-type` is `Content-Type` however the server spells it. */
const canonical = (name: string): string => name.toLowerCase().replace(/(^|-)([a-z])/g, (part) => part.toUpperCase())

const headOf = (reply: Reply): string =>
  `HTTP/1.1 ${reply.status} ${reply.statusText}\r\n${reply.headers
    .map(([name, value]) => `${canonical(name)}: ${value}\r\n`)
    .join('')}\r\n`

export const requestText = (spec: HttpSpec): string =>
  spec.verbatim ??
  `${spec.method} ${spec.target} HTTP/1.1\r\nHost: ${new URL(spec.origin).host}\r\n${spec.headers
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${spec.body ?? ''}`

/** `maxSize` cuts what operators see of the body. */
export const answerOfReply = (
  reply: Reply,
  text: (bytes: string) => Text,
  maxSize: number | null,
  host: string,
): HttpAnswer => {
  const head = headOf(reply)
  const named = namedHeaders(reply)
  const body =
    maxSize === null || maxSize >= reply.body.bytes.length ? reply.body : text(reply.body.bytes.slice(0, maxSize))
  const texts = new Map<string, Text>([['body', body]])
  const values: Readonly<Record<string, () => Value>> = {
    body: () => body.bytes,
    header: () => head,
    all_headers: () => head,
    headers: () => head,
    response: () => head + body.bytes,
    raw: () => head + body.bytes,
    all: () => body.bytes + head,
    resp: () => head + body.bytes,
    status_code: () => reply.status,
    duration: () => reply.duration,
    content_length: () => contentLength(reply),
    host: () => host,
    matched: () => reply.spec.origin + reply.spec.target,
    request: () => requestText(reply.spec),
    type: () => 'http',
    ip: () => reply.address,
  }
  const get = (name: string): Value | undefined => (Object.hasOwn(values, name) ? values[name]?.() : named.get(name))
  return {
    reply,
    head,
    get,
    text: (part) => {
      const known = texts.get(part)
      if (known !== undefined) return known
      const value = get(part)
      if (value === undefined) return undefined
      const made = text(typeof value === 'string' ? value : String(value))
      texts.set(part, made)
      return made
    },
  }
}

const contentLength = (reply: Reply): number => {
  const given = headerOf(reply, 'content-length')
  return given !== null && /^\d{1,15}$/.test(given) ? Number(given) : -1
}

/** Headers in lower case with underscores, repeats joined by a space; cookies by their name. Headers win. */
const namedHeaders = (reply: Reply): ReadonlyMap<string, string> => {
  const named = new Map<string, string>()
  for (const [name, value] of reply.headers) {
    if (name.toLowerCase() !== 'set-cookie') continue
    const [pair = ''] = value.split(';')
    const equals = pair.indexOf('=')
    if (equals < 1) continue
    const cookie = pair.slice(0, equals).trim()
    for (const key of [cookie, cookie.toLowerCase()]) named.set(key, pair.slice(equals + 1).trim())
  }
  const headers = new Map<string, string>()
  for (const [name, value] of reply.headers) {
    const key = name.trim().toLowerCase().replaceAll('-', '_')
    headers.set(key, headers.has(key) ? `${headers.get(key)} ${value}` : value)
  }
  for (const [key, value] of headers) named.set(key, value)
  return named
}

/** `body_2`, `status_code_1`: parts of earlier requests of the same step, by their number. */
export const withHistory = (current: HttpAnswer, history: ReadonlyMap<number, HttpAnswer>): HttpAnswer => {
  const earlier = (name: string): { readonly answer: HttpAnswer; readonly part: string } | null => {
    const match = /^(.+)_(\d{1,3})$/.exec(name)
    const answer = match ? history.get(Number(match[2])) : undefined
    return match?.[1] && answer ? { answer, part: match[1] } : null
  }
  return {
    ...current,
    get: (name) => {
      const found = earlier(name)
      return current.get(name) ?? found?.answer.get(found.part)
    },
    text: (part) => {
      const found = earlier(part)
      return current.text(part) ?? found?.answer.text(found.part)
    },
  }
}

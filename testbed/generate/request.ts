/** Reads the one value of a place from a request. */
import type { IncomingMessage } from 'node:http'
import type { Planted } from './plan.ts'
import { PACKED } from './sent.ts'

/** A request whose body was read. */
export interface Asked {
  readonly request: IncomingMessage
  readonly url: URL
  readonly body: string
}

/** Null where the request does not bring it. */
export const givenIn = (place: Planted, { request, url, body }: Asked): string | null => {
  const { spot, input } = place
  if (spot === 'query') return url.searchParams.get(input)
  if (spot === 'array') return url.searchParams.get(`filter[${input}]`)
  if (spot === 'packed') return unpacked(url.searchParams.get(PACKED), input)
  if (spot === 'cookie-packed') return unpacked(cookieOf(request, PACKED), input)
  if (spot === 'path') return decoded(url.pathname.slice(place.path.length + 1)) || null
  if (spot === 'header') return latin(request.headers[input.toLowerCase()])
  if (spot === 'cookie') return cookieOf(request, input)
  return fieldOf(place, body, input)
}

/** Of a form, or of what a script sends. */
export const fieldOf = ({ spot }: Pick<Planted, 'spot'>, body: string, name: string): string | null => {
  if (spot === 'urlencoded') return new URLSearchParams(body).get(name)
  if (spot === 'json-list') return member(body, ({ items }) => (items as Record<string, unknown>[])[0]?.[name])
  if (spot.startsWith('json')) return member(body, ({ filter }) => (filter as Record<string, unknown>)[name])
  if (spot === 'graphql') return member(body, ({ variables }) => (variables as Record<string, unknown>)[name])
  if (spot === 'xml') return xmlText(body, name)
  return multipartOf(body, name)
}

const unpacked = (packed: string | null, name: string): string | null =>
  packed === null ? null : member(Buffer.from(packed, 'base64').toString('utf8'), (all) => all[name])

/** Text of an element, its character references decoded: no other entity, no declaration. */
const xmlText = (body: string, name: string): string | null => {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1]
  const cdata = new RegExp(`<${name}><!\\[CDATA\\[(.*?)\\]\\]></${name}>`, 's').exec(body)?.[1]
  if (text === undefined) return cdata ?? null
  const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return text.replace(/&(?:#x([0-9a-f]{1,5})|#(\d{1,6})|(lt|gt|quot|apos|amp));/gi, (_, hex, digits, word) =>
    word
      ? (named[String(word).toLowerCase()] ?? '')
      : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(digits)),
  )
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const latin = (value: string | readonly string[] | undefined): string | null =>
  value === undefined ? null : Buffer.from(String(value), 'latin1').toString('utf8')

export const cookieOf = (request: IncomingMessage, name: string): string | null => {
  const pairs = (request.headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split(/=(.*)/s))
  const found = pairs.find(([key]) => key === name)
  return found ? decoded(found[1] ?? '') : null
}

const member = (text: string, from: (value: Record<string, unknown>) => unknown): string | null => {
  try {
    const value = from(JSON.parse(text))
    return value === undefined || value === null ? null : String(value)
  } catch {
    return null
  }
}

const multipartOf = (body: string, input: string): string | null => {
  const boundary = /^--[^\r\n]+/.exec(body)?.[0]
  const parts = boundary === undefined ? [] : body.split(boundary)
  const mine = parts.find((part) => part.slice(0, 200).includes(`name="${input}"`))
  return mine === undefined ? null : mine.slice(mine.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '')
}

/** Bytes of a body that are read. */
const MOST = 256 * 1_024

export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The text of a response body, decoded as a browser would. */
import type { HttpExchange } from '../egress/door/egress.ts'
import { headerOf } from './exchange.ts'

/** Characters kept of one body. */
export const MAX_TEXT = 262_144
const TEXT_MEDIA = /^(text\/|application\/(json|xml|javascript|ecmascript|x-javascript)$|.*\+(xml|json)$)/

/** Lower case media type without parameters, '' when absent. Of several headers the last valid one holds (Fetch, 2.2.2). */
export const mediaTypeOf = ({ headers }: Pick<HttpExchange, 'headers'>): string =>
  headers
    .filter(([name]) => name.toLowerCase() === 'content-type')
    .map(([, value]) => value.split(';')[0]?.trim().toLowerCase() ?? '')
    .findLast((type) => /^[^\s/]+\/[^\s/]+$/.test(type)) ?? ''

/** '' for media that is not text. Without a media type, only what begins as markup counts as text. */
export const textOf = (exchange: Pick<HttpExchange, 'headers' | 'body'>): string =>
  wholeTextOf(exchange).slice(0, MAX_TEXT)

/** All that was read of it: an application stands in its bundle behind megabytes of libraries. */
export const wholeTextOf = (exchange: Pick<HttpExchange, 'headers' | 'body'>): string => {
  const type = mediaTypeOf(exchange)
  const bytes = exchange.body
  if (type === '' ? !/^\s*</.test(bytes.subarray(0, 512).toString('latin1')) : !TEXT_MEDIA.test(type)) return ''
  return decoderFor(charsetOf(exchange)).decode(bytes)
}

/** HTML by its type, or by its beginning where the server names none. */
export const isHtml = (contentType: string, body: string): boolean =>
  contentType === 'text/html' ||
  contentType === 'application/xhtml+xml' ||
  (contentType === '' && /^\s*(<!doctype html|<html|<head|<body|<!--)/i.test(body.slice(0, 1024)))

/** Byte order mark, then the header, then a meta tag in the first 1,024 bytes (HTML, 13.2.3.2). */
const charsetOf = (exchange: Pick<HttpExchange, 'headers' | 'body'>): string => {
  const start = exchange.body.subarray(0, 1024).toString('latin1')
  if (start.startsWith('\xef\xbb\xbf')) return 'utf-8'
  const header = /charset\s*=\s*"?([\w-]+)/i.exec(headerOf(exchange, 'content-type') ?? '')?.[1]
  return header ?? /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1] ?? 'utf-8'
}

const decoderFor = (charset: string) => {
  try {
    return new TextDecoder(charset)
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder() // A label nobody knows: browsers fall back, too.
    throw error
  }
}

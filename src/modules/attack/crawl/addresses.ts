/** Addresses outside of markup: in header fields, and in documents that programs read. */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { wordsOf } from '../../../safety/words.ts'

const MAX_ADDRESSES = 200
const MAX_TEXT = 500_000
/** `5; url=/next`, as in `<meta http-equiv=refresh>`. */
export const REFRESH = /^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?['"]?([^'"\s]+)/i

/** Of Refresh (HTML, 15.3.5), Link (RFC 8288), Content-Location (RFC 9110, 8.7) and SourceMap, relative ones resolved. */
export const addressesOfHeaders = ({ headers }: Pick<HttpExchange, 'headers'>, url: string): readonly string[] =>
  headers
    .flatMap(([name, value]) => {
      const field = name.toLowerCase()
      if (field === 'refresh') return [REFRESH.exec(value)?.[1] ?? '']
      if (field === 'link')
        return [...value.slice(0, 20_000).matchAll(/<([^<>\s]{1,2000})>/g)].map((match) => match[1] ?? '')
      return field === 'content-location' ? [value.trim()] : []
    })
    .flatMap((raw) => (raw === '' ? [] : (URL.parse(raw, url)?.href ?? [])))
    .slice(0, MAX_ADDRESSES)

/** An address behind the words of what names it, which may tell what it does. */
export type Named = readonly [words: string, address: string]

/** Addresses in a document of this media type; none in one of others. */
export const addressesOfDocument = (type: string, text: string, url: string): readonly Named[] => {
  if (/json$/.test(type)) return [...ofJson(text, url), ...(/"start_url"\s*:/.test(text) ? ofManifest(text, url) : [])]
  if (/xml$/.test(type)) return ofXml(text, url)
  return []
}

const named = (found: readonly (readonly [name: string, raw: string])[], base: string): readonly Named[] =>
  found.slice(0, MAX_ADDRESSES).flatMap(([name, raw]) => {
    const address = URL.parse(raw, base)
    return address && /^https?:$/.test(address.protocol) ? [[wordsOf(name).join(' '), address.href] as const] : []
  })

/** Absolute paths and URLs among the strings. What a string quotes itself is text, as a file of the server in a stack trace. */
const ofJson = (text: string, base: string): readonly Named[] =>
  named(
    [
      ...text
        .slice(0, MAX_TEXT)
        .matchAll(/(?:"([\w.-]{1,60})"\s*:\s*)?(?<!\\)"((?:https?:\\?\/\\?\/|\\?\/)[^"\s<>]{1,500})(?<!\\)"/g),
    ].map((match) => [match[1] ?? '', (match[2] ?? '').replace(/\\\//g, '/')]),
    base,
  )

/** Web Application Manifest: what an installed application opens. */
const ofManifest = (text: string, base: string): readonly Named[] =>
  named(
    [...text.slice(0, MAX_TEXT).matchAll(/"(?:start_url|scope|url|action)"\s*:\s*"([^"\s<>]{1,500})"/g)].map(
      (match) => ['', (match[1] ?? '').replace(/\\\//g, '/')],
    ),
    base,
  )

/** Feeds (RSS 2.0, Atom), sitemaps and whatever else names addresses in its elements and attributes. */
const ofXml = (text: string, base: string): readonly Named[] =>
  named(
    [
      ...text
        .slice(0, MAX_TEXT)
        .matchAll(
          /<(?:\w+:)?(?:link|guid|loc|url|comments|uri)(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[)?\s*((?:https?:\/|\/)[^<\]\s]{1,1000})|\s(?:xlink:)?(?:href|src|url)\s*=\s*["']([^"'\s<>]{1,1000})/gi,
        ),
    ].map((match) => ['', (match[1] ?? match[2] ?? '').replaceAll('&amp;', '&')]),
    base,
  )

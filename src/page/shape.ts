/** The shape of an address: what stays when identifiers, dates and values are taken out. Same shape, same code behind it. */
import { formDecoded } from './percent.ts'
import { parametersOf, queryRouteOf } from './segments.ts'

const NUMBER = /^\d+$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DATE = /^\d{4}-\d{1,2}(-\d{1,2})?$/
const HEX = /^(?=.*\d)[0-9a-f]{8,}$/i
/** Long and mixed, as keys and tokens are. */
const TOKEN = /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])[\w-]{16,}$/
/** Keys in one case: base 32 as hashes of messages are, ULIDs, base 36. Their digits stand everywhere, those of a name at its end. */
const ONE_CASE: readonly (readonly [of: RegExp, numbers: number, word: number])[] = [
  [/^[A-Z\d]{16,}$/, 2, 6],
  [/^[a-z\d]{16,}$/, 3, 3.5],
]
/** `ada@lists.example.org`: whose or which, and no name of a program. `icon@2x.png` is a file. */
const MAILBOX =
  /^[\w.+-]+(?:@|%40)(?:[a-z\d-]+\.)+(?!(?:png|jpe?g|gif|svg|webp|avif|css|m?js|html?|php|json|xml|txt|pdf|woff2?)$)[a-z]{2,}$/i
/** Letters of a key change between cases and digits all the time; those of words do not. */
const WORD = 2.5
/** `part-3.html`, `archive-2026-11`. */
const TRAILING_NUMBER = /^(.*[a-z][-_.])\d+(?:[-_]\d+)*(\.\w{1,5})?$/i
/** `42-blue-tent.html`: a record by its number, and its title for people. */
const LEADING_NUMBER = /^\d+[-_]\p{L}[^.]*(\.\w{1,5})?$/u

/** `https://h/item/42?b=1&a=2` → `https://h/item/{n}?a&b`. */
export const shapeOf = (address: string): string => {
  const url = new URL(singleSlashes(address))
  const path = url.pathname.split('/').map(segmentShape).join('/')
  const names = [...new Set(parametersOf(url.href).map(([name]) => nameShape(name)))].toSorted()
  const query = [...routeShape(url.href), ...names]
  return `${url.origin}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

/** `?/item/42` → `/item/{n}`, of a route that stands in the query. */
const routeShape = (address: string): readonly string[] => {
  const route = queryRouteOf(address)
  return route === null ? [] : [route.split('/').map(segmentShape).join('/')]
}

/**
 * `rows[12][id]` → `rows[][id]`: of a list, which one it is says nothing of the code that reads it; nor does it where a framework counts them,
 * `ctl00$rows$ctl12$id` and `form:rows:12:id`. `?1795783510` → `{n}`: a moment, by which no cache answers.
 */
export const nameShape = (name: string): string =>
  name
    .replace(/\[\d+\]/g, '[]')
    .replace(/(^|\$)ctl\d+(?=\$|$)/g, '$1ctl')
    .replace(/:\d+(?=:)/g, ':')
    .replace(/^\d{6,}$/, '{n}')

/**
 * `https://h/item/42?b=1` → `https://h/item/{n}`: where an address lies, whatever it asks for. A part that repeats itself counts once. A
 * route behind the # or in the query lies somewhere, too: `https://h/#/item/42?b=1` → `https://h/#/item/{n}`.
 */
export const kindOf = (address: string): string => {
  const url = new URL(singleSlashes(address))
  const [asked, drawn] = [queryRouteOf(url.href), hashRouteOf(address)]
  const query = asked === null ? '' : `?${shapedPath(asked)}`
  return `${url.origin}${shapedPath(url.pathname)}${query}${drawn === null ? '' : `#${shapedPath(drawn.split('?')[0] ?? '')}`}`
}

const shapedPath = (path: string): string => repeatsOnce(path.split('/').map(segmentShape)).join('/')

/**
 * What stands behind the # where a script draws a page for it, as routers write it: `/item/42?b=1`, `!/item/42`, `item/42`. Null where it
 * is a place on the page: those are named by one word.
 */
export const hashRouteOf = (address: string): string | null =>
  /^[^#]*#(!?\/.*|[\w-]+\/[\w%.{-].*)$/s.exec(address)?.[1] ?? null

/** `a/b/a/b/a/b/a/b` → `a/b/a/b`: links that are resolved against themselves nest without end. */
const repeatsOnce = (segments: readonly string[]): readonly string[] => {
  const kept: string[] = []
  for (const segment of segments) {
    kept.push(segment)
    for (let length = 1; length <= 3; length += 1) {
      const [last, before, first] = [1, 2, 3].map((back) =>
        kept.slice(kept.length - back * length, kept.length - (back - 1) * length).join('/'),
      )
      const repeated = kept.length >= 3 * length && last === before && last === first
      if (repeated && last !== '' && !last?.includes('{')) kept.length -= length
    }
  }
  return kept
}

/** Servers take `/a//b` for `/a/b`, and an application that writes it once writes it in every link of that page. */
export const singleSlashes = (address: string): string => {
  const [start = '', rest] = address.split(/([?#].*)/s)
  return `${start.replace(/(?<!:)\/{2,}/g, '/')}${rest ?? ''}`
}

/**
 * One form of an address however it is written, to tell whether it is known: `/list?b=1+week&a=%3A` and
 * `/list?a=:&b=1%20week` are read alike. Where a name comes twice, what comes last counts with some and what comes first
 * with others, and a route is read by its place: their order stays.
 */
export const inOneForm = (address: string): string => {
  const [start = '', query, hash = ''] = singleSlashes(address).split(/\?([^#]*)/s)
  if (start.includes('#') || query === undefined || queryRouteOf(address) !== null) return singleSlashes(address)
  const pairs = query.split('&').map((pair): readonly [string, string] => {
    const [name = '', ...value] = pair.split('=')
    return [read(name), value.length === 0 ? '' : `=${read(value.join('='))}`]
  })
  const once = new Set(pairs.map(([name]) => name)).size === pairs.length
  const isList = once && pairs.every(([name, value]) => value !== '' || !name.includes('/'))
  const sorted = isList ? pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)) : pairs
  return `${start}?${sorted.map(([name, value]) => `${name}${value}`).join('&')}${hash}`
}

/** What ends a name or value stays encoded. */
const read = (text: string): string => formDecoded(text).replace(/[&=#%]/g, encodeURIComponent)

export const segmentShape = (segment: string): string => {
  if (NUMBER.test(segment)) return '{n}'
  if (UUID.test(segment) || HEX.test(segment) || isToken(segment)) return '{id}'
  if (DATE.test(segment)) return '{date}'
  if (MAILBOX.test(segment)) return '{mailbox}'
  const titled = LEADING_NUMBER.exec(segment)
  if (titled) return `{n}-{title}${titled[1] ?? ''}`
  const numbered = TRAILING_NUMBER.exec(segment)
  return numbered ? `${numbered[1]}{n}${numbered[2] ?? ''}` : segment
}

const isToken = (segment: string): boolean => {
  if (isOneCase(segment)) return true
  if (!TOKEN.test(segment)) return false
  const words = segment.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []
  return words.join('').length / words.length < WORD
}

const isOneCase = (segment: string): boolean => {
  const [, numbers, longest] = ONE_CASE.find(([of]) => of.test(segment)) ?? []
  if (numbers === undefined || longest === undefined) return false
  const words = segment.match(/[a-z]+/gi) ?? []
  return (segment.match(/\d+/g) ?? []).length >= numbers && words.join('').length < longest * words.length
}

/** True where a segment is a name that a number tells from others: `part-3.html`, `3-part.html`. */
export const isNumberedName = (segment: string): boolean =>
  TRAILING_NUMBER.test(segment) || LEADING_NUMBER.test(segment)

/** True where a segment is a value rather than a name. */
export const isVariable = (segment: string): boolean => segment !== '' && segmentShape(segment) !== segment

/** The folder of the address, in which a thousand articles may lie; that of its route where one stands in the query. */
export const folderOf = (shape: string): string => {
  const whole = queryRouteOf(shape) === null ? shape.replace(/\?.*$/, '') : shape
  return whole.replace(/[&#].*$/, '').replace(/[^/]*$/, '')
}

/** What a browser is sent to: without what stands behind the #, but where that is a route. */
export const viewOf = (address: string): string => (hashRouteOf(address) === null ? withoutHash(address) : address)

export const withoutHash = (address: string): string => {
  const at = address.indexOf('#')
  return at < 0 ? address : address.slice(0, at)
}

/** Whether an address names a script: what one asks for is shown on the page that runs it. */
export const isScriptFile = (address: string): boolean => /\.[cm]?jsx?$/i.test(URL.parse(address)?.pathname ?? '')

/**
 * Whether what is stored may show there. Scripts, and descriptions of an interface by their usual names, say what may be sent, and are the same
 * whatever was.
 */
export const mayShow = (address: string): boolean =>
  !isScriptFile(address) && !DESCRIPTION.test(URL.parse(address)?.pathname ?? '')
const DESCRIPTION = /\/(?:openapi|swagger|api-docs)(?:[-.\w]*\.(?:json|ya?ml)|\/[\w-]*\.(?:json|ya?ml))?\/?$/i

/** Addresses of records that a list in JSON names: those of a record that is known, with the name of another in its place. */
import type { CrawlFacts } from '../../crawl/facts.ts'
import { feedsOf, type Place } from './stored-pages.ts'

const DEEPEST = 4
const MOST_RECORDS = 200
/** A shorter word or number stands in addresses by chance, but for the one that is called an id beside its kind. */
const NAME = /^(?=.*\d)[\w-]{6,64}$|^[a-z][a-z\d]*(?:-[a-z\d]+)+$/i
const ID = /^(?:_?id|uuid|key|number|no|slug|token|code)$/i

/** What lies at an address of one record: pages, and what their scripts ask for. */
export const recordAddresses = (crawl: CrawlFacts): readonly Place[] => [
  ...feedsOf(crawl, []).filter(({ asks }) => asks === undefined),
  ...crawl.urls
    .filter(({ status, contentType }) => status === 200 && /html|^$/.test(contentType))
    .map(({ url }) => ({ url, drawnOn: null })),
]

/** `list`: the address that answered with this text. */
export const recordsIn = (text: string, list: string, known: readonly Place[]): readonly Place[] => {
  if (!/^\s*[[{]/.test(text)) return []
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return []
  }
  const kind = segmentsOf(list).at(-1) ?? ''
  return listsIn(parsed, 0).flatMap((records) => {
    const names = new Set(records.flatMap((one) => Object.keys(one)))
    return [...names].flatMap((name) => {
      const values = [...new Set(records.flatMap((one) => textOf(one[name])))].filter(
        (one) => NAME.test(one) || ID.test(name),
      )
      return known.flatMap((place) => othersOf(place, values, kind))
    })
  })
}

const listsIn = (value: unknown, depth: number): readonly (readonly Readonly<Record<string, unknown>>[])[] => {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return []
  const members: readonly unknown[] = Object.values(value)
  const own = Array.isArray(value) ? members.filter(isRecord).slice(0, MOST_RECORDS) : []
  return [...(own.length > 0 ? [own] : []), ...members.flatMap((one) => listsIn(one, depth + 1))]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): readonly string[] =>
  typeof value === 'string' || typeof value === 'number' ? [String(value)] : []

/** Of one record's place those of the others, whose names these values are. */
const othersOf = (place: Place, values: readonly string[], kind: string): readonly Place[] => {
  const segments = segmentsOf(place.url)
  const at = segments.findLastIndex(
    (one, index) => values.includes(one) && (NAME.test(one) || segments[index - 1] === kind),
  )
  const own = segments[at]
  if (own === undefined) return []
  const others = values.filter((value) => value !== own && /^[\w-]+$/.test(value))
  return others.map((other) => ({
    url: withSegment(place.url, own, other),
    drawnOn: place.drawnOn === null ? null : withSegment(place.drawnOn, own, other),
  }))
}

const segmentsOf = (url: string): readonly string[] => new URL(url).pathname.split('/').filter((one) => one !== '')

const withSegment = (address: string, own: string, other: string): string => {
  const url = new URL(address)
  url.pathname = url.pathname
    .split('/')
    .map((one) => (one === own ? other : one))
    .join('/')
  return url.href
}

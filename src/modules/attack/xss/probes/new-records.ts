/** Addresses of records that a list in JSON names: those of a record that is known, with the name of another in its place. */
import { jsonTreeOf } from '../../../../page/json.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { feedsOf, type Place } from './stored-pages.ts'

const DEEPEST = 4
const MOST_RECORDS = 200
/** A shorter word or number stands in addresses by chance, but for the one that is called an id beside its kind. */
const NAME = /^(?=.*\d)[\w-]{6,64}$|^[a-z][a-z\d]*(?:-[a-z\d]+)+$/i
const ID = /^(?:_?id|uuid|key|number|no|slug|token|code)$/i

/** By a part of their path: what lies at the address of one record, and the part before it. */
export type Known = ReadonlyMap<string, readonly { readonly place: Place; readonly before: string }[]>

/** Of a crawl: pages, and what their scripts ask for. */
export const recordAddresses = (crawl: CrawlFacts): Known => {
  const pages = crawl.urls.filter(({ status, contentType }) => status === 200 && /html|^$/.test(contentType))
  return byPart([
    ...feedsOf(crawl, []).filter(({ asks }) => asks === undefined),
    ...pages.map(({ url }) => ({ url, drawnOn: null })),
  ])
}

export const byPart = (places: readonly Place[]): Known => {
  const known = new Map<string, { readonly place: Place; readonly before: string }[]>()
  for (const place of places)
    for (const [index, part] of segmentsOf(place.url).entries()) {
      const some = known.get(part) ?? []
      known.set(part, some)
      some.push({ place, before: segmentsOf(place.url)[index - 1] ?? '' })
    }
  return known
}

/** `list`: the address that answered with this text. */
export const recordsIn = (text: string, list: string, known: Known): readonly Place[] => {
  const parsed = jsonTreeOf(text)
  const kind = segmentsOf(list).at(-1) ?? ''
  return listsIn(parsed, 0).flatMap((records) => {
    const names = new Set(records.flatMap((one) => Object.keys(one)))
    return [...names].flatMap((name) => {
      const values = [...new Set(records.flatMap((one) => textOf(one[name])))].filter(
        (one) => NAME.test(one) || ID.test(name),
      )
      return othersOf(known, values, kind)
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

/** Of the first record whose place is known those of the others, whose names these values are. */
const othersOf = (known: Known, values: readonly string[], kind: string): readonly Place[] => {
  const placesOf = (value: string) =>
    (known.get(value) ?? []).filter(({ before }) => NAME.test(value) || before === kind)
  const own = values.find((value) => placesOf(value).length > 0)
  if (own === undefined) return []
  const others = values.filter((value) => value !== own && /^[\w-]+$/.test(value))
  return placesOf(own).flatMap(({ place: { url, drawnOn } }) =>
    others.map((other) => ({
      url: withSegment(url, own, other),
      drawnOn: drawnOn === null ? null : withSegment(drawnOn, own, other),
    })),
  )
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

/** One place of one request, as the crawl's facts list it. */
import { readsOctalDigits, unquotedCookie } from '../../../page/cookies/cookie-header.ts'
import { percentDecoded } from '../../../page/percent.ts'
import type { InsertionPoint, Place, RequestTemplate } from '../crawl/facts.ts'
import { leavesWithin } from './packed.ts'
import { isSealed } from './sealed.ts'

/** Characters. */
export const LONGEST_EXAMPLE = 500

/** `example`: what the request has there. */
export const point = (request: RequestTemplate, place: Place, name: string, example: string): InsertionPoint => ({
  id: `${request.id}:${place}:${name}`,
  request: request.id,
  place,
  name,
  example: example.slice(0, LONGEST_EXAMPLE),
})

/** The value itself, and what is packed in it. */
export const points = (
  request: RequestTemplate,
  place: Place,
  name: string,
  example: string,
): readonly InsertionPoint[] => {
  const whole = point(request, place, name, example)
  const leaves = leavesWithin(example).map(({ steps, value }) => ({
    ...whole,
    id: `${whole.id}:${steps.join(' ')}`,
    example: value.slice(0, LONGEST_EXAMPLE),
    within: { steps, whole: example },
  }))
  return [whole, ...leaves]
}

/** Of what a browser sends with it, encoded; whoever probes it encodes it anew. Nothing where no program reads what is put there. */
export const ofCookie = (
  request: RequestTemplate,
  { name, value, own }: { readonly name: string; readonly value: string; readonly own?: true },
): readonly InsertionPoint[] => {
  const decoded = percentDecoded(unquotedCookie(value))
  const all = isSealed(decoded) ? [] : points(request, 'cookie', name, decoded)
  const how = { ...(own ? { own } : {}), ...(readsOctalDigits(value) ? { quoted: true as const } : {}) }
  return all.map((one) => ({ ...one, ...how }))
}

/** Names of what the request has, its values kept. */
export const OWN_NAMES: ReadonlySet<Place> = new Set<Place>(['own-name', 'json-name'])

/** `filter[status]`: a name within a list of them, as PHP, Rails and qs read it, and how another is put there. */
const WITHIN = /^(.*\[)([^[\]]+)(\])$/s

export const innerName = (name: string): string => WITHIN.exec(name)?.[2] ?? name
export const renamedWithin = (name: string, inner: string): string => {
  const [, before, , behind] = WITHIN.exec(name) ?? []
  return before === undefined ? inner : `${before}${inner}${behind}`
}

export const pathOf = ({ url }: RequestTemplate): string => url.split(/[?#]/)[0] ?? url

/** Which places are probed first, so that one which is not reached any more is one that promised little. */
import { segmentsOf } from '../../../page/segments.ts'
import { isAround } from './groups.ts'
import { type ProbePoint, slotOf } from './inventory.ts'
import { isSerialized } from './serialized.ts'

/** Requests on which a parameter of one name is new; then how often it is still worth more than the rest. */
const FIRST = 2
const OFTEN = 6
const LAST = 4
/** Behind names that are new, before headers and cookies. */
const OF_PROGRAM = 0.5
/** Behind it there is nothing left to ask about. */
const DELETING = 9

/**
 * Parameters by how many requests have shown the same name before: an application reads its `lang` or `token` in one place
 * for all pages. A form that brings no other name belongs to its own program all the same: its first field comes before headers and
 * cookies. Guesses come last and make no name of a page less worth. Within a rank the order of the crawl stays, which goes
 * from the start page outwards, and places of one request stay together.
 */
export const byWorth = (points: readonly ProbePoint[]): readonly ProbePoint[] => {
  const seen = new Map<string, number>()
  const programs = new Set<string>()
  const ranked = points.map((point) => {
    if (point.request.deletes) return { point, rank: DELETING }
    if (point.guessed || point.place === 'own-name' || isSpare(point)) return { point, rank: LAST }
    const key = nameOf(point)
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    if (point.request.bound !== undefined) return { point, rank: boundedRank(point, before) }
    const rank = rankOf(point, before)
    if (!isOfForm(point) || isAround(point)) return { point, rank }
    const program = programOf(point)
    const isFirst = !programs.has(program)
    programs.add(program)
    return { point, rank: isFirst ? Math.min(rank, OF_PROGRAM) : rank }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ point }) => point)
}

/** What a person or a script fills and sends, as a link does not: that has the same few parameters on all pages of a site. */
const isOfForm = ({ request: { method, formPage }, role }: ProbePoint): boolean =>
  role === undefined && (method !== 'GET' || formPage !== undefined)

const programOf = ({ request: { method, url, route } }: ProbePoint): string =>
  `${method} ${url.split(/[?#]/)[0]} ${route ?? ''}`

/** It is asked with what others leave of the pace: what was guessed, and what is the same around most requests of a site. */
export const givesWay = (point: ProbePoint): boolean =>
  (point.members ?? [point]).every(
    (one) => one.guessed === true || one.place === 'own-name' || one.place === 'name' || isAround(one),
  )

/** A name takes none of the few requests that the values of a form may have. */
const isSpare = ({ request: { bound }, place }: ProbePoint): boolean => place === 'name' && bound !== undefined

const rankOf = (point: ProbePoint, before: number): number => {
  if (isAround(point)) return 1
  return before < FIRST ? 0 : before < OFTEN ? 2 : 3
}

/**
 * Of what may be sent a few times only: what a person fills, parts of the path, what the page itself puts in and is another each time, what
 * never changes, who asks, and what was pressed.
 */
const boundedRank = (point: ProbePoint, before: number): number => {
  const own = rankOf({ ...point, place: 'form' }, before)
  const level = levelOf(point)
  return level >= AROUND ? 3 + level / 10 : own + level / 10 + (point.place === 'path' ? 0.05 : 0)
}

const [FILLED, VARYING, CONSTANT, AROUND, PRESSED] = [0, 1, 2, 3, 4]

/**
 * How far it stands behind what people fill in its form, where that may be sent a few times only: one is asked when no place of a lower level
 * is being asked any more. 0 for all others.
 */
export const levelOf = (point: ProbePoint): number => {
  const { request, role, place, value } = point
  if (request.bound === undefined) return FILLED
  if (isAround(point) || place === 'name') return AROUND
  if (role === 'button') return PRESSED
  // What a program builds an object of is worth as much as what people fill.
  if (isOfPaging(point)) return VARYING
  if (role !== 'hidden' || isSerialized(value)) return FILLED
  return /\d/.test(value) || value === '' ? VARYING : CONSTANT
}

/** How many of a list are shown, and from where on: seldom more than a number to its program. */
const PAGING = /(?:^|\/)(?:page(?:_?(?:no|num|number|size|index))?|per_?page|limit|offset|count|skip|take|rows)$/i
const isOfPaging = ({ name, value }: ProbePoint): boolean => /^\d{1,6}$/.test(value) && PAGING.test(name)

/** A segment of a path has no name but the way to it. */
const nameOf = ({ request, place, name, within }: ProbePoint): string =>
  place === 'path'
    ? `path ${['', ...segmentsOf(request.url)].slice(0, Number(name) + 1).join('/')}`
    : slotOf({ place: place === 'multipart' ? 'form' : place, name, ...(within ? { within } : {}) })

/** Which places are probed first, so that one which is not reached any more is one that promised little. */
import { ownName } from '../../../page/names.ts'
import { isStateField } from '../../../page/postbacks.ts'
import { segmentsOf } from '../../../page/segments.ts'
import { translationsAmong } from '../../../page/translations.ts'
import { isAddedBy } from './added.ts'
import { isAround, WHOLE_ON } from './groups.ts'
import { isFormToken, type ProbePoint, slotOf } from './inventory.ts'
import { OWN_NAMES } from './point.ts'
import { isSerialized } from './serialized.ts'
import { folderKindOf, turnsOf } from './turns-of-kinds.ts'

/** Requests on which a parameter of one name is new; then how often it is still worth more than the rest. */
const FIRST = 2
const OFTEN = 6
const LAST = 4
/** Of one request so many before those of others have their turn. */
const OF_REQUEST = 12
/** Headers and cookies that are asked by one text alone come behind all that pages and scripts send. */
const AROUND_LATER = 3.5
/** What another address of the same program is asked in the site's first language: behind all that is new anywhere. */
const TRANSLATED = 3.2
/** Fields of a form that holds the whole page, which are sent with each of its buttons. */
const FAR = 3.1
/** It is compared with what was minted, and any other value is refused: what people fill stands beside it. */
const TOKEN = 3.3
/** All values that an extension takes come before those of the system that it was added to. */
const OF_EXTENSION = 3
/** Behind names that are new, before headers and cookies. */
const OF_PROGRAM = 0.5
/** A guard answers in place of its program. */
const TURNED_AWAY = 5
/** Behind it there is nothing left to ask about. */
const DELETING = 9

/**
 * Parameters by how many requests have shown the same name before: an application reads its `lang` or `token` in one place
 * for all pages. A form that brings no other name belongs to its own program all the same: its first field comes before headers and
 * cookies. Guesses come last and make no name of a page less worth. Within a rank requests of each kind have their turn, so that of one
 * for which there is too little time something of everything was asked; of a kind the order of the crawl stays, which goes from the start
 * page outwards, and places of one request stay together.
 */
export const byWorth = (points: readonly ProbePoint[], folders: readonly string[] = []): readonly ProbePoint[] => {
  const seen = new Map<string, number>()
  const programs = new Set<string>()
  const turns = turnsOfRequests(points)
  const counts = new Map<string, number>()
  /** A form of a hundred fields would keep all others waiting. */
  const isOfMany = ({ request: { id } }: ProbePoint): boolean => {
    const before = counts.get(id) ?? 0
    counts.set(id, before + 1)
    return before >= OF_REQUEST
  }
  const translated = translatedIn(points)
  const added = addedIn(points, folders)
  const everywhere = namesEverywhere(points)
  const rankOf = (point: ProbePoint): number => {
    if (point.request.deletes) return DELETING
    if (point.request.turnedAway) return TURNED_AWAY
    if (point.guessed || OWN_NAMES.has(point.place) || isSpare(point)) return LAST
    if (isFormToken(point)) return TOKEN
    if (translated.has(point.request.id)) return Math.max(TRANSLATED, rankByName(point, LAST))
    const key = nameOf(point)
    const before = point.own ? 0 : (seen.get(key) ?? 0)
    // What stands with another button is asked with that, and here behind all that is new.
    if (point.far) return FAR
    seen.set(key, before + 1)
    if (point.request.bound !== undefined) return boundedRank(point, before)
    const name = rankByName(point, before)
    const rank = isAround(point) || !isOfMany(point) ? name : Math.max(name, 2)
    if (!(isOfForm(point) || namesRecord(point)) || isAround(point)) return rank
    // What chooses the program is no value of it.
    if (isRouting(point)) return rank
    // The search in the head of all pages belongs to none of them.
    if (everywhere.has(nameOf(point)) && holdsState(point)) return rank
    const program = programOf(point)
    const isFirst = !programs.has(program)
    programs.add(program)
    return isFirst ? Math.min(rank, OF_PROGRAM) : rank
  }
  return points
    .map((point) => ({
      point,
      rank: rankOf(point) - (added.has(point.request.id) && isOwnValue(point) ? OF_EXTENSION : 0),
      turn: turns.get(point.request.id) ?? 0,
    }))
    .toSorted((a, b) => a.rank - b.rank || a.turn - b.turn)
    .map(({ point }) => point)
}

/** Ids of requests of extensions: none where all are. */
const addedIn = (points: readonly ProbePoint[], folders: readonly string[]): ReadonlySet<string> => {
  const isAdded = isAddedBy(folders)
  if (isAdded === null) return new Set()
  const requests = [...new Map(points.map(({ request }) => [request.id, request])).values()]
  const added = requests.filter(isAdded)
  return new Set(added.length < requests.length ? added.map(({ id }) => id) : [])
}

/** Names of fields on so many programs, and on this share of those that have forms. */
const MANY = 8
const SHARE = 0.5

const namesEverywhere = (points: readonly ProbePoint[]): ReadonlySet<string> => {
  const programs = new Map<string, Set<string>>()
  const all = new Set<string>()
  for (const point of points) {
    if (!isOfForm(point) || isAround(point)) continue
    const program = programOf(point)
    all.add(program)
    programs.set(nameOf(point), (programs.get(nameOf(point)) ?? new Set()).add(program))
  }
  const least = Math.max(MANY, all.size * SHARE)
  return new Set([...programs].flatMap(([name, { size }]) => (size >= least ? [name] : [])))
}

/** Its form holds the whole page, with what stands around the content of all. */
const holdsState = ({ request: { tokens = [] } }: ProbePoint): boolean => tokens.some(({ name }) => isStateField(name))

/** Ids of requests whose program is asked in another language already. */
const translatedIn = (points: readonly ProbePoint[]): ReadonlySet<string> => {
  const names = Map.groupBy(
    points.filter((point) => !isAround(point)),
    ({ request }) => request.id,
  )
  const requests = new Map(points.map(({ request }) => [request.id, request]))
  const kindOf = ({ id, method }: ProbePoint['request']): string =>
    [method, ...new Set((names.get(id) ?? []).map((point) => slotOf(point)))].toSorted().join(' ')
  const others = translationsAmong([...requests.values()], ({ url }) => url, kindOf)
  return new Set([...others].map(({ id }) => id))
}

/** By id: requests of one folder that are sent in the same way are of one kind. */
const turnsOfRequests = (points: readonly ProbePoint[]): ReadonlyMap<string, number> => {
  const places = new Map<string, Set<string>>()
  const kinds = new Map<string, string>()
  for (const point of points) {
    const { id, method, url, bound } = point.request
    kinds.set(id, `${method} ${folderKindOf(url)} ${bound !== undefined}`)
    const ways = places.get(id) ?? new Set<string>()
    places.set(id, point.guessed || (isAround(point) && !point.own) ? ways : ways.add(point.place))
  }
  return turnsOf([...kinds.keys()], (id) => `${kinds.get(id)} ${[...(places.get(id) ?? [])].toSorted().join(' ')}`)
}

/** What a person or a script fills and sends, as a link does not: that has the same few parameters on all pages of a site. */
const isOfForm = ({ request: { method, formPage, called }, role }: ProbePoint): boolean =>
  role === undefined && (method !== 'GET' || formPage !== undefined || called === true)

const isRouting = ({ request: { route }, place, name }: ProbePoint): boolean =>
  place === 'query' && route !== undefined && new URLSearchParams(route).has(name)

/** `/news?id=3`, `/orders?id=7`: each program looks its own record up, whatever all of them call it. */
const namesRecord = (point: ProbePoint): boolean =>
  point.place === 'query' && /^\d{1,12}$/.test(point.value) && !isOfPaging(point) && RECORD.test(ownName(point.name))
const RECORD = /^(?:id|no|nr|num|number|key|code)$|(?:^|[_-])(?:id|no|nr)$|[a-z](?:Id|ID|No|Nr)$/

const programOf = ({ request: { method, url, route } }: ProbePoint): string =>
  `${method} ${url.split(/[?#]/)[0]} ${route ?? ''}`

/** It is asked with what others leave of the pace: what was guessed, and what is the same around most requests of a site. */
export const givesWay = (point: ProbePoint): boolean =>
  (point.members ?? [point]).every(
    (one) => one.guessed === true || OWN_NAMES.has(one.place) || one.place === 'name' || (isAround(one) && !one.own),
  )

/** Of the request itself: a word of its path is what its program is called. */
const isOwnValue = (point: ProbePoint): boolean =>
  !givesWay(point) && (point.place !== 'path' || /\d/.test(point.value))

/** A name takes none of the few requests that the values of a form may have. */
const isSpare = ({ request: { bound }, place }: ProbePoint): boolean => place === 'name' && bound !== undefined

/** An object that a program builds tells by itself, and is read for every page. */
const rankByName = (point: ProbePoint, before: number): number => {
  if (isAround(point) && !point.own && isSerialized(point.value)) return before < FIRST ? 0 : AROUND_LATER
  if (isAround(point) && !point.own) return before < WHOLE_ON ? 1 : AROUND_LATER
  return before < FIRST ? 0 : before < OFTEN ? 2 : 3
}

/**
 * Of what may be sent a few times only: what a person fills, parts of the path, what the page itself puts in and is another each time, what
 * never changes, who asks, and what was pressed.
 */
const boundedRank = (point: ProbePoint, before: number): number => {
  const own = rankByName({ ...point, place: 'form' }, before)
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
  if ((isAround(point) && !point.own) || place === 'name') return AROUND
  if (role === 'button') return PRESSED
  // Files are asked beforehand what else may be done with them.
  if (place === 'file' || place === 'file-name') return VARYING
  // What a program builds an object of is worth as much as what people fill.
  if (isOfPaging(point)) return VARYING
  if (role !== 'hidden' || isSerialized(value)) return FILLED
  return /\d/.test(value) || value === '' ? VARYING : CONSTANT
}

/** How many of a list are shown, and from where on: seldom more than a number to its program. */
const PAGING = /^(?:page(?:_?(?:no|num|number|size|index))?|per_?page|limit|offset|count|skip|take|rows)$/i
const isOfPaging = ({ name, value }: ProbePoint): boolean => /^\d{1,6}$/.test(value) && PAGING.test(ownName(name))

/** A segment of a path has no name but the way to it. */
const nameOf = ({ request, place, name, within }: ProbePoint): string =>
  place === 'path'
    ? `path ${['', ...segmentsOf(request.url)].slice(0, Number(name) + 1).join('/')}`
    : slotOf({ place: place === 'multipart' ? 'form' : place, name, ...(within ? { within } : {}) })

/**
 * Requests that one program answers for one record after the other: the same method and names, a path or a query that differs in one word,
 * pages that are built and labelled exactly alike, and answer alike to what breaks most languages. Two of them are asked, and stand
 * for the rest. What each of such pages posts of its own, and what may be sent a few times only, is told by the pages alone.
 */

import { createHash } from 'node:crypto'
import { readHtml } from '../../../page/html.ts'
import { lookOf, lookOfText } from '../../../page/look.ts'
import { parametersOf, segmentsOf, withSegmentAt } from '../../../page/segments.ts'
import { isNumberedName, isScriptFile, isVariable, segmentShape } from '../../../page/shape.ts'
import { type ProbePoint, type ProbeRequest, slotOf } from './inventory.ts'
import type { Reply } from './prober.ts'
import { WORD } from './word.ts'

/** So many pages exactly alike are records; fewer may be programs of one framework. */
const FEWEST = 12
const ASKED = 2
/** Of a program that is known by so many, fewer that are alike again are records of another make: goods that are sold out. */
const FEW = 3
const AT_ONCE = 6
/** A page of less says nothing by being built alike. */
const LEAST_BUILT = 8

/** Of forms that may be sent a few times only, so many modules ask two each, so that none takes what another needs. */
const TURNS = 3

export interface Standing {
  /**
   * Ids of the requests that stand for it, itself among them where it is one; of forms that may be sent a few times only two for each turn. Of few
   * records nothing: each is asked itself, and what they have in common is one flaw.
   */
  readonly asked: readonly string[]
  /** Its path, with `*` for the word by which it differs from the others, and shapes of what differs beside; likewise of its query, where that tells them apart. */
  readonly program: string
}

/** By the id of a request that is one of many of one program. */
export type StandIns = ReadonlyMap<string, Standing>

/**
 * `requests` in the order of what they promise: the first of each kind are asked. `get` asks for one as it is, `upset` with what
 * few languages survive in all of its fields; null where it has none or cannot be asked so. `page` asks for the page of an
 * address; null where none answers.
 */
export const standInsOf = async (
  requests: readonly ProbeRequest[],
  get: (request: ProbeRequest) => Promise<Reply>,
  upset: (request: ProbeRequest) => Promise<Reply | null>,
  page: (address: string) => Promise<Seen | null> = async () => null,
): Promise<StandIns> => {
  const standIns = new Map<string, Standing>()
  const stand = (same: readonly Relative[], turns = 1): void => {
    const asked = same.slice(0, ASKED * turns).map(({ request }) => request.id)
    for (const { request, program } of same) standIns.set(request.id, { asked, program })
  }
  for (const family of familiesOf(requests)) {
    const built = await alike(family, async ({ request, word }) => buildOf(await get(request), request.url, word))
    const reacted: (readonly Relative[])[] = []
    for (const some of recordsIn(built))
      reacted.push(...(await alike(some, async (one) => reactionOf(await upset(one.request), one))))
    for (const same of recordsIn(reacted)) stand(same)
  }
  for (const family of familiesOf(requests, isOfPage)) {
    const built = await alike(family, (one) => buildOfPage(one, page))
    // The program of the page is known by its records; what its form does it does for all of them, whatever make the page is.
    if (recordsIn(built).length > 0) stand(inTurn(built), TURNS)
  }
  const few = await fewRecords(
    requests.filter(({ id }) => !standIns.has(id)),
    { get, upset, page },
  )
  for (const { request, program } of few) standIns.set(request.id, { asked: [], program })
  return standIns
}

interface Asking {
  readonly get: (request: ProbeRequest) => Promise<Reply>
  readonly upset: (request: ProbeRequest) => Promise<Reply | null>
  readonly page: (address: string) => Promise<Seen | null>
}

/**
 * Fewer than tell by themselves: where a word that nobody has is answered otherwise than one in a folder that there is not, their program takes
 * it for a value.
 */
const fewRecords = async (requests: readonly ProbeRequest[], asking: Asking): Promise<readonly Relative[]> => {
  const found: Relative[] = []
  const known = new Map<string, Promise<boolean>>()
  const takes = async (address: string, word: string): Promise<boolean> => {
    const unknown = addressWith(address, word, WORD_OF_NOBODY)
    if (unknown === null) return false
    const before = known.get(unknown)
    if (before !== undefined || known.size >= MOST_FOLDERS) return before ?? false
    const now = isAnswered(unknown, asking.page)
    known.set(unknown, now)
    return now
  }
  for (const family of familiesOf(requests, mayMerge, FEW)) {
    const [first] = family
    if (!first?.program.includes('/*') || first.request.method !== 'GET') continue
    if (!(await takes(first.request.url, first.word))) continue
    const built = await alike(family, async ({ request, word }) =>
      buildOf(await asking.get(request), request.url, word),
    )
    for (const some of built.filter(({ length }) => length >= FEW)) {
      const same = await alike(some, async (one) => reactionOf(await asking.upset(one.request), one))
      found.push(...same.filter(({ length }) => length >= FEW).flat())
    }
  }
  for (const family of familiesOf(requests, isOfPage, FEW)) {
    const [first] = family
    const address = first ? pageOf(first.request, first.word) : null
    if (!first || address === null || !(await takes(address, first.word))) continue
    const built = await alike(family, (one) => buildOfPage(one, asking.page))
    if (built.some(({ length }) => length >= FEW)) found.push(...family)
  }
  return found
}

const WORD_OF_NOBODY = `${WORD}-0`
/** Two requests each. */
const MOST_FOLDERS = 40

/** Whether a program answers at an address with that word. */
const isAnswered = async (unknown: string, page: Asking['page']): Promise<boolean> => {
  const nowhere = withSegmentAt(unknown, segmentsOf(unknown).indexOf(WORD_OF_NOBODY) - 1, WORD_OF_NOBODY)
  const [answer, missing] = [await page(unknown), await page(nowhere)]
  return answer !== null && missing !== null && madeOf(answer, unknown) !== madeOf(missing, nowhere)
}

/** Without what it asks for; null where no part of its path is that word. */
const addressWith = (address: string, word: string, by: string): string | null => {
  const at = segmentsOf(address).indexOf(word)
  const [start = address] = address.split(/[?#]/)
  return at < 0 ? null : withSegmentAt(start, at, by)
}

/** How an answer is made, whatever it says. */
export const madeOf = ({ status, text, contentType }: Seen, url: string): string => {
  const { outline } = /<html|<!doctype|<body/i.test(text) ? lookOf(readHtml(text, url), text, url) : lookOfText(text)
  return JSON.stringify([status, contentType, [...outline].toSorted()])
}

/** One of the most frequent make and one of another at a time. */
const inTurn = (groups: readonly (readonly Relative[])[]): readonly Relative[] => {
  const [most = [], ...others] = groups.toSorted((a, b) => b.length - a.length)
  const rest = others.flat()
  const longest = Math.max(most.length, rest.length)
  return Array.from({ length: longest }, (_, at) => [most[at], rest[at]].filter((one) => one !== undefined)).flat()
}

/** Groups of one family, where one of them is large enough to be of records. */
const recordsIn = (groups: readonly (readonly Relative[])[]): readonly (readonly Relative[])[] =>
  groups.some(({ length }) => length >= FEWEST) ? groups.filter(({ length }) => length >= FEW) : []

/** Those that have this in common; what has none stands alone. */
const alike = async (
  family: readonly Relative[],
  of: (one: Relative) => Promise<string | null>,
): Promise<readonly (readonly Relative[])[]> => {
  const known: (readonly [Relative, string | null])[] = []
  for (let at = 0; at < family.length; at += AT_ONCE) {
    const some = family.slice(at, at + AT_ONCE)
    known.push(...(await Promise.all(some.map(async (one) => [one, await of(one)] as const))))
  }
  return [...Map.groupBy(known, ([, common]) => common)]
    .filter(([common]) => common !== null)
    .map(([, some]) => some.map(([one]) => one))
}

/** What becomes of the signs that were sent, and of the page. */
const reactionOf = (reply: Reply | null, { request, word }: Relative): string => {
  if (!reply) return 'none'
  const shown = SIGNS.map((sign) => reply.text.includes(sign))
  return JSON.stringify([reply.status, reply.contentType, buildOf({ ...reply, status: 200 }, request.url, word), shown])
}

/** As signs of that text come back: as they were sent, and in the codings that pages know. */
const SIGNS = [
  `'"`,
  `\\'`,
  `''`,
  '&#39;',
  '&#x27;',
  '&apos;',
  '&quot;',
  '<%=',
  '&lt;%',
  '\\u003c',
  '%3C',
  '{{(',
  '$' + '{(',
]

/** What of an answer tells how a page is built. */
type Seen = Pick<Reply, 'status' | 'text' | 'contentType'>

interface Relative {
  readonly request: ProbeRequest
  /** Of its path, or a value of its query, by which it differs from the others. */
  readonly word: string
  /** Where numbers alone tell records apart: what is called an id has one. */
  readonly mayCount: boolean
  /** As in Standing. */
  readonly program: string
}

/** Each request in one family at most, the largest. */
export const familiesOf = (
  requests: readonly ProbeRequest[],
  may: (request: ProbeRequest) => boolean = mayMerge,
  fewest = FEWEST,
): readonly (readonly Relative[])[] => {
  const families = new Map<string, Map<string, Relative>>()
  const keys = new Map<ProbeRequest, readonly string[]>()
  for (const request of requests.filter(may)) {
    const own = keysOf(request)
    keys.set(
      request,
      own.map(({ key }) => key),
    )
    for (const { key, word, program, mayCount } of own) {
      const family = families.get(key) ?? new Map<string, Relative>()
      families.set(key, family)
      if (!family.has(word)) family.set(word, { request, word, program, mayCount })
    }
  }
  const sizeOf = (key: string): number => families.get(key)?.size ?? 0
  return [...families]
    .map(([key, family]) =>
      [...family.values()].filter(
        ({ request }) => (keys.get(request) ?? []).toSorted((a, b) => sizeOf(b) - sizeOf(a))[0] === key,
      ),
    )
    .map(withoutNumbered)
    .filter((family) => family.length >= fewest)
}

/** Names that a number alone tells from others are those of programs or parts, until the crawl has learned that they are records. */
const withoutNumbered = (family: readonly Relative[]): readonly Relative[] => {
  const names = Map.groupBy(family, ({ word }) => word.replace(/\d+/g, ''))
  return family.filter(
    ({ word, mayCount }) => mayCount || CODE.test(word) || names.get(word.replace(/\d+/g, ''))?.length === 1,
  )
}

/** `BR-220`: of goods and orders, as no program is called. */
const CODE = /^[A-Z]{1,6}[-_.]?\d{2,}(?:[-_.]?[A-Z\d]{1,4})?$/

const mayMerge = ({ effect, bound, body, headers }: ProbeRequest): boolean =>
  effect === 'reads' && bound === undefined && (body === null || isOfForm(headers))

const isOfForm = (headers: ProbeRequest['headers']): boolean =>
  headers.some(([name, value]) => /^content-type$/i.test(name) && /urlencoded/i.test(value))

/** What may write, and is not sent to find out what it answers: by a form of a page of its own. */
const isOfPage = (request: ProbeRequest): boolean =>
  !mayMerge(request) && request.deletes === undefined && request.signsIn === undefined && isOfForm(request.headers)

/** The page that has its form and is called by the same word; null where that is none. */
const pageOf = ({ seenOn }: ProbeRequest, word: string): string | null =>
  seenOn.find((one) => !isScriptFile(one) && segmentsOf(one).includes(word)) ?? null

/** Of that page; null where there is none, or it does not answer. */
const buildOfPage = async ({ request, word }: Relative, page: Asking['page']): Promise<string | null> => {
  const address = pageOf(request, word)
  const seen = address === null ? null : await page(address)
  return address === null || seen === null ? null : buildOf(seen, address, word)
}

/** What has an ending is a program or a file of its own, and the first word of a path names a part of the application. */
const NAME = /^[a-z0-9%][\w%-]*$/i

const keysOf = (request: ProbeRequest): readonly (Omit<Relative, 'request'> & { readonly key: string })[] => {
  const { origin } = new URL(request.url)
  const segments = ['', ...segmentsOf(request.url)]
  /** Words that stand beside numbers and dates, as in an archive, are of one program. */
  const shapes = segments.map((one) => (isVariable(one) && !isNumberedName(one) ? segmentShape(one) : one))
  const names = [...new Set(parametersOf(request.url).map(([name]) => name))].toSorted()
  const fields = [...new Set(new URLSearchParams(request.body ?? '').keys())].toSorted()
  const byPath = segments.flatMap((word, at) => {
    if (at < 2 || !NAME.test(word)) return []
    const path = shapes.with(at, '*')
    const key = JSON.stringify([request.method, origin, path, names, fields, request.route])
    return [{ key, word, program: path.join('/'), mayCount: false }]
  })
  const query = parametersOf(request.url)
  // What else the query says may choose what the program does.
  const beside = query.map(([name, value]) => [name, isVariable(value) ? segmentShape(value) : value] as const)
  const byQuery = query.flatMap(([name, word], at) => {
    const mayCount = isIdName(name)
    if (!VALUE.test(word) || PROGRAM.test(word) || (isVariable(word) && !mayCount)) return []
    const others = beside.with(at, [name, '*'])
    const key = JSON.stringify([request.method, origin, shapes, others, fields, request.route])
    return [{ key, word, program: `${shapes.join('/')}?${name}=*`, mayCount }]
  })
  return [...byPath, ...byQuery]
}

/** `id`, `ticket_id`, `topicId`: its numbers are those of records, where another name may count programs. */
const isIdName = (name: string): boolean => /(?:^|[_.-])(?:id|uuid|guid|pk|no)$|[a-z]I[dD]$/.test(name)

/** What a front controller is to run, and no record. */
const PROGRAM = /\.(?:php\d?|phtml|inc|jspx?|aspx?|do|action|cfm|cgi|pl|py|rb|x?html?)$/i

/** Of a query, which names records by more signs than a path. */
const VALUE = /^[\p{L}\p{N}][\p{L}\p{N}\w.:~ /-]{0,79}$/u

/** Equal for pages that are built and labelled alike, whatever they say; null for what is too plain to tell, or no answer. */
export const buildOf = ({ status, text, contentType }: Seen, url: string, word: string): string | null => {
  if (status < 200 || status > 299) return null
  const plain = text.replaceAll(`/${word}`, '/*').replaceAll(`=${encodeURIComponent(word)}`, '=*')
  const isHtml = /<html|<!doctype|<body/i.test(plain)
  const look = isHtml ? lookOf(readHtml(plain, url), plain, url) : lookOfText(plain)
  if (look.outline.size < LEAST_BUILT) return null
  return createHash('sha256')
    .update(
      JSON.stringify([status, contentType, [...look.outline].toSorted(), look.forms, isHtml ? wordsOf(plain) : []]),
    )
    .digest('hex')
}

/** Names of classes, ids and fields, and what columns, fields and buttons are called: programs of one make differ in them. */
const wordsOf = (html: string): readonly string[] => {
  const names = [...html.matchAll(/\s(?:class|id|name|for|type|placeholder)\s*=\s*["']?([^"'<>]{1,300})/gi)].flatMap(
    ([, value]) => (value ?? '').split(/\s+/),
  )
  const labels = [...html.matchAll(/<(th|label|button|legend|dt)\b[^<>]*>(.{0,300}?)<\/\1>/gis)].map(
    ([, , label]) => label ?? '',
  )
  const pressed = [
    ...html.matchAll(/<input\b(?=[^<>]*\btype\s*=\s*["']?(?:submit|button))[^<>]*\bvalue\s*=([^<>]*)/gi),
  ].map(([, value]) => value ?? '')
  return [
    ...new Set([...names, ...labels, ...pressed].map((one) => one.replace(/<[^<>]*>|\d+/g, '').trim())),
  ].toSorted()
}

/** The same places, their requests with the program that they are of. */
export const ofPrograms = (points: readonly ProbePoint[], standIns: StandIns): readonly ProbePoint[] => {
  const told = new Map<ProbeRequest, ProbeRequest>()
  return points.map((point) => {
    const program = standIns.get(point.request.id)?.program
    if (program === undefined) return point
    const request = told.get(point.request) ?? { ...point.request, program }
    told.set(point.request, request)
    return { ...point, request }
  })
}

/** By each place that is not asked itself, the same places of those that stand for it, where they have it. `turn`: of the module, from 0. */
export const placesMerged = (
  points: readonly ProbePoint[],
  standIns: StandIns,
  turn = 0,
): ReadonlyMap<ProbePoint, readonly ProbePoint[]> => {
  const byPlace = new Map(points.map((point) => [placeKey(point.request.id, point), point]))
  return new Map(
    points.flatMap((point) => {
      const asked = standIns.get(point.request.id)?.asked ?? []
      const from = asked.length === 0 ? 0 : (turn * ASKED) % asked.length
      // Of few the last turns begin anew.
      const own = [...asked, ...asked].slice(from, from + Math.min(ASKED, asked.length))
      if (own.includes(point.request.id)) return []
      const found = own.flatMap((id) => byPlace.get(placeKey(id, point)) ?? [])
      return found.length === ASKED ? [[point, found] as const] : []
    }),
  )
}

const placeKey = (request: string, point: ProbePoint): string => `${request} ${slotOf(point)}`

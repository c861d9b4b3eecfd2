/**
 * Puts a property into the prototype of all objects of a JavaScript server, by bodies of JSON that are merged with others, and sees it
 * in another answer (CWE-1321). Set back to none at the end; gone it is once the server is started anew, so on test systems alone.
 */
import { randomInt } from 'node:crypto'
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { textOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import type { ProbePoint } from '../insertion-points/inventory.ts'
import { pageOrNull } from '../insertion-points/page-or-null.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../insertion-points/prober.ts'
import { baselineKey } from '../insertion-points/reached.ts'
import { placeOf } from '../insertion-points/records.ts'
import { SHARED } from '../insertion-points/shared.ts'
import { around } from '../insertion-points/verdict.ts'
import type { PrototypeHit, PrototypesFacts } from './facts.ts'

const MOST_REQUESTS = 40
/** Pages of the site that are looked at again at the end: what is looped over everywhere may break what is drawn. */
const MOST_PAGES = 8
/**
 * Nothing else is called so. The first may be the name of a header (RFC 9110, 5.6.2): a server that loops over the headers that it sets gives it
 * to its answers, where it is seen and does nothing. The other, which Express before 4.19 looks up for each answer of JSON, has a blank: such
 * a server would fail with every answer, for good. So it is sent only where the first has shown nowhere.
 */
const PLAIN = 'sondespaces'
const LOOKED_UP = 'json spaces'
/** A member of the body beside them, of no meaning: whether the answers show members that nobody asked for. */
const BESIDE = 'sondeother'
/** JSON.stringify knows no more than ten; fewer are usual. */
const [LEAST, MOST] = [5, 10]

/** Ways to the prototype, as the beginning of a body. Filters know the first. */
const WAYS: readonly (readonly [name: string, beginning: (property: string, spaces: number) => string])[] = [
  ['__proto__', (property, spaces) => `"__proto__":{"${property}":${spaces}},`],
  ['constructor.prototype', (property, spaces) => `"constructor":{"prototype":{"${property}":${spaces}}},`],
]

interface Reading {
  /** For a person. */
  readonly from: string
  readonly replay: string
  readonly text: string
  readonly status: number
  readonly headers: HttpExchange['headers']
}

/** Each body of JSON that is an object, of each request once. */
export const prototypePlaces = (points: readonly ProbePoint[]): readonly ProbePoint[] => {
  const seen = new Set<string>()
  return points.filter(({ place, request: { id, body }, members, within }) => {
    if (place !== 'json' || members || within || seen.has(id) || !/^\s*\{\s*"/.test(body ?? '')) return false
    seen.add(id)
    return true
  })
}

export const askPrototypes = async (
  ctx: CollectContext,
  { urls }: Pick<CrawlFacts, 'urls'>,
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
): Promise<PrototypesFacts> => {
  const known = prototypePlaces(points)
  const asked = ctx.target.environment === 'test' ? known.slice(0, MOST_REQUESTS) : []
  const page = urls.find(({ status, contentType }) => status === 200 && /json/.test(contentType))?.url ?? null
  const drawn = asked.length > 0 ? await answered(ctx, pagesOf(urls)) : []
  const hits: PrototypeHit[] = []
  let [sent, short, swallowed] = [0, 0, 0]
  for (const [index, point] of asked.entries()) {
    ctx.signal.throwIfAborted()
    ctx.progress(`bodies of JSON: ${index + 1} of ${asked.length}`, index / asked.length)
    const probe = at(point)
    // All that a form is kept for what comes last.
    probe.pursue('sign')
    const plain = await askPlace(ctx, probe, page, PLAIN, await usualReadings(ctx, probe, page))
    // Where no answer is JSON none could be indented.
    const outcome =
      isSeen(plain) && plain.seen.some(isJson) ? await askPlace(ctx, probe, page, LOOKED_UP, plain.seen) : plain
    // What comes after would be answered with the same error, and says nothing.
    if (outcome === 'failing') return { known: known.length, asked: sent, hits, failing: placeOf(point) }
    if (outcome === 'unsent') short += 1
    else sent += 1
    if (outcome !== 'unsent' && isSeen(plain) && plain.swallows) swallowed += 1
    if (outcome === 'unsent' || isSeen(outcome)) continue
    hits.push(outcome)
    // All objects of the server have it now: another place would show the same.
    break
  }
  const all = hits.length > 0 ? known.length : sent
  if (hits.length > 0) return { known: known.length, asked: all, hits }
  const still = sent > 0 ? await answered(ctx, drawn) : drawn
  const broken = drawn.filter((one) => !still.includes(one))
  return {
    known: known.length,
    asked: all,
    hits,
    ...(broken.length === 0 ? {} : { broken }),
    ...(short === 0 ? {} : { short }),
    ...(swallowed === 0 ? {} : { swallowed }),
  }
}

/** Of each path one. */
const pagesOf = (urls: CrawlFacts['urls']): readonly string[] => {
  const pages = urls
    .filter(({ status, contentType }) => status === 200 && /html/.test(contentType))
    .map(({ url }) => url)
  return [...new Map(pages.map((url) => [new URL(url).pathname, url] as const)).values()].slice(0, MOST_PAGES)
}

/** Those that are answered by no error of the server. */
const answered = async (ctx: CollectContext, pages: readonly string[]): Promise<readonly string[]> => {
  const fine: string[] = []
  for (const url of pages) {
    ctx.signal.throwIfAborted()
    const reply = await pageOrNull(ctx.egress, url)
    if (reply !== null && reply.status < 500) fine.push(url)
  }
  return fine
}

/** Where a header or an object in an answer has the property, or JSON is indented by so many spaces: not where it repeats what was sent. */
const shownIn = ({ text, headers }: Reading, property: string, spaces: number): string | null => {
  const header = headers.find(([name, value]) => name.toLowerCase() === property && value === String(spaces))
  if (header) return header.join(': ')
  const rest = text.replace(/"(?:__proto__|prototype)"\s*:\s*\{[^{}]*\}/g, '""')
  const indented = property === LOOKED_UP ? new RegExp(`^[[{]\\r?\\n {${spaces}}\\S`).exec(rest) : null
  return (indented ?? new RegExp(`"${property}"\\s*:\\s*${spaces}\\b`).exec(rest))?.[0] ?? null
}

/** Nothing shows; what was answered last. */
interface Seen {
  readonly seen: readonly Reading[]
  /** An answer shows a member that nobody asked for, and none of those that lead to the prototype beside it. */
  readonly swallows: boolean
}
type Outcome = PrototypeHit | Seen | 'unsent' | 'failing'

const isSeen = (outcome: Outcome): outcome is Seen => typeof outcome === 'object' && 'seen' in outcome

const isJson = ({ text }: Reading): boolean => /^\s*[[{]/.test(text)

/** `before`: what was answered without the property. */
const askPlace = async (
  ctx: CollectContext,
  probe: Probe,
  page: string | null,
  property: string,
  before: readonly Reading[],
): Promise<Outcome> => {
  // Of a site that answers nothing before either, its silence says nothing.
  if (before.every(({ status }) => status === 0)) return 'unsent'
  const spaces = spacesBeside(before, property)
  const beside = property === PLAIN ? `"${BESIDE}":${spaces},` : ''
  const both = await put(probe, `${WAYS.map(([, beginning]) => beginning(property, spaces)).join('')}${beside}`)
  if (both === null) return 'unsent'
  const told = (some: readonly Reading[], count: number): Reading | undefined =>
    some.find((one) => shownIn(one, property, count) !== null)
  let seen = await readings(ctx, probe, page)
  const isAlive = async (): Promise<boolean> =>
    (await pageOrNull(ctx.egress, new URL('/', probe.request.url).href, '', true)) !== null
  if (await isFailing(before, seen, isAlive)) return 'failing'
  // What merges it next is what shows it most: where that may not be sent any more nothing is known.
  if (!told(seen, spaces) && !seen.some(({ from }) => from === fromOf(probe))) return 'unsent'
  // What refuses the one by its name may let the other through.
  if (!told(seen, spaces) && both.status >= 400 && (await put(probe, WAYS.at(-1)?.[1](property, spaces) ?? '')))
    seen = await readings(ctx, probe, page)
  if (await isFailing(before, seen, isAlive)) return 'failing'
  if (!told(seen, spaces)) return { seen, swallows: [both, ...seen].some(isSwallowing) }
  probe.pursue()
  let isShort = false
  for (const [way, beginning] of WAYS) {
    const trials: PrototypeHit['trials'][number][] = []
    let last: readonly Reading[] = []
    for (const count of twoOthers(spaces)) {
      const reply = await put(probe, beginning(property, count))
      if (reply) last = await readings(ctx, probe, page)
      const shows = reply && told(last, count)
      isShort ||= reply === null || !last.some(({ from }) => from === fromOf(probe))
      if (!reply || !shows) break
      const mark = shownIn(shows, property, count) ?? ''
      trials.push({
        ...{ payload: beginning(property, count).slice(0, -1), from: shows.from },
        ...{ replay: `${reply.replay}\n${shows.replay}` },
        excerpt: shows.text.includes(mark) ? around(shows.text, mark, 120) : mark,
      })
    }
    // Also where nothing shows any more.
    const isOver = (await put(probe, beginning(property, 0))) !== null
    isShort ||= !isOver
    if (trials.length < 2) continue
    const [first, second] = twoOthers(spaces)
    // Where it cannot be set back any more the second number has taken the place of the first.
    const after = isOver ? await readings(ctx, probe, page) : last
    const controlShows = (isOver ? [first, second] : [first]).some((count) => told(after, count) !== undefined)
    return { at: placeOf(probe.point), way, trials, undone: isOver && !controlShows, controlShows }
  }
  // It has shown, and the requests of its form ended before it was proven.
  return isShort ? 'unsent' : { seen, swallows: false }
}

/** What repeats or keeps a document whole has all of its members; what merges one has put those of the prototype elsewhere. */
const isSwallowing = ({ text }: Pick<Reading, 'text'>): boolean =>
  text.includes(`"${BESIDE}"`) && !/"(?:__proto__|constructor)"\s*:/.test(text)

type Answered = Pick<Reading, 'status'>

/** All that answered before fails by an error of its own now, or nothing answers anybody: silence alone may be that of a session which has ended. */
export const isFailing = async (
  before: readonly Answered[],
  after: readonly Answered[],
  isAlive: () => Promise<boolean>,
): Promise<boolean> => {
  if (after.length === 0 || !before.some(isAnswered) || after.some(isAnswered)) return false
  return after.some(({ status }) => status >= 500) || !(await isAlive())
}

const isAnswered = ({ status }: Answered): boolean => status > 0 && status < 500

const spacesBeside = (before: readonly Reading[], property: string): number => {
  const free = Array.from({ length: MOST - LEAST + 1 }, (_, index) => LEAST + index).filter(
    (count) => !before.some((one) => shownIn(one, property, count) !== null),
  )
  return free[randomInt(Math.max(1, free.length))] ?? LEAST
}

/** Two counts that differ from this one and from each other. */
const twoOthers = (spaces: number): readonly [number, number] => {
  const step = (by: number): number => LEAST + ((spaces - LEAST + by) % (MOST - LEAST + 1))
  return [step(2), step(4)]
}

const fromOf = ({ request }: Probe): string => `${request.method} ${new URL(request.url).pathname}`

/** Likewise, with what others were answered before: of the few requests of a form a proof takes six. */
const usualReadings = async (ctx: CollectContext, probe: Probe, page: string | null): Promise<readonly Reading[]> => {
  const known = await ctx.scope.of(SHARED).baselines.known(baselineKey(probe.point))
  return readings(ctx, probe, page, known?.[0])
}

/** The request as it is, and another answer of JSON where the site has one. */
const readings = async (
  ctx: CollectContext,
  probe: Probe,
  page: string | null,
  usual?: Reply,
): Promise<readonly Reading[]> => {
  const asked = () => probe.send(probe.point.value, { change: (request) => asFound(probe, request) })
  const own = usual ?? (await sendOrNull(asked))
  const from = fromOf(probe)
  const other = page === null ? null : await pageOrNull(ctx.egress, page)
  return [
    ...(own ? [{ ...own, from }] : []),
    ...(page !== null && other !== null
      ? [
          {
            ...{ from: `GET ${new URL(page).pathname}`, replay: `curl -isk '${page}'` },
            ...{ text: textOf(other), status: other.status, headers: other.headers },
          },
        ]
      : []),
  ]
}

/** Its numbers as numbers. */
const asFound = <Request extends { readonly body?: unknown }>(probe: Probe, request: Request): Request => ({
  ...request,
  body: probe.request.body ?? '',
})

/** The body as it is, with this at its beginning; null where it may not be sent any more. */
const put = (probe: Probe, beginning: string) =>
  sendOrNull(() =>
    probe.send(probe.point.value, {
      change: (request) => ({
        ...request,
        body: (probe.request.body ?? '').replace(/^\s*\{\s*/, () => `{${beginning}`),
      }),
    }),
  )

const sendOrNull = async <Value>(work: () => Promise<Value>): Promise<Value | null> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Unsendable || error instanceof Blocked) return null
    throw error
  }
}

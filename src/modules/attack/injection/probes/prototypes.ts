/**
 * Puts a property into the prototype of all objects of a JavaScript server, by bodies of JSON that are merged with others, and sees it
 * in another answer (CWE-1321). It is one that Express looks up for each answer of JSON and that nothing else is called: how many spaces
 * it is indented by. Set back to none at the end; gone it is once the server is started anew, so on test systems alone.
 */
import { randomInt } from 'node:crypto'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../../page/exchange.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { Blocked, type Probe, Unsendable } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { PrototypeFacts, PrototypeHit } from '../facts.ts'

const MOST_REQUESTS = 40
export const PROPERTY = 'json spaces'
/** JSON.stringify knows no more than ten; fewer are usual. */
const [LEAST, MOST] = [5, 10]

/** Ways to the prototype, as the beginning of a body. Filters know the first. */
const WAYS: readonly (readonly [name: string, beginning: (spaces: number) => string])[] = [
  ['__proto__', (spaces) => `"__proto__":{"${PROPERTY}":${spaces}},`],
  ['constructor.prototype', (spaces) => `"constructor":{"prototype":{"${PROPERTY}":${spaces}}},`],
]

interface Reading {
  /** For a person. */
  readonly from: string
  readonly replay: string
  readonly text: string
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
): Promise<PrototypeFacts> => {
  const known = prototypePlaces(points)
  const asked = ctx.target.environment === 'test' ? known.slice(0, MOST_REQUESTS) : []
  const page = urls.find(({ status, contentType }) => status === 200 && /json/.test(contentType))?.url ?? null
  const hits: PrototypeHit[] = []
  let sent = 0
  for (const point of asked) {
    ctx.signal.throwIfAborted()
    const outcome = await askPlace(ctx, at(point), page)
    if (outcome !== 'unsent') sent += 1
    if (outcome === 'unsent' || outcome === null) continue
    hits.push(outcome)
    // All objects of the server have it now: another place would show the same.
    break
  }
  return { known: known.length, asked: hits.length > 0 ? known.length : sent, hits }
}

/** Whether an answer of JSON is indented by so many spaces, or an object in it has the property: not where it repeats what was sent. */
const shows = (text: string, spaces: number): boolean =>
  new RegExp(`^[[{]\\r?\\n {${spaces}}\\S|"${PROPERTY}"\\s*:\\s*${spaces}\\b`).test(
    text.replace(/"(?:__proto__|prototype)"\s*:\s*\{[^{}]*\}/g, '""'),
  )

const askPlace = async (
  ctx: CollectContext,
  probe: Probe,
  page: string | null,
): Promise<PrototypeHit | null | 'unsent'> => {
  const before = await readings(ctx, probe, page)
  const spaces = spacesBeside(before)
  const both = await put(probe, WAYS.map(([, beginning]) => beginning(spaces)).join(''))
  if (both === null) return 'unsent'
  const told = (some: readonly Reading[], count: number): Reading | undefined =>
    some.find(({ text }) => shows(text, count))
  let shown = told(await readings(ctx, probe, page), spaces)
  // What refuses the one by its name may let the other through.
  if (!shown && both.status >= 400 && (await put(probe, WAYS.at(-1)?.[1](spaces) ?? '')))
    shown = told(await readings(ctx, probe, page), spaces)
  if (!shown) return null
  probe.pursue()
  for (const [way, beginning] of WAYS) {
    const trials: PrototypeHit['trials'][number][] = []
    for (const count of twoOthers(spaces)) {
      const reply = await put(probe, beginning(count))
      const seen = reply && told(await readings(ctx, probe, page), count)
      if (!reply || !seen) break
      const mark = new RegExp(`\\n {${count}}|"${PROPERTY}"\\s*:\\s*${count}`).exec(seen.text)?.[0] ?? ''
      trials.push({
        ...{ payload: beginning(count).slice(0, -1), from: seen.from, replay: `${reply.replay}\n${seen.replay}` },
        excerpt: around(seen.text, mark, 120),
      })
    }
    // Also where nothing shows any more.
    const isOver = (await put(probe, beginning(0))) !== null
    if (trials.length < 2) continue
    const after = await readings(ctx, probe, page)
    const controlShows = trials.some((_, index) => told(after, twoOthers(spaces)[index] ?? 0) !== undefined)
    return { at: placeOf(probe.point), way, trials, undone: isOver && !controlShows, controlShows }
  }
  return null
}

const spacesBeside = (before: readonly Reading[]): number => {
  const free = Array.from({ length: MOST - LEAST + 1 }, (_, index) => LEAST + index).filter(
    (count) => !before.some(({ text }) => shows(text, count)),
  )
  return free[randomInt(Math.max(1, free.length))] ?? LEAST
}

/** Two counts that differ from this one and from each other. */
const twoOthers = (spaces: number): readonly [number, number] => {
  const step = (by: number): number => LEAST + ((spaces - LEAST + by) % (MOST - LEAST + 1))
  return [step(2), step(4)]
}

/** The request as it is, and another answer of JSON where the site has one. */
const readings = async (ctx: CollectContext, probe: Probe, page: string | null): Promise<readonly Reading[]> => {
  const own = await sendOrNull(() => probe.send(probe.point.value, { change: (request) => asFound(probe, request) }))
  const from = `${probe.request.method} ${new URL(probe.request.url).pathname}`
  const other = page === null ? null : await textAt(ctx, page)
  return [
    ...(own ? [{ from, replay: own.replay, text: own.text }] : []),
    ...(page !== null && other !== null
      ? [{ from: `GET ${new URL(page).pathname}`, replay: `curl -isk '${page}'`, text: other }]
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

const textAt = async (ctx: CollectContext, url: string): Promise<string | null> => {
  try {
    return textOf(await ctx.egress.http(pageRequest(url)))
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

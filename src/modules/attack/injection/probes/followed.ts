/**
 * What is done with a record that was just stored, `POST /hooks/{n}/ping` of `POST /hooks`: an address that is kept there is asked by that
 * alone. The answer names the record; what the site was seen to be asked about others of its kind is asked about this one.
 */
import { headerOf } from '../../../../page/exchange.ts'
import { jsonTreeOf } from '../../../../page/json.ts'
import { segmentsOf } from '../../../../page/segments.ts'
import { isSafe } from '../../../../safety/effect.ts'
import type { ProbePoint, ProbeRequest } from '../../insertion-points/inventory.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'

/** Of what is done with one record. */
const MOST = 3

/** Commands that send what was asked about the record that the answer names; none where it names none. @throws Blocked */
export type Follow = (request: ProbeRequest, reply: Reply) => Promise<readonly string[]>

export const NOTHING_FOLLOWS: Follow = async () => []

export const createFollow =
  (points: readonly ProbePoint[], at: (point: ProbePoint) => Probe): Follow =>
  async (request, reply) => {
    const id = isSafe(request.method) || reply.status >= 400 ? null : idIn(reply)
    if (id === null) return []
    const replays: string[] = []
    for (const point of doneWith(request, points)) replays.push((await at(point).send(id)).replay)
    return replays
  }

/** The places of ids in what is done with one record of those that the request stores; nothing that deletes or replaces it. */
export const doneWith = (request: ProbeRequest, points: readonly ProbePoint[]): readonly ProbePoint[] => {
  const base = segmentsOf(request.url)
  const about = points.filter(({ place, name, guessed, request: other }) => {
    const segments = segmentsOf(other.url)
    return (
      place === 'path' &&
      guessed === undefined &&
      Number(name) === base.length &&
      segments.length === base.length + 2 &&
      base.every((segment, index) => segments[index] === segment) &&
      ['GET', 'POST'].includes(other.method) &&
      other.deletes === undefined &&
      new URL(other.url).origin === new URL(request.url).origin
    )
  })
  return [...new Map(about.map((point) => [point.request.id, point])).values()].slice(0, MOST)
}

const ID = /^(?:\d{1,18}|[\da-f]{8}-[\da-f-]{27}|[\da-f]{24})$/i

/** A member called `id`, at the top or one below, or the end of the address that the answer leads to. */
const idIn = ({ text, location, headers }: Reply): string | null => {
  const tree = jsonTreeOf(text)
  const named = [tree, ...membersOf(tree).map(([, value]) => value)].flatMap((one) =>
    membersOf(one).flatMap(([name, value]) => (/^_?id$/i.test(name) ? [String(value)] : [])),
  )
  const led = (location || headerOf({ headers }, 'location') || '').replace(/[?#].*/s, '').split('/')
  return [...named, led.at(-1) ?? ''].find((id) => ID.test(id)) ?? null
}

const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []

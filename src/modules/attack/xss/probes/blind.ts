/**
 * Scripts that run where this scan cannot look, in a back office or a log viewer: each calls an address of our own with
 * a product that only a running script can work out. Sent last, so that no browser of the scan opens what they left.
 */
import { randomInt } from 'node:crypto'
import type { CollectContext } from '../../../module.ts'
import { compose } from '../../insertion-points/compose.ts'
import { Deviation, isAround } from '../../insertion-points/groups.ts'
import { Blocked, type Probe, Unsendable } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import type { BlindFacts, BlindHit } from '../facts.ts'
import { blindPayload } from '../payloads.ts'

/** Each stays on the site. */
const MOST_PLACES = 30
const BEYOND = `beyond the first ${MOST_PLACES} that were sent a script to be opened elsewhere`
/** Milliseconds that a call may take to come, once for all places. */
const PATIENCE = 4_000

/** Null without a listener. What may store comes first, and what of it is too much is left; headers are logged by what logs all. */
export const askBlind = async (
  ctx: CollectContext,
  probes: readonly Probe[],
  patience = PATIENCE,
): Promise<BlindFacts | null> => {
  const oob = ctx.outOfBand
  if (!oob) return null
  const writing = probes.filter(({ request }) => request.effect !== 'reads')
  const keeping = [...writing, ...probes.filter(({ request, point }) => request.effect === 'reads' && isAround(point))]
  for (const probe of writing.slice(MOST_PLACES)) probe.leave('blind', BEYOND)
  const sent: { probe: Probe; token: string; expected: string; payload: string; replay: string }[] = []
  for (const probe of keeping.slice(0, MOST_PLACES)) {
    ctx.signal.throwIfAborted()
    const { token, url } = oob.issue('script')
    const [a, b] = [randomInt(2_000, 9_000), randomInt(2_000, 9_000)]
    const payload = blindPayload(url, a, b)
    const replay = await sendOnce(probe, payload, url)
    if (replay !== null) sent.push({ probe, token, expected: `qv${a * b}`, payload, replay })
  }
  const hits = await Promise.all(
    sent.map(async ({ probe, token, expected, payload, replay }): Promise<BlindHit | null> => {
      const calls = await oob.hits(token, patience, ({ detail }) => detail.includes(expected))
      const call = calls.find(({ protocol, detail }) => protocol === 'http' && detail.includes(expected))
      if (!call) return null
      const { from, agent, detail } = call
      return { at: placeOf(probe.point), payload, replay, call: { from, agent, detail } }
    }),
  )
  return { planted: sent.length, hits: hits.filter((hit) => hit !== null) }
}

/** A command that sends the same, null where the place cannot hold it or something in front refuses it. */
const sendOnce = async (probe: Probe, payload: string, home: string): Promise<string | null> => {
  try {
    return (await probe.send(payload, { language: 'markup', home })).replay
  } catch (error) {
    if (error instanceof Unsendable || error instanceof Blocked) return null
    // Sent all the same; how a group's answer differs says nothing of who opens it later.
    const request = error instanceof Deviation ? compose(probe.point, payload) : null
    if (request) return curlOf(request)
    throw error
  }
}

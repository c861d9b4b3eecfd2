/** Where few may be sent: which fields break the statement that they are put into, before anything else takes what their form may be sent. */
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { identical, noiseOf } from '../../insertion-points/likeness.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import type { BooleanHit } from '../facts.ts'
import { askFinding } from './boolean.ts'
import { askFailing } from './failing.ts'

/**
 * Of what may be sent a few times only: fields whose own statement breaks, which is asked of each before anything else of any. By then the first would
 * have taken what all have.
 */
export const askOwnStatements = async (
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  isOver: () => boolean,
): Promise<ReadonlyMap<ProbePoint, BooleanHit>> => {
  const hits = new Map<ProbePoint, BooleanHit>()
  const fields = points.filter((point) => point.request.bound !== undefined && point.role === undefined)
  for (const form of Map.groupBy(fields, ({ request }) => request.form ?? request.id).values())
    for (const { probe, broken } of await standingOut(form.map(at), isOver)) {
      if (isOver()) return hits
      const hit = await probe.alone(() => askStatement(probe, broken))
      if (hit) hits.set(probe.point, hit)
    }
  return hits
}

/** Fields that answer quotes otherwise than usual: an error of the server tells most. */
const standingOut = async (
  probes: readonly Probe[],
  isOver: () => boolean,
): Promise<readonly { readonly probe: Probe; readonly broken: Reply }[]> => {
  const standing: { readonly probe: Probe; readonly broken: Reply }[] = []
  for (const probe of probes) {
    const usual = isOver() ? null : await orNull(probe.baseline)
    const broken = usual && (await orNull(probe.broken))
    if (broken && !identical(broken, usual[0], noiseOf(usual))) standing.push({ probe, broken })
  }
  return standing.toSorted((a, b) => b.broken.status - a.broken.status)
}

/** What the answer to a broken statement tells of conditions. */
const askStatement = async (probe: Probe, broken: Reply): Promise<BooleanHit | null> =>
  (await orNull(() => askFailing(probe, broken))) ?? orNull(() => askFinding(probe, broken))

/** Null where the place takes no probes. */
const orNull = async <Answer>(ask: () => Promise<Answer>): Promise<Answer | null> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Blocked || error instanceof Unsendable) return null
    throw error
  }
}

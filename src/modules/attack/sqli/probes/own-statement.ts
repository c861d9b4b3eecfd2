/** Where few may be sent: which fields break the statement that they are put into, before anything else takes what their form may be sent. */

import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { identical, noiseOf } from '../../insertion-points/likeness.ts'
import { Blocked, Bounded, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { unlessRefused } from '../../insertion-points/techniques.ts'
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
): Promise<OwnStatements> => {
  const hits = new Map<ProbePoint, BooleanHit>()
  const unfinished: Standing[] = []
  const fields = points.filter((point) => point.request.bound !== undefined && point.role === undefined)
  for (const form of Map.groupBy(fields, ({ request }) => request.form ?? request.id).values())
    for (const standing of await standingOut(form.map(at), isOver)) {
      if (isOver()) return { hits, unfinished }
      const { probe, broken } = standing
      const hit = await probe.alone(() => askStatement(probe, broken))
      if (hit === 'unfinished') unfinished.push(standing)
      else if (hit) hits.set(probe.point, hit)
    }
  return { hits, unfinished }
}

export interface OwnStatements {
  readonly hits: ReadonlyMap<ProbePoint, BooleanHit>
  /** Whose form could be sent no more on the way to a proof. */
  readonly unfinished: readonly Standing[]
}

interface Standing {
  readonly probe: Probe
  /** The answer to quotes. */
  readonly broken: Reply
}

/** What of those was left, with what was kept of the few requests of their forms: each proof goes on where it stopped. */
export const askUnfinished = async (
  { unfinished }: OwnStatements,
  at: (point: ProbePoint) => Probe,
): Promise<readonly { readonly point: ProbePoint; readonly hit: BooleanHit }[]> => {
  const found: { readonly point: ProbePoint; readonly hit: BooleanHit }[] = []
  for (const { probe, broken } of unfinished) {
    const hit = await askStatement(at(probe.point), broken)
    if (hit && hit !== 'unfinished') found.push({ point: probe.point, hit })
  }
  return found
}

/** Fields that answer quotes otherwise than usual: an error of the server tells most. */
const standingOut = async (probes: readonly Probe[], isOver: () => boolean): Promise<readonly Standing[]> => {
  const standing: Standing[] = []
  for (const probe of probes) {
    const usual = isOver() ? null : await unlessRefused(probe.baseline)
    const broken = usual && (await unlessRefused(probe.broken))
    if (broken && !identical(broken, usual[0], noiseOf(usual))) standing.push({ probe, broken })
  }
  return standing.toSorted((a, b) => b.broken.status - a.broken.status)
}

/** What the answer to a broken statement tells of conditions. */
const askStatement = async (probe: Probe, broken: Reply): Promise<BooleanHit | 'unfinished' | null> =>
  (await unlessOver(broken, () => askFailing(probe, broken))) ?? unlessOver(broken, () => askFinding(probe, broken))

/** An error of the server is worth coming back to, whether anything was asked behind it or not. */
const unlessOver = async (
  { status }: Reply,
  ask: () => Promise<BooleanHit | null>,
): Promise<BooleanHit | 'unfinished' | null> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Bounded) return error.shown || status >= 500 ? 'unfinished' : null
    if (error instanceof Blocked || error instanceof Unsendable) return null
    throw error
  }
}

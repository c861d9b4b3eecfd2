/** Where few may be sent: which fields break the statement that they are put into, before anything else takes what their form may be sent. */

import { filledWith } from '../../insertion-points/compose.ts'
import { groupOf, isAround } from '../../insertion-points/groups.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { identical, moves, noiseOf } from '../../insertion-points/likeness.ts'
import { Blocked, Bounded, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { conjunction } from '../../insertion-points/word.ts'
import type { BooleanHit, ErrorHit, MessageHit } from '../facts.ts'
import { BOUNDARIES } from '../payloads.ts'
import { truePredicate } from '../predicates.ts'
import { askFinding } from './boolean.ts'
import { breakStatement, errorsBehind } from './error.ts'
import { askFailing, tellsOfFailure } from './failing.ts'

/**
 * Of what may be sent a few times only: fields whose own statement breaks, which is asked of each before anything else of any. By then the first would
 * have taken what all have.
 */
export const askOwnStatements = async (
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  { found, isOver }: Telling,
): Promise<OwnStatements> => {
  const proven = new Set<ProbePoint>()
  const unfinished: Standing[] = []
  const fields = points.filter(isOfForm).toSorted((a, b) => Number(a.role !== undefined) - Number(b.role !== undefined))
  for (const form of Map.groupBy(fields, ({ request }) => request.form ?? request.id).values())
    for (const standing of await standingOut(form, at, isOver)) {
      if (isOver()) return { proven, unfinished }
      const { probe, messages } = standing
      const hit = await probe.alone(() => askStatement(standing))
      if (hit === 'unfinished') unfinished.push(standing)
      if (hit === null || hit === 'unfinished') continue
      proven.add(probe.point)
      for (const one of [...messages, hit]) found({ point: probe.point, hit: one })
    }
  return { proven, unfinished }
}

/** What people fill and what the page puts in, as the number of a record; neither what was pressed nor what stands beside the form. */
const isOfForm = (point: ProbePoint): boolean =>
  point.request.bound !== undefined && point.role !== 'button' && point.guessed !== true && !isAround(point)

interface Telling {
  readonly found: (own: { readonly point: ProbePoint; readonly hit: OwnHit }) => void
  readonly isOver: () => boolean
}

export type OwnHit = BooleanHit | ErrorHit | MessageHit

export interface OwnStatements {
  readonly proven: ReadonlySet<ProbePoint>
  /** Whose form could be sent no more on the way to a proof. */
  readonly unfinished: readonly Standing[]
}

interface Standing {
  readonly probe: Probe
  /** The answer to quotes. */
  readonly broken: Reply
  /** What the database itself was seen to say. */
  readonly messages: MessageHit[]
}

/** What of those was left, with what was kept of the few requests of their forms: each proof goes on where it stopped. */
export const askUnfinished = async (
  { unfinished }: OwnStatements,
  at: (point: ProbePoint) => Probe,
): Promise<readonly { readonly point: ProbePoint; readonly hit: OwnHit }[]> => {
  const found: { readonly point: ProbePoint; readonly hit: OwnHit }[] = []
  for (const standing of unfinished) {
    const { point } = standing.probe
    const hit = await askStatement({ ...standing, probe: at(point) })
    if (hit && hit !== 'unfinished') found.push({ point, hit })
  }
  return found
}

/** So many fields cost no more, each asked alone, than to find which of them it was. */
const FEW = 2

/** Fields that answer quotes otherwise than usual: an error of the server tells most. Several are asked as one, and in halves where that stands out. */
const standingOut = async (
  form: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  isOver: () => boolean,
): Promise<readonly Standing[]> => {
  const standing: Standing[] = []
  const search = async (some: readonly ProbePoint[]): Promise<void> => {
    if (some.length === 0 || isOver()) return
    const probe = at(groupOf(some))
    const broken = some.length > 1 && some.length <= FEW ? 'among others' : await brokenAt(probe)
    if (broken === null) return
    if (some.length === 1) {
      if (broken !== 'among others') standing.push({ probe, broken, messages: [] })
      return
    }
    const half = Math.ceil(some.length / 2)
    await search(some.slice(0, half))
    await search(some.slice(half))
  }
  // Bodies of one kind: what stands in a path is told apart from what stands in a body.
  for (const some of Map.groupBy(form, ({ place }) => place).values()) await search(some)
  return standing.toSorted((a, b) => b.broken.status - a.broken.status)
}

/** The answer to quotes, where it tells something; null where it does not, or may not be asked for. Of several a refusal is that of any. */
const brokenAt = async (probe: Probe): Promise<Reply | 'among others' | null> => {
  const { members } = probe.point
  try {
    const usual = await probe.baseline()
    const broken = await probe.broken()
    if (await tellsOfFailure(probe, broken)) return broken
    if (identical(broken, usual[0], noiseOf(usual))) return null
    const control = await probe.control()
    if (!moves(control, usual, valuesOf(probe))) return null
    return members === undefined || (await findsAgain(probe, members)) ? broken : null
  } catch (error) {
    if (error instanceof Bounded) return null
    if (error instanceof Blocked || error instanceof Unsendable) return members === undefined ? null : 'among others'
    throw error
  }
}

/** Conditions that hold, behind each value, are answered as the values alone are: one of them finds something by its statement. */
const findsAgain = async (probe: Probe, members: readonly ProbePoint[]): Promise<boolean> => {
  const fields = members.map((point) => ({ point, text: behindOf(point) }))
  const reply = await probe.send(probe.point.value, {
    language: 'sql',
    change: (request) => filledWith(request, fields),
  })
  const echoes = fields.map(({ text }) => text)
  return !moves({ ...reply, echoes }, await probe.baseline(), valuesOf(probe))
}

const valuesOf = ({ point }: Probe): readonly string[] => (point.members ?? [point]).map(({ value }) => value)

const behindOf = ({ value }: ProbePoint): string => {
  const predicate = truePredicate().text
  return /^\d+$/.test(value) ? putNumber(value, predicate) : conjunction(value, "'", predicate)
}
const putNumber = (value: string, predicate: string): string =>
  BOUNDARIES.find(({ name }) => name === 'number')?.with(value, predicate) ?? value

/** What the answer to a broken statement tells of conditions. */
const askStatement = async ({ probe, broken, messages }: Standing): Promise<OwnHit | 'unfinished' | null> =>
  (await unlessOver(broken, () => askMessage(probe, (message) => void messages.push(message)))) ??
  (await unlessOver(broken, () => askFailing(probe, broken))) ??
  unlessOver(broken, () => askFinding(probe, broken))

/** Of a database that shows its errors two requests prove what takes conditions a dozen. */
const askMessage = async (probe: Probe, tell: (message: MessageHit) => void): Promise<ErrorHit | null> => {
  const { message } = await breakStatement(probe)
  return message && (await errorsBehind(probe, message, tell)).hit
}

/** An error of the server is worth coming back to, whether anything was asked behind it or not. */
const unlessOver = async (
  { status }: Reply,
  ask: () => Promise<OwnHit | null>,
): Promise<OwnHit | 'unfinished' | null> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Bounded) return error.shown || status >= 500 ? 'unfinished' : null
    if (error instanceof Blocked || error instanceof Unsendable) return null
    throw error
  }
}

/**
 * What a form that may be sent a few times is asked first: all fields that people fill, in one request, each with a word of its own. One
 * field after the other, the first would use up what all have.
 */

import type { HttpRequest } from '../../../../egress/door/egress.ts'
import type { CollectContext } from '../../../module.ts'
import { compose } from '../../insertion-points/compose.ts'
import { type ProbePoint, slotOf } from '../../insertion-points/inventory.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { unlessRefused } from '../../insertion-points/techniques.ts'
import { isToken } from '../../insertion-points/tokens.ts'
import { newWord } from './reflection.ts'
import { lookAtOnce } from './storage.ts'
import type { Planted } from './stored-pages.ts'

export interface FirstWord {
  readonly reply: Reply
  readonly planted: Planted
}

export interface FirstWords {
  readonly ask: (ctx: CollectContext, at: (point: ProbePoint) => Probe, points: readonly ProbePoint[]) => Promise<void>
  /** Null where it is to be sent one of its own. */
  readonly of: (point: ProbePoint) => FirstWord | null
}

/** Of the forms of a run so many; each costs a request. */
const MOST_FORMS = 60
const BODIES: ReadonlySet<ProbePoint['place']> = new Set(['form', 'multipart', 'json'])

export const createFirstWords = (): FirstWords => {
  const known = new Map<string, FirstWord>()
  return {
    of: (point) => (point.members ? null : (known.get(keyOf(point)) ?? null)),
    ask: async (ctx, at, points) => {
      const forms = [...Map.groupBy(points.filter(isFilled), ({ request }) => request.id).values()]
      for (const some of forms.filter(({ length }) => length > 1).slice(0, MOST_FORMS)) {
        ctx.signal.throwIfAborted()
        for (const [point, word] of await sendAll(ctx, some.map(at))) known.set(keyOf(point), word)
      }
    },
  }
}

const keyOf = (point: ProbePoint): string => `${point.request.id} ${slotOf(point)}`

/** What is checked for being an address, a number or a day keeps what stood there: it would have the whole form refused. */
const isFilled = ({ request, place, name, value, role, members, within, guessed }: ProbePoint): boolean =>
  request.bound !== undefined &&
  BODIES.has(place) &&
  [role, members, within, guessed].every((one) => one === undefined) &&
  !isToken(name, value) &&
  !/@|^[\d\s.,:/+-]+$/.test(value)

/** Fields of one form: it was taken where it leads on as with its own values, or where one of its pages shows the word. */
const sendAll = async (
  ctx: CollectContext,
  probes: readonly Probe[],
): Promise<readonly (readonly [ProbePoint, FirstWord])[]> => {
  const [first, ...others] = probes.map((probe) => ({ probe, word: newWord() }))
  if (first === undefined) return []
  const all = [first, ...others]
  const sent = await unlessRefused(async () => {
    const [usual] = await first.probe.baseline()
    const reply = await first.probe.send(first.word, { change: (request) => filledWith(request, others) })
    return reply.status === usual.status ? reply : null
  })
  if (sent === null || sent.status >= 400) return []
  const echoes = all.map(({ word }) => word)
  const words: (readonly [ProbePoint, FirstWord])[] = []
  for (const { probe, word } of all) {
    const planted = await lookAtOnce(ctx, { word, probe, location: sent.location }, sent.text)
    const isTaken = sent.status >= 300 || planted.shown !== undefined
    if (isTaken) words.push([probe.point, { reply: { ...sent, value: word, echoes }, planted }])
  }
  return words
}

const filledWith = (request: HttpRequest, others: readonly { readonly probe: Probe; readonly word: string }[]) => {
  let body = typeof request.body === 'string' ? request.body : null
  for (const { probe, word } of others) {
    const { point } = probe
    const filled = compose({ ...point, request: { ...point.request, url: request.url, body } }, word)?.body
    if (typeof filled === 'string') body = filled
  }
  return body === null ? request : { ...request, body }
}

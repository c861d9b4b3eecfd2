/**
 * What a form that may be sent a few times is asked first: all fields that people fill, in one request, each with a word of its own. One
 * field after the other, the first would use up what all have.
 */

import type { CollectContext } from '../../../module.ts'
import { filledWith } from '../../insertion-points/compose.ts'
import { type ProbePoint, slotOf } from '../../insertion-points/inventory.ts'
import { moves } from '../../insertion-points/likeness.ts'
import type { Asking, Probe, Reply } from '../../insertion-points/prober.ts'
import { unlessRefused } from '../../insertion-points/techniques.ts'
import { isToken } from '../../insertion-points/tokens.ts'
import { BREAKS, isPage, newWord } from './reflection.ts'
import { lookAtOnce } from './storage.ts'
import type { Planted } from './stored-pages.ts'

export interface FirstWord {
  readonly reply: Reply
  readonly planted: Planted
  /** Its answer repeats a word that stands behind what ends the text of most languages, and this one not. */
  readonly inErrors: boolean
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

/** Fields of one form: it was taken where it is answered as with its own values, or where one of its pages shows the word. */
const sendAll = async (
  ctx: CollectContext,
  probes: readonly Probe[],
): Promise<readonly (readonly [ProbePoint, FirstWord])[]> => {
  const [first] = probes
  const sent = first && (await sendWords(probes, ''))
  if (!sent || sent.reply.status >= 400) return []
  const { reply, words } = sent
  const usual = await first.baseline()
  const isAsUsual =
    reply.status >= 300 ||
    !moves(
      reply,
      usual,
      probes.map(({ point: { value } }) => value),
    )
  const taken: { readonly probe: Probe; readonly word: string; readonly planted: Planted }[] = []
  for (const [probe, word] of words) {
    const planted = await lookAtOnce(ctx, { word, probe, location: reply.location }, reply.text)
    if (isAsUsual || planted.shown !== undefined) taken.push({ probe, word, planted })
  }
  const silent = taken.filter(({ word }) => !reply.text.toLowerCase().includes(word)).map(({ probe }) => probe)
  const errors = silent.length === 0 || !isPage(reply) ? null : await sendWords(silent, BREAKS)
  const said = errors?.reply.text.toLowerCase() ?? ''
  return taken.map(({ probe, word, planted }) => {
    const inErrors = said.includes(errors?.words.get(probe) ?? NOBODYS)
    return [probe.point, { reply: { ...reply, value: word }, planted, inErrors }] as const
  })
}

/** A word of its own in each field, behind the same signs. Null where it is refused, or answered otherwise than with its own values by words alone. */
const sendWords = async (
  probes: readonly Probe[],
  signs: string,
): Promise<{ readonly reply: Reply; readonly words: ReadonlyMap<Probe, string> } | null> => {
  const words = new Map(probes.map((probe) => [probe, newWord()]))
  const fields = [...words].map(([{ point }, word]) => ({ point, text: `${signs}${word}` }))
  const [[first] = []] = [probes]
  const reply = first && (await unlessRefused(() => first.send(fields[0]?.text ?? '', asking(signs, fields.slice(1)))))
  if (!first || !reply) return null
  const [usual] = await first.baseline()
  if (signs === '' && reply.status !== usual.status) return null
  return { reply: { ...reply, echoes: fields.map(({ text }) => text) }, words }
}

const asking = (signs: string, fields: Parameters<typeof filledWith>[1]): Asking => ({
  ...(signs === '' ? {} : { language: 'markup' }),
  change: (request) => filledWith(request, fields),
})

/** Of a field that was not sent a second word. */
const NOBODYS = '\u0000'

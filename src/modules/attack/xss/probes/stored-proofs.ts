/** Whether what was stored runs where it shows: a payload is sent, once or twice, and the page opened by another visitor. */
import { isScriptFile, viewOf } from '../../../../page/shape.ts'
import type { CollectContext } from '../../../module.ts'
import { type Asking, Blocked, type Probe, Unsendable } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { Context, StoredHit } from '../facts.ts'
import type { Candidate } from '../payloads/candidates.ts'
import { type Looking, newNonce, type Pressing, type Proof, type Prover } from '../proving.ts'
import type { NewPages } from './new-pages.ts'
import { runsIn } from './running.ts'
import { answerAt, MOST_DRAWN, type Place, type Planted, type Shown } from './stored-pages.ts'
import { contextsAt, DRAWN, DRAWS, MOST_PAYLOADS, payloadsFor } from './stored-payloads.ts'
import { provenFor } from './viewers.ts'

/** In all contexts. Each stays on the site. */
export const MOST_SENT = 5

export interface Proving {
  readonly ctx: CollectContext
  readonly prover: Prover | string
  readonly records: NewPages
  /** Whose pages are looked at: another identity of the run; absent where they are one's own. `ctx` asks as this one. */
  readonly viewer?: string
  /** Is handed what presses things on a page, which takes as long as many loads; absent where that is done at once. */
  readonly later?: (press: () => Promise<StoredHit | null>) => void
}

/** What one place encodes another may not: each payload is sent once, and looked for in all of them. `tried`: payloads, of `most` in all. */
export const tryStored = async (
  parts: Proving,
  one: Planted,
  all: readonly Shown[],
  tried = new Set<string>(),
  most = MOST_SENT,
): Promise<StoredHit | null> => {
  // Where it showed at once it was asked about sign by sign already; what is left of its form's few requests goes to others first.
  const atOnce = new Set(one.shown?.map(({ url }) => url))
  const shown = all.toSorted((a, b) => Number(atOnce.has(a.url)) - Number(atOnce.has(b.url)))
  const contexts = shown.flatMap((place) => contextsAt(place, one.word))
  one.probe.pursue(shown.every((place) => isBehind(one, place)) ? 'spare' : undefined)
  for (let way = 0; way <= MOST_PAYLOADS; way += 1)
    for (const context of contexts) {
      const isDrawn = DRAWS.has(context)
      const alike = payloadsFor(context, 0, isDrawn)[way]?.payload
      if (alike === undefined || tried.has(alike) || tried.size >= most) continue
      tried.add(alike)
      const nonce = newNonce()
      const candidate = payloadsFor(context, nonce, isDrawn)[way]
      const replay = candidate && (await sendOnce(one.probe, candidate.payload))
      if (!replay) return null
      for (const other of shown) {
        const hit = await provenAt(parts, one, other, { ...candidate, nonce, context, replay })
        if (hit) return hit
      }
    }
  return null
}

/** The page that the answer led to, of which it is known what becomes of each sign: what was proven there or not is hardly another now. */
const isBehind = ({ location, probe: { request } }: Planted, { url, drawnOn }: Shown): boolean =>
  location !== '' && drawnOn === null && URL.parse(location, request.url)?.href.split('#')[0] === url

interface SentPayload extends Pick<Candidate, 'payload' | 'code' | 'becomes'> {
  readonly nonce: number
  readonly context: Context
  readonly replay: string
}

const provenAt = async (
  parts: Proving,
  { word, probe }: Planted,
  shown: Shown,
  sent: SentPayload,
): Promise<StoredHit | null> => {
  const { ctx, prover, records, viewer, later } = parts
  const { payload, code, nonce, context } = sent
  const seenBy = await seenByWhom(ctx, shown, word, viewer)
  const read = async (place: Place) => ({ place, text: await answerAt(ctx, place, seenBy !== 'anyone') })
  // A page that came about may be that of one record, or a list that nobody was led to before.
  const places = [shown, ...(shown.listedOn === undefined ? [] : await records.since(shown.listedOn))]
  const isThere = (text: string | null): boolean =>
    text !== null && (DRAWS.has(context) ? text !== '' : runsIn(text, code, true))
  const there = (await Promise.all(places.map(read))).filter((one) => isThere(one.text))
  // What a script draws of a record of its own is not what an older one holds.
  const { place, text } = there.find((one) => holds(one.text, payload)) ?? there[0] ?? {}
  if (!place || !text) return null
  const feed = place.drawnOn === null ? undefined : place.url
  const look = { nonce, authenticated: seenBy === 'account' }
  const prove = (url: string, pressing?: Pressing) =>
    seenBy === 'other'
      ? provenFor(ctx, prover, url, nonce)
      : provenBy(prover, url, { ...look, ...(feed === undefined ? {} : { feed }), ...(pressing ? { pressing } : {}) })
  const hitAt = (page: string, proof: Proof | null, now: string): StoredHit => ({
    ...{ at: placeOf(probe.point), page, context: sent.becomes ?? context, payload, ran: proof !== null, seenBy },
    ...(viewer === undefined ? {} : { viewer }),
    ...{ excerpt: around(now, now.includes(payload) ? payload : code), mark: now.includes(payload) ? payload : code },
    ...{ replay: sent.replay, screenshot: proof?.screenshot ?? null },
    ...(proof?.pressed === undefined ? {} : { deed: proof.pressed.words }),
  })
  const pages = pagesDrawing(place, probe.request.seenOn)
  /** Those that have not asked for it by themselves before those that have drawn it already. */
  const unasked: string[] = []
  const asked: string[] = []
  for (const page of pages) {
    const proof = await prove(page)
    // What a script or a library draws is only known once it has run.
    if (proof ? proof.ran !== null : !DRAWS.has(context) && runsIn(text, code)) return hitAt(page, proof, text)
    if (proof === null) return null
    ;(proof.asked ? asked : unasked).push(page)
  }
  if (context !== DRAWN || seenBy === 'other') return null
  const press = async (): Promise<StoredHit | null> => {
    // Another value may have taken its place since.
    const now = (await read(place)).text ?? ''
    if (!holds(now, payload) && (await sendOnce(probe, payload)) === null) return null
    for (const page of [...unasked, ...asked]) {
      const proof = await prove(page, unasked.includes(page) && feed !== undefined ? { seeks: feed } : {})
      if (proof !== null && proof.ran !== null) return hitAt(page, proof, now)
    }
    return null
  }
  if (later === undefined) return press()
  later(press)
  return null
}

/** As it is, or as JSON writes it. */
const holds = (text: string | null, payload: string): boolean =>
  [payload, JSON.stringify(payload).slice(1, -1)].some((as) => text?.includes(as))

/** Without credentials there is nobody else to be; with them, a stranger may see it, too. */
const seenByWhom = async (
  ctx: CollectContext,
  shown: Shown,
  word: string,
  viewer: string | undefined,
): Promise<StoredHit['seenBy']> => {
  if (viewer !== undefined) return 'other'
  return !ctx.hasCredentials || (await answerAt(ctx, shown, false))?.includes(word) ? 'anyone' : 'account'
}

/** What many pages ask for only one of them may draw: most likely the one where it is written. */
const pagesDrawing = ({ url, drawnOn, alsoOn = [] }: Place, seenOn: readonly string[]): readonly string[] => {
  if (drawnOn === null) return [url]
  const written = seenOn.map(viewOf).filter((one) => !isScriptFile(one))
  const own = written.filter((one) => [drawnOn, ...alsoOn].includes(one))
  return [...new Set([...own, ...written.slice(0, 1), drawnOn, ...alsoOn])].slice(0, MOST_DRAWN)
}

/** As a visitor of their own. */
export const provenBy = async (
  prover: Prover | string,
  url: string,
  { nonce, authenticated, ...how }: { readonly nonce: number; readonly authenticated: boolean } & Looking,
) => {
  if (typeof prover === 'string') return null
  const stranger = await prover.stranger({ authenticated })
  try {
    return await stranger.prove({ method: 'GET', url, body: null }, nonce, how)
  } finally {
    await stranger.close()
  }
}

/** A command that sends the same, null where the place cannot hold it or something in front refuses it. */
export const sendOnce = async (probe: Probe, payload: string, change?: Asking['change']): Promise<string | null> => {
  try {
    return (await probe.send(payload, { language: 'markup', ...(change ? { change } : {}) })).replay
  } catch (error) {
    if (error instanceof Unsendable || error instanceof Blocked) return null
    throw error
  }
}

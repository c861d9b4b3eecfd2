/**
 * What somebody says over a WebSocket and a page that is open elsewhere writes as markup: a chat, a notice. Nothing keeps it, so a page
 * has to listen while it is said. On test systems alone, as nothing else is said to.
 */
import { SAYS } from '../../../../egress/door/egress.ts'
import { isScriptFile } from '../../../../page/shape.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { MessageFacts, MessageHit } from '../facts.ts'
import { newNonce, type Prover } from '../proving.ts'
import { DRAWN, payloadsFor } from './stored-payloads.ts'
import { sendOnce } from './stored-proofs.ts'

const MOST_MESSAGES = 24
const MOST_PLACES = 6
const MOST_PAGES = 2

interface Parts {
  readonly ctx: CollectContext
  readonly crawl: CrawlFacts
  readonly prover: Prover | string
  readonly at: (point: ProbePoint) => Probe
  readonly alive: () => Promise<boolean>
}

/**
 * `probes`: all that were asked for other flaws; what is a message is found among them. `soFar` is told what is known by now: what was
 * found stays where the budget ends in the middle.
 */
export const askMessages = async (
  parts: Parts,
  probes: readonly Probe[],
  soFar: (facts: MessageFacts) => void,
): Promise<void> => {
  const known = parts.crawl.requests.filter(({ method }) => method === SAYS)
  const byRequest = Map.groupBy(probes, ({ request }) => request.id)
  const left: Record<string, number> = {}
  const hits: MessageHit[] = []
  let asked = 0
  const tell = (open: number): void => {
    const cut = (left[CUT] ?? 0) + open
    soFar({ known: known.length, asked, left: cut === 0 ? { ...left } : { ...left, [CUT]: cut }, hits })
  }
  tell(known.length)
  for (const [index, { id, seenOn, bound }] of known.entries()) {
    const points = (byRequest.get(id) ?? []).flatMap(({ point }) => point.members ?? [point])
    const texts = points.filter(({ place }) => place === 'json')
    // What is packed in a text once more (`data` of Action Cable) is said at its own places.
    const packed = new Set(texts.flatMap(({ name, within }) => (within === undefined ? [] : [name])))
    const places = texts.filter(({ name, within }) => within !== undefined || !packed.has(name))
    const pages = seenOn.filter((url) => !isScriptFile(url)).slice(0, MOST_PAGES)
    const reason =
      unsaid(parts, places, pages) ??
      (index >= MOST_MESSAGES
        ? `beyond the first ${MOST_MESSAGES}`
        : await say(parts, places, pages, { hits, isForOthers: bound !== undefined }))
    if (reason === null) asked += 1
    else left[reason] = (left[reason] ?? 0) + 1
    tell(known.length - index - 1)
  }
}

/** In words that follow a number. */
const unsaid = ({ ctx, prover }: Parts, places: readonly ProbePoint[], pages: readonly string[]): string | null => {
  if (ctx.target.environment !== 'test') return 'said on a test system alone'
  if (typeof prover === 'string') return prover
  if (places.length === 0) return 'of which no place was asked'
  return pages.length === 0 ? 'of which no page is known that says it' : null
}

/** Each place until one of the pages runs it. Why it was not asked in full, null where it was. */
const say = async (
  parts: Parts,
  places: readonly ProbePoint[],
  pages: readonly string[],
  { hits, isForOthers }: { readonly hits: MessageHit[]; readonly isForOthers: boolean },
): Promise<string | null> => {
  let short = places.length > MOST_PLACES ? `asked at ${MOST_PLACES} of its places` : null
  for (const point of places.slice(0, MOST_PLACES)) {
    if (!(await parts.alive())) return CUT
    const said = await sayAt(parts, point, pages)
    if (typeof said === 'object') hits.push(said)
    else if (said === 'untold') short = isForOthers ? SHORT.untold : short
    else short = said === 'heard' ? short : SHORT[said]
  }
  return short
}

/** In words that follow a number. */
const CUT = 'cut off, as the time was over or the session was lost'

/** 'heard': a page was told something, and nothing ran; 'untold': it listened, and nobody told it anything. */
type Said = MessageHit | 'heard' | keyof typeof SHORT

/** In words that follow a number. */
const SHORT = {
  unsaid: 'stopped at the limit for requests that may write',
  unheard: 'to which no page was seen to listen',
  untold: 'that came to no page: whoever says it may have to say something else before',
} as const

const sayAt = async ({ ctx, prover, at }: Parts, point: ProbePoint, pages: readonly string[]): Promise<Said> => {
  if (typeof prover === 'string') return 'unheard'
  const probe = at(point)
  probe.pursue()
  const listen = async (page: string, seenBy: MessageHit['seenBy']): Promise<Said> => {
    const nonce = newNonce()
    const payload = payloadsFor(DRAWN, nonce, true)[0]?.payload
    if (payload === undefined) return 'unsaid'
    const said: { replay?: string | null } = {}
    const meanwhile = async (): Promise<void> => {
      said.replay = await sendOnce(probe, payload)
    }
    const listener = await prover.stranger({ authenticated: seenBy === 'account' })
    try {
      const proof = await listener.prove({ method: 'GET', url: page, body: null, meanwhile }, nonce)
      if (typeof said.replay !== 'string') return 'unsaid'
      if (proof.ran === null) return proof.told ? 'heard' : proof.listened ? 'untold' : 'unheard'
      const excerpt = around(`${point.name}: ${payload}`, payload)
      const about = { payload, excerpt, mark: payload, replay: said.replay, screenshot: proof.screenshot }
      return { at: placeOf(point), page, seenBy, ...about }
    } finally {
      await listener.close()
    }
  }
  let all: Said = 'unheard'
  for (const page of pages) {
    const own = await listen(page, ctx.hasCredentials ? 'account' : 'anyone')
    if (typeof own === 'object') {
      const open = own.seenBy === 'account' ? await listen(page, 'anyone') : null
      return typeof open === 'object' && open !== null ? open : own
    }
    // One page that was told is enough.
    if (all !== 'heard' && own !== 'unheard') all = own
  }
  return all
}

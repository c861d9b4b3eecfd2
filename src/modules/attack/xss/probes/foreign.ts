/**
 * What a page takes from a host that the value names: a script, a style sheet, a frame, the base of its addresses, where its
 * forms go. The host exists nowhere (RFC 2606); a browser is asked whether the page goes there, and answered in it.
 */
import { randomBytes } from 'node:crypto'
import { compose } from '../../insertion-points/compose.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import { FOREIGN } from '../browser/approach.ts'
import type { Reflection } from '../contexts.ts'
import type { Context, ForeignHit, ReflectedHit } from '../facts.ts'
import { declarationBehind, ruleBehind } from '../payloads/styles.ts'
import { newNonce, type Prover, type Taken } from '../proving.ts'
import type { Carrier } from './search.ts'

/** Elements whose address is loaded into the page, or decides where the page sends what is typed. */
const LOADING: ReadonlySet<string> = new Set(
  'script:src base:href link:href iframe:src frame:src embed:src object:data form:action button:formaction input:formaction'.split(
    ' ',
  ),
)
/** Ways to name a host in an address, for filters of schemes. */
const ADDRESSES: readonly ((host: string) => string)[] = [
  (host) => `//${host}/`,
  (host) => `https://${host}/`,
  (host) => `/\\${host}/`,
]
/** Of places of one value, so many are tried. */
const MOST_PLACES = 4

/** Where the value came out, and what stands there. */
export interface Shown {
  readonly probe: Probe
  readonly carried: Carrier
  readonly word: string
  readonly first: Reply
  readonly reflections: readonly Reflection[]
}

/** Null where the page takes nothing from elsewhere, or nothing that matters. */
export const askForeign = async (shown: Shown, prover: Prover): Promise<ReflectedHit | ForeignHit | null> => {
  const places = new Map(shown.reflections.map((one) => [JSON.stringify(one.context), one]))
  for (const reflection of [...places.values()].filter(isTaking).slice(0, MOST_PLACES))
    for (const way of waysFor(reflection, shown.first.text)) {
      const hit = await tryOne(shown, prover, reflection.context, way)
      if (hit) return hit
    }
  return null
}

const isStyle = ({ kind, tag }: Context): boolean => kind === 'raw-text' && tag === 'style'
const isTaking = ({ context }: Reflection): boolean =>
  isStyle(context) ||
  (context.kind === 'attribute' && context.attribute === 'style') ||
  (context.kind === 'url' && LOADING.has(`${context.tag}:${context.attribute}`))

type Way = (host: string) => string

const waysFor = ({ context, at }: Reflection, text: string): readonly Way[] => {
  const before = text.slice(0, at)
  if (isStyle(context)) {
    const sheet = before.slice(before.toLowerCase().lastIndexOf('<style')).replace(/^[^>]*>/, '')
    return [(host) => ruleBehind(sheet, `//${host}/`)]
  }
  if (context.kind === 'attribute') {
    const own = before.slice(before.toLowerCase().lastIndexOf('style')).replace(/^style\s*=\s*["']?/i, '')
    return [(host) => declarationBehind(own, `//${host}/`)]
  }
  return ADDRESSES
}

const tryOne = async (
  { probe, carried }: Shown,
  prover: Prover,
  context: Context,
  way: Way,
): Promise<ReflectedHit | ForeignHit | null> => {
  const host = `qx${randomBytes(4).toString('hex')}${FOREIGN}`
  const payload = carried(way(host))
  const reply = await answerTo(probe, payload)
  const request = compose(probe.point, payload)
  if (!reply?.text.toLowerCase().includes(host) || !request) return null
  const { method = 'GET', url } = request
  const body = request.body === undefined ? null : String(request.body)
  const taken = await prover.takes({ method, url, body }, host, newNonce())
  const said = {
    ...{ context, payload, excerpt: around(reply.text, host), mark: host, replay: reply.replay },
    address: method === 'GET' ? url : null,
    screenshot: taken.screenshot,
  }
  if (taken.ran)
    return { kind: 'reflected', ...said, parsed: true, ran: 'load', refused: false, unproven: null, foreign: host }
  const what = whatOf(context, taken)
  return what === null ? null : { kind: 'foreign', what, host, ...said }
}

const whatOf = (context: Context, { kinds, base, form }: Taken): ForeignHit['what'] | null => {
  if (context.kind !== 'url') return kinds.has('image') ? 'style' : null
  if (base) return 'base'
  if (form) return 'form'
  if (kinds.has('stylesheet')) return 'style'
  return kinds.has('document') ? 'frame' : null
}

/** Null where the place cannot hold it or something in front refuses it. */
const answerTo = async (probe: Probe, value: string): Promise<Reply | null> => {
  try {
    return await probe.send(value, { language: 'markup' })
  } catch (error) {
    if (error instanceof Unsendable || error instanceof Blocked) return null
    throw error
  }
}

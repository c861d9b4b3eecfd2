/**
 * How many there are of a thing: a number below nothing is sent in its place, and looked for in a later read. On test systems alone; what was
 * changed is set back, what was made stays.
 */
import { randomInt } from 'node:crypto'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { jsonWith } from '../../insertion-points/body.ts'
import { leavesOf } from '../../insertion-points/points.ts'
import { ask, Left, replayOf, type Topic } from '../asking.ts'
import type { AmountHit } from '../facts.ts'
import { asked, isReading, type Target, whereOf, withoutQuery } from '../operations.ts'
import { lastWordOf } from './amounts.ts'

/** What nobody has fewer than none of, by the last word of its name. Sums and differences may be below nothing. */
const QUANTITY =
  /^(?:quantity|quantities|qty|pieces|units|seats|tickets|copies|persons|people|guests|adults|nights|anzahl|menge|stueckzahl|personen|naechte|quantite|nombre|cantidad|quantita)$/i

export const isQuantity = (name: string): boolean => QUANTITY.test(lastWordOf(name))

interface Place {
  /** JSON Pointer (RFC 6901). */
  readonly at: string
  readonly name: string
}

export const quantitiesIn = ({ method, encoding, body }: RequestTemplate): readonly Place[] =>
  encoding !== 'json' || !['POST', 'PUT', 'PATCH'].includes(method)
    ? []
    : leavesOf(body ?? '').flatMap(([at, value]) => {
        const name = at.slice(at.lastIndexOf('/') + 1)
        return isQuantity(name) && /^\d{1,9}$/.test(value) ? [{ at, name }] : []
      })

/** `reads`: addresses that are read with GET, where what was made may stand whose answer does not show it. */
export const quantitiesWork =
  (ctx: CollectContext, reads: readonly string[] = []): Topic<Target, AmountHit>['work'] =>
  async ({ request }, found) => {
    const own = asked(request)
    const taken = await ask(ctx, own, request)
    if (taken.status >= 400) throw new Left(`that refused what the crawl knows to send, with status ${taken.status}`)
    for (const place of quantitiesIn(request).slice(0, MOST)) {
      const isShown = request.method !== 'POST' || has(textOf(taken), place, '-?\\d+')
      const at = isShown ? listsOf(request, reads) : await showing(ctx, reads, place)
      const first = await sendLess(ctx, request, place, at)
      const second = await sendLess(ctx, request, place, at)
      if (!isShown && at.length === 0 && first === null) throw new Left('whose quantity is shown nowhere')
      if (request.method !== 'POST') await ask(ctx, own, request)
      if (first === null || second === null || first === 'refused' || second === 'refused') continue
      const stays = first.stays && second.stays
      // What is worked out and kept nowhere shows what it was sent again, as an offer does; a sum below nothing is taken for one.
      if (!stays && isReading(request) && !(first.sums && second.sums)) throw new Left(ECHOED)
      found({
        ...{ kind: 'quantity', name: place.name, stays, ...whereOf(request) },
        excerpt: [first, second]
          .map(
            ({ mark, stays: later }) =>
              `${request.method} ${request.url} was sent with ${mark}, and ${later ? 'a later read' : 'its answer'} has it`,
          )
          .join('\n'),
        mark: second.mark,
        replay: second.replay,
      })
    }
  }

const MOST = 3
const ECHOED = 'that keep nothing, and show the number alone'

interface Kept {
  /** Another number of the answer is below nothing as well. */
  readonly sums?: boolean
  readonly mark: string
  /** In a later read; else in the answer alone. */
  readonly stays: boolean
  readonly replay: string
}

const MOST_READ = 40
const MOST_SHOWING = 4

/** Columns of decimals and of floating point write `2` as `2.0` or `2.00`. */
const has = (shown: string, { name }: Place, value: string): boolean =>
  new RegExp(`"${RegExp.escape(name)}"\\s*:\\s*"?${value}(?:\\.0{1,6})?(?![\\d.])`).test(shown)

/** What is posted to a collection stands in the list that it shows (RFC 9110, 9.3.3). */
const listsOf = ({ url }: RequestTemplate, reads: readonly string[]): readonly string[] =>
  reads.filter((one) => withoutQuery(one) === withoutQuery(url)).slice(0, 1)

/** Those of the addresses that show quantities by that name. */
const showing = async (ctx: CollectContext, reads: readonly string[], place: Place): Promise<readonly string[]> => {
  const found: string[] = []
  for (const url of reads.slice(0, MOST_READ)) {
    if (found.length >= MOST_SHOWING) break
    if (has(await read(ctx, url), place, '-?\\d+')) found.push(url)
  }
  return found
}

/** Nothing where it is refused. */
const read = async (ctx: CollectContext, url: string): Promise<string> => {
  const answer = await ask(ctx, { url, headers: [['Accept', 'application/json']] })
  return answer.status < 300 ? textOf(answer) : ''
}

/** Null where it is not kept as it was sent. */
const sendLess = async (
  ctx: CollectContext,
  request: RequestTemplate,
  place: Place,
  elsewhere: readonly string[],
): Promise<Kept | 'refused' | null> => {
  const { at, name } = place
  const value = -randomInt(11, 98)
  const own = asked(request)
  const text = typeof own.body === 'string' ? own.body : ''
  const isText = new RegExp(`"${RegExp.escape(name)}"\\s*:\\s*"`).test(text)
  const sent = { ...own, body: jsonWith(text, at, isText ? String(value) : value) ?? text }
  const answer = await ask(ctx, sent, request)
  if (answer.status >= 400) return 'refused'
  const isKept = (shown: string): boolean => has(shown, place, String(value))
  for (const url of request.method === 'POST' ? elsewhere : [request.url])
    if (isKept(await read(ctx, url))) {
      const replay = `${replayOf(sent)}; ${replayOf({ url })}`
      return { mark: `"${name}": ${value}`, stays: true, replay: request.method === 'POST' ? replay : replayOf(sent) }
    }
  const shown = textOf(answer)
  const sums = /:\s*"?-\d/.test(shown.replace(new RegExp(`"${RegExp.escape(name)}"\\s*:\\s*"?-\\d+`, 'g'), ''))
  return isKept(shown) ? { mark: `"${name}": ${value}`, stays: false, replay: replayOf(sent), sums } : null
}

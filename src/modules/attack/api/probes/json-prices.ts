/**
 * A price that a request in JSON brings beside what it is the price of (CWE-472): two prices of ours, looked for in what the order comes to. What a seller
 * sets is no tampering, so the price stands beside the thing and how many of it are ordered, or is the one that the site itself shows for that thing. On
 * test systems alone; what was changed is set back, what was made stays.
 */
import { jsonTreeOf } from '../../../../page/json.ts'
import { wordsApart } from '../../../../page/names.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { jsonWith } from '../../insertion-points/body.ts'
import { leavesOf } from '../../insertion-points/points.ts'
import { ask, Left, replayOf, type Topic } from '../asking.ts'
import type { AmountHit } from '../facts.ts'
import { asked, type Target, whereOf, withoutQuery } from '../operations.ts'
import { isPriceName, NUMBER, otherPrice } from './amounts.ts'
import { isQuantity } from './quantities.ts'

interface Place {
  /** JSON Pointer (RFC 6901). */
  readonly at: string
  readonly name: string
  readonly value: string
  /** The name of the thing that it is the price of. */
  readonly thing: string
  /** Its name says that it is one; else the site has to show it with its price. */
  readonly isNamed: boolean
  /** How many of it are ordered; null where nothing says so. */
  readonly quantity: number | null
}

/** What names a thing that is sold, by the last word of its name; people and groups are not sold. */
const NAMES_THING = /^(?:id|uuid|sku|code|ref|slug|ean|isbn|number|no|product|article|item|part|plan|variant|ticket)$/i
const NO_THING =
  /^(?:user|customer|client|account|owner|member|person|category|group|type|kind|status|supplier|vendor|brand|shop|store|seller|company|tenant|org|organi[sz]ation|currency|country|address|order|cart|basket|session|coupon|promo|voucher|discount|zip|post|phone|tax|vat)/i

export const pricesIn = ({ method, encoding, body }: RequestTemplate): readonly Place[] => {
  if (encoding !== 'json' || !['POST', 'PUT', 'PATCH'].includes(method)) return []
  const leaves = leavesOf(body ?? '')
  return leaves.flatMap(([at, value]): readonly Place[] => {
    const [folder, name] = [folderOf(at), nameOf(at)]
    if (!isPriceName(name) || !NUMBER.test(value) || Number(value) <= 0) return []
    const beside = leaves.filter(([other]) => folderOf(other) === folder)
    const named = beside.find(([other, is]) => is !== '' && namesThing(nameOf(other)))
    const quantity = beside.find(([other, is]) => isQuantity(nameOf(other)) && /^\d{1,6}$/.test(is))
    // `{"room": "attic", "nights": 2, "price": 80}`: by what it is.
    const thing = named ?? (method === 'POST' && quantity ? beside.find(mayBeThing) : undefined)
    return thing === undefined
      ? []
      : [
          {
            ...{ at, name, value, thing: thing[1], isNamed: named !== undefined },
            quantity: quantity === undefined ? null : Number(quantity[1]),
          },
        ]
  })
}

const folderOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'))
const nameOf = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1)

/** `productId`, `sku`; not `id` alone, which names what is changed. */
const namesThing = (name: string): boolean => {
  const words = wordsApart(name).match(/\p{L}+/gu) ?? []
  return /^id$/i.test(name) ? false : NAMES_THING.test(words.at(-1) ?? '') && !NO_THING.test(words[0] ?? '')
}

/** One word, of which the value is a key: what people write of it is none. */
const mayBeThing = ([at, value]: readonly [string, string]): boolean =>
  /^[a-z]{3,20}$/i.test(nameOf(at)) &&
  /^[a-z\d][\w-]{0,60}$/i.test(value) &&
  !NO_THING.test(nameOf(at)) &&
  !isPriceName(nameOf(at)) &&
  !isQuantity(nameOf(at)) &&
  !OF_PEOPLE.test(nameOf(at))
const OF_PEOPLE =
  /^(?:name|title|label|note|notes|comment|message|text|description|colou?r|size|unit|state|e?mail|language|locale|date|day|time|token|method|delivery|shipping|payment|gift|source)$/i

const MOST = 3
const MOST_READ = 24

/** `reads`: addresses that are read with GET, where the thing stands with its price, and what was ordered. */
export const jsonPricesWork =
  (ctx: CollectContext, reads: readonly string[]): Topic<Target, AmountHit>['work'] =>
  async ({ request }, found) => {
    const near = [...reads].sort((a, b) => Number(isListOf(b, request)) - Number(isListOf(a, request)))
    const before = await readAll(ctx, near.slice(0, MOST_READ))
    const own = asked(request)
    const usual = await ask(ctx, own, request)
    if (usual.status >= 400) throw new Left(`that refused what the crawl knows to send, with status ${usual.status}`)
    const after = await readAll(ctx, [...before.keys()])
    const showing = [...after.keys()].filter((url) => after.get(url) !== before.get(url))
    let isUntold = false
    let tried = 0
    // Of lines of one order, that are read alike, the first.
    const places = [
      ...new Map(
        pricesIn(request)
          .toReversed()
          .map((one) => [one.name, one]),
      ).values(),
    ]
    for (const place of places.slice(0, MOST)) {
      const isShownPrice = [...before.values()].some((text) => isPriceOf(jsonTreeOf(text), place))
      // A price without a number of things, which the site shows nowhere, may be the seller's own.
      if ((place.quantity === null || !place.isNamed) && !isShownPrice) continue
      tried += 1
      const [first, second] = [
        await sendOther(ctx, request, place, showing, textOf(usual)),
        await sendOther(ctx, request, place, showing, textOf(usual)),
      ]
      if (first === null && showing.length === 0 && !shows(textOf(usual), '', place, Number(place.value)))
        isUntold = true
      if (first === null || second === null || first === 'refused' || second === 'refused') continue
      const stays = isShownPrice && first.page !== null && second.page !== null
      found({
        ...{ kind: 'price', name: place.name, stays, ...whereOf(request) },
        excerpt: [first, second]
          .map(
            ({ value, page }) =>
              `${request.method} ${new URL(request.url).pathname} was sent with "${place.name}": ${value} in place of ${place.value}, and ${page === null ? 'its answer' : `GET ${page}`} goes by it`,
          )
          .join('\n'),
        mark: `"${place.name}": ${second.value}`,
        replay: second.page === null ? second.replay : `${second.replay}; ${replayOf({ url: second.page })}`,
      })
    }
    if (request.method !== 'POST') await ask(ctx, own, request)
    if (places.length > MOST) throw new Left(`that hold more than ${MOST} amounts, of which as many were asked`)
    if (tried === 0) throw new Left('whose price may be a seller’s own')
    if (isUntold) throw new Left('whose price is shown nowhere')
  }

const isListOf = (url: string, request: RequestTemplate): boolean => withoutQuery(url) === withoutQuery(request.url)

const DEEPEST = 8

/** The thing stands in an answer, with this price. */
const isPriceOf = (tree: unknown, place: Place, depth = 0): boolean => {
  if (typeof tree !== 'object' || tree === null || depth > DEEPEST) return false
  const members = Object.entries(tree)
  const isThing = members.some(([, one]) => isScalar(one) && String(one) === place.thing)
  const hasPrice = members.some(([key, one]) => isPriceName(key) && Number(one) === Number(place.value))
  return (isThing && hasPrice) || members.some(([, one]) => isPriceOf(one, place, depth + 1))
}

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

interface Taken {
  readonly value: string
  /** The address that shows it; null for the answer itself. */
  readonly page: string | null
  readonly replay: string
}

/** Null where nothing goes by it. */
const sendOther = async (
  ctx: CollectContext,
  request: RequestTemplate,
  place: Place,
  showing: readonly string[],
  usual: string,
): Promise<Taken | 'refused' | null> => {
  const before = await readAll(ctx, showing)
  const own = asked(request)
  const text = typeof own.body === 'string' ? own.body : ''
  const value = otherPrice(place.value)
  const isText = new RegExp(`"${place.name}"\\s*:\\s*"`).test(text)
  const sent = { ...own, body: jsonWith(text, place.at, isText ? value : Number(value)) ?? text }
  const answer = await ask(ctx, sent, request)
  if (answer.status >= 400) return 'refused'
  const replay = replayOf(sent)
  const after = await readAll(ctx, showing)
  const page = showing.find((url) => shows(after.get(url) ?? '', before.get(url) ?? '', place, Number(value)))
  if (page !== undefined) return { value, page, replay }
  return shows(textOf(answer), usual, place, Number(value)) ? { value, page: null, replay } : null
}

/** A sum by that price, or the price itself, that was not there before. What programs add up may be off by less than a part of a cent (IEEE 754). */
const shows = (text: string, was: string, { quantity }: Place, price: number): boolean => {
  const before = roundedIn(was)
  const sums = [price, price * (quantity ?? 1)].map(rounded)
  return [...roundedIn(text)].some((one) => sums.includes(one) && !before.has(one))
}

const rounded = (value: number): number => Math.round(value * 100) / 100
const NUMBERS = /(?<![\w.,-])-?\d{1,9}(?:[.,]\d{1,20})?(?!\w|[.,]\d)/g
const roundedIn = (text: string): ReadonlySet<number> =>
  new Set((text.match(NUMBERS) ?? []).map((one) => rounded(Number(one.replace(',', '.')))))

/** '' of what does not answer well. */
const readAll = async (ctx: CollectContext, urls: readonly string[]): Promise<Map<string, string>> => {
  const texts = new Map<string, string>()
  for (const url of urls) {
    const answer = await ask(ctx, { url, headers: [['Accept', 'application/json']] })
    texts.set(url, answer.status < 300 ? textOf(answer) : '')
  }
  return texts
}

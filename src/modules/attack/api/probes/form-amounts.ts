/**
 * Amounts that forms send: fewer than none of a thing (CWE-1284), and a price that the page holds in a hidden field (CWE-472), each with two
 * values of ours that pages then show in place of what stood there. On test systems alone; the form is sent as it was at the end.
 */
import { randomInt } from 'node:crypto'
import type { HttpExchange, HttpRequest } from '../../../../egress/door/egress.ts'
import { parseSetCookie } from '../../../../page/cookies/set-cookie.ts'
import { headerOf, pageRequest } from '../../../../page/exchange.ts'
import { percentDecoded } from '../../../../page/percent.ts'
import { isScriptFile } from '../../../../page/shape.ts'
import { textOf } from '../../../../page/text.ts'
import { visibleText } from '../../../../page/visible.ts'
import { harmOfAddress } from '../../../../safety/safety.ts'
import type { CollectContext } from '../../../module.ts'
import type { Field, RequestTemplate } from '../../crawl/facts.ts'
import { areEqual, areEqualBesides } from '../../effects/reads.ts'
import { formWith } from '../../insertion-points/body.ts'
import { isSignIn } from '../../insertion-points/sign-in.ts'
import { ask, Left, replayOf } from '../asking.ts'
import type { AmountHit } from '../facts.ts'
import { asked, type Target, whereOf } from '../operations.ts'
import { isPriceName, lastWordOf, NUMBER, numbersIn, otherPrice } from './amounts.ts'
import { isQuantity } from './quantities.ts'

export type AmountKind = 'quantity' | 'price'

/** The field that people do not fill, and that says what a thing costs; or how many there are of it. */
export const kindOfAmount = ({ name, value, type }: Field): AmountKind | null => {
  if (isQuantity(name) && /^\d{1,6}$/.test(value)) return 'quantity'
  const isPrice = type === 'hidden' && isPriceName(name)
  return isPrice && NUMBER.test(value) && Number(value.replace(',', '.')) > 0 ? 'price' : null
}

/** How many there are of what has its price beside it: elsewhere a `count` may be one of anything. */
const COUNT = /^(?:count|number|items|anzahl|zahl)$/i
const isCount = ({ name, value }: Field, { fields }: RequestTemplate): boolean =>
  COUNT.test(lastWordOf(name)) && /^\d{1,6}$/.test(value) && fields.some((one) => kindOfAmount(one) === 'price')

/** Of forms that keep something, at the site or in a cookie: one that was seen to read may do that. */
export const amountsIn = (request: RequestTemplate, kind: AmountKind): readonly Field[] =>
  request.method === 'POST' && request.encoding === 'urlencoded' && !isSignIn(request)
    ? request.fields.filter((field) => kindOfAmount(field) === kind || (kind === 'quantity' && isCount(field, request)))
    : []

const MOST_FIELDS = 3
const MOST_PAGES = 40
const MOST_SHOWING = 6

/** `pages`: addresses of pages of the site, one of each kind, that may show what was sent. */
export const formAmountsWork =
  (ctx: CollectContext, kind: AmountKind, pages: readonly string[]) =>
  async ({ request }: Target, found: (hit: AmountHit) => void): Promise<void> => {
    const near = [...(request.shownOn ?? []), ...(request.watched ?? []), ...request.seenOn]
    const known = [...new Set([...near, ...nearest(request.url, pages)])]
      .filter((page) => !isScriptFile(page))
      .slice(0, MOST_PAGES)
    const before = await readAll(ctx, known)
    const own = asked(request)
    const taken = await ask(ctx, own, request)
    if (taken.status >= 400) throw new Left(`that refused what the crawl knows to send, with status ${taken.status}`)
    const byCookie = request.effect === 'reads'
    if (byCookie && !amountsIn(request, kind).some(({ value }) => isKeptInCookie(taken, value))) return
    const usual: Usual = { text: textOf(taken), next: await nextOf(ctx, taken, own.url) }
    const showing = await changedBy(ctx, before)
    const fields = amountsIn(request, kind)
    let seen = 0
    for (const field of fields.slice(0, MOST_FIELDS)) {
      const place = { field, kind, showing: showing.slice(0, MOST_SHOWING), usual, byCookie }
      const [first, second] = [await sendOther(ctx, request, place), await sendOther(ctx, request, place)]
      const isTold = showing.length > 0 || numbersIn(usual.next?.text ?? '').has(field.value.replace(',', '.'))
      if (first === 'refused' || second === 'refused' || isTold) seen += 1
      if (first === null || second === null || first === 'refused' || second === 'refused') continue
      seen += 1
      found(hitOf(request, field, kind, [first, second]))
    }
    await ask(ctx, own, request)
    if (seen === 0) throw new Left('whose amounts are shown nowhere')
    if (fields.length > MOST_FIELDS)
      throw new Left(`that hold more than ${MOST_FIELDS} amounts, of which as many were asked`)
  }

/** The page that takes it, then those beside it: of a site with many programs the others show nothing of this one. */
const nearest = (address: string, pages: readonly string[]): readonly string[] => {
  const [own, folder] = [new URL(address), new URL('./', address)]
  const distance = (page: string): number => {
    const { origin, pathname } = new URL(page)
    if (origin !== own.origin) return 3
    return pathname === own.pathname ? 0 : pathname.startsWith(folder.pathname) ? 1 : 2
  }
  return pages.toSorted((a, b) => distance(a) - distance(b))
}

/** Pages that say something else by now, and not by themselves. */
const changedBy = async (ctx: CollectContext, before: ReadonlyMap<string, string>): Promise<readonly string[]> => {
  const after = await readAll(ctx, [...before.keys()])
  const others = [...after].filter(([page, text]) => text !== '' && !areEqual(before.get(page) ?? null, text))
  const again = await readAll(
    ctx,
    others.map(([page]) => page),
  )
  return others.flatMap(([page, text]) =>
    areEqualBesides(before.get(page) ?? null, text, again.get(page) ?? null) ? [] : [page],
  )
}

interface Page {
  readonly url: string
  readonly text: string
}

/** What follows when the form is sent as it is. */
interface Usual {
  readonly text: string
  /** Where the answer leads; null where that is nowhere. */
  readonly next: Page | null
}

interface Place {
  readonly field: Field
  readonly kind: AmountKind
  /** What is sent is kept with the visitor alone. */
  readonly byCookie: boolean
  /** Pages that changed when the form was sent as it is. */
  readonly showing: readonly string[]
  readonly usual: Usual
}

interface Taken {
  readonly value: string
  readonly sent: HttpRequest
  /** The page that shows it; null for the answer itself. */
  readonly page: string | null
}

/** Null where it is not seen to be kept as it was sent. */
const sendOther = async (
  ctx: CollectContext,
  request: RequestTemplate,
  { field, kind, showing, usual, byCookie }: Place,
): Promise<Taken | 'refused' | null> => {
  const before = await readAll(ctx, showing)
  const own = asked(request)
  const value = kind === 'quantity' ? String(-randomInt(11, 98)) : otherPrice(field.value)
  const sent = { ...own, body: formWith(typeof own.body === 'string' ? own.body : '', field.name, value) }
  const answer = await ask(ctx, sent, request)
  if (answer.status >= 400) return 'refused'
  if (byCookie && !isKeptInCookie(answer, value)) return null
  const says = (text: string, was: string): boolean =>
    kind === 'quantity' ? showsLess(text, was, Number(value)) : showsPrice(text, was, value)
  const next = await nextOf(ctx, answer, own.url)
  const after = await readAll(ctx, showing)
  // A notice of what was done is shown once.
  const again = await readAll(ctx, [...showing, ...(next === null ? [] : [next.url])])
  if (next !== null) {
    // Its own page, where each has one.
    before.set(next.url, before.get(next.url) ?? usual.next?.text ?? '')
    after.set(next.url, after.get(next.url) ?? next.text)
  }
  const page = [...after.keys()].find((one) => {
    const was = before.get(one) ?? ''
    return says(after.get(one) ?? '', was) && says(again.get(one) ?? '', was)
  })
  if (page !== undefined) return { value, sent, page }
  const [said, plain] = [visibleText(textOf(answer)), visibleText(usual.text)]
  // What refuses it may name it: in other words than those that took the value of the form.
  return withoutNumbers(said) === withoutNumbers(plain) && says(said, plain) ? { value, sent, page: null } : null
}

/** Below nothing by as much as was sent, or by that less than what stood there. */
export const showsLess = (text: string, was: string, value: number): boolean => {
  const before = numbersIn(was)
  return [...numbersIn(text)].some((one) => {
    const now = Number(one)
    return now < 0 && Number.isInteger(now) && !before.has(one) && (now === value || before.has(String(now - value)))
  })
}

/** As it was sent, with or without zeros behind it. */
export const showsPrice = (text: string, was: string, value: string): boolean => {
  const price = value.replace(',', '.')
  const written = /\./.test(price) ? [price] : [price, `${price}.0`, `${price}.00`]
  const [before, now] = [numbersIn(was), numbersIn(text)]
  return written.some((one) => now.has(one)) && !written.some((one) => before.has(one))
}

const withoutNumbers = (text: string): string => text.replace(/-?\d+(?:[.,]\d+)*/g, '0').replace(/\s+/g, ' ')

const nextOf = async (ctx: CollectContext, answer: HttpExchange, from: string): Promise<Page | null> => {
  const to = URL.parse(headerOf(answer, 'location') ?? '', from)
  if (answer.status < 300 || to === null || to.host !== new URL(from).host) return null
  return harmOfAddress(to.href) === null ? { url: to.href, text: await textAt(ctx, to.href) } : null
}

/** In clear, percent-encoded or in Base64: a cart that the site hands out and takes back. One that is signed may not be. */
const isKeptInCookie = ({ headers }: HttpExchange, value: string): boolean =>
  headers.some(([name, line]) => {
    const cookie = name.toLowerCase() === 'set-cookie' ? percentDecoded(parseSetCookie(line)?.value ?? '') : ''
    return [cookie, Buffer.from(cookie, 'base64').toString('latin1')].some((text) =>
      [...numbersIn(text)].some((one) => Number(one) === Number(value.replace(',', '.'))),
    )
  })

/** '' of what does not answer well. */
const readAll = async (ctx: CollectContext, pages: readonly string[]): Promise<Map<string, string>> => {
  const texts = new Map<string, string>()
  for (const page of pages) texts.set(page, await textAt(ctx, page))
  return texts
}

const textAt = async (ctx: CollectContext, page: string): Promise<string> => {
  try {
    const answer = await ask(ctx, pageRequest(page))
    return answer.status === 200 ? textOf(answer) : ''
  } catch (error) {
    if (error instanceof Left) return ''
    throw error
  }
}

const hitOf = (
  request: RequestTemplate,
  { name, value: stood }: Field,
  kind: AmountKind,
  taken: readonly [Taken, Taken],
): AmountHit => {
  const [, last] = taken
  const lines = taken.map(
    ({ value, page }) =>
      `${request.method} ${new URL(request.url).pathname} was sent with ${name}=${value} in place of ${stood}, and ${page === null ? 'its answer' : `GET ${page}`} shows it`,
  )
  return {
    ...{ kind, name, stays: taken.every(({ page }) => page !== null), ...whereOf(request) },
    ...{ excerpt: lines.join('\n'), mark: `${name}=${last.value}` },
    replay: last.page === null ? replayOf(last.sent) : `${replayOf(last.sent)}; ${replayOf({ url: last.page })}`,
  }
}

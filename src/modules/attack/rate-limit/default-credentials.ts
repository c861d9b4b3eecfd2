/**
 * Whether a sign-in takes a name and a password that products come with, or that are put in for a trial (CWE-1392; WSTG-ATHN-02). On test
 * systems alone, as an account may be locked by it: each name is tried three times at most, and twice more behind an answer that is no refusal,
 * that of the run's own account never, and nothing more once an answer looks like a guard's.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { headerOf } from '../../../page/exchange.ts'
import { CAPTCHA, TOO_MANY } from '../../../page/guessing.ts'
import { readHtml } from '../../../page/html.ts'
import { likeness } from '../../../page/similarity.ts'
import { textOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { curlOf } from '../insertion-points/replay.ts'
import { addressOf } from '../insertion-points/routed.ts'
import { ask, askOrLeave } from './asking.ts'
import { ACCOUNT, nobody, type Person, prepareAttempts, WRONG } from './attempts.ts'
import { isPassword } from './endpoints.ts'
import { type CredentialsTrial, SENT_OUT } from './facts.ts'
import { isUnknownValue, REFUSING } from './refusing.ts'
import { lookTwice, UNREAD } from './without-form.ts'

/** Name and password; what stands for a mailbox is the name at the site's own host. */
const USUAL: readonly (readonly [string, string])[] = [
  ['admin', 'admin'],
  ['admin', 'password'],
  ['test', 'test'],
  ['user', 'user'],
  ['guest', 'guest'],
  ['root', 'root'],
  ['demo', 'demo'],
  ['admin', 'admin123'],
]

/** Milliseconds between two attempts, and for an answer. */
const EVERY = 200
const TIMEOUT = 10_000
/** Share of words that two refusals have in common, beyond which an answer has fewer in common with them. */
const LESS = 0.25

/** What tells an attempt that was let in from one that was not. */
interface Answered {
  readonly status: number
  /** Without its query: a refusal may say there why. */
  readonly location: string
  /** The page asks for a password. */
  readonly asks: boolean
  readonly text: string
  readonly replay: string | null
  readonly exchange: HttpExchange
  readonly sent: HttpRequest
}

/** Why nothing more is asked there. */
class Ended extends Error {}

/** `until`, by performance.now(): no other pair is begun after it. */
export const tryDefaultCredentials = async (
  ctx: CollectContext,
  request: RequestTemplate,
  until: number,
): Promise<CredentialsTrial> => {
  const at = { method: request.method, url: request.url, at: addressOf(request) }
  const attempt = createAttempt(ctx, request)
  let tried = 0
  try {
    const refused = [await attempt(nobody()), await attempt(nobody())] as const
    await expectLooked(ctx, request, refused[0])
    const itself = likeness(refused[0].text, refused[1].text)
    const isIn = (one: Answered): boolean => isLetIn(one) && isOther(one, refused[0], itself)
    /** Answered otherwise whatever the password. */
    const known = new Set<string>()
    for (const [name, password] of usualFor(ctx, request)) {
      if (known.has(name)) continue
      if (performance.now() > until) return { ...at, tried, aborted: 'its share of the time was used up', hit: null }
      tried += 1
      const first = await attempt({ name, account: name, password })
      if (!isIn(first)) continue
      // The name alone may be answered otherwise, and a page that is another one each time is no sign.
      const other = await attempt({ ...nobody(), name, account: name })
      const again = await attempt({ name, account: name, password })
      if (!isOther(other, first, likeness(first.text, again.text)) || !isIn(again) || isIn(other)) {
        known.add(name)
        continue
      }
      const said = { status: first.status, location: first.location, refused: other.status }
      return { ...at, tried, aborted: null, hit: { name, password, ...said, replay: first.replay } }
    }
    return { ...at, tried, aborted: UNSAID.has(refused[0].status) ? unsaid(refused[0].status) : null, hit: null }
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    return { ...at, tried, aborted: error.message, hit: null }
  }
}

/** @throws Ended where nobody has looked at a name and a password: then none that is refused says anything. */
const expectLooked = async (
  ctx: CollectContext,
  request: RequestTemplate,
  { sent, exchange }: Answered,
): Promise<void> => {
  if (![ACCOUNT, WRONG].every((word) => word.test(String(sent.body ?? '')))) throw new Ended(UNFILLED)
  const { status } = exchange
  const isUnknown = status === 404 && (await isUnknownValue(ctx, { kind: 'login', request }, sent, exchange))
  if (REFUSING.has(status) && !isUnknown) throw new Ended(`the very first attempt was refused with status ${status}`)
  const without = await lookTwice((one) => ask(ctx, one), request.url)
  if (without?.isSame(exchange)) throw new Ended(UNREAD)
}

const UNFILLED = 'the fields for the name and the password are not known'
/** In which a wrong password may be told, and as well that the request as such is none. */
const UNSAID: ReadonlySet<number> = new Set([400, 415, 422])
const unsaid = (status: number): string => `status ${status} does not say whether anybody looked at the password`

const GUARDED = 'a guard against guessing answered in place of the sign-in'

/** Each with a page, tokens and a session of its own. @throws Ended */
const createAttempt =
  (ctx: CollectContext, request: RequestTemplate) =>
  async (person: Person): Promise<Answered> => {
    await sleep(EVERY, undefined, { signal: ctx.signal })
    const attempts = await prepareAttempts({ kind: 'login', request }, (one) => ask(ctx, one), person)
    const sent = attempts.next()
    const exchange = await askOrLeave(ctx, sent, TIMEOUT)
    if (exchange === 'left') throw new Ended(SENT_OUT)
    if (exchange === null) throw new Ended(`no answer within ${TIMEOUT} ms`)
    const answered = answeredBy(exchange, sent, attempts.isOfPage ? null : curlOf(sent))
    if (exchange.status === 429 || [CAPTCHA, TOO_MANY].some((words) => words.test(answered.text)))
      throw new Ended(GUARDED)
    if (exchange.status >= 500) throw new Ended('the server answered with errors of its own')
    return answered
  }

const answeredBy = (exchange: HttpExchange, sent: HttpRequest, replay: string | null): Answered => {
  const text = textOf(exchange)
  const inputs = readHtml(text, sent.url).forms.flatMap((form) => form.inputs)
  return {
    ...{ status: exchange.status, location: (headerOf(exchange, 'location') ?? '').replace(/[?#].*$/, '') },
    ...{ asks: inputs.some(isPassword), text, replay, exchange, sent },
  }
}

const isLetIn = ({ status, asks }: Answered): boolean => status < 400 && !asks

/** `itself`: likeness of two answers that say the same. */
const isOther = (one: Answered, other: Answered, itself: number): boolean =>
  one.status !== other.status ||
  one.location !== other.location ||
  one.asks !== other.asks ||
  likeness(one.text, other.text) < itself - LESS

const usualFor = (ctx: CollectContext, request: RequestTemplate): readonly (readonly [string, string])[] => {
  const own = ctx.session?.account?.toLowerCase()
  const { hostname } = new URL(request.url)
  const isMail = [request.body ?? '', ...request.fields.map(({ name, type }) => `${name} ${type}`)].some((text) =>
    /mail/i.test(text),
  )
  return USUAL.map(([name, password]) => [isMail ? `${name}@${hostname}` : name, password] as const).filter(
    ([name]) => name.toLowerCase() !== own,
  )
}

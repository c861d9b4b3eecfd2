/** What a refusal to the first attempt means. */
import { randomBytes } from 'node:crypto'
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { likeness } from '../../../page/similarity.ts'
import { textOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { isTokenName } from '../insertion-points/tokens.ts'
import { ask } from './asking.ts'
import { type Chosen, couponAt, isForms } from './endpoints.ts'
import { isTaken } from './signals.ts'

/** Nobody has looked at what was sent: of another page, by another method, without a token. */
export const REFUSING: ReadonlySet<number> = new Set([403, 404, 405, 419])

/**
 * Whether the status of a first answer says that nothing of what is to be limited was done. To a form 401 is what a wrong password is answered;
 * what asks for the code of a coupon and who is there has not looked at it. `saysUnknown`: 404 is said of the value.
 */
export const isRefusedAtOnce = (kind: Chosen['kind'], status: number, saysUnknown: boolean): boolean =>
  (REFUSING.has(status) && !(saysUnknown && status === 404)) ||
  (kind === 'coupon' && status === 401) ||
  (!isForms(kind) && !isTaken(status))

/** A wrong code may be answered 401; so is nobody, whatever is sent: then an empty body is answered alike. */
export const asksWho = async (
  ctx: CollectContext,
  { kind }: Chosen,
  { url, encoding }: RequestTemplate,
  answered: HttpExchange,
): Promise<boolean> => {
  if (kind !== 'one-time-code') return false
  const json = encoding === 'json'
  const empty = await ask(ctx, {
    ...{ url, method: 'POST', body: json ? '{}' : '', authenticated: false, stranger: true },
    headers: [['Content-Type', json ? 'application/json' : 'application/x-www-form-urlencoded']],
  })
  return empty?.status === answered.status && likeness(textOf(empty), textOf(answered)) === 1
}

/** Of what was sent nothing can be made: said of a wrong password as well as of a token that is none (RFC 9110, 15.5.1 and 15.5.21). */
const UNUSABLE: ReadonlySet<number> = new Set([400, 422])
export const OF_TOKEN = 'a token that is made up is answered alike, so nothing shows that what was typed was looked at'

/** Whether the form's token may be all that was looked at: a made-up one is answered as what was sent was. */
export const isOfToken = async (
  ctx: CollectContext,
  attempt: HttpRequest,
  answered: HttpExchange,
): Promise<boolean> => {
  const fields = [...new URLSearchParams(String(attempt.body ?? ''))]
  if (!UNUSABLE.has(answered.status) || !fields.some(([name]) => isTokenName(name))) return false
  const made = fields.map(([name, value]): [string, string] => [
    name,
    isTokenName(name) ? randomBytes(32).toString('hex') : value,
  ])
  const other = await ask(ctx, { ...attempt, body: new URLSearchParams(made).toString() })
  return other?.status === answered.status && likeness(textOf(other), textOf(answered)) >= ALIKE
}

const MAY_SAY_UNKNOWN: ReadonlySet<Chosen['kind']> = new Set(['login', 'reset', 'coupon'])

/** Words in common from which two refusals are one, 0 to 1. */
const ALIKE = 0.8

/**
 * An interface may answer 404 to an account or a code that it does not know, as routers do to an address that is not there: what stands beside
 * it at a made-up address is then refused in other words. The same request is sent there.
 */
export const isUnknownValue = async (
  ctx: CollectContext,
  { kind, request }: Pick<Chosen, 'kind' | 'request'>,
  attempt: HttpRequest,
  answered: HttpExchange,
): Promise<boolean> => {
  if (answered.status !== 404 || !MAY_SAY_UNKNOWN.has(kind)) return false
  const beside = new URL(attempt.url)
  const made = randomBytes(6).toString('hex')
  const at = kind === 'coupon' ? couponAt(request) : null
  // A code that stands in the path is one of the values there, whatever it is: what it stands behind is made up.
  const parts = beside.pathname.replace(/\/$/, '').split('/')
  const last = typeof at === 'number' ? at : parts.length - 1
  beside.pathname = parts.with(last, `${parts[last]}-${made}`).join('/')
  const other = await ask(ctx, { ...attempt, url: beside.href })
  if (other === null) return false
  const [ours, theirs] = [textOf(answered), textOf(other).replaceAll(made, '')]
  return ours.trim() !== '' && (other.status !== 404 || likeness(ours, theirs) < ALIKE)
}

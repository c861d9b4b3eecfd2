/**
 * What a form's answer leads to (post, redirect, get): the page behind it shows what came of the value. It is looked at as long as
 * it says anything new.
 */
import type { Egress, HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { headerOf } from '../../../page/exchange.ts'
import { isSafe } from '../../../safety/effect.ts'
import { harmOfAddress } from '../../../safety/safety.ts'
import { cookiesSet, egressFor } from './freshness.ts'
import type { ProbeRequest } from './inventory.ts'
import { pageOrNull } from './page-or-null.ts'

/** Null where the answer leads nowhere, or to what always says the same. */
export type Follow = (request: ProbeRequest, sent: HttpRequest, answer: HttpExchange) => Promise<HttpExchange | null>

/** So many looks in a row that showed one and the same page are enough. */
const ENOUGH = 6

/**
 * What the answer sets goes along, in place of the run's own where it is called alike: who keeps the session in its cookie, as Rails does, has what
 * the next page says to the value there. For this one page.
 */
export const createFollow = (egress: Egress): Follow => {
  const known = new Map<string, { text: string; times: number }>()
  return async (request, sent, answer) => {
    const next = nextOf(sent, answer)
    const before = known.get(request.id)
    if (next === null || (before?.times ?? 0) >= ENOUGH) return null
    const isNobody = request.asNobody === true
    const cookies = cookiesSet(answer)
    const given = (sent.headers ?? []).filter(([name]) => name.toLowerCase() === 'cookie').map(([, value]) => value)
    const cookie = [cookies, ...given].filter(Boolean).join('; ')
    const page = await pageOrNull(egressFor(egress, request), next, cookie, isNobody)
    if (page === null) return null
    const text = page.body.toString('latin1')
    known.set(request.id, { text, times: before?.text === text ? before.times + 1 : 1 })
    return page
  }
}

/** RFC 9110, 15.4: these are followed with GET, whatever was sent. A page that may do harm is not looked at. */
const nextOf = (sent: HttpRequest, answer: HttpExchange): string | null => {
  if (isSafe(sent.method ?? 'GET') || ![301, 302, 303].includes(answer.status)) return null
  const next = URL.parse(headerOf(answer, 'location') ?? '', sent.url)
  if (next === null || next.origin !== new URL(sent.url).origin || harmOfAddress(next.href) !== null) return null
  next.hash = ''
  return next.href
}

/** Cookies as the facts tell of them, and which of them open a session. */
import { isSessionCookie } from '../../../page/cookies/session.ts'
import { type Cookie, isRemoval, parseSetCookie } from '../../../page/cookies/set-cookie.ts'
import type { CookieObservation, CookiesFacts } from './facts.ts'

export interface Seen {
  readonly cookie: Cookie
  readonly observation: CookieObservation
  readonly session: boolean
  /** Set over https. */
  readonly secureOrigin: boolean
}

/**
 * Every cookie that is set, not deleted, in order of arrival. What opens a session on one page does so on all that set it, and what the run's own
 * sign-in was given is told as on its page, also where its answers passed by unseen, as those of a browser do behind TLS.
 */
export const seenCookies = (facts: CookiesFacts, now: number): readonly Seen[] => {
  const set = facts.observations.flatMap((observation) => {
    const cookie = parseSetCookie(observation.line)
    return cookie === null || isRemoval(cookie, now) ? [] : [{ cookie, observation }]
  })
  const given = new Set(facts.ofSignIn)
  const kindOf = ({ cookie, observation }: (typeof set)[number]) =>
    given.has(cookie.name) ? 'login' : observation.kind
  const sessions = new Set(
    set.filter((one) => isSessionCookie(one.cookie, kindOf(one))).map(({ cookie }) => cookie.name),
  )
  return set.map(({ cookie, observation }) => ({
    ...{ cookie, observation },
    session: sessions.has(cookie.name),
    secureOrigin: observation.url.startsWith('https:'),
  }))
}

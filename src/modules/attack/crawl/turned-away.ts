/** Requests that a guard answers in place of their program: they lead to the page on which one signs in, whatever stands in them. */
import { isSignIn } from '../insertion-points/sign-in.ts'
import type { RequestTemplate } from './facts.ts'
import { withoutQuery } from './fetching.ts'

/** The same, with those marked. `led`: addresses, and where they lead. */
export const withTurnedAway = (
  requests: readonly RequestTemplate[],
  led: ReadonlyMap<string, string>,
): readonly RequestTemplate[] => {
  const pages = new Set(
    requests.filter((one) => isSignIn(one)).flatMap(({ seenOn }) => seenOn.map((page) => withoutQuery(page))),
  )
  const isTurned = ({ method, url }: RequestTemplate): boolean => {
    const target = led.get(url)
    return method === 'GET' && target !== undefined && pages.has(withoutQuery(target)) && !pages.has(withoutQuery(url))
  }
  return requests.map((one) => (isTurned(one) ? { ...one, turnedAway: true } : one))
}

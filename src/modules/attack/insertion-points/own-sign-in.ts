/** The run's own sign-in as a request of the inventory: pages of many applications send it by a script, and have no form for it. */
import type { RunSession } from '../../module.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { isSignIn } from './sign-in.ts'

/**
 * As the crawl has found it, with the tokens of its page; else as the identity sends it. Null where neither is known, as of a sign-in that needs
 * what only its answers give, and that the crawl has not met.
 */
export const ownSignIn = (
  session: Pick<RunSession, 'form' | 'leading'> | undefined,
  requests: readonly RequestTemplate[],
): RequestTemplate | null => {
  const form = session?.form
  const paths = form === undefined ? session?.leading?.paths : new Set([new URL(form.url).pathname])
  const found = requests.find(
    (one) => one.method === 'POST' && paths?.has(new URL(one.url).pathname) && isSignIn(one) && one.harm === null,
  )
  if (found !== undefined || form === undefined) return found ?? null
  const { url, encoding, fields, body, page } = form
  return {
    ...{ id: `POST ${url} sign-in`, method: 'POST', url, shape: url, encoding, body, source: 'script' },
    fields: fields.map((one) => (one.type === 'hidden' && one.value === '' ? { ...one, value: OF_PAGE } : one)),
    ...{ seenOn: page === null ? [] : [page], sent: false, harm: null },
  }
}

/** Stands for what the page of the sign-in gives, which is as a rule a token: put in its place before it is sent. */
const OF_PAGE = '5d41402abc4b2a76b9719d911017c592'

/**
 * Why a run that signs in by itself has no sign-in to ask: steps in a browser, or a service elsewhere, leave no request of it. In words that
 * follow a number; null where one is known, or the run does not sign in.
 */
export const signInWithout = (
  session: Pick<RunSession, 'account'> | undefined,
  known: readonly unknown[],
): string | null =>
  known.length === 0 && session?.account !== undefined
    ? 'by which the run signs in, of which no request is known'
    : null

/** Pages that may give a session to whoever has none: many sites begin one where a form stands, and not before. */
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { isSignIn } from '../../insertion-points/sign-in.ts'

const MOST_PAGES = 16

/** Absolute addresses, those of the sign-in first. */
export const pagesThatMayGive = (
  { session }: Pick<CollectContext, 'session'>,
  { requests, urls }: Pick<CrawlFacts, 'requests' | 'urls'>,
): readonly string[] => {
  const posted = requests.filter(({ method, harm }) => method === 'POST' && harm === null)
  const pages = [
    ...urls.slice(0, 1).map(({ url }) => url),
    ...signInPages({ session }, { requests }),
    ...(session === undefined ? [] : [session.proofAt]),
    ...posted.flatMap(({ seenOn }) => seenOn.slice(0, 1)),
  ]
  return [...new Set(pages)].slice(0, MOST_PAGES)
}

/** Pages on which the form of the sign-in may stand. */
export const signInPages = (
  { session }: Pick<CollectContext, 'session'>,
  { requests }: Pick<CrawlFacts, 'requests'>,
): readonly string[] => {
  const form = session?.form
  const own = form === undefined ? [] : [...(form.page === null ? [] : [form.page]), form.url]
  return [...new Set([...own, ...requests.filter(isSignIn).flatMap(({ seenOn }) => seenOn.slice(0, 1))])]
}

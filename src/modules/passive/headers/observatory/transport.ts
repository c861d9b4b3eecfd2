import { transportSecurityOf } from '../../../../page/headers/strict-transport-value.ts'
import type { Page } from '../../../../page/page.ts'
import type { SiteFacts } from '../../site/facts.ts'
import type { Modifier } from './grade.ts'

/** Six months in seconds, as the Observatory counts them. */
const SIX_MONTHS = 15_768_000

/** @param preloaded browsers know the page's host by their list */
export const scoreTransportSecurity = (page: Page, preloaded = false): Modifier => {
  if (preloaded && page.certificateError === null) return { id: 'hsts-preloaded', points: 5 }
  if (!page.url.startsWith('https:')) return { id: 'hsts-not-implemented-no-https', points: -20 }
  if (page.certificateError !== null) return { id: 'hsts-invalid-cert', points: -20 }
  const value = transportSecurityOf(page.headers)
  if (value.kind === 'missing') return { id: 'hsts-not-implemented', points: -20 }
  if (value.kind === 'invalid') return { id: 'hsts-header-invalid', points: -20 }
  return value.maxAge < SIX_MONTHS
    ? { id: 'hsts-implemented-max-age-less-than-six-months', points: -10 }
    : { id: 'hsts-implemented-max-age-at-least-six-months', points: 0 }
}

export const isTransportSecured = (page: Page): boolean => scoreTransportSecurity(page).points >= 0

/** How http leads to https. A refused port needs no redirect. */
export const scoreRedirect = ({ http, pages }: SiteFacts): Modifier => {
  if (http.error !== null) return { id: 'redirection-not-needed-no-http', points: 0 }
  const [first] = http.hops
  const target = first?.location == null ? null : URL.parse(first.location, first.url)
  if (first === undefined || target === null) return { id: 'redirection-missing', points: -20 }
  const last = http.finalUrl ?? http.hops.at(-1)?.url ?? ''
  const lastHop = http.hops.at(-1)
  // A chain that leaves the host ends where it was left: its last Location is then the destination.
  const destination =
    http.finalUrl ?? (lastHop?.location == null ? last : (URL.parse(lastHop.location, lastHop.url)?.href ?? last))
  if (!destination.startsWith('https:')) return { id: 'redirection-not-to-https', points: -20 }
  const certificateError = pages.find(({ url }) => url === http.finalUrl)?.certificateError ?? null
  if (certificateError !== null) return { id: 'redirection-invalid-cert', points: -20 }
  if (target.protocol !== 'https:') return { id: 'redirection-not-to-https-on-initial-redirection', points: -10 }
  return target.hostname === URL.parse(first.url)?.hostname
    ? { id: 'redirection-to-https', points: 0 }
    : { id: 'redirection-off-host-from-http', points: -5 }
}

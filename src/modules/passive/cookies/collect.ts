import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { Hop, Page, PageKind } from '../../../page/page.ts'
import { valuesOf } from '../../../page/pages.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { CookieObservation, CookiesFacts } from './facts.ts'

const MAX_OBSERVATIONS = 500

/**
 * Every Set-Cookie line that `site` met on pages, in reloads and on the way to them. Pages come first: their kind tells
 * whether a cookie belongs to a sign-in. Answers to made-up paths are left out, as their addresses change with every run.
 */
export const observeCookies = (site: SiteFacts): CookiesFacts => {
  const answers = [
    ...[...site.pages, ...site.reloads, ...(site.asNobody ?? [])].map(fromPage),
    ...site.https.hops.map((hop) => fromHop(hop, site.https.evidence)),
    ...site.http.hops.map((hop) => fromHop(hop, site.http.evidence)),
  ]
  const observations = new Map<string, CookieObservation>()
  for (const { url, headers, kind, evidence } of answers) {
    for (const line of valuesOf(headers, 'set-cookie')) {
      // The value changes with every load; what is judged is the rest, and one value for it.
      const key = `${url}\n${line.replace(/=[^;]*/, '=')}`
      if (!observations.has(key) && observations.size < MAX_OBSERVATIONS)
        observations.set(key, { url, line, kind, evidence })
    }
  }
  return { observations: [...observations.values()], answers: answers.length }
}

interface Answer extends Pick<Page, 'url' | 'headers'> {
  readonly kind: PageKind
  readonly evidence: EvidenceRef | null
}

const fromHop = ({ url, headers }: Hop, evidence: EvidenceRef | null): Answer => ({
  url,
  headers,
  kind: 'plain',
  evidence,
})
const fromPage = ({ url, headers, kind, evidence }: Page): Answer => ({ url, headers, kind, evidence })

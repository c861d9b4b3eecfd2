import { faultReason } from '../../faults.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { shortOf } from '../insertion-points/verdict.ts'

const definition: FindingDefinition = {
  id: 'xss/cached-header',
  title: 'Web cache poisoning: a cache keeps for everybody what a visitor puts into a header',
  severity: 'medium',
  cwe: 349,
  why: 'The page shows the header, and the cache in front does not tell apart who sent it. One request of an attacker changes the page for all who come after: links and scripts that lead to their server, a page that is no use to anybody.',
  remediation:
    'Build addresses from the configured name of the site, never from `X-Forwarded-Host` or the like (Django `USE_X_FORWARDED_HOST = False`, Symfony and Laravel trusted proxies, Express `trust proxy` set to the proxy alone), and remove such headers at the proxy: nginx `proxy_set_header X-Forwarded-Host $host;`. What an answer depends on belongs into `Vary` or the key of the cache.',
  references: [
    'https://portswigger.net/web-security/web-cache-poisoning',
    'https://www.rfc-editor.org/rfc/rfc9111.html#section-7',
    'https://cwe.mitre.org/data/definitions/349.html',
  ],
}

const LEAST_ROUNDS = 2

/** Confirmed: two words were sent in the header, and each came back to a request that had no such header. */
export const cachedHeader: Check<'xss', 'crawl'> = {
  findings: [definition],
  judge: ({ cached, fault }) => {
    if (cached === undefined && fault !== undefined) return { state: 'inconclusive', reason: faultReason(fault), fault }
    if (cached === undefined) return { state: 'not_tested', reason: 'the time was over' }
    if (cached.kept === 0)
      return { state: 'not_applicable', reason: 'no page came out of a cache that says so and keeps copies by address' }
    const findings = cached.hits
      .filter(
        ({ rounds }) => rounds.length >= LEAST_ROUNDS && new Set(rounds.map(({ word }) => word)).size === rounds.length,
      )
      .map(({ url, header, rounds }) => ({
        definition,
        confidence: 'confirmed' as const,
        at: { url: url.split('?')[0] ?? url, method: 'GET', parameter: `header ${header}` },
        detail: `${rounds.length} words sent in ${header} came back to requests without it, out of the cache. Each was kept under a parameter of our own, so nobody else has seen it.`,
        proof: {
          excerpt: rounds[0]?.excerpt ?? '',
          mark: rounds[0]?.word ?? null,
          replay: rounds[0]?.replay ?? null,
          basis: 'cache',
        },
      }))
    const { pages, left = 0 } = cached
    return left === 0
      ? findings
      : { state: 'inconclusive', ...shortOf('pages', pages + left, [{ reason: 'not asked', count: left }]), findings }
  },
}

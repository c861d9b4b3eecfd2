import type { Proof } from '../../../contract/finding.ts'
import type { Hop } from '../../../page/page.ts'
import type { Check, Finding, FindingDefinition, Unjudged } from '../../module.ts'
import type { Entry } from '../site/facts.ts'

const downgrade: FindingDefinition = {
  id: 'tls/redirect-downgrade',
  title: 'HTTPS downgrade: a secure address redirects to an insecure one',
  severity: 'high',
  cwe: 319,
  group: 'transport',
  why: 'Visitors who came over https are sent on in plain text, where whoever sits on the way can read and change everything.',
  remediation:
    'Let the redirect name an https address, or a path without scheme and host, in the configuration of the server that answers.',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html'],
}

const missing: FindingDefinition = {
  ...downgrade,
  id: 'tls/redirect-missing',
  title: 'HTTPS redirect missing: the site also serves its pages in plain HTTP',
  severity: 'medium',
  why: 'Who types the name or follows an old link stays on an unprotected connection, and cookies and forms go with it.',
  remediation:
    'Answer every request on port 80 with a permanent redirect to the same path over https: nginx `return 301 https://$host$request_uri;` in the server block of port 80.',
}

const httpFirst: FindingDefinition = {
  ...missing,
  id: 'tls/redirect-http-first',
  title: 'HTTPS redirect through HTTP: the first redirect leads to another plain address',
  severity: 'low',
  why: 'Each redirect in plain text can be taken over, and the secure address comes only after it.',
  remediation: 'Redirect the first plain request straight to https; tidy up paths and host names after that.',
}

const offHostFirst: FindingDefinition = {
  ...missing,
  id: 'tls/redirect-off-host-first',
  title: 'HTTPS redirect to another host before this one was secure: HSTS cannot take hold',
  severity: 'low',
  why: 'The browser never visits this name over https, so it never learns its Strict-Transport-Security and starts in plain text each time.',
  remediation:
    'Redirect to https on the same host name first, send Strict-Transport-Security there, and go to the other host after that.',
}

/** Verdicts after Mozilla's HTTP Observatory: secure first, on the same host, and never back. */
export const httpsRedirect: Check<'tls', 'site'> = {
  findings: [downgrade, missing, httpFirst, offHostFirst],
  judge: (_facts, { site }, { target }) => {
    if (site.absent !== undefined) return { state: 'not_applicable', reason: `There is no website: ${site.absent}` }
    const back = [site.https, site.http].flatMap((entry) => judgeDowngrade(entry)).slice(0, 1)
    const plain = judgePlain(site.http, site.https, target.host)
    return 'state' in plain ? { ...plain, findings: back } : [...back, ...plain]
  },
}

const judgeDowngrade = (entry: Entry): Finding[] => {
  const hop = entry.hops.find(({ url, location }) => isSecure(url) && schemeOf(url, location) === 'http:')
  if (hop === undefined) return []
  return [
    {
      definition: downgrade,
      confidence: 'confirmed',
      at: { url: hop.url },
      detail: `${hop.url} redirects to ${hop.location}.`,
      proof: proofOf(entry),
    },
  ]
}

const PLAIN = [missing.id, httpFirst.id, offHostFirst.id]

const judgePlain = (http: Entry, https: Entry, host: string): Unjudged | readonly Finding[] => {
  if (http.error !== null) return []
  if (https.error !== null)
    return { state: 'not_applicable', reason: 'There is no https address to redirect to.', only: PLAIN }
  const [first] = http.hops
  if (first === undefined)
    return { state: 'inconclusive', reason: 'The answer over http was not recorded.', only: PLAIN }
  const insecure = http.hops.find((hop) => !isSecure(hop.url) && !isRedirect(hop))
  if (insecure !== undefined) {
    if (insecure.status >= 400)
      return {
        state: 'inconclusive',
        reason: `The start page over http answers ${insecure.status} and no redirect.`,
        only: PLAIN,
      }
    return [
      found(
        missing,
        insecure,
        http,
        `${insecure.url} answers ${insecure.status} with a page instead of a redirect to https.`,
      ),
    ]
  }
  const target = URL.parse(first.location ?? '', first.url)
  if (target?.protocol === 'http:')
    return [found(httpFirst, first, http, `${first.url} redirects to ${target.href} first.`)]
  if (target !== null && target.hostname !== host)
    return [
      found(
        offHostFirst,
        first,
        http,
        `${first.url} redirects to ${target.href} before ${host} was visited over https.`,
      ),
    ]
  return []
}

const found = (definition: FindingDefinition, hop: Hop, entry: Entry, detail: string): Finding => ({
  definition,
  confidence: 'confirmed',
  at: { url: hop.url },
  detail,
  proof: proofOf(entry),
})

const proofOf = ({ url, hops }: Entry): Proof => ({
  excerpt: hops
    .map((hop) => `${hop.status} ${hop.url}${hop.location === null ? '' : ` -> ${hop.location}`}`)
    .join('\n')
    .slice(0, 8000),
  mark: null,
  replay: `curl -sIL ${url}`,
})

const isRedirect = ({ status, location }: Hop): boolean => status >= 300 && status < 400 && location !== null
const isSecure = (url: string): boolean => url.startsWith('https:')
const schemeOf = (url: string, location: string | null): string | null =>
  location === null ? null : (URL.parse(location, url)?.protocol ?? null)

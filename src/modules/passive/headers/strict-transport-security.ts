import {
  MIN_MAX_AGE,
  PRELOAD_MAX_AGE,
  type TransportSecurity,
  transportSecurityOf,
} from '../../../page/headers/strict-transport-value.ts'
import type { Hop, Page } from '../../../page/page.ts'
import { valuesOf } from '../../../page/pages.ts'
import { count, type Hit, posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { HeadersFacts } from './facts.ts'

const REFERENCES = [
  'https://www.rfc-editor.org/rfc/rfc6797',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Strict-Transport-Security',
  'https://hstspreload.org/',
  'https://cwe.mitre.org/data/definitions/319.html',
] as const
const common = { cwe: 319, references: REFERENCES } as const
const FIX =
  'Send `Strict-Transport-Security: max-age=31536000; includeSubDomains` from the server that answers on port 443. nginx, ' +
  'in its server block: `add_header Strict-Transport-Security "max-age=31536000; includeSubDomains" always;`. Apache: ' +
  '`Header always set Strict-Transport-Security "max-age=31536000; includeSubDomains"`. Start with max-age=300 and raise ' +
  'it once every name below yours answers over https.'

const missing: FindingDefinition = {
  ...common,
  id: 'headers/strict-transport-security-missing',
  title: 'HSTS missing: Strict-Transport-Security is not sent',
  severity: 'medium',
  group: 'transport',
  why:
    'Without it, a browser that is given an address without scheme, or an old http link, asks in clear first. Whoever ' +
    'controls the network answers in place of the site and keeps the visitor on http.',
  remediation: FIX,
}

const invalid: FindingDefinition = {
  ...common,
  id: 'headers/strict-transport-security-invalid',
  title: 'HSTS invalid: Strict-Transport-Security breaks its grammar and is ignored',
  severity: 'medium',
  group: 'transport',
  why: 'Browsers ignore the whole header when max-age is missing or no number, or when a directive comes twice.',
  remediation: FIX,
}

const off: FindingDefinition = {
  ...common,
  id: 'headers/strict-transport-security-off',
  title: 'HSTS switched off by max-age=0',
  severity: 'medium',
  group: 'transport',
  why: 'max-age=0 makes browsers forget that the site is to be reached over https alone.',
  remediation: FIX,
}

const short: FindingDefinition = {
  ...common,
  id: 'headers/strict-transport-security-short',
  title: 'HSTS max-age short: Strict-Transport-Security lasts less than 180 days',
  severity: 'low',
  group: 'good-practice',
  why: 'Who comes back after the time has run out is open to the same attack as on a first visit.',
  remediation: FIX,
}

const duplicate: FindingDefinition = {
  ...common,
  id: 'headers/strict-transport-security-duplicate',
  title: 'HSTS sent more than once',
  severity: 'low',
  group: 'good-practice',
  why: 'Browsers process the first header alone (RFC 6797, section 8.1). The one that was set on purpose may be the other.',
  remediation: `Set it in one place, the application or the server in front of it. ${FIX}`,
}

const subdomains: FindingDefinition = {
  ...common,
  id: 'headers/strict-transport-security-subdomains',
  title: 'HSTS without includeSubDomains: names below the site are not covered',
  severity: 'info',
  group: 'good-practice',
  why: 'An attacker on the network can invent a name below the site, answer for it over http, and set cookies for the site.',
  remediation: `Add includeSubDomains once every name below yours answers over https. ${FIX}`,
}

const preload: FindingDefinition = {
  ...common,
  id: 'headers/strict-transport-security-preload',
  title: 'HSTS preload without qualifying for it',
  severity: 'low',
  group: 'good-practice',
  why:
    'Names on the list that no longer qualify are taken off it. The word preload agrees that anyone may submit the name to the list built into browsers. As sent, the list refuses ' +
    'it, so the protection of the first visit that was meant is absent.',
  remediation:
    'Send max-age=31536000 or more with includeSubDomains and preload, redirect http to https on the same host, then ' +
    'submit the name at hstspreload.org. Remove preload if that is not wanted: leaving the list takes months.',
}

const inert: FindingDefinition = {
  ...common,
  id: 'headers/strict-transport-security-inert',
  title: 'HSTS without effect, as the certificate is refused',
  severity: 'low',
  group: 'transport',
  why: 'Browsers note the header only over a connection without certificate errors (RFC 6797, section 8.1).',
  remediation: 'Install a certificate that browsers accept for this name; the header then works as it is.',
}

const clear: FindingDefinition = {
  ...common,
  id: 'headers/strict-transport-security-over-http',
  title: 'HSTS sent over http, where browsers ignore it',
  severity: 'info',
  group: 'good-practice',
  why: 'Browsers ignore the header over http, and RFC 6797 (section 7.2) forbids to send it there. It protects nobody.',
  remediation: 'Send it in the https server block alone, and let the http one do nothing but redirect.',
}

/** Every https answer on the way to the start page, each by the first header of its name. */
export const strictTransportSecurity: Check<'headers', 'site'> = {
  findings: [missing, invalid, off, short, duplicate, subdomains, preload, inert, clear],
  judge: ({ preloaded }, { site }) => {
    const options = { headers: [NAME] }
    const overHttp = posture(clear, [...site.http.hops, ...startOf(site)].filter(isClear).map(clearHit), options)
    const answers = secureAnswers(site)
    if (answers.length === 0) {
      const only = strictTransportSecurity.findings.map(({ id }) => id).filter((id) => id !== clear.id)
      const error = site.https.error?.message
      return error === undefined
        ? { state: 'not_tested', reason: 'No answer over https was recorded.', only, findings: overHttp }
        : {
            state: 'not_applicable',
            reason: `The site does not answer over https (${error}).`,
            only,
            findings: overHttp,
          }
    }
    const distrusted = startOf(site).some((page) => page.certificateError !== null)
    const judged = answers.map((answer) => ({ answer, value: transportSecurityOf(answer.headers) }))
    const all = (definition: FindingDefinition, says: (value: TransportSecurity, answer: Answer) => string | null) =>
      posture(
        definition,
        judged.flatMap(({ answer, value }) => hitOf(answer, value, says(value, answer))),
        options,
      )
    const valid = (value: TransportSecurity): boolean => value.kind === 'valid' && value.maxAge > 0
    return [
      ...all(missing, (value, answer) =>
        value.kind === 'missing' && entryOf(preloaded, answer) === null ? 'answers without it' : null,
      ),
      ...all(invalid, (value) => (value.kind === 'invalid' ? `sends "${value.text}": ${value.problem}` : null)),
      ...all(off, (value) => (value.kind === 'valid' && value.maxAge === 0 ? `sends "${value.text}"` : null)),
      ...all(short, (value, answer) =>
        value.kind === 'valid' && value.maxAge > 0 && value.maxAge < MIN_MAX_AGE && entryOf(preloaded, answer) === null
          ? `sends max-age=${value.maxAge}, which is ${count(Math.floor(value.maxAge / 86_400), 'day')}`
          : null,
      ),
      ...all(duplicate, (_value, answer) => {
        const lines = valuesOf(answer.headers, NAME)
        return lines.length > 1 ? `sends it ${lines.length} times: ${lines.join(' | ').slice(0, 300)}` : null
      }),
      ...all(subdomains, (value) =>
        value.kind === 'valid' && value.maxAge > 0 && !value.includeSubDomains ? `sends "${value.text}"` : null,
      ),
      ...all(preload, (value, answer) => {
        const entry = entryOf(preloaded, answer)
        if (value.kind === 'missing')
          return entry && `answers without it, although browsers know it by the list (${entry})`
        return value.kind === 'valid' && (value.preload || entry !== null) ? preloadGap(value, site, entry) : null
      }),
      ...all(inert, (value, answer) =>
        distrusted && valid(value) ? `sends "${textOf(value)}", and ${problemOf(site, answer)}` : null,
      ),
      ...overHttp,
    ]
  },
}

const NAME = 'strict-transport-security'
type Answer = Pick<Hop, 'url' | 'status' | 'headers'> & Partial<Pick<Page, 'evidence' | 'kind'>>

const startOf = (site: SiteFacts): readonly Page[] => site.pages.slice(0, 1)

/** The first hop decides for the name that people type, the last one for the name they end on. */
const secureAnswers = (site: SiteFacts): readonly Answer[] => {
  const byUrl = new Map<string, Answer>()
  for (const answer of [...site.https.hops, ...site.http.hops, ...startOf(site)]) {
    if (answer.url.startsWith('https:')) byUrl.set(answer.url, answer)
  }
  return [...byUrl.values()]
}

const isClear = (answer: Answer): boolean => answer.url.startsWith('http:') && valuesOf(answer.headers, NAME).length > 0
const clearHit = (answer: Answer): Hit => ({
  page: answer,
  detail: `${answer.url} sends Strict-Transport-Security over http.`,
  mark: valuesOf(answer.headers, NAME)[0] ?? '',
})

const hitOf = (answer: Answer, value: TransportSecurity, says: string | null): readonly Hit[] =>
  says === null ? [] : [{ page: answer, detail: `${answer.url} ${says}.`, mark: textOf(value) }]

const textOf = (value: TransportSecurity): string => (value.kind === 'missing' ? '' : value.text)

const problemOf = (site: SiteFacts, answer: Answer): string =>
  `the certificate is refused: ${startOf(site)[0]?.certificateError ?? `unknown for ${answer.url}`}`

/** hstspreload.org: a year, all names below, and http redirected on the same host first. */
const preloadGap = (
  value: TransportSecurity & { readonly kind: 'valid' },
  site: SiteFacts,
  entry: string | null,
): string | null => {
  const gaps = [
    ...(value.maxAge < PRELOAD_MAX_AGE ? [`max-age is ${value.maxAge}, below 31536000`] : []),
    ...(value.includeSubDomains ? [] : ['includeSubDomains is missing']),
    ...(redirectsHere(site) ? [] : ['http does not redirect to https on the same host first']),
  ]
  const asks = entry === null ? 'asks for preload, but' : `is on the list of browsers (${entry}), but`
  return gaps.length === 0 ? null : `${asks} ${gaps.join(' and ')}`
}

/** By which browsers ask the host over https before they have seen any header of it. */
const entryOf = (preloaded: HeadersFacts['preloaded'], { url }: Answer): string | null =>
  preloaded?.[URL.parse(url)?.hostname ?? ''] ?? null

const redirectsHere = (site: SiteFacts): boolean => {
  const [first] = site.http.hops
  if (site.http.error !== null || first === undefined) return site.http.error !== null
  const target = first.location === null ? null : URL.parse(first.location, first.url)
  return target?.protocol === 'https:' && target.hostname === URL.parse(first.url)?.hostname
}

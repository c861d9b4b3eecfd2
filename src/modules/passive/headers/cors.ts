import { combined, valuesOf } from '../../../page/pages.ts'
import { type Hit, posture, type Shown, shellQuoted } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import type { CorsOrigin, CorsProbe, HeadersFacts } from './facts.ts'

const REFERENCES = [
  'https://fetch.spec.whatwg.org/#http-cors-protocol',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CORS',
  'https://owasp.org/www-community/attacks/CORS_OriginHeaderScrutiny',
  'https://cwe.mitre.org/data/definitions/942.html',
] as const
const common = { cwe: 942, group: 'browser-policy', references: REFERENCES } as const
const FIX =
  'Compare the Origin with a fixed list, as a whole and including its scheme, and answer only a listed one: in nginx ' +
  '`map $http_origin $cors { default ""; "https://app.example" $http_origin; }` and `add_header ' +
  'Access-Control-Allow-Origin $cors always; add_header Vary Origin always;`. Send Access-Control-Allow-Credentials ' +
  'only where a listed site needs the session.'

const anyOrigin: FindingDefinition = {
  ...common,
  id: 'headers/cors-any-origin-credentials',
  title: 'CORS: any origin may read answers with credentials',
  severity: 'high',
  why:
    'The answer repeats whatever Origin asks and allows credentials. A page of an attacker can call the site with the ' +
    'cookies of the visitor and read everything that the visitor may see.',
  remediation: FIX,
}

const nullOrigin: FindingDefinition = {
  ...common,
  id: 'headers/cors-null-origin-credentials',
  title: 'CORS: the origin "null" may read answers with credentials',
  severity: 'high',
  why: 'Any page can take the origin null by a sandboxed frame, so this grants the same as allowing every site.',
  remediation: `Remove null from the list of allowed origins. ${FIX}`,
}

const looseMatch: FindingDefinition = {
  ...common,
  id: 'headers/cors-loose-origin-credentials',
  title: 'CORS: a look-alike origin may read answers with credentials',
  severity: 'high',
  why:
    'The server compares only a part of the Origin. Whoever registers a name that contains the expected text can read ' +
    'answers in the name of the visitor.',
  remediation: FIX,
}

const insecureOrigin: FindingDefinition = {
  ...common,
  id: 'headers/cors-http-origin-credentials',
  title: 'CORS: an insecure origin may read answers with credentials',
  severity: 'medium',
  why:
    'An http address below the site is trusted. Whoever controls the network can answer for it and from there read the ' +
    'pages that https protects.',
  remediation: FIX,
}

const internal: FindingDefinition = {
  ...common,
  id: 'headers/cors-open-internal',
  title: 'CORS: any origin may read an internal application',
  severity: 'medium',
  why:
    'The application is reached from inside alone, which is what protects it. With this answer any page on the internet ' +
    'that an employee opens can read it through the browser.',
  remediation: FIX,
}

const open: FindingDefinition = {
  ...common,
  id: 'headers/cors-open',
  title: 'CORS: any origin may read answers without credentials',
  severity: 'info',
  why: 'That is right for public data, such as fonts and open interfaces, and wrong where the network is the only protection.',
  remediation: `Leave it if everyone may read this; else remove Access-Control-Allow-Origin. ${FIX}`,
}

const wildcard: FindingDefinition = {
  ...common,
  id: 'headers/cors-wildcard-credentials',
  title: 'CORS: Access-Control-Allow-Origin is * together with credentials',
  severity: 'info',
  why: 'Browsers refuse the pair, so nothing leaks; it shows that access with a session was meant to be open to all.',
  remediation: FIX,
}

const invalid: FindingDefinition = {
  ...common,
  id: 'headers/cors-invalid',
  title: 'CORS: Access-Control-Allow-Origin has a value that browsers refuse',
  severity: 'info',
  why: 'Only *, null or exactly one origin is valid. A list or the header sent twice locks out everyone.',
  remediation: FIX,
}

const vary: FindingDefinition = {
  ...common,
  id: 'headers/cors-vary-missing',
  title: 'CORS: Vary: Origin missing, although the answer depends on it',
  severity: 'low',
  why:
    'Without Vary: Origin a cache gives the answer made for one origin to another, which opens data or locks out the ' +
    'site that is allowed.',
  remediation:
    'Send `Vary: Origin` wherever Access-Control-Allow-Origin is computed. nginx: `add_header Vary Origin always;`.',
}

/** Which origins may read the site's answers, by what it granted to origins of ours. */
export const cors: Check<'headers', 'site'> = {
  findings: [anyOrigin, nullOrigin, looseMatch, insecureOrigin, internal, open, wildcard, invalid, vary],
  judge: (facts, _known, about) => {
    const answered = facts.cors.filter(({ status }) => status !== null)
    if (answered.length === 0) {
      const reason = facts.cors[0]?.error ?? 'there was no page to ask'
      return { state: 'not_tested', reason: `No request with a foreign Origin was answered: ${reason}.` }
    }
    const urls = [...new Set(answered.map(({ url }) => url))]
    const byUrl = urls.map((url) => answered.filter((probe) => probe.url === url))
    const openFor = about.target.context === 'internal' ? internal : open
    const isAlike = (probe: CorsProbe): boolean =>
      probe.kind !== 'preflight' && isGranted(probe) && (facts.corsAlike ?? []).includes(probe.url)
    const isUncompared = (probe: CorsProbe): boolean => (facts.corsUncompared ?? []).includes(probe.url)
    const report = (definition: FindingDefinition, pick: (probes: readonly CorsProbe[]) => CorsProbe | undefined) => {
      const all = byUrl.flatMap((probes) => pick(probes) ?? [])
      // What shows something of the visitor's stands first.
      const picked = [...all.filter((probe) => !isAlike(probe)), ...all.filter(isAlike)]
      const isEmpty = READS.has(definition) && picked.length > 0 && picked.every(isAlike)
      // Where the others are answered alike, what there was no time to compare may be, too.
      const isUnknown = READS.has(definition) && !isEmpty && all.every((probe) => isAlike(probe) || isUncompared(probe))
      const confidence = isEmpty
        ? 'tentative'
        : !isUnknown && picked.every((probe) => isProven(probe, answered))
          ? 'confirmed'
          : 'firm'
      const findings = posture(definition, picked.map(hitOf), { headers: DECIDING, confidence })
      return findings.map((finding) => ({
        ...finding,
        detail: isEmpty || isUnknown ? `${finding.detail} ${isEmpty ? EMPTY : UNCOMPARED}` : finding.detail,
        ...replayed(finding.proof, picked[0]),
      }))
    }
    const findings = [
      ...report(anyOrigin, (probes) => granted(probes, 'arbitrary') ?? granted(probes, 'preflight')),
      ...report(nullOrigin, (probes) => (isReflecting(probes) ? undefined : granted(probes, 'null'))),
      ...report(looseMatch, (probes) =>
        isReflecting(probes) ? undefined : (granted(probes, 'suffix') ?? granted(probes, 'prefix')),
      ),
      ...report(insecureOrigin, (probes) => (isReflecting(probes) ? undefined : granted(probes, 'http-subdomain'))),
      ...report(openFor, (probes) =>
        probes.find((probe) => isOpen(probe) && !isGranted(probe) && !isWildcardPair(probe)),
      ),
      ...report(wildcard, (probes) => probes.find(isWildcardPair)),
      ...report(invalid, (probes) => probes.find(isInvalid)),
      ...report(vary, (probes) => probes.find((probe) => isComputed(probe, probes) && !variesByOrigin(probe))),
    ]
    const { corsUnasked = 0 } = facts
    if (corsUnasked === 0) return findings
    const reason = `No foreign origin was tried on ${corsUnasked} further addresses of interfaces.`
    return { state: 'inconclusive', reason, findings }
  },
}

/** What they say is of answers in somebody's name. */
const READS: ReadonlySet<FindingDefinition> = new Set([anyOrigin, nullOrigin, looseMatch, insecureOrigin])
const UNCOMPARED = 'There was no time to compare it with what is answered without the session.'
const EMPTY = 'Without the session it is answered alike, so that nothing of a visitor’s was seen to be readable.'

const ORIGIN = 'access-control-allow-origin'
const CREDENTIALS = 'access-control-allow-credentials'
const DECIDING = [ORIGIN, CREDENTIALS, 'access-control-allow-methods', 'access-control-allow-headers', 'vary']

/** "true" is case-sensitive (Fetch, "CORS check"). */
const allowsCredentials = (probe: CorsProbe): boolean => combined(probe.headers, CREDENTIALS) === 'true'
const allowedOrigin = (probe: CorsProbe): string | null => combined(probe.headers, ORIGIN)
/** The origin that was sent may read the answer with credentials. */
export const isGranted = (probe: CorsProbe): boolean =>
  allowedOrigin(probe) === probe.origin && allowsCredentials(probe)
const granted = (probes: readonly CorsProbe[], kind: CorsOrigin): CorsProbe | undefined =>
  probes.find((probe) => probe.kind === kind && isGranted(probe))
const isReflecting = (probes: readonly CorsProbe[]): boolean => granted(probes, 'arbitrary') !== undefined

const isOpen = (probe: CorsProbe): boolean => {
  const origin = allowedOrigin(probe)
  return origin === '*' || (probe.kind === 'arbitrary' && origin === probe.origin)
}
const isWildcardPair = (probe: CorsProbe): boolean => allowedOrigin(probe) === '*' && allowsCredentials(probe)
const isInvalid = (probe: CorsProbe): boolean => {
  const origin = allowedOrigin(probe)
  return origin !== null && origin !== '*' && origin !== 'null' && URL.parse(origin)?.origin !== origin
}

/** Two origins, two answers: the value is made from the request. */
const isComputed = (probe: CorsProbe, probes: readonly CorsProbe[]): boolean =>
  probe.method === 'GET' &&
  allowedOrigin(probe) === probe.origin &&
  probes.some((other) => other.method === 'GET' && allowedOrigin(other) !== allowedOrigin(probe))
const variesByOrigin = (probe: CorsProbe): boolean =>
  valuesOf(probe.headers, 'vary')
    .flatMap((value) => value.split(','))
    .some((name) => ['origin', '*'].includes(name.trim().toLowerCase()))

/** Proven where a second, fresh origin was granted too, or where the answer names what no other rule explains. */
const isProven = (probe: CorsProbe, probes: HeadersFacts['cors']): boolean =>
  !['arbitrary', 'preflight'].includes(probe.kind) ||
  allowedOrigin(probe) === '*' ||
  probes.some(
    ({ url, kind, ...rest }) =>
      url === probe.url && kind === 'arbitrary-again' && allowedOrigin({ url, kind, ...rest }) === rest.origin,
  )

const hitOf = (probe: CorsProbe): Hit => {
  const page: Shown = {
    url: probe.url,
    status: probe.status ?? 0,
    headers: probe.headers,
    ...(probe.evidence === null ? {} : { evidence: probe.evidence }),
  }
  const credentials = allowsCredentials(probe) ? ' with Access-Control-Allow-Credentials: true' : ''
  return {
    page,
    detail: `${probe.method} ${probe.url} with Origin: ${probe.origin} is answered by Access-Control-Allow-Origin: ${allowedOrigin(probe)}${credentials}.`,
    mark: allowedOrigin(probe) ?? '',
  }
}

const replayed = (proof: { excerpt: string; mark: string | null } | undefined, probe: CorsProbe | undefined) => {
  if (proof === undefined || probe === undefined) return {}
  const preflight = probe.method === 'OPTIONS' ? " -X OPTIONS -H 'Access-Control-Request-Method: PUT'" : ''
  const replay = `curl -sS -o /dev/null -D - -H ${shellQuoted(`Origin: ${probe.origin}`)}${preflight} ${shellQuoted(probe.url)}`
  return { proof: { ...proof, replay } }
}

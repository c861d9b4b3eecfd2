import type { Check, Finding, FindingDefinition, Judgement, Unjudged } from '../../module.ts'
import { type CredentialsTrial, type Endpoint, type EndpointKind, type RateLimitFacts, SENT_OUT } from './facts.ts'
import { isRefusedAtOnce } from './refusing.ts'
import { isSilent, median } from './signals.ts'

const GUESSING =
  'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#protect-against-automated-attacks'
const LIMIT =
  'nginx: `limit_req_zone $binary_remote_addr zone=login:10m rate=10r/m;` and `limit_req zone=login burst=5 nodelay;` in the location; in the application count by account as well, since attackers change addresses. Answer 429 with Retry-After.'

const login: FindingDefinition = {
  id: 'rate-limit/login',
  title: 'Brute force: passwords can be guessed without being slowed down',
  severity: 'medium',
  cwe: 307,
  group: 'rate-limit',
  why: 'Lists of leaked passwords are tried against every login on the internet. Without a limit thousands of guesses an hour cost nothing.',
  remediation: `Limit attempts by address and by account. ${LIMIT}`,
  references: [GUESSING, 'https://cwe.mitre.org/data/definitions/307.html'],
}

const code: FindingDefinition = {
  ...login,
  id: 'rate-limit/one-time-code',
  title: 'Brute force: one-time codes can be guessed without being slowed down',
  why: 'A code of six digits is found by trying, if nothing stops it while it is valid.',
  remediation: `Make a code void after five wrong attempts, and limit by address. ${LIMIT}`,
}

const reset: FindingDefinition = {
  ...login,
  id: 'rate-limit/reset',
  title: 'Password reset without rate limit: resets can be asked for without being slowed down',
  why: 'Mailboxes are flooded in the name of the site, addresses of customers are tried out, and the site’s mail ends up on block lists.',
  remediation: `Send at most a few messages an hour to one address. ${LIMIT}`,
}

const coupon: FindingDefinition = {
  ...login,
  id: 'rate-limit/coupon',
  title: 'Brute force: coupon codes can be guessed without being slowed down',
  cwe: 799,
  why: 'Codes are short, so that people can type them. Where nothing slows down who tries them, valid ones are found and spent or sold.',
  remediation: `Make codes of at least ten random characters, count wrong ones by account and by address, and ask for a captcha after five. ${LIMIT}`,
  references: [
    'https://owasp.org/www-project-automated-threats-to-web-applications/assets/oats/EN/OAT-002_Token_Cracking',
    'https://cwe.mitre.org/data/definitions/799.html',
  ],
}

const expensive: FindingDefinition = {
  id: 'rate-limit/interface',
  title: 'Rate limit missing: requests that cost the server much are not limited',
  severity: 'low',
  cwe: 770,
  why: 'A single machine can keep the server busy, and data can be copied away in bulk.',
  remediation: `Limit by client or key, and cache answers. ${LIMIT}`,
  references: ['https://owasp.org/API-Security/editions/2023/en/0xa4-unrestricted-resource-consumption/'],
}

const batch: FindingDefinition = {
  ...expensive,
  id: 'rate-limit/graphql-batch',
  title: 'GraphQL batching: many queries are taken in one request',
  why: 'A limit that counts requests does not see them: ten or a thousand guesses travel in one.',
  remediation:
    'Switch batching off (Apollo Server `allowBatchedHttpRequests: false`) or bound it, and limit by cost of a query.',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html#batching-attacks'],
}

const bypass: FindingDefinition = {
  id: 'rate-limit/bypass',
  title: 'Rate limit bypass: a header that anybody can send lifts the limit',
  severity: 'high',
  cwe: 348,
  why: 'The limit counts by an address that the client itself states, so it holds back nobody who knows the header.',
  remediation:
    'Take the address of the client from the connection, or from the header of your own proxy alone: nginx `set_real_ip_from <proxy>; real_ip_header X-Forwarded-For; real_ip_recursive on;`, Express `app.set("trust proxy", <proxy>)`. Let the proxy overwrite the header.',
  references: ['https://cwe.mitre.org/data/definitions/348.html'],
}

const credentials: FindingDefinition = {
  id: 'rate-limit/default-credentials',
  title: 'Default credentials: a usual name and password are let in',
  severity: 'critical',
  cwe: 1392,
  why: 'Names and passwords that products come with, or that are put in for a trial, are the first that are tried at every sign-in on the internet, by hand and by machine.',
  remediation:
    'Set another password now, and look for what was done with the account. Deliver no account with a password: let the first sign-in set one, refuse passwords from lists of usual ones (NIST SP 800-63B, 3.1.1.2), and remove accounts of trials before an application goes live.',
  references: [
    'https://cwe.mitre.org/data/definitions/1392.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/02-Testing_for_Default_Credentials',
  ],
}

const seen: FindingDefinition = {
  id: 'rate-limit/limit-seen',
  title: 'Rate limit in force',
  severity: 'info',
  cwe: null,
  why: 'What the limit showed in this run, so that it can be compared with what is meant.',
  remediation: 'Compare count and window with what the endpoint needs, and keep them.',
  references: ['https://www.rfc-editor.org/rfc/rfc6585.html#section-4'],
}

/** Endpoints of the kind without any limit in sight. A pass where all of them were measured to the end. */
const unlimited = (definition: FindingDefinition, kind: EndpointKind, what: string): Check<'rate-limit'> => ({
  findings: [definition],
  judge: ({ endpoints, left = [] }): Judgement => {
    const own = endpoints.filter((one) => one.kind === kind)
    const beyond = left.filter((one) => one.kind === kind).map(({ reason }) => reason)
    const known = own.length + beyond.length
    if (known === 0) return { state: 'not_applicable', reason: `no ${what} was found` }
    const undecidedOnes = own.flatMap((one) => undecided(one) ?? [])
    const findings = own
      .filter((one) => undecided(one) === null && one.signal === null)
      .map((one) => findingOf(definition, one))
    const [first] = [...undecidedOnes.map(({ reason }) => reason), ...beyond]
    if (first === undefined) return findings
    const short = undecidedOnes.length + beyond.length
    return {
      state: 'inconclusive',
      reason: known === 1 ? first : `${short} of ${known} were not measured to the end: ${first}`,
      ...(findings.length === 0 ? {} : { findings }),
    }
  },
})

/** Why a series says nothing, or null. */
const undecided = (endpoint: Endpoint): Unjudged | null => {
  const { kind, answers, aborted, planned, signal, url, saysUnknown } = endpoint
  if (answers.length === 0 || isSilent(answers))
    return {
      state: 'inconclusive',
      reason: `${shortOf(url)} did not work for the scanner${aborted === null ? '' : `: ${aborted}`}`,
    }
  if (signal !== null) return null
  const first = answers[0]?.status ?? 0
  if (isRefusedAtOnce(kind, first, saysUnknown === true))
    return { state: 'inconclusive', reason: `${shortOf(url)} refused the very first attempt with status ${first}` }
  // The finding says within how many: two thirds of a series that met no limit are as telling.
  const isEnough = aborted === SENT_OUT && answers.length >= (2 / 3) * planned
  return !isEnough && (aborted !== null || answers.length < planned)
    ? {
        state: 'inconclusive',
        reason: `ended after ${answers.length} of ${planned} requests: ${aborted ?? 'no reason given'}`,
      }
    : null
}

/** Without a query that is longer than people read in a sentence. */
const shortOf = (url: string): string => (url.length <= 120 ? url : `${url.split('?')[0]?.slice(0, 200)}?…`)

/** Asked for a person whom nobody knows: many applications count wrong passwords, and mails, of accounts that exist alone. */
const OF_NOBODY: readonly EndpointKind[] = ['login', 'reset']
const NOT_SEEN = ' The account asked for does not exist: a limit that counts by existing accounts alone would not show.'

const findingOf = (definition: FindingDefinition, { method, kind, answers, ...place }: Endpoint): Finding => ({
  definition,
  confidence: 'firm',
  at: { url: addressOf(place), method },
  detail: `No limit was observed within ${answers.length} requests: no refusal, captcha, other page or delay.${OF_NOBODY.includes(kind) ? NOT_SEEN : ''}`,
  proof: { excerpt: summary(answers), mark: null, replay: null },
})

const addressOf = ({ url, at }: Pick<Endpoint, 'url' | 'at'>): string => at ?? url.replace(/\?.*$/, '')

const summary = (answers: Endpoint['answers']): string =>
  answers.map(({ status, ms }, index) => `${String(index + 1).padStart(2)}  status ${status}  ${ms} ms`).join('\n')

const judgeCredentials = ({ credentials: trials, left = [] }: RateLimitFacts): Judgement => {
  if (trials === undefined) return { state: 'not_tested', reason: 'the facts of this run are of an older version' }
  if (trials === null)
    return { state: 'not_tested', reason: 'an account may be locked by it: asked on test systems alone' }
  const beyond = left.filter(({ kind }) => kind === 'login').map(({ reason }) => reason)
  if (trials.length + beyond.length === 0) return { state: 'not_applicable', reason: 'no login was found' }
  const findings = trials.flatMap((trial) => (trial.hit === null ? [] : [letIn(trial, trial.hit)]))
  const [short] = [...trials.flatMap(({ aborted }) => aborted ?? []), ...beyond]
  if (short === undefined) return findings
  return {
    ...{ state: 'inconclusive', reason: `not every usual name and password was tried: ${short}` },
    ...(findings.length === 0 ? {} : { findings }),
  }
}

const letIn = (
  { method, tried: _, ...place }: CredentialsTrial,
  { name, password, status, location, refused, replay }: NonNullable<CredentialsTrial['hit']>,
): Finding => {
  const led = location === '' ? '' : `, which leads to ${location}`
  const detail = `“${name}” signs in with the password “${password}”: answered ${status}${led}, twice. Between the two the same name with another password was answered as anybody is who is refused${refused === status ? '' : `, with ${refused}`}.`
  return {
    ...{ definition: credentials, confidence: 'confirmed', at: { url: addressOf(place), method }, detail },
    proof: { excerpt: detail, mark: name, replay },
  }
}

export const CHECKS: readonly Check<'rate-limit'>[] = [
  {
    findings: [bypass],
    judge: ({ endpoints, left }) =>
      unmeasured(endpoints, left) ??
      endpoints.flatMap(({ method, signal, bypasses, ...place }) =>
        bypasses
          .filter(
            ({ accepted, asked, controls, controlsRefused }) =>
              asked >= 3 && accepted === asked && controlsRefused === controls,
          )
          .map(({ by, asked, controls }): Finding => {
            const detail = `After ${signal?.detail ?? 'the limit'}, ${asked} of ${asked} requests with ${by} were accepted, while ${controls} of ${controls} without it, in between, were refused.`
            return {
              definition: bypass,
              confidence: 'confirmed',
              at: { url: addressOf(place), method, parameter: by },
              detail,
              proof: { excerpt: detail, mark: by, replay: null },
            }
          }),
      ),
  },
  { findings: [credentials], judge: judgeCredentials },
  unlimited(login, 'login', 'login'),
  unlimited(code, 'one-time-code', 'form for one-time codes'),
  unlimited(reset, 'reset', 'form for resetting passwords'),
  unlimited(coupon, 'coupon', 'place for the code of a coupon'),
  {
    findings: [expensive],
    judge: ({ endpoints, left = [] }) => {
      const isExpensive = ({ kind }: { readonly kind: EndpointKind }): boolean =>
        kind === 'search' || kind === 'interface'
      const asked = endpoints.filter(isExpensive)
      const [beyond] = left.filter(isExpensive)
      if (asked.length === 0 && beyond) return { state: 'inconclusive', reason: beyond.reason }
      if (asked.length === 0)
        return { state: 'not_applicable', reason: 'no search and no programming interface was found' }
      const [reason] = asked.flatMap((one) => undecided(one) ?? [])
      // Cheap answers need no limit.
      const open = asked.filter((one) => !undecided(one) && one.signal === null && median(one.answers) > 200)
      return open.length === 0 && reason ? reason : open.map((one) => findingOf(expensive, one))
    },
  },
  {
    findings: [batch],
    judge: ({ batch: found }) => {
      if (found === null) return { state: 'not_applicable', reason: 'no GraphQL interface was found' }
      if (found.refused) return { state: 'inconclusive', reason: `${found.url} refused whoever asked` }
      if (!found.accepted) return []
      const who = found.signedIn ? " -H '<the credentials of an account>'" : ''
      const replay = `curl -s '${found.url}'${who} -H 'Content-Type: application/json' --data '[{"query":"{__typename}"},{"query":"{__typename}"}]'`
      return [
        {
          definition: batch,
          confidence: 'confirmed',
          at: { url: found.url, method: 'POST' },
          detail: `Ten queries in one request were all answered${found.signedIn ? " to the run's account" : ''}.`,
          proof: { excerpt: found.excerpt, mark: null, replay },
        },
      ]
    },
  },
  {
    findings: [seen],
    judge: ({ endpoints, left }) =>
      unmeasured(endpoints, left) ??
      endpoints
        .filter(({ signal, told }) => signal !== null || Object.keys(told).length > 0)
        .map(({ method, signal, told, answers, ...place }) => ({
          definition: seen,
          confidence: 'firm',
          at: { url: addressOf(place), method },
          detail: `${[signal?.detail, algorithmOf(told), ...Object.entries(told).map(([name, value]) => `${name}: ${value}`)].filter(Boolean).join('; ')}.`,
          proof: { excerpt: summary(answers), mark: null, replay: null },
        })),
  },
]

/** Where no series came to its end nothing is known of limits; null where one did. */
const unmeasured = (endpoints: readonly Endpoint[], left: RateLimitFacts['left'] = []): Unjudged | null => {
  const reasons = [...endpoints.map(undecided), ...left.map(({ reason }) => ({ reason }))]
  const [first] = reasons
  if (first === undefined) return { state: 'not_applicable', reason: 'nothing was found whose requests may be limited' }
  const isNone = reasons.every((one) => one !== null)
  return isNone && first !== null ? { state: 'inconclusive', reason: `no limit was measured: ${first.reason}` } : null
}

/** Only what the headers themselves say (draft-ietf-httpapi-ratelimit-headers). */
const algorithmOf = (told: Readonly<Record<string, string>>): string | null => {
  const policy = told['ratelimit-policy']
  if (policy) return `policy ${policy}`
  const limit = told['ratelimit-limit'] ?? told['x-ratelimit-limit']
  const end = told['ratelimit-reset'] ?? told['x-ratelimit-reset']
  return limit && end ? `${limit} requests until the reset at ${end}: a fixed window` : null
}

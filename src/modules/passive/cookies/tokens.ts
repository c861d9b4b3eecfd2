import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { Location } from '../../../contract/finding.ts'
import { COMMON_KEYS } from '../../../knowledge/secrets/signing-keys.ts'
import { isSessionCookie } from '../../../page/cookies/session.ts'
import { parseSetCookie } from '../../../page/cookies/set-cookie.ts'
import { isUnsigned, type Jwt, tokensIn, weakKeyOf } from '../../../page/jwt.ts'
import { markupOf, valuesOf } from '../../../page/pages.ts'
import { carriesMessages } from '../../../page/transport.ts'
import { clip } from '../../evidence/pages.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { CookiesFacts } from './facts.ts'
import { nameOf } from './observed.ts'

const REFERENCES = [
  'https://www.rfc-editor.org/rfc/rfc8725',
  'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html',
] as const
/** Anyone on the network can make a token for anyone else and act as that person. */

const unsigned: FindingDefinition = {
  id: 'cookies/jwt-unsigned',
  title: 'JWT without a signature (alg none): a token can be forged',
  severity: 'critical',
  cwe: 347,
  why: 'With the algorithm "none" anyone can write a token that names another person or role, and the server cannot tell.',
  remediation:
    'Sign with EdDSA, ES256 or RS256, or HS256 with a random key of 32 bytes, and accept that one algorithm alone when verifying.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/347.html'],
}

const weakKey: FindingDefinition = {
  id: 'cookies/jwt-weak-key',
  title: 'JWT with a weak secret: a token is signed with a key from public examples',
  severity: 'critical',
  cwe: 347,
  why: 'The signature was reproduced offline with a well-known key. Everyone who tries it can issue tokens for any person or role.',
  remediation:
    'Replace the key at once by 32 random bytes (`openssl rand -base64 32`), kept outside the code; every token issued so far ends with it.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/347.html'],
}

const endless: FindingDefinition = {
  id: 'cookies/jwt-no-expiry',
  title: 'JWT without expiry: a token is valid for ever',
  severity: 'medium',
  cwe: 613,
  why: 'A token without "exp" is valid for ever to whoever finds it, and can hardly be taken back.',
  remediation: 'Set "exp" to minutes or hours, and renew it with a refresh token that the server can revoke.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/613.html'],
}

const personal: FindingDefinition = {
  id: 'cookies/jwt-personal-data',
  title: 'JWT with personal data in clear',
  severity: 'medium',
  cwe: 312,
  why: 'The claims are encoded, not encrypted: scripts, logs and proxies on the way can read them.',
  remediation: 'Put an opaque identifier into "sub" and look up the rest on the server.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/312.html'],
}

const inAddress: FindingDefinition = {
  id: 'cookies/token-in-url',
  title: 'Session token in URL: a session or token travels in the address',
  severity: 'medium',
  cwe: 598,
  why: 'Addresses end in histories, logs, the Referer header and shared links, and with them the session.',
  remediation:
    'Keep the session in a cookie: PHP `session.use_only_cookies = 1`; Java `<tracking-mode>COOKIE</tracking-mode>` in web.xml. Send tokens in the Authorization header.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/598.html'],
}

/** Tokens in cookies and addresses, judged offline. */
export const tokens: Check<'cookies', 'site'> = {
  findings: [unsigned, weakKey, endless, personal, inAddress],
  judge: (facts, { site }) => {
    if (facts.answers === 0) return { state: 'not_tested', reason: 'No answer of the site could be fetched.' }
    const addresses = sensitiveAddresses(site)
    const sent = (facts.addresses ?? []).map((one) => ({ ...one, evidence: null, opensSession: false }))
    const found = [
      ...cookieTokens(facts),
      ...addresses.flatMap(({ url, ...rest }) =>
        tokensIn(url).map((jwt) => ({ jwt, at: { url: withoutToken(url) }, ...rest, name: 'the address' })),
      ),
    ]
    return [
      ...report(unsigned, found, ({ jwt }) => (isUnsigned(jwt) ? `has the algorithm "${jwt.algorithm}"` : null)),
      ...report(weakKey, found, ({ jwt }) => weakKeySays(jwt)),
      ...report(endless, found, ({ jwt, opensSession }) =>
        'exp' in jwt.claims || !opensSession ? null : 'has no "exp"',
      ),
      ...report(personal, found, ({ jwt }) => personalSays(jwt)),
      ...addressFindings([...addresses, ...sent]),
    ]
  },
}

interface Found {
  readonly jwt: Jwt
  readonly at: Location
  /** What holds the token, for a person. */
  readonly name: string
  readonly evidence: EvidenceRef | null
  readonly opensSession: boolean
}

const cookieTokens = (facts: CookiesFacts): readonly Found[] =>
  facts.observations.flatMap(({ url, line, kind, evidence }) => {
    const cookie = parseSetCookie(line)
    if (cookie === null) return []
    const name = nameOf(cookie)
    return tokensIn(decoded(cookie.value)).map((jwt) => ({
      jwt,
      at: { url },
      name: `cookie ${name}`,
      evidence,
      opensSession: isSessionCookie(cookie, kind) || 'sub' in jwt.claims,
    }))
  })

const report = (
  definition: FindingDefinition,
  found: readonly Found[],
  problem: (one: Found) => string | null,
): readonly Finding[] => {
  const hits = new Map<string, { readonly one: Found; readonly says: string }[]>()
  for (const one of found) {
    const says = problem(one)
    if (says !== null) hits.set(one.name, [...(hits.get(one.name) ?? []), { one, says }])
  }
  return [...hits].flatMap(([name, group]) => {
    const [first] = group
    if (first === undefined) return []
    const { at, jwt, evidence } = first.one
    const [head = '', body = ''] = jwt.text.split('.')
    return [
      {
        definition,
        confidence: 'confirmed' as const,
        at,
        places: group.slice(1).map(({ one }) => one.at),
        detail: `The token in ${name} ${first.says}.`,
        proof: {
          // The signature stays out: what is shown opens nothing.
          excerpt: `header: ${text(head)}\nclaims: ${Object.keys(jwt.claims).join(', ')}\nfirst characters: ${jwt.text.slice(0, 12)}… (${head.length + body.length} characters without signature)`,
          mark: null,
          replay: null,
        },
        ...(evidence === null ? {} : { evidence: [evidence] }),
        subject: name,
      },
    ]
  })
}

const weakKeySays = (jwt: Jwt): string | null => {
  const key = weakKeyOf(jwt, COMMON_KEYS)
  return key === null ? null : `is signed (${jwt.algorithm}) with ${key === '' ? 'an empty key' : `the key "${key}"`}`
}

const PERSONAL = [
  'email',
  'e-mail',
  'mail',
  'phone',
  'phone_number',
  'mobile',
  'birthdate',
  'birthday',
  'address',
  'ssn',
  'iban',
  'password',
  'pwd',
]
const personalSays = ({ claims }: Jwt): string | null => {
  const named = Object.entries(claims)
    .filter(
      ([name, value]) =>
        PERSONAL.includes(name.toLowerCase()) && typeof value !== 'boolean' && value !== null && value !== '',
    )
    .map(([name]) => name)
  const mails = Object.entries(claims)
    .filter(
      ([name, value]) =>
        !named.includes(name) && typeof value === 'string' && /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(value),
    )
    .map(([name]) => name)
  const all = [...named, ...mails]
  return all.length === 0 ? null : `carries the claim${all.length === 1 ? '' : 's'} ${all.join(', ')} in clear`
}

interface Address {
  /** Where the address was met. */
  readonly page: string
  readonly url: string
  readonly evidence: EvidenceRef | null
  readonly opensSession: boolean
}

/** Session parameters of servers and frameworks, and tokens by their form, in redirects and links of the site itself. */
const SESSION_PARAMETER =
  /(?:;jsessionid=|[?&](?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|sessionid|session_id|sid|access_token|id_token|auth_token)=)[A-Za-z0-9._~%-]{16,}/i

/** Whether a session or a token stands in it. The connection of a library that carries messages is nobody's session. */
export const isSensitive = (url: string): boolean =>
  (SESSION_PARAMETER.test(url) && !isConnection(url)) || tokensIn(url).length > 0

const isConnection = (address: string): boolean => {
  const url = URL.parse(address)
  return url !== null && carriesMessages(url)
}

const sensitiveAddresses = (site: SiteFacts): readonly Address[] => {
  const hops = [...site.http.hops, ...site.https.hops].flatMap(({ url, headers }) =>
    valuesOf(headers, 'location').map((location) => ({
      page: url,
      url: URL.parse(location, url)?.href ?? location,
      evidence: site.https.evidence,
    })),
  )
  const pages = site.pages.flatMap((page) => [
    { page: page.url, url: page.url, evidence: page.evidence },
    ...markupOf(page).links.flatMap(({ url }) =>
      url === null ? [] : [{ page: page.url, url, evidence: page.evidence }],
    ),
    ...markupOf(page).forms.flatMap(({ action }) =>
      action === null ? [] : [{ page: page.url, url: action, evidence: page.evidence }],
    ),
  ])
  const known = new Map<string, Address>()
  for (const one of [...hops, ...pages]) {
    if (!isSensitive(one.url)) continue
    if (known.size < 200) known.set(one.url, { ...one, opensSession: false })
  }
  return [...known.values()]
}

const addressFindings = (addresses: readonly Address[]): readonly Finding[] => {
  const [first] = addresses
  if (first === undefined) return []
  const pages = [...new Set(addresses.map(({ page }) => withoutToken(page)))]
  const shown = clip(withoutToken(first.url), 300)
  return [
    {
      definition: inAddress,
      confidence: 'confirmed',
      at: { url: pages[0] ?? withoutToken(first.page) },
      places: pages.slice(1).map((url) => ({ url })),
      detail: `${withoutToken(first.page)} leads to ${shown}.`,
      proof: { excerpt: shown, mark: null, replay: null },
      ...(first.evidence === null ? {} : { evidence: [first.evidence] }),
    },
  ]
}

export const withoutToken = (url: string): string =>
  url
    .replace(new RegExp(SESSION_PARAMETER.source, 'gi'), (match) => `${match.slice(0, match.indexOf('=') + 1)}…`)
    .replace(/eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, '…')

const decoded = (value: string): string => value.replace(/%2e/gi, '.')
const text = (part: string): string => clip(Buffer.from(part, 'base64url').toString('utf8'), 300)

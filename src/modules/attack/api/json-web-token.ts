/** JSON Web Tokens that the run carries: what the server takes in their place, and what they say. */
import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import type { ApiFacts, Forgery, SeenToken } from './facts.ts'
import { findingOf, judged } from './judged.ts'
import { isOfTwoHalves } from './tokens/forge.ts'

const REFERENCES = [
  'https://owasp.org/API-Security/editions/2023/en/0xa2-broken-authentication/',
  'https://www.rfc-editor.org/rfc/rfc8725',
] as const
const FORGED = 'Anybody can write a token that names another person or a higher role, and is taken for them.'
const ONE_ALGORITHM =
  'Verify every token with one algorithm that the server chooses, and one key of its own: jsonwebtoken `verify(token, key, { algorithms: ["RS256"] })`, PyJWT `decode(token, key, algorithms=["RS256"])`, jose `jwtVerify(token, key, { algorithms: ["RS256"] })`.'

const forgery = (
  id: `api/${string}`,
  title: string,
  more: Partial<Pick<FindingDefinition, 'severity' | 'cwe' | 'why' | 'remediation'>> = {},
): FindingDefinition => ({
  ...{ id, title, severity: 'critical', cwe: 347, why: FORGED, remediation: ONE_ALGORITHM },
  ...more,
  references: [...REFERENCES, `https://cwe.mitre.org/data/definitions/${more.cwe ?? 347}.html`],
})

const signature = forgery('api/jwt-signature', 'JWT signature not verified: an altered token is taken', {
  remediation: `Decoding is not verifying: replace \`decode\` by \`verify\`, and refuse what it refuses. ${ONE_ALGORITHM}`,
})
const none = forgery('api/jwt-none', 'JWT algorithm none accepted: a token without a signature is taken')
const weak = forgery('api/jwt-weak-secret', 'JWT with a weak secret: its signature can be made by guessing', {
  why: 'The signature was reproduced offline with a secret from public lists. Whoever tries them can issue tokens for any person or role.',
  remediation:
    'Replace the secret at once by 32 random bytes (`openssl rand -base64 32`), kept outside the code; every token issued so far ends with it.',
})
const confusion = forgery(
  'api/jwt-key-confusion',
  'JWT algorithm confusion: the public key is taken as a secret (RS256 to HS256)',
  { why: `The public key is known to all. ${FORGED}` },
)
const keyId = forgery('api/jwt-key-id', 'JWT kid injection: the token chooses the file or record that is its key', {
  why: `The name of the key in the token is used as a path or within a query, so that a key of known content can be chosen. ${FORGED}`,
  remediation: `Look \`kid\` up in a fixed table of keys, and refuse what is not in it. ${ONE_ALGORITHM}`,
})
const embeddedKey = forgery(
  'api/jwt-embedded-key',
  'JWT with its own key accepted: the key in the header jwk is trusted',
  {
    remediation: `Never take a key out of the token (\`jwk\`, \`x5c\`). ${ONE_ALGORITHM}`,
  },
)
const keyAddress = forgery(
  'api/jwt-key-address',
  'JWT jku or x5u fetched: the server gets keys from where the token says',
  {
    severity: 'medium',
    cwe: 918,
    why: 'The server can be made to call addresses of its own network, and, where it uses what it gets, to trust keys of an attacker.',
    remediation: 'Ignore `jku` and `x5u`, or compare them with a fixed list of addresses before anything is fetched.',
  },
)
const expired = forgery('api/jwt-expired', 'JWT expiry not checked: a token is taken after its end', {
  severity: 'medium',
  cwe: 613,
  why: 'A token that was found in a log or on a lost machine opens the account for ever.',
  remediation: 'Let the library check `exp`: remove `ignoreExpiration`, `verify_exp: False` and the like.',
})
const audience = forgery(
  'api/jwt-audience',
  'JWT audience or issuer not checked: a token of another service is taken',
  {
    severity: 'medium',
    cwe: 345,
    why: 'A token that a person was given for another service, by the same key, opens this one.',
    remediation: 'Name what is expected: `verify(token, key, { audience, issuer, algorithms })`, and refuse all else.',
  },
)

type TokenFacts = ApiFacts['tokens']

const ABSENT = 'the run carried no JSON Web Token, and no answer gave one'

const UNVERIFIED = 'where the signature is not verified (api/jwt-signature) any token is taken, and this was not asked'
const ON_SIGNING: ReadonlySet<Forgery> = new Set(['none', 'confusion', 'key-id', 'embedded-key', 'key-address'])

const ofKind = (
  definition: FindingDefinition,
  kind: Forgery,
  untested: (tokens: TokenFacts) => string | null = () => null,
): Check<'api'> => ({
  findings: [definition],
  judge: ({ tokens }): Judgement => {
    const findings = tokens.hits
      .filter((hit) => hit.kind === kind)
      .map((hit) =>
        findingOf(definition, hit, {
          ...{ confidence: 'confirmed', parameter: hit.where, basis: `${kind}: ${hit.variant}` },
          detail: DETAILS[kind](hit.variant, hit.where),
          // What reads it stands in front of all operations: which of them were asked is no flaw of their own.
          ...(/^(?:header|cookie|answer) /.test(hit.where) ? { cause: `token of the ${hit.where}` } : {}),
        }),
      )
    const reason = findings.length === 0 && tokens.known > 0 ? untested(tokens) : null
    if (reason !== null) return { state: 'not_tested', reason }
    // Of what verifies nothing how it verifies is not asked: whatever signs a token, it is taken.
    if (findings.length === 0 && ON_SIGNING.has(kind) && tokens.hits.some((hit) => hit.kind === 'signature'))
      return { state: 'inconclusive', reason: UNVERIFIED, findings }
    return judged(tokens, findings, { unit: 'tokens', absent: ABSENT })
  },
})

const taken = (variant: string, where: string): string =>
  `A token with ${variant} was taken for the one of the ${where}, twice, while nonsense in its place is refused.`
const DETAILS: Readonly<Record<Forgery, (variant: string, where: string) => string>> = {
  ...{ signature: taken, none: taken, confusion: taken, 'key-id': taken, 'embedded-key': taken },
  ...{ expired: taken, audience: taken },
  'weak-secret': (variant, where) =>
    `The signature (${variant}) of the token in ${where} was made with a listed secret.`,
  'key-address': (variant, where) =>
    `The server called an address of ours when the token of the ${where} had ${variant}.`,
}

/** Without a way to make tokens, their claims cannot be changed. */
const needsForger = ({ hits, seen }: TokenFacts): string | null =>
  hits.some(({ kind }) => kind === 'signature' || kind === 'none') ||
  seen.some(({ secret, placed }) => secret !== null && placed)
    ? null
    : 'needs a token that has ended or a way to make one, and the tokens of this run cannot be made'

/** What is signed by a key of two halves is forged by the public one; others have none to be taken for. */
const needsKey = ({ seen, keys }: TokenFacts): string | null =>
  keys !== 0 || !seen.some(({ algorithm }) => isOfTwoHalves(algorithm))
    ? null
    : 'needs the public key by which tokens are verified, and the site shows none'

const weakSecret: Check<'api'> = {
  findings: [weak],
  judge: (facts, known, about) => {
    const { seen } = facts.tokens
    const made = ofKind(weak, 'weak-secret').judge(facts, known, about)
    // Guessed offline, wherever it is taken.
    return seen.length > 0 && 'state' in made
      ? made.state === 'judged'
        ? made.findings
        : ('findings' in made && made.findings) || []
      : made
  },
}

const endless: FindingDefinition = forgery('api/jwt-no-expiry', 'JWT without expiry: a token is valid for ever', {
  severity: 'medium',
  cwe: 613,
  why: 'A token without "exp" is valid for ever to whoever finds it, and can hardly be taken back.',
  remediation: 'Set "exp" to minutes or hours, and renew it with a refresh token that the server can revoke.',
})
const long: FindingDefinition = forgery('api/jwt-long-life', 'JWT with a long life: a token is valid for weeks', {
  severity: 'low',
  cwe: 613,
  why: 'A token cannot be taken back before its end: who found it acts for its owner until then.',
  remediation: 'Set "exp" to minutes or hours, and renew it with a refresh token that the server can revoke.',
})
const personal: FindingDefinition = forgery('api/jwt-personal-data', 'JWT with personal data in clear', {
  severity: 'low',
  cwe: 312,
  why: 'The claims are encoded, not encrypted: scripts, logs and proxies on the way can read them.',
  remediation: 'Put an opaque identifier into "sub" and look up the rest on the server.',
})

const secretClaim: FindingDefinition = forgery('api/jwt-secret', 'JWT with a password or a key in clear', {
  severity: 'high',
  cwe: 522,
  why: 'The claims are encoded, not encrypted. Whoever sees the token, a script, a log or a proxy on the way, has the password or can guess its hash offline, long after the token has ended.',
  remediation:
    'Put an opaque identifier into "sub", and never the record of the account: `jwt.sign({ sub: user.id }, key)`. Then have the passwords changed that were in tokens.',
})

/** Two weeks; longer are sessions that nobody means to end. */
const LONG = 14 * 86_400

/** Read offline. Those that an answer sets as a cookie are judged with the cookies. */
const claims: Check<'api'> = {
  findings: [endless, long, personal, secretClaim],
  judge: ({ tokens }) => {
    const seen = tokens.seen.filter(({ where }) => !/^cookie .* of an answer$/.test(where))
    if (seen.length === 0) return { state: 'not_applicable', reason: ABSENT }
    const tell = (definition: FindingDefinition, token: SeenToken, says: string) => ({
      ...{
        definition,
        confidence: 'confirmed' as const,
        subject: token.where,
        at: { url: token.url, parameter: token.where },
      },
      detail: `The token in ${token.where} ${says}.`,
      proof: { excerpt: `token in ${token.where} (${token.algorithm}): ${says}`, mark: says, replay: null },
    })
    return seen.flatMap((token) => [
      ...(token.expires ? [] : [tell(endless, token, 'has no "exp"')]),
      ...(token.lifetime !== null && token.lifetime > LONG
        ? [tell(long, token, `is valid for ${Math.round(token.lifetime / 86_400)} days`)]
        : []),
      ...(
        [
          [secretClaim, token.personal.filter(isSecret)],
          [personal, token.personal.filter((name) => !isSecret(name))],
        ] as const
      ).flatMap(([definition, names]) =>
        names.length === 0 ? [] : [tell(definition, token, `holds in clear: ${names.join(', ')}`)],
      ),
    ])
  },
}

/** By the last name of the path to it. */
const isSecret = (path: string): boolean =>
  /pass|pwd|secret|key/i.test(path.split('.').at(-1) ?? '') && !/passport/i.test(path)

export const jsonWebToken: readonly Check<'api'>[] = [
  ofKind(signature, 'signature'),
  ofKind(none, 'none'),
  weakSecret,
  ofKind(confusion, 'confusion', needsKey),
  ofKind(keyId, 'key-id'),
  ofKind(embeddedKey, 'embedded-key'),
  ofKind(keyAddress, 'key-address', ({ listened }) =>
    listened ? null : 'needs a listener for calls from outside, and the operator has set up none',
  ),
  ofKind(expired, 'expired', (tokens) =>
    tokens.seen.some(({ ended }) => ended === true) ? null : needsForger(tokens),
  ),
  ofKind(audience, 'audience', needsForger),
  claims,
]

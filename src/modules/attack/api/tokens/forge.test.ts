import { execFileSync } from 'node:child_process'
import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, sign, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signingKeys } from '../../../../knowledge/secrets/signing-keys.ts'
import { type Jwt, parseJwt, weakKeyOf } from '../../../../page/jwt.ts'
import {
  alteredSignatures,
  badClaims,
  confused,
  embedded,
  type Forged,
  forgerBySecret,
  makeKey,
  namedKeys,
  unsigned,
} from './forge.ts'

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const made = (header: object, claims: object, signer: (input: string) => Buffer): Jwt => {
  const input = `${part(header)}.${part(claims)}`
  const token = parseJwt(`${input}.${signer(input).toString('base64url')}`)
  if (token === null) throw new Error('a token of our own is one')
  return token
}
const CLAIMS = { sub: 'u-1', aud: 'shop', iss: 'https://id.test', exp: 2_000_000_000, iat: 1_700_000_000 }
const hs = made({ alg: 'HS256', typ: 'JWT' }, CLAIMS, (input) =>
  createHmac('sha256', 'supersecretkey').update(input).digest(),
)
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const rs = made({ alg: 'RS256', kid: 'k1' }, CLAIMS, (input) => sign('sha256', Buffer.from(input), pair.privateKey))

const partsOf = ({ text }: Pick<Forged, 'text'>) => {
  const [head = '', body = '', signature = ''] = text.split('.')
  return {
    head,
    body,
    signature,
    header: JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>,
  }
}
const hmacHolds = (one: Forged, key: Buffer | string): boolean => {
  const { head, body, signature } = partsOf(one)
  return createHmac('sha256', key).update(`${head}.${body}`).digest('base64url') === signature
}
/** What a stranger gets who runs the command with a token of their own. */
const byHand = ({ recipe }: Forged, token: Jwt): string =>
  execFileSync('bash', ['-c', `TOKEN='${token.text}'; ${recipe}; printf %s "$FORGED"`], {
    encoding: 'utf8',
    timeout: 20_000,
  })

describe('forged tokens', () => {
  it('altered ones keep the claims or the signature, and hold under no key', () => {
    const [other, last, claims, none] = alteredSignatures(hs)
    for (const one of alteredSignatures(hs)) expect(hmacHolds(one, 'supersecretkey'), one.variant).toBe(false)
    const own = partsOf(hs)
    expect(partsOf(last ?? hs).signature.slice(0, 30)).toBe(own.signature.slice(0, 30))
    expect(partsOf(other ?? hs).body).toBe(own.body)
    expect(partsOf(claims ?? hs).signature).toBe(own.signature)
    expect(partsOf(none ?? hs).signature).toBe('')
    for (const one of alteredSignatures(hs)) expect(byHand(one, hs).split('.')[0], one.variant).toBe(own.head)
  })

  it('unsigned ones name no algorithm in four spellings, and the command makes the same', () => {
    expect(unsigned(hs).map((one) => partsOf(one).header.alg)).toEqual(['none', 'None', 'NONE', 'nOnE'])
    for (const one of unsigned(hs)) expect(byHand(one, hs)).toBe(one.text)
  })

  it('the public key stands as a secret, only where there is one', () => {
    const jwk = pair.publicKey.export({ format: 'jwk' })
    const pem = String(pair.publicKey.export({ type: 'spki', format: 'pem' }))
    const found = confused(rs, [jwk, { kty: 'none' } as JsonWebKey])
    expect(found).toHaveLength(4)
    expect(found.filter((one) => hmacHolds(one, pem))).toHaveLength(1)
    expect(found.filter((one) => hmacHolds(one, pem.trimEnd()))).toHaveLength(1)
    for (const one of found) expect(byHand(one, rs)).toBe(one.text)
    expect(confused(hs, [jwk])).toEqual([])
  })

  it('named keys are signed by the content of what they name', () => {
    const [file, , none, record] = namedKeys(rs)
    expect(file && hmacHolds(file, Buffer.from('Linux\n'))).toBe(true)
    expect(none && hmacHolds(none, Buffer.alloc(0))).toBe(true)
    expect(record && hmacHolds(record, 'sonde')).toBe(true)
    expect(file && byHand(file, rs)).toBe(file?.text)
  })

  it('a key of its own signs for the key that the token brings', () => {
    const one = embedded(rs, makeKey())
    const { head, body, signature, header } = partsOf(one)
    const key = createPublicKey({ key: header.jwk as JsonWebKey, format: 'jwk' })
    expect(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
    const hand = partsOf({ text: byHand(one, rs).trim() })
    const handKey = createPublicKey({ key: hand.header.jwk as JsonWebKey, format: 'jwk' })
    const input = Buffer.from(`${hand.head}.${hand.body}`)
    expect(verify('sha256', input, handKey, Buffer.from(hand.signature, 'base64url'))).toBe(true)
  })

  it('with a guessed secret every claim can be changed', () => {
    const secret = weakKeyOf(hs, signingKeys(['shop']))
    expect(secret).toBe('supersecretkey')
    const forge = forgerBySecret(hs, secret ?? '')
    const bad = badClaims(hs, Date.UTC(2026, 0, 1))
    expect(bad.map(({ variant }) => variant)).toEqual([
      ...['an end of yesterday', 'the audience of another service', 'another issuer'],
    ])
    for (const { claims, variant } of bad) expect(hmacHolds(forge(claims, variant), 'supersecretkey')).toBe(true)
    expect(bad[0]?.claims.exp).toBeLessThan(Date.UTC(2026, 0, 1) / 1_000)
    const [past] = bad.map(({ claims, variant }) => forge(claims, variant))
    expect(past && byHand(past, hs)).toBe(past?.text)
    expect(past?.recipe).not.toContain(CLAIMS.sub)
  })
})

it('secrets that people make of words are bounded in number', () => {
  const keys = signingKeys(['shop', 'example', 'org'])
  expect(keys.length).toBeLessThan(60_000)
  expect(keys).toEqual(
    expect.arrayContaining([
      'secret',
      'your-256-bit-secret',
      'my_jwt_secret',
      'shop-secret',
      'SuperSecret123'.toLowerCase(),
    ]),
  )
  expect(new Set(keys).size).toBe(keys.length)
})

import { expect, test } from 'vitest'
import { readSeed, type TotpSeed } from '../contract/totp.ts'
import { codeAt, createCodes, stepOf } from './totp.ts'

/** RFC 6238, appendix B; its seeds are as long as the digests. */
const SEED = '12345678901234567890'
const keyOf = (length: number): Uint8Array => Buffer.from(SEED.repeat(4).slice(0, length))
const SEEDS = {
  SHA1: { key: keyOf(20), algorithm: 'SHA1', digits: 8, period: 30 },
  SHA256: { key: keyOf(32), algorithm: 'SHA256', digits: 8, period: 30 },
  SHA512: { key: keyOf(64), algorithm: 'SHA512', digits: 8, period: 30 },
} as const satisfies Record<string, TotpSeed>

test.each([
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
])('codes of RFC 6238 at %d seconds', (seconds, sha1, sha256, sha512) => {
  const codes = Object.values(SEEDS).map((seed) => codeAt(seed, stepOf(seed, seconds)))
  expect(codes).toEqual([sha1, sha256, sha512])
})

test.each([
  ['base32', { secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' }, {}],
  ['small letters in groups, padded', { secret: 'gezd gnbv-gy3t qojq gezd gnbv gy3t qojq====' }, {}],
  [
    'an address',
    { secret: 'otpauth://totp/Shop:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA256&digits=8&period=60' },
    { algorithm: 'SHA256', digits: 8, period: 60 },
  ],
  [
    'an address with more said beside it',
    { secret: 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=8', digits: 7 },
    { digits: 7 },
  ],
] as const)('a seed of %s', (_name, given, expected) => {
  expect(readSeed(given)).toMatchObject({ algorithm: 'SHA1', digits: 6, period: 30, ...expected })
  const seed = readSeed(given)
  expect(typeof seed === 'string' ? seed : Buffer.from(seed.key).toString()).toBe(SEED)
})

test.each([
  ['other letters', 'not base32 0189', 'is no base32'],
  ['nothing', '   ', 'is no base32'],
  ['a length that nothing has', 'GEZDGNBVG', 'is no base32'],
  ['codes by counter', 'otpauth://hotp/x?secret=GEZDGNBV', 'is no otpauth://totp/ address'],
  ['an address without a secret', 'otpauth://totp/x?issuer=y', 'without a secret'],
  ['another algorithm', 'otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5', 'another algorithm'],
] as const)('no seed: %s', (_name, secret, sentence) => {
  expect(readSeed({ secret })).toEqual(expect.stringContaining(sentence))
  expect(readSeed({ secret })).not.toContain('GEZD')
})

test('a code is used once: the second waits for the next step', async () => {
  let now = 59_000
  const waits: number[] = []
  const sleep = async (milliseconds: number): Promise<void> => {
    waits.push(milliseconds)
    now += milliseconds
  }
  const code = createCodes(SEEDS.SHA1, { clock: () => now, sleep })
  expect([await code(), await code()]).toEqual(['94287082', codeAt(SEEDS.SHA1, 2)])
  expect(waits).toEqual([1_000])
})

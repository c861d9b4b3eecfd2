import { randomBytes, verify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { fingerprintOf } from '../signature/envelope.ts'
import { resealAll } from './reseal.ts'
import {
  allSigningKeys,
  presentKey,
  presentSigner,
  replaceSigningKey,
  revokeSigningKey,
  SigningKeyError,
  signingKeyWorks,
} from './signing-keys.ts'

const KEYS = oneKey(randomBytes(32))
const OTHER = oneKey(randomBytes(32))
const WORDS = Buffer.from('words')

let t: TestDatabase
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(() => t.drop())
beforeEach(() => t.empty())

const isSignedBy = (publicKey: Buffer, signature: Buffer): boolean =>
  verify(null, WORDS, { key: publicKey, format: 'der', type: 'spki' }, signature)

test('made at first need; of many that need it at once all get the same', async () => {
  expect(await signingKeyWorks(t.db, KEYS)).toBeNull()
  expect(await allSigningKeys(t.db)).toEqual([])
  const made = await Promise.all(Array.from({ length: 8 }, () => presentSigner(t.db, KEYS)))
  expect(new Set(made.map(({ fingerprint }) => fingerprint)).size).toBe(1)
  const [first] = made
  if (!first) throw new Error('no key')
  expect(first.fingerprint).toBe(fingerprintOf(first.publicKey))
  for (const { sign } of made) expect(isSignedBy(first.publicKey, sign(WORDS))).toBe(true)
  expect(await signingKeyWorks(t.db, KEYS)).toBe(true)
})

test('the private half lies sealed, and follows the secret key', async () => {
  const { fingerprint } = await presentSigner(t.db, KEYS)
  const [row] = await t.db.query<{ bytes: Buffer }>('select private_key as bytes from signing_keys', [])
  expect(row?.bytes.toString('latin1')).not.toMatch(/MC4CAQ/)
  expect(await resealAll(t.db, { current: OTHER.current, accepted: [OTHER.current, KEYS.current] })).toEqual({
    resealed: 1,
    unopened: 0,
  })
  expect((await presentSigner(t.db, OTHER)).fingerprint).toBe(fingerprint)
  await expect(presentSigner(t.db, KEYS)).rejects.toThrow(SigningKeyError)
  expect(await signingKeyWorks(t.db, KEYS)).toBe(false)
  // No second key is made of itself: whose it was would be lost without a word.
  expect((await presentKey(t.db, KEYS)).fingerprint).toBe(fingerprint)
})

test('replaced: another signs, and of the one before only what verifies is left', async () => {
  const before = await presentSigner(t.db, KEYS)
  const signature = before.sign(WORDS)
  const after = await replaceSigningKey(t.db, KEYS)
  expect(after.fingerprint).not.toBe(before.fingerprint)
  const all = await allSigningKeys(t.db)
  expect(all.map((key) => [key.fingerprint, key.retiredAt === null])).toEqual([
    [after.fingerprint, true],
    [before.fingerprint, false],
  ])
  expect(isSignedBy(all[1]?.publicKey ?? WORDS, signature)).toBe(true)
  expect(isSignedBy(after.publicKey, signature)).toBe(false)
  const left = await t.db.query('select 1 from signing_keys where private_key is not null', [])
  expect(left).toHaveLength(1)
  expect((await presentSigner(t.db, KEYS)).fingerprint).toBe(after.fingerprint)
})

test('one that cannot be opened any more is replaced all the same', async () => {
  await presentSigner(t.db, KEYS)
  const after = await replaceSigningKey(t.db, OTHER)
  expect((await presentSigner(t.db, OTHER)).fingerprint).toBe(after.fingerprint)
})

test('revoked: one that signs is replaced first, the first reason stays, and a stranger’s is none', async () => {
  const { fingerprint } = await presentSigner(t.db, KEYS)
  const done = await revokeSigningKey(t.db, KEYS, { fingerprint, because: 'stolen backup' })
  expect(done?.revoked).toMatchObject({ fingerprint, revoked: { because: 'stolen backup', at: expect.any(Date) } })
  expect(done?.present.fingerprint).not.toBe(fingerprint)
  expect((await presentSigner(t.db, KEYS)).fingerprint).toBe(done?.present.fingerprint)
  const again = await revokeSigningKey(t.db, KEYS, { fingerprint, because: 'another' })
  expect(again?.revoked.revoked).toEqual(done?.revoked.revoked)
  expect(again?.present.fingerprint).toBe(done?.present.fingerprint)
  expect(await revokeSigningKey(t.db, KEYS, { fingerprint: 'ab'.repeat(32), because: 'x' })).toBeNull()
  expect((await allSigningKeys(t.db)).map(({ revoked }) => revoked?.because ?? null)).toEqual([null, 'stolen backup'])
})

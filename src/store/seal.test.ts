import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { oneKey } from '../contract/secret-keys.ts'
import { openCredentials, sealCredentials } from './seal.ts'

const key = oneKey(randomBytes(32))
const credentials = { cookie: 'session=s3cret-cookie', header: null }
const seal = (): Buffer => {
  const sealed = sealCredentials(key, credentials)
  if (!sealed) throw new Error('nothing sealed')
  return sealed
}

describe('seal', () => {
  test('opens to what was sealed, and never looks the same twice', () => {
    expect(openCredentials(key, seal())).toEqual(credentials)
    expect(seal().equals(seal())).toBe(false)
    expect(seal().toString('latin1')).not.toContain('s3cret')
  })

  test('nothing to seal', () => {
    expect(sealCredentials(key, { cookie: null, header: null })).toBeNull()
    expect(openCredentials(key, null)).toEqual({ cookie: null, header: null })
  })

  test.each([
    ['another key', () => openCredentials(oneKey(randomBytes(32)), seal())],
    ...[0, 5, 20, 40].map((at): [string, () => unknown] => [
      `byte ${at} altered`,
      () => {
        const sealed = seal()
        sealed[at] = (sealed[at] ?? 0) ^ 1
        return openCredentials(key, sealed)
      },
    ]),
    ['cut short', () => openCredentials(key, seal().subarray(0, 20))],
    ['empty', () => openCredentials(key, Buffer.alloc(0))],
  ])('refuses: %s', (_, open) => {
    expect(open).toThrow(/SONDE_SECRET_KEY differs/)
  })
})

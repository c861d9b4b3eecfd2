import { expect, test } from 'vitest'
import { signingKeys } from './signing-keys.ts'

test('words are joined in each of the ways in which people join them', () => {
  const keys = new Set(signingKeys(['quarry']))
  for (const key of ['secretKey', 'mySecretKey', 'jwtSecret', 'JwtSecret', 'my-secret-key', 'quarrySecret', 'quarry'])
    expect(keys, key).toContain(key)
  expect(keys.size).toBeLessThan(40_000)
})

import { expect, test } from 'vitest'
import { signingKeys } from './signing-keys.ts'

test('words are joined in each of the ways in which people join them', () => {
  const keys = new Set(signingKeys(['quarry']))
  for (const key of ['secretKey', 'mySecretKey', 'jwtSecret', 'JwtSecret', 'my-secret-key', 'quarrySecret', 'quarry'])
    expect(keys, key).toContain(key)
  expect(keys.size).toBeLessThan(40_000)
})

test('words that people have as passwords are keys as well, with what they end them with', () => {
  expect(signingKeys([])).toEqual(expect.arrayContaining(['sunshine', 'Sunshine', 'dragon123']))
})

import { describe, expect, test } from 'vitest'
import { hashSecret, isWellFormed, newSecret } from './key-format.ts'

describe('key format', () => {
  test('a new key is well formed and unlike the next', () => {
    const keys = Array.from({ length: 200 }, newSecret)
    expect(keys.every(isWellFormed)).toBe(true)
    expect(new Set(keys).size).toBe(200)
    expect(keys[0]).toMatch(/^sonde_[0-9A-Za-z]{40}$/)
  })

  const key = newSecret()
  const swapped = (): string => {
    for (let i = 6; i < key.length - 1; i += 1) {
      if (key[i] !== key[i + 1]) return `${key.slice(0, i)}${key[i + 1]}${key[i]}${key.slice(i + 2)}`
    }
    throw new Error('all characters equal')
  }
  test.each([
    ['empty', ''],
    ['prefix alone', 'sonde_'],
    ['one character changed', `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`],
    ['two neighbours swapped', swapped()],
    ['cut short', key.slice(0, -1)],
    ['one too long', `${key}0`],
    ['line break at the end', `${key}\n`],
    ['other prefix', key.replace('sonde_', 'probe_')],
    ['character outside the alphabet', `${key.slice(0, -1)}-`],
  ])('refuses: %s', (_, text) => {
    expect(isWellFormed(text)).toBe(false)
  })

  test('the hash is SHA-256', () => {
    expect(hashSecret('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

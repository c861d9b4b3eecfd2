import { checkPrimeSync, createDiffieHellmanGroup } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { derivedPrimes, knownPrime } from './primes.ts'

/** The end of each prime as RFC 7919, appendix A prints it. */
const ENDS: Readonly<Record<string, string>> = {
  'ffdhe2048 (RFC 7919)': '886b423861285c97ffffffffffffffff',
  'ffdhe3072 (RFC 7919)': '25e41d2b66c62e37ffffffffffffffff',
  'ffdhe4096 (RFC 7919)': 'c68a007e5e655f6affffffffffffffff',
}

describe('common primes', () => {
  it.each(Object.entries(ENDS))('%s', (name, end) => {
    const [prime] = [...derivedPrimes()].find(([, one]) => one === name) ?? ['']
    expect(prime.endsWith(end)).toBe(true)
    expect(checkPrimeSync(BigInt(`0x${prime}`), { checks: 8 })).toBe(true)
    expect(knownPrime(prime)).toEqual({ name, origin: 'derived' })
  })

  it('knows those of IKE, in capitals as well', () => {
    const prime = createDiffieHellmanGroup('modp2').getPrime('hex').toUpperCase()
    expect(knownPrime(prime)).toMatchObject({ name: 'RFC 2409 group 2 (1024 bit)' })
  })

  it('says of RFC 5114 that nobody knows where it is from', () => {
    expect(knownPrime(`b10b8f96a080e01dde92de5eae5d54ec${'0'.repeat(224)}`)?.origin).toBe('unexplained')
  })

  it('knows nothing of a prime that was made for one server', () => {
    expect(knownPrime('f00d'.repeat(64))).toBeNull()
  })
})

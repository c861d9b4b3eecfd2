import { createDiffieHellmanGroup } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { derivedPrimes, knownPrime } from './primes.ts'

/** The end of each prime as RFC 7919, appendix A prints it. */
const ENDS: Readonly<Record<string, string>> = {
  'ffdhe2048 (RFC 7919)': '886b423861285c97ffffffffffffffff',
  'ffdhe3072 (RFC 7919)': '25e41d2b66c62e37ffffffffffffffff',
  'ffdhe4096 (RFC 7919)': 'c68a007e5e655f6affffffffffffffff',
}

/** Miller and Rabin's test for one base. OpenSSL's takes 128 of them, and seconds, for numbers that were published as primes. */
const isProbablePrime = (odd: bigint, base: bigint): boolean => {
  const twos = /0*$/.exec((odd - 1n).toString(2))?.[0].length ?? 0
  let power = modPow(base, (odd - 1n) >> BigInt(twos), odd)
  if (power === 1n) return true
  for (let round = 0; round < twos; round += 1) {
    if (power === odd - 1n) return true
    power = (power * power) % odd
  }
  return false
}

const modPow = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  let product = 1n
  for (const bit of exponent.toString(2)) {
    product = (product * product) % modulus
    if (bit === '1') product = (product * base) % modulus
  }
  return product
}

describe('common primes', () => {
  it.each(Object.entries(ENDS))('%s', (name, end) => {
    const [prime] = [...derivedPrimes()].find(([, one]) => one === name) ?? ['']
    expect(prime.endsWith(end)).toBe(true)
    expect([2n, 3n, 5n, 7n].filter((base) => !isProbablePrime(BigInt(`0x${prime}`), base))).toEqual([])
    expect(knownPrime(prime)).toEqual({ name, origin: 'derived' })
  })

  it('tells a number that is none', () => {
    const [prime = ''] = [...derivedPrimes().keys()]
    expect(isProbablePrime(BigInt(`0x${prime}`) + 2n, 2n)).toBe(false)
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

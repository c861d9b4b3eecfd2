/**
 * Diffie-Hellman primes that many servers share. One precomputation breaks every server that uses the prime, which is
 * within reach of states up to 1024 bits (weakdh.org, "Imperfect Forward Secrecy", 2015).
 */
import { createDiffieHellmanGroup } from 'node:crypto'

export interface KnownPrime {
  readonly name: string
  /** RFC 5114 does not say how its primes were made, so a trapdoor cannot be ruled out. */
  readonly origin: 'derived' | 'unexplained'
}

/** RFC 2409 and RFC 3526: made from the digits of pi. */
const IKE = [
  ['modp1', 'RFC 2409 group 1 (768 bit)'],
  ['modp2', 'RFC 2409 group 2 (1024 bit)'],
  ['modp5', 'RFC 3526 group 5 (1536 bit)'],
  ['modp14', 'RFC 3526 group 14 (2048 bit)'],
  ['modp15', 'RFC 3526 group 15 (3072 bit)'],
  ['modp16', 'RFC 3526 group 16 (4096 bit)'],
  ['modp17', 'RFC 3526 group 17 (6144 bit)'],
  ['modp18', 'RFC 3526 group 18 (8192 bit)'],
] as const

/** RFC 7919, appendix A: p = 2^b - 2^(b-64) + (floor(2^(b-130) e) + X) 2^64 - 1. */
const FFDHE = [
  [2048, 560_316n],
  [3072, 2_625_351n],
  [4096, 5_736_041n],
  [6144, 15_705_020n],
  [8192, 10_965_728n],
] as const

/** RFC 5114, 2.1 to 2.3, by their first 16 octets. */
const RFC5114: readonly (readonly [string, string])[] = [
  ['b10b8f96a080e01dde92de5eae5d54ec', 'RFC 5114 1024 bit'],
  ['ad107e1e9123a9d0d660faa79559c51f', 'RFC 5114 2048 bit, 224 bit subgroup'],
  ['87a8e61db4b6663cffbbd19c65195999', 'RFC 5114 2048 bit, 256 bit subgroup'],
]

/** @param prime hexadecimal, no leading zeros */
export const knownPrime = (prime: string): KnownPrime | null => {
  const text = prime.toLowerCase()
  const derived = derivedPrimes().get(text)
  if (derived !== undefined) return { name: derived, origin: 'derived' }
  const unexplained = RFC5114.find(([start]) => text.startsWith(start))
  return unexplained ? { name: unexplained[1], origin: 'unexplained' } : null
}

let derived: ReadonlyMap<string, string> | null = null

/** Hexadecimal, to the name. */
export const derivedPrimes = (): ReadonlyMap<string, string> => {
  derived ??= new Map([
    ...IKE.map(([group, name]) => [createDiffieHellmanGroup(group).getPrime('hex'), name] as const),
    ...FFDHE.map(([bits, x]) => [ffdhe(bits, x).toString(16), `ffdhe${bits} (RFC 7919)`] as const),
  ])
  return derived
}

const ffdhe = (bits: number, x: bigint): bigint => {
  const b = BigInt(bits)
  return 2n ** b - 2n ** (b - 64n) + (eulerScaled(bits - 130) + x) * 2n ** 64n - 1n
}

/** floor(2^bits e), by the series of e with guard bits. */
const eulerScaled = (bits: number): bigint => {
  const guard = 64n
  let term = 1n << (BigInt(bits) + guard)
  let sum = 0n
  for (let n = 1n; term > 0n; n++) {
    sum += term
    term /= n
  }
  return sum >> guard
}

/**
 * The fingerprint of keys from the faulty Infineon library (CVE-2017-15361). Such primes have the form
 * k·M + (65537^a mod M), M being the product of the first primes; so the modulus is a power of 65537 modulo each of them.
 * A sound key passes all of these tests with a probability of about 2^-27 or less.
 * Source: Nemec et al., "The Return of Coppersmith's Attack", ACM CCS 2017.
 */
const PRIMES = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113,
  127, 131, 137, 139, 149, 151, 157, 163, 167,
]

const powersOfGenerator = (prime: number): ReadonlySet<number> => {
  const powers = new Set<number>()
  for (let power = 1; !powers.has(power); power = (power * 65537) % prime) powers.add(power)
  return powers
}

const SUBGROUPS = PRIMES.map((prime) => ({ prime: BigInt(prime), powers: powersOfGenerator(prime) }))

/** @param modulus hexadecimal */
export const hasRocaFingerprint = (modulus: string): boolean => {
  const value = BigInt(`0x${modulus}`)
  return SUBGROUPS.every(({ prime, powers }) => powers.has(Number(value % prime)))
}

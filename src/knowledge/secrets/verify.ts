import { crc32 } from 'node:zlib'

/** What tells a secret from a placeholder: entropy, checksums, structure. */

/** Shannon entropy in bits for one character. */
export const entropy = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}

const PLACEHOLDER =
  /example|placeholder|your[_-]?|changeme|dummy|sample|redacted|x{4}|\*{3}|\.{3}|0{6}|1234567|abcdefg|\$\{|\{\{|<|%[sd]/i

/** True for what documentation writes where a secret belongs. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text) || /(.)\1{5}/.test(text)

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * GitHub's tokens end in six base62 digits of the CRC-32 of the thirty characters after the prefix.
 * Source: github.blog, "Behind GitHub's new authentication token formats", April 2021.
 */
export const hasGithubChecksum = (token: string): boolean => {
  const random = token.slice(token.indexOf('_') + 1, -6)
  return base62(crc32(random)).padStart(6, '0') === token.slice(-6)
}

const base62 = (value: number): string => {
  const digit = BASE62[value % 62] ?? ''
  return value < 62 ? digit : base62(Math.floor(value / 62)) + digit
}

/** A PEM body that decodes to a DER SEQUENCE or to OpenSSH's own format, and is long enough to hold a key. */
export const isPrivateKey = (pem: string): boolean => {
  const body = pem.replace(/-----[^-]+-----/g, '').replace(/\\[nr]|\s/g, '')
  const octets = Buffer.from(body, 'base64')
  return octets.length >= 40 && (octets[0] === 0x30 || octets.subarray(0, 14).toString('latin1') === 'openssh-key-v1')
}

/** MurmurHash3, 32 bit, seed 0: the hash by which favicons are looked up (over Base64 in lines of 76 characters). */
export const faviconHash = (body: Uint8Array): number => {
  const base64 = Buffer.from(body).toString('base64')
  return murmur3(Buffer.from(base64.replace(/.{1,76}/g, '$&\n')))
}

/** Signed, as the catalogues write it. Source: Austin Appleby's description of MurmurHash3_x86_32. */
export const murmur3 = (bytes: Buffer): number => {
  let hash = 0
  const whole = bytes.length - (bytes.length % 4)
  for (let offset = 0; offset < whole; offset += 4) {
    hash ^= scrambled(bytes.readUInt32LE(offset))
    hash = (Math.imul(rotated(hash, 13), 5) + 0xe6546b64) | 0
  }
  let rest = 0
  for (let index = bytes.length - 1; index >= whole; index -= 1) rest = (rest << 8) | (bytes[index] ?? 0)
  if (bytes.length > whole) hash ^= scrambled(rest)
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))
const scrambled = (value: number): number => Math.imul(rotated(Math.imul(value, 0xcc9e2d51), 15), 0x1b873593)

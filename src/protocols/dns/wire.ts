/** DNS names and the DNSSEC record types, read from canonical RDATA (RFC 4034, RFC 5155). Pure. */

export const TYPE_NUMBERS = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  CAA: 257,
} as const

export interface Dnskey {
  readonly flags: number
  readonly protocol: number
  readonly algorithm: number
  readonly tag: number
  readonly key: Buffer
  readonly rdata: Buffer
}

export interface Ds {
  readonly tag: number
  readonly algorithm: number
  readonly digestType: number
  readonly digest: Buffer
}

export interface Rrsig {
  readonly covered: number
  readonly algorithm: number
  readonly labels: number
  readonly originalTtl: number
  /** Seconds since the epoch. */
  readonly expiration: number
  readonly inception: number
  readonly tag: number
  readonly signer: string
  readonly signature: Buffer
  /** RDATA before the signature: the first part of what is signed. */
  readonly head: Buffer
}

export interface Nsec {
  readonly next: string
  readonly types: readonly number[]
}

export interface Nsec3 {
  readonly algorithm: number
  readonly optOut: boolean
  readonly iterations: number
  readonly salt: Buffer
  readonly next: Buffer
  readonly types: readonly number[]
}

export const bare = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/** Leftmost first; none for the root. */
export const labelsOf = (name: string): readonly string[] => (bare(name) === '' ? [] : bare(name).split('.'))

export const parentOf = (name: string): string => labelsOf(name).slice(1).join('.')

export const isWithin = (name: string, zone: string): boolean =>
  bare(zone) === '' || bare(name) === bare(zone) || bare(name).endsWith(`.${bare(zone)}`)

export const nameToWire = (name: string): Buffer =>
  Buffer.concat([
    ...labelsOf(name).map((label) => {
      const octets = Buffer.from(label, 'utf8').subarray(0, 63)
      return Buffer.concat([Buffer.from([octets.length]), octets])
    }),
    Buffer.from([0]),
  ])

/** Canonical order of names (RFC 4034, 6.1): by label from the right, octet by octet. */
export const compareNames = (a: string, b: string): number => {
  const [left, right] = [labelsOf(a).toReversed(), labelsOf(b).toReversed()]
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const order = Buffer.compare(Buffer.from(left[index] ?? ''), Buffer.from(right[index] ?? ''))
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Each reader gives null for data that is no such record. */
export const readDnskey = (rdata: Buffer): Dnskey | null =>
  rdata.length < 5
    ? null
    : {
        flags: rdata.readUInt16BE(0),
        protocol: rdata.readUInt8(2),
        algorithm: rdata.readUInt8(3),
        tag: keyTag(rdata),
        key: rdata.subarray(4),
        rdata,
      }

export const readDs = (rdata: Buffer): Ds | null =>
  rdata.length < 5
    ? null
    : {
        tag: rdata.readUInt16BE(0),
        algorithm: rdata.readUInt8(2),
        digestType: rdata.readUInt8(3),
        digest: rdata.subarray(4),
      }

export const readRrsig = (rdata: Buffer): Rrsig | null => {
  const signer = rdata.length < 19 ? null : readPlainName(rdata, 18)
  if (!signer) return null
  return {
    covered: rdata.readUInt16BE(0),
    algorithm: rdata.readUInt8(2),
    labels: rdata.readUInt8(3),
    originalTtl: rdata.readUInt32BE(4),
    expiration: rdata.readUInt32BE(8),
    inception: rdata.readUInt32BE(12),
    tag: rdata.readUInt16BE(16),
    signer: signer.name,
    signature: rdata.subarray(signer.end),
    head: rdata.subarray(0, signer.end),
  }
}

export const readNsec = (rdata: Buffer): Nsec | null => {
  const next = readPlainName(rdata, 0)
  return next && { next: next.name, types: readTypes(rdata.subarray(next.end)) }
}

export const readNsec3 = (rdata: Buffer): Nsec3 | null => {
  if (rdata.length < 6) return null
  const saltEnd = 5 + rdata.readUInt8(4)
  if (saltEnd >= rdata.length) return null
  const hashEnd = saltEnd + 1 + rdata.readUInt8(saltEnd)
  if (hashEnd > rdata.length) return null
  return {
    algorithm: rdata.readUInt8(0),
    optOut: (rdata.readUInt8(1) & 1) === 1,
    iterations: rdata.readUInt16BE(2),
    salt: rdata.subarray(5, saltEnd),
    next: rdata.subarray(saltEnd + 1, hashEnd),
    types: readTypes(rdata.subarray(hashEnd)),
  }
}

/** RFC 4034, appendix B. */
const keyTag = (rdata: Buffer): number => {
  let sum = 0
  for (const [index, octet] of rdata.entries()) sum += index % 2 === 0 ? octet << 8 : octet
  return (sum + (sum >> 16)) & 0xffff
}

const readPlainName = (rdata: Buffer, from: number): { readonly name: string; readonly end: number } | null => {
  const labels: string[] = []
  let at = from
  while (at < rdata.length) {
    const size = rdata.readUInt8(at)
    if (size === 0) return { name: labels.join('.'), end: at + 1 }
    if (size > 63 || at + 1 + size > rdata.length) return null
    labels.push(rdata.toString('utf8', at + 1, at + 1 + size).toLowerCase())
    at += 1 + size
  }
  return null
}

/** Type bit maps (RFC 4034, 4.1.2). */
const readTypes = (maps: Buffer): readonly number[] => {
  const types: number[] = []
  for (let at = 0; at + 2 <= maps.length; ) {
    const window = maps.readUInt8(at)
    const octets = maps.subarray(at + 2, at + 2 + maps.readUInt8(at + 1))
    for (const [index, octet] of octets.entries()) {
      for (let bit = 0; bit < 8; bit += 1) if (octet & (0x80 >> bit)) types.push(window * 256 + index * 8 + bit)
    }
    at += 2 + maps.readUInt8(at + 1)
  }
  return types
}

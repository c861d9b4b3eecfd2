/**
 * The RDATA of each record of a message, in the canonical form that DNSSEC signs (RFC 4034, 6.2): names uncompressed
 * and in lower case. Own reader, since a decoded record has lost the bytes that a signature covers.
 */

/** Base64, one a record, in the order of the message. */
export interface MessageRdata {
  readonly answers: readonly string[]
  readonly authorities: readonly string[]
  readonly additionals: readonly string[]
}

/** @throws RangeError when the message is cut short or its pointers run in a ring */
export const readRdata = (message: Buffer): MessageRdata => {
  const counts = [4, 6, 8, 10].map((offset) => message.readUInt16BE(offset))
  const [questions = 0, ...sections] = counts
  let offset = 12
  for (let index = 0; index < questions; index += 1) offset = readName(message, offset).end + 4
  const lists = sections.map((count) =>
    Array.from({ length: count }, () => {
      const owner = readName(message, offset)
      const type = message.readUInt16BE(owner.end)
      const start = owner.end + 10
      const end = start + message.readUInt16BE(owner.end + 8)
      if (end > message.length) throw new RangeError('a record runs over the end of its message')
      offset = end
      return canonical(message, type, start, end).toString('base64')
    }),
  )
  return { answers: lists[0] ?? [], authorities: lists[1] ?? [], additionals: lists[2] ?? [] }
}

/** Of each type with names in its data: octets before the first name, and how many names follow. */
const NAMES: Readonly<Record<number, readonly [before: number, names: number]>> = {
  2: [0, 1], // NS
  5: [0, 1], // CNAME
  6: [0, 2], // SOA
  12: [0, 1], // PTR
  15: [2, 1], // MX
  33: [6, 1], // SRV
  39: [0, 1], // DNAME
  46: [18, 1], // RRSIG
}

const canonical = (message: Buffer, type: number, start: number, end: number): Buffer => {
  const form = NAMES[type]
  if (!form) return message.subarray(start, end)
  const [before, names] = form
  const parts = [message.subarray(start, start + before)]
  let at = start + before
  for (let index = 0; index < names; index += 1) {
    const name = readName(message, at)
    parts.push(name.wire)
    at = name.end
  }
  if (at > end) throw new RangeError('a name runs over the end of its record')
  return Buffer.concat([...parts, message.subarray(at, end)])
}

const LONGEST_NAME = 255

const readName = (message: Buffer, from: number): { readonly wire: Buffer; readonly end: number } => {
  const labels: Buffer[] = []
  let length = 0
  let at = from
  let end: number | null = null
  for (let hops = 0; hops < LONGEST_NAME; hops += 1) {
    const size = message.readUInt8(at)
    if (size >= 0xc0) {
      end ??= at + 2
      at = message.readUInt16BE(at) & 0x3fff
      continue
    }
    if (size > 63 || at + 1 + size > message.length) throw new RangeError('not a label')
    labels.push(lowerCase(message.subarray(at, at + 1 + size)))
    length += 1 + size
    if (length > LONGEST_NAME) throw new RangeError('a name is longer than 255 octets')
    at += 1 + size
    if (size === 0) return { wire: Buffer.concat(labels), end: end ?? at }
  }
  throw new RangeError('pointers run in a ring')
}

/** ASCII letters only; a length octet is never one, being at most 63. */
const lowerCase = (label: Buffer): Buffer =>
  Buffer.from(label.map((octet) => (octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet)))

/** As much of BER (X.690) as SNMP and LDAP answers need. Bounded: lengths beyond the buffer end the reading. */
export interface BerItem {
  readonly tag: number
  readonly body: Buffer
}

/** The items one after the other; stops at the first that is not whole. */
export const berItems = (bytes: Buffer, most = 64): BerItem[] => {
  const items: BerItem[] = []
  let at = 0
  while (at + 2 <= bytes.length && items.length < most) {
    const tag = bytes[at] ?? 0
    const first = bytes[at + 1] ?? 0
    let length = first
    let begin = at + 2
    if (first & 0x80) {
      const size = first & 0x7f
      if (size === 0 || size > 4 || begin + size > bytes.length) break
      length = bytes.readUIntBE(begin, size)
      begin += size
    }
    if (begin + length > bytes.length) break
    items.push({ tag, body: bytes.subarray(begin, begin + length) })
    at = begin + length
  }
  return items
}

/** One item of this tag around the parts. */
export const ber = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? Buffer.of(body.length) : Buffer.of(0x82, body.length >> 8, body.length & 0xff)
  return Buffer.concat([Buffer.of(tag), length, body])
}

export const berText = (tag: number, text: string): Buffer => ber(tag, Buffer.from(text))

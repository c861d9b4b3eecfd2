/**
 * A small bounded reader of DER (X.690), for what certificates and OCSP answers of a stranger hold.
 * Nothing is trusted: lengths are checked against the input, depth and counts are capped.
 */
export interface DerNode {
  /** The identifier octet, e.g. 0x30 for SEQUENCE, 0xa3 for [3] constructed. */
  readonly tag: number
  readonly content: Buffer
  /** With identifier and length octets. */
  readonly whole: Buffer
}

export class DerError extends Error {
  override readonly name = 'DerError'
}

const MOST_CHILDREN = 4096

/** The value at `offset`, which must lie within the input whole. @throws DerError */
export const readDer = (input: Buffer, offset = 0): DerNode => {
  const tag = input[offset]
  const first = input[offset + 1]
  if (tag === undefined || first === undefined) throw new DerError('ends within a header')
  if ((tag & 0x1f) === 0x1f) throw new DerError('multi-byte tags are not used here')
  const lengthOctets = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80 || lengthOctets > 4) throw new DerError('length is indefinite or too large')
  const start = offset + 2 + lengthOctets
  if (start > input.length) throw new DerError('ends within a length')
  const length = lengthOctets === 0 ? first : input.readUIntBE(offset + 2, lengthOctets)
  if (start + length > input.length) throw new DerError('longer than its input')
  return { tag, content: input.subarray(start, start + length), whole: input.subarray(offset, start + length) }
}

/** The values that a constructed one holds, in order. @throws DerError */
export const childrenOf = (node: DerNode): readonly DerNode[] => {
  const found: DerNode[] = []
  for (let at = 0; at < node.content.length; ) {
    if (found.length >= MOST_CHILDREN) throw new DerError('too many values')
    const child = readDer(node.content, at)
    found.push(child)
    at += child.whole.length
  }
  return found
}

/** The child at `index`, which must be there. @throws DerError */
export const childAt = (node: DerNode, index: number): DerNode => {
  const child = childrenOf(node)[index]
  if (child === undefined) throw new DerError(`value ${index} is missing`)
  return child
}

/** Dotted form of an OBJECT IDENTIFIER's content. */
export const readOid = (content: Buffer): string => {
  const arcs: number[] = []
  let value = 0
  for (const octet of content) {
    if (value > 2 ** 40) throw new DerError('arc too large')
    value = value * 128 + (octet & 0x7f)
    if (octet < 0x80) {
      arcs.push(value)
      value = 0
    }
  }
  const [head, ...tail] = arcs
  if (head === undefined) throw new DerError('empty object identifier')
  const top = Math.min(2, Math.floor(head / 40))
  return [top, head - top * 40, ...tail].join('.')
}

/** A value of these contents, its length as short as DER demands. */
export const writeDer = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content)
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const octets = body.length < 0x100 ? 1 : body.length < 0x1_0000 ? 2 : 3
  const length = Buffer.alloc(octets)
  length.writeUIntBE(body.length, 0, octets)
  return Buffer.concat([Buffer.from([tag, 0x80 | octets]), length, body])
}

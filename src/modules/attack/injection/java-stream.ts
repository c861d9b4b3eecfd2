/**
 * What ObjectOutputStream writes (Java Object Serialization Specification, 6.4.2, "Grammar for the stream format"), read far enough to put
 * one more object where every reader takes objects and throws them away: at the end of what a class wrote about itself or its object.
 */

const TC = {
  null: 0x70,
  reference: 0x71,
  classDescription: 0x72,
  object: 0x73,
  string: 0x74,
  array: 0x75,
  class: 0x76,
  block: 0x77,
  end: 0x78,
  longBlock: 0x7a,
  longString: 0x7c,
  proxy: 0x7d,
  enum: 0x7e,
} as const
/** Flags of a class: it wrote data of its own, is `Serializable`, `Externalizable`, and wrote its data in blocks. */
const FLAG = { wrote: 1, serializable: 2, externalizable: 4, blocks: 8 } as const
/** Bytes of what is no object. */
const PRIMITIVES: ReadonlyMap<string, number> = new Map([
  ...['B', 'Z'].map((type) => [type, 1] as const),
  ...['C', 'S'].map((type) => [type, 2] as const),
  ...['F', 'I'].map((type) => [type, 4] as const),
  ...['D', 'J'].map((type) => [type, 8] as const),
])
const HEAD = 4
/** Handles count from here. */
const FIRST_HANDLE = 0x7e_00_00
const DEEPEST = 100

interface ClassDescription {
  readonly name: string
  flags: number
  readonly fields: string[]
  super: ClassDescription | null
}

/** Something that this reader does not know, or that is no such stream. */
class Unreadable extends Error {}

class Reader {
  readonly ends: { readonly at: number; readonly handles: number }[] = []
  readonly references: { readonly at: number; readonly handle: number }[] = []
  private readonly handles: (ClassDescription | null)[] = []
  private at = HEAD
  private depth = 0
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length
  }

  /** What the grammar calls content; a class where it is the description of one. */
  content(): ClassDescription | null {
    this.depth += 1
    if (this.depth > DEEPEST) throw new Unreadable()
    const found = this.contentOf(this.number(1))
    this.depth -= 1
    return found
  }

  private contentOf(type: number): ClassDescription | null {
    switch (type) {
      case TC.null:
        return null
      case TC.reference:
        return this.reference()
      case TC.classDescription:
        return this.classDescription()
      case TC.proxy:
        return this.proxy()
      case TC.object:
        this.object()
        return null
      case TC.array:
        this.array()
        return null
      case TC.string:
        this.handles.push(null)
        this.skip(this.number(2))
        return null
      case TC.longString:
        this.handles.push(null)
        this.skip(Number(this.take(8).readBigUInt64BE()))
        return null
      case TC.class:
        this.content()
        this.handles.push(null)
        return null
      case TC.enum:
        this.content()
        this.handles.push(null)
        this.content()
        return null
      case TC.block:
        this.skip(this.number(1))
        return null
      case TC.longBlock:
        this.skip(this.number(4))
        return null
      default:
        throw new Unreadable()
    }
  }

  private reference(): ClassDescription | null {
    const handle = this.take(4).readUInt32BE() - FIRST_HANDLE
    this.references.push({ at: this.at - 4, handle })
    const found = this.handles[handle]
    if (found === undefined) throw new Unreadable()
    return found
  }

  private classDescription(): ClassDescription {
    const made: ClassDescription = { name: this.text(), flags: 0, fields: [], super: null }
    this.skip(8)
    this.handles.push(made)
    made.flags = this.number(1)
    for (let left = this.number(2); left > 0; left -= 1) {
      const type = String.fromCharCode(this.number(1))
      made.fields.push(type)
      this.text()
      if (!PRIMITIVES.has(type)) this.content()
    }
    this.annotation()
    made.super = this.content()
    return made
  }

  private proxy(): ClassDescription {
    const made: ClassDescription = { name: '', flags: FLAG.serializable, fields: [], super: null }
    this.handles.push(made)
    for (let left = this.number(4); left > 0; left -= 1) this.text()
    this.annotation()
    made.super = this.content()
    return made
  }

  private object(): void {
    const of = this.content()
    this.handles.push(null)
    const classes: ClassDescription[] = []
    for (let one = of; one; one = one.super) classes.unshift(one)
    for (const { flags, fields } of classes) {
      if ((flags & FLAG.serializable) !== 0) {
        for (const type of fields) this.value(type)
        if ((flags & FLAG.wrote) !== 0) this.annotation()
      } else if ((flags & FLAG.externalizable) !== 0 && (flags & FLAG.blocks) !== 0) this.annotation()
      else throw new Unreadable()
    }
  }

  private array(): void {
    const of = this.content()
    this.handles.push(null)
    for (let left = this.number(4); left > 0; left -= 1) this.value(of?.name[1] ?? '')
  }

  private value(type: string): void {
    const size = PRIMITIVES.get(type)
    if (size === undefined) this.content()
    else this.skip(size)
  }

  private annotation(): void {
    while (this.bytes[this.at] !== TC.end) this.content()
    this.ends.push({ at: this.at, handles: this.handles.length })
    this.skip(1)
  }

  private text(): string {
    return this.take(this.number(2)).toString('latin1')
  }

  private number(size: number): number {
    return this.take(size).readUIntBE(0, size)
  }

  private skip(size: number): void {
    this.take(size)
  }

  private take(size: number): Buffer {
    if (this.at + size > this.bytes.length) throw new Unreadable()
    this.at += size
    return this.bytes.subarray(this.at - size, this.at)
  }
}

/** An object of a class, without a value of it: readers give each the value of a new one. */
const emptyOf = (name: string, version: bigint): Buffer => {
  const id = Buffer.alloc(8)
  id.writeBigInt64BE(version)
  const length = Buffer.from([name.length >> 8, name.length & 255])
  const rest = [FLAG.serializable, 0, 0, TC.end, TC.null]
  return Buffer.concat([
    Buffer.from([TC.object, TC.classDescription]),
    length,
    Buffer.from(name),
    id,
    Buffer.from(rest),
  ])
}
/** Handles of such an object: the class and itself. */
const OWN_HANDLES = 2

/**
 * The stream with an object of that class and version (`serialVersionUID`) that nothing refers to; null where it is none, or holds no object.
 * The class has to be told from the text of the same length alone: the version of a class that is not there is never looked at.
 */
export const withIgnored = (stream: Buffer, name: string, version: bigint): Buffer | null => {
  if (stream.length <= HEAD || stream.readUInt32BE() !== 0xaced_0005) return null
  const reader = new Reader(stream)
  try {
    reader.content()
    // What is read is the first object; others behind it may refer to it.
    const last = reader.ends.at(-1)
    if (!last) return null
    while (!reader.isAtEnd) reader.content()
    const shifted = Buffer.from(stream)
    for (const { at, handle } of reader.references)
      if (at > last.at && handle >= last.handles) shifted.writeUInt32BE(FIRST_HANDLE + handle + OWN_HANDLES, at)
    return Buffer.concat([shifted.subarray(0, last.at), emptyOf(name, version), shifted.subarray(last.at)])
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

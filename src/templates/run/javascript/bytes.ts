/** `nuclei/bytes` and `nuclei/structs` of scripts: a buffer that grows, and numbers in bytes. */
import { functionOf, numberOf, objectOf, ScriptError, type ScriptValue, stringOf } from '../../language/script/value.ts'

const MOST = 1024 * 1024

export const bytesModule = (): ScriptValue =>
  objectOf({ Buffer: functionOf(() => buffer()), NewBuffer: functionOf(() => buffer()) })

const bytesOf = (value: ScriptValue): Buffer => {
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (Array.isArray(value)) return Buffer.from(value.map(numberOf))
  return Buffer.from(stringOf(value), 'latin1')
}

const buffer = (): ScriptValue => {
  let held = Buffer.alloc(0)
  const write = (bytes: Buffer): ScriptValue => {
    if (held.length + bytes.length > MOST) throw new ScriptError('a buffer grew beyond 1 MiB')
    held = Buffer.concat([held, bytes])
    return self
  }
  const self: ScriptValue = objectOf({
    Write: functionOf(([data]) => write(bytesOf(data))),
    WriteString: functionOf(([data]) => write(bytesOf(data))),
    Pack: functionOf(([format, value]) => write(packed(stringOf(format), value))),
    Bytes: functionOf(() => new Uint8Array(held)),
    String: functionOf(() => held.toString('latin1')),
    Hex: functionOf(() => held.toString('hex')),
    Hexdump: functionOf(() => held.toString('hex')),
    Len: functionOf(() => held.length),
  })
  return self
}

const SIZES: Readonly<Record<string, number>> = { b: 1, h: 2, i: 4, l: 4 }

/** Python's struct format for one or more numbers: byte order, then b B h H i I l L. */
export const packed = (format: string, value: ScriptValue): Buffer => {
  const match = /^([<>!=@]?)([bBhHiIlL]{1,16})$/.exec(format)
  if (!match?.[2]) throw new ScriptError(`“${format}” is no format to pack by`)
  const values = Array.isArray(value) ? value : [value]
  const little = match[1] !== '>' && match[1] !== '!'
  return Buffer.concat(
    [...match[2]].map((kind, at) => {
      const size = SIZES[kind.toLowerCase()] ?? 1
      const bytes = Buffer.alloc(size)
      const number = BigInt.asUintN(size * 8, BigInt(Math.trunc(numberOf(values[at] ?? 0))))
      for (let index = 0; index < size; index += 1) {
        const shift = BigInt(8 * (little ? index : size - 1 - index))
        bytes[index] = Number((number >> shift) & 255n)
      }
      return bytes
    }),
  )
}

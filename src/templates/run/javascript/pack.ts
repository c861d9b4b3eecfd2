import { ScriptError } from '../../language/script/errors.ts'
import { numberOf } from '../../language/script/plain.ts'

const SIZES: Readonly<Record<string, number>> = { b: 1, h: 2, i: 4, l: 4 }

/** Python's struct format for one or more numbers: byte order, then b B h H i I l L. @throws ScriptError for another */
export const packed = (format: string, value: unknown): Buffer => {
  const match = /^([<>!=@]?)([bBhHiIlL]{1,16})$/.exec(format)
  if (!match?.[2]) throw new ScriptError(`“${format}” is no format to pack by`)
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const little = match[1] !== '>' && match[1] !== '!'
  return Buffer.concat(
    [...match[2]].map((kind, at) => {
      const size = SIZES[kind.toLowerCase()] ?? 1
      const bytes = Buffer.alloc(size)
      const number = BigInt.asUintN(size * 8, BigInt(Math.trunc(numberOf(values[at] ?? 0) || 0)))
      for (let index = 0; index < size; index += 1) {
        const shift = BigInt(8 * (little ? index : size - 1 - index))
        bytes[index] = Number((number >> shift) & 255n)
      }
      return bytes
    }),
  )
}

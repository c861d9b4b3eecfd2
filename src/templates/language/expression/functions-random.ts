/** Functions that draw. */
import { randomInt } from 'node:crypto'
import { on } from './define.ts'
import type { DslFunction } from './functions.ts'
import { DslError, numberOf, textOf, type Value } from './value.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'

export const RANDOM: Readonly<Record<string, DslFunction>> = {
  rand_base: on(1, 2, ([count = 0, set = '']) => drawn(count, textOf(set) || LETTERS + DIGITS, '')),
  rand_char: on(0, 1, ([set = '']) => drawn(1, textOf(set) || LETTERS + DIGITS, '')),
  rand_text_alpha: on(1, 2, ([count = 0, bad = '']) => drawn(count, LETTERS, bad)),
  rand_text_alphanumeric: on(1, 2, ([count = 0, bad = '']) => drawn(count, LETTERS + DIGITS, bad)),
  rand_text_numeric: on(1, 2, ([count = 0, bad = '']) => drawn(count, DIGITS, bad)),
  rand_int: on(0, 2, ([min = 0, max]) => {
    const from = Math.trunc(numberOf(min, 'the least of rand_int'))
    const to = max === undefined ? 2 ** 31 - 1 : Math.trunc(numberOf(max, 'the greatest of rand_int'))
    if (to <= from || to - from >= 2 ** 48) throw new DslError(`rand_int has nothing between ${from} and ${to}`)
    return randomInt(from, to)
  }),
  rand_ip: on(1, 100, (networks) => addressIn(textOf(networks[randomInt(networks.length)] ?? ''))),
}

const drawn = (count: Value, set: string, bad: Value): string => {
  const length = numberOf(count, 'the count')
  if (length < 0 || length > 1_000_000) throw new DslError(`${length} random characters are too many`)
  const refused = textOf(bad)
  const chars = [...set].filter((char) => !refused.includes(char))
  if (chars.length === 0) throw new DslError('no character is left to draw')
  return Array.from({ length }, () => chars[randomInt(chars.length)] ?? '').join('')
}

const addressIn = (network: string): string => {
  const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(network)
  if (!match) throw new DslError(`"${network}" is no IPv4 network`)
  const [a = 0, b = 0, c = 0, d = 0, bits = 32] = match.slice(1).map(Number)
  if (bits > 32 || [a, b, c, d].some((part) => part > 255)) throw new DslError(`"${network}" is no IPv4 network`)
  const size = 2 ** (32 - bits)
  const start = Math.floor((((a * 256 + b) * 256 + c) * 256 + d) / size) * size
  const address = start + randomInt(size)
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}

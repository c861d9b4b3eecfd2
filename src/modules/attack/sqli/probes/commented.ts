/**
 * Numbers in a place that takes no expression, as MySQL's LIMIT: what stands in a comment for servers of
 * a version and above is read by those and passed over by all others, so whether a statement is one depends on a number of ours alone.
 * https://dev.mysql.com/doc/refman/8.4/en/comments.html, https://mariadb.com/docs/server/reference/sql-structure/sql-language-structure/comment-syntax
 */
import { randomInt } from 'node:crypto'
import { identical, likeness, noiseOf } from '../../insertion-points/likeness.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import type { BooleanHit, BooleanTrial } from '../facts.ts'
import { type Commented, commentedFor } from '../payloads.ts'
import { TRIALS } from './begun.ts'
import { answerOf, excerptsOf } from './boolean.ts'
import { fitsOf } from './fits.ts'

const BOUNDARY = 'number, comment for a version'

/** `broken`: the answer to a value that no statement survives; null where it was refused. */
export const commentedWays = (probe: Probe, broken: Reply | null): readonly (() => Promise<BooleanHit | null>)[] => {
  const { point } = probe
  return broken === null || point.members || fitsOf(point)[0] !== 'number' ? [] : [() => askCommented(probe, broken)]
}

/** Of every version there was, and of none that there will be. */
const read = (): Commented => commentedFor(randomInt(30_000, 50_000))
const passedOver = (): Commented => commentedFor(randomInt(900_000, 1_000_000))

const askCommented = async (probe: Probe, broken: Reply): Promise<BooleanHit | null> => {
  const baseline = await probe.baseline()
  const [usual] = baseline
  const noise = noiseOf(baseline)
  if (identical(broken, usual, noise)) return null
  const { value } = probe.point
  const ask = (text: string): Promise<Reply> => probe.send(`${value}${text}`, { language: 'sql' })
  const onTrue = await ask(passedOver().text)
  if (!identical(onTrue, usual, noise)) {
    if (identical(onTrue, broken, noise)) return null
    // Others may have changed the page since.
    if (!identical(onTrue, await probe.send(value), noise)) return null
  }
  const onFalse = await ask(read().text)
  const apart = 1 - likeness(onTrue, onFalse)
  if (apart <= Math.max(1e-9, 3 * noise)) return null
  probe.pursue()
  const references = { onTrue, onFalse, apart }
  const trials: BooleanTrial[] = []
  for (const truth of inTurn()) {
    const one = truth ? passedOver() : read()
    const answer = answerOf(await ask(one.text), references)
    trials.push({ predicate: one.text, truth, answer })
    // One wrong answer decides; the rest would only cost requests.
    if (answer !== (truth ? 'true' : 'false')) return null
  }
  const malformed = answerOf(await ask(passedOver().open), references)
  if (malformed === 'true') return null
  return {
    ...{ technique: 'boolean', boundary: BOUNDARY, apart, noise, trials, malformed },
    ...{ truePayload: onTrue.value, falsePayload: onFalse.value },
    ...excerptsOf(onTrue, onFalse),
    replay: `${onTrue.replay}\n${onFalse.replay}`,
  }
}

/** Half of them true, in random order. */
const inTurn = (): readonly boolean[] =>
  Array.from({ length: TRIALS }, (_, at) => ({ truth: at % 2 === 0, order: randomInt(1_000_000) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ truth }) => truth)

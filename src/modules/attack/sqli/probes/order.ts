/**
 * Rows that come in another order, and nothing else: the words of the page are the same, and so are its pairs of neighbours, as each cell of a table
 * stands between the same tags. Pages are compared word by word here, and only such as do not change by themselves.
 */
import { wordsOf } from '../../insertion-points/likeness.ts'
import { SUBJECT } from '../../insertion-points/packed.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import type { BooleanHit, BooleanTrial } from '../facts.ts'
import { isDirected, ORDERINGS } from '../payloads.ts'
import { falsePredicate, malformedPredicate, randomPredicates, truePredicate } from '../predicates.ts'
import { TRIALS } from './begun.ts'
import { excerptsOf } from './boolean.ts'
import { fitsOf } from './fits.ts'

/** Names of what rows are ordered by. */
const ORDERS = /sort|order|column|(?:^|[_-])(?:by|col|field)$/i

/** A parameter may be called anything: where its name does not tell, the first question does, whose true answer is the usual page to the word. */
export const orderWays = (probe: Probe): readonly (() => Promise<BooleanHit | null>)[] => {
  const { point } = probe
  if (point.members || !fitsOf(point).includes('name')) return []
  return ORDERINGS.slice(0, isOrder(point) ? ORDERINGS.length : 1).map((ordering) => () => askOrder(probe, ordering))
}

const isOrder = ({ name, value, within }: Probe['point']): boolean =>
  ORDERS.test(name) || isDirected(value) || (within?.steps.at(-1) === SUBJECT && /^sort\$/i.test(within.whole))

const isSame = (a: Reply, b: Reply): boolean => {
  if (a.status !== b.status) return false
  const [these, those] = [wordsOf(a), wordsOf(b)]
  return these.length === those.length
    ? these.every((word, at) => word === those[at])
    : isGrown(...(these.length < those.length ? ([these, those] as const) : ([those, these] as const)))
}

/** A list that grew meanwhile, as others store what it shows: the rows that were there stand in their order, among new ones. Their number may be said. */
const isGrown = (before: readonly string[], after: readonly string[]): boolean => {
  if (after.length > MOST_WORDS || after.length - before.length > after.length * MOST_NEW) return false
  return inCommon(before, after) >= before.length - COUNTS
}
const MOST_WORDS = 3_000
const MOST_NEW = 0.3
/** So many words may say how many rows there are. */
const COUNTS = 2

/** Length of the longest sequence of words that both have, in its order. */
const inCommon = (a: readonly string[], b: readonly string[]): number => {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const word of a) {
    const next = [0]
    for (const [at, other] of b.entries())
      next.push(word === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0))
    row = next
  }
  return row.at(-1) ?? 0
}

/** Share of the words that stand elsewhere. */
const apartOf = (a: Reply, b: Reply): number => {
  const [these, those] = [wordsOf(a), wordsOf(b)]
  const moved = these.filter((word, at) => word !== those[at]).length
  return a.status === b.status ? moved / Math.max(1, these.length) : 1
}

const askOrder = async (probe: Probe, ordering: (typeof ORDERINGS)[number]): Promise<BooleanHit | null> => {
  const [usual, again] = await probe.baseline()
  if (!isSame(usual, again)) return null
  const { value } = probe.point
  const send = (text: string): Promise<Reply> => probe.send(text, { language: 'sql' })
  const ask = (predicate: string): Promise<Reply> => send(ordering.with(value, predicate))
  const wanted = ordering.like(value)
  const like = wanted === value ? usual : await send(wanted)
  if (wanted !== value && (isSame(like, usual) || isSame(like, await probe.control()))) return null
  const onTrue = await ask(truePredicate().text)
  if (!isSame(onTrue, like)) return null
  const onFalse = await ask(falsePredicate().text)
  if (isSame(onFalse, onTrue)) return null
  probe.pursue()
  const answerOf = (reply: Reply): BooleanTrial['answer'] =>
    isSame(reply, onTrue) ? 'true' : isSame(reply, onFalse) ? 'false' : 'neither'
  const trials: BooleanTrial[] = []
  for (const { text, truth } of randomPredicates(TRIALS)) {
    const answer = answerOf(await ask(text))
    trials.push({ predicate: text, truth, answer })
    // One wrong answer decides; the rest would only cost requests.
    if (answer !== (truth ? 'true' : 'false')) return null
  }
  const malformed = answerOf(await ask(malformedPredicate()))
  if (malformed === 'true') return null
  return {
    ...{ technique: 'boolean', boundary: ordering.name, apart: apartOf(onTrue, onFalse), noise: 0, trials, malformed },
    ...{ truePayload: onTrue.value, falsePayload: onFalse.value },
    ...excerptsOf(onTrue, onFalse),
    replay: `${onTrue.replay}\n${onFalse.replay}`,
  }
}

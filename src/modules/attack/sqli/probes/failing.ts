/**
 * Where a page is another one each time, but fails in one way alone when the statement is broken: a registration takes a name once and refuses it from
 * then on. Conditions end in an error of the database, or do not.
 */
import { likeness } from '../../insertion-points/likeness.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import type { BooleanHit, BooleanTrial } from '../facts.ts'
import { BOUNDARIES, type Boundary } from '../payloads.ts'
import { falsePredicate, malformedPredicate, randomPredicates, truePredicate } from '../predicates.ts'
import { excerptsOf, TRIALS } from './boolean.ts'
import { fitsOf } from './fits.ts'

/** What is false ends in an error by these. */
const FAILING: ReadonlySet<string> = new Set(["text in ', joined", "text in ', added to", 'number, failing'])
const SAME = 0.98

/** `broken`: the answer to a value that no statement survives. */
export const failingWays = async (
  probe: Probe,
  broken: Reply,
): Promise<readonly (() => Promise<BooleanHit | null>)[]> => {
  const failed = (reply: Reply): boolean => reply.status === broken.status && likeness(reply, broken) >= SAME
  const usual = await probe.baseline()
  if (usual.some(failed) || failed(await probe.control())) return []
  const fits = fitsOf(probe.point)
  return BOUNDARIES.filter((one) => FAILING.has(one.name) && fits.includes(one.fits)).map(
    (one) => () => askThrough(probe, one, failed),
  )
}

const askThrough = async (
  probe: Probe,
  { name, with: put }: Boundary,
  failed: (reply: Reply) => boolean,
): Promise<BooleanHit | null> => {
  const ask = (predicate: string): Promise<Reply> => probe.send(put(probe.point.value, predicate), { language: 'sql' })
  const onTrue = await ask(truePredicate().text)
  if (failed(onTrue)) return null
  const onFalse = await ask(falsePredicate().text)
  if (!failed(onFalse)) return null
  probe.pursue()
  const answerTo = async (predicate: string): Promise<BooleanTrial['answer']> =>
    failed(await ask(predicate)) ? 'false' : 'true'
  const trials: BooleanTrial[] = []
  for (const { text, truth } of randomPredicates(TRIALS)) {
    const answer = await answerTo(text)
    trials.push({ predicate: text, truth, answer })
    if (answer !== (truth ? 'true' : 'false')) return null
  }
  const malformed = await answerTo(malformedPredicate())
  return {
    technique: 'boolean',
    boundary: `${name}, by its errors`,
    // An error or none, whatever else the page says.
    ...{ apart: 1, noise: 0, trials, malformed, truePayload: onTrue.value, falsePayload: onFalse.value },
    ...excerptsOf(onTrue, onFalse),
    replay: `${onTrue.replay}\n${onFalse.replay}`,
  }
}

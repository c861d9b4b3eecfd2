/**
 * Where a page is another one each time, but fails in one way alone when the statement is broken: a registration takes a name once and refuses it from
 * then on. Conditions end in an error of the database, or do not.
 */
import { identical, likeness, moves, noiseOf } from '../../insertion-points/likeness.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import type { BooleanHit, BooleanTrial } from '../facts.ts'
import { BOUNDARIES, type Boundary, WHOLE } from '../payloads.ts'
import { falsePredicate, malformedPredicate, truePredicate } from '../predicates.ts'
import { begunAt, isRefuted } from './begun.ts'
import { excerptsOf } from './boolean.ts'
import { fitsOf } from './fits.ts'
import { saysFailed, saysTaken, wordsOfFailure } from './said.ts'

/** What is false ends in an error by these. */
const FAILING: ReadonlySet<string> = new Set(["text in ', joined", "text in ', added to", 'number, failing'])
const SAME = 0.98
const LEAST = 0.01

/** `broken`: the answer to a value that no statement survives; `fits`: what is known to stand around it. */
export const failingWays = async (
  probe: Probe,
  broken: Reply,
  fits: readonly Boundary['fits'][] = fitsOf(probe.point),
): Promise<readonly (() => Promise<BooleanHit | null>)[]> => {
  const usual = await probe.baseline()
  const control = await probe.control()
  // A long page says in a few words that something failed.
  const apart = Math.min(...usual.map((one) => (one.status === broken.status ? 1 - likeness(one, broken) : 1)))
  const same = Math.max(SAME, 1 - apart / 4)
  const words = wordsOfFailure(broken, [...usual, control])
  const failed = (reply: Reply): boolean =>
    reply.status === broken.status && (likeness(reply, broken) >= same || saysFailed(words, reply))
  if (usual.some(failed) || failed(control)) return []
  return BOUNDARIES.filter((one) => FAILING.has(one.name) && fits.includes(one.fits)).map(
    (one) => () => askThrough(probe, one, failed),
  )
}

/**
 * Where few may be sent: what breaks a statement is answered otherwise than usual and the same with its quote doubled is not, or a number less nothing,
 * so that it stands in a statement and is not what is refused. Every database reads both. `broken` as above.
 */
export const askFailing = async (probe: Probe, broken: Reply): Promise<BooleanHit | null> => {
  if (probe.request.bound === undefined || probe.point.members) return null
  const { point } = probe
  if (!(await tellsOfFailure(probe, broken))) return null
  for (const { fits, with: put } of WHOLE.filter((one) => fitsOf(point).includes(one.fits))) {
    const begun = begunAt(probe, `whole ${fits}`)
    begun.onTrue ??= await probe.send(put(point.value), { language: 'sql' })
    if (!isWhole(begun.onTrue, broken, await probe.baseline())) continue
    // A statement that breaks and is whole again is worth what is promised to others.
    probe.pursue()
    for (const way of await failingWays(probe, broken, [fits])) {
      const hit = await way()
      if (hit !== null) return hit
    }
    return null
  }
  return null
}

/**
 * Whether an answer to quotes says that something failed, and not only what was sent: a page that shows values, or grows with each, is another one behind
 * any.
 */
export const tellsOfFailure = async (probe: Probe, broken: Reply): Promise<boolean> => {
  const usual = await probe.baseline()
  if (broken.status >= 500 && usual.every(({ status }) => status < 500)) return true
  const noise = noiseOf(usual)
  if (identical(broken, usual[0], noise)) return false
  const control = await probe.control()
  if (identical(broken, control, noise)) return false
  if (broken.status !== control.status) return true
  const { said, missing } = wordsOfFailure(broken, [...usual, control])
  const values = (probe.point.members ?? [probe.point]).map(({ value }) => value)
  return said.length + missing.length > 0 || !moves(control, usual, values)
}

const isWhole = (reply: Reply, broken: Reply, baseline: readonly [Reply, Reply]): boolean => {
  if (isOtherEnd(reply, broken)) return true
  if (reply.status === broken.status && saysTaken(wordsOfFailure(broken, baseline), reply)) return true
  // A page that counts and repeats is another one each time, by a word or two.
  const moved = Math.max(noiseOf(baseline), 1 - likeness(reply, baseline[0]), LEAST)
  return 1 - likeness(reply, broken) > 3 * moved
}

/** An error of the server and none: what its page says besides, as a list that grows, tells nothing. */
const isOtherEnd = (joined: Reply, broken: Reply): boolean => broken.status >= 500 && joined.status < 500

const askThrough = async (
  probe: Probe,
  { name, with: put }: Boundary,
  failed: (reply: Reply) => boolean,
): Promise<BooleanHit | null> => {
  const ask = (predicate: string): Promise<Reply> => probe.send(put(probe.point.value, predicate), { language: 'sql' })
  const begun = begunAt(probe, `${name}, failing`)
  begun.onTrue ??= await ask(truePredicate().text)
  const { onTrue, trials } = begun
  if (failed(onTrue)) return null
  begun.onFalse ??= await ask(falsePredicate().text)
  const { onFalse } = begun
  if (!failed(onFalse)) return null
  probe.pursue()
  const answerTo = async (predicate: string): Promise<BooleanTrial['answer']> =>
    failed(await ask(predicate)) ? 'false' : 'true'
  if (isRefuted(begun)) return null
  for (const { text, truth } of begun.predicates.slice(trials.length)) {
    const answer = await answerTo(text)
    trials.push({ predicate: text, truth, answer })
    if (answer !== (truth ? 'true' : 'false')) return null
  }
  const malformed = await answerTo(malformedPredicate())
  // Where what is none is answered as what is true nothing is proven, and other ways are open.
  if (malformed === 'true') return null
  return {
    technique: 'boolean',
    boundary: `${name}, by its errors`,
    ...(probe.request.bound === undefined ? {} : { byErrors: true as const }),
    // An error or none, whatever else the page says.
    ...{ apart: 1, noise: 0, trials, malformed, truePayload: onTrue.value, falsePayload: onFalse.value },
    ...excerptsOf(onTrue, onFalse),
    replay: `${onTrue.replay}\n${onFalse.replay}`,
  }
}

/** Lets the page answer questions: first one true and one false, then twelve at random, then one that is no SQL. */
import { identical, likeness, moves, noiseOf, readsBeginning } from '../../insertion-points/likeness.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { mayWiden } from '../../insertion-points/sign-in.ts'
import { MAY_WRITE } from '../../insertion-points/techniques.ts'
import { controlValue } from '../../insertion-points/word.ts'
import type { BooleanHit, BooleanTrial } from '../facts.ts'
import { BOUNDARIES, type Boundary } from '../payloads.ts'
import { falsePredicate, malformedPredicate, truePredicate } from '../predicates.ts'
import { begunAt, isRefuted } from './begun.ts'
import { fitsOf } from './fits.ts'

/** Trials that are asked once more behind a false one, where the answer is neither. */
const MOST_ANEW = 3
/** Two answers are the same page from here on, the page's own noise aside. */
const SAME = 0.98

export interface References {
  readonly onTrue: Reply
  readonly onFalse: Reply
  readonly apart: number
}

/** `broken` is the answer to a value that no statement survives; null where it was refused. */
export const booleanWays = async (
  probe: Probe,
  broken: Reply | null,
): Promise<readonly (() => Promise<BooleanHit | null>)[]> => {
  const baseline = await probe.baseline()
  const noise = noiseOf(baseline)
  const [usual] = baseline
  const other = await probe.control()
  const fits = fitsOf(probe.point)
  const { value } = probe.point
  // Where the value finds nothing, or finding it looks like not finding it, only more rows could show.
  const idle = !moves(other, baseline, [value])
  const narrows =
    broken === null || (idle ? moves(broken, baseline, [value]) : !readsBeginning(broken, other, baseline, value))
  // Nobody searches for a part of a number.
  const isNumber = fits[0] === 'number'
  const isOrder = fits[0] === 'order'
  const fitting = BOUNDARIES.filter((one) => fits.includes(one.fits) && !(isNumber && one.name.startsWith('pattern')))
  const tried = isOrder ? fitting.toSorted((a, b) => Number(a.fits === 'text') - Number(b.fits === 'text')) : fitting
  const safe = probe.request.effect === 'reads' && mayWiden(probe.request)
  if (idle && !narrows && !safe) probe.leave('boolean', MAY_WRITE)
  // What is only looked up, and found by its value, is not found by another.
  const keeps = ({ replaces }: Boundary): boolean => replaces !== true || idle || probe.request.effect !== 'reads'
  const failed = new Set<string>()
  const ask =
    (one: Boundary, ...how: readonly [Reply | null, Reply | null]) =>
    async (): Promise<BooleanHit | null> =>
      one.within !== undefined && failed.has(one.within)
        ? null
        : askThrough(probe, one, noise, ...how, () => failed.add(one.name))
  return [
    ...tried.filter((one) => narrows && one.kind === 'narrows' && keeps(one)).map((one) => ask(one, usual, null)),
    ...tried
      // Behind another method each row that a condition matches may be changed, whatever the request has shown so far, unless
      // it looks up who signs in; a link or form that says it writes may do so by a safe one.
      .filter((one) => one.kind === 'widens' && safe && (idle || (narrows && one.once === true)))
      .map((one) => ask(one, null, other)),
  ]
}

/** A quoted text, which other modules ask about as well, and a number. */
const isPlain = ({ kind, quote, name }: Boundary): boolean => kind === 'narrows' && (quote === "'" || name === 'number')

/**
 * Where few may be sent, before other places take them: a value that means nothing does not find what the place's own finds, what breaks the statement
 * finds as little, and a condition that holds finds it again.
 */
export const askFinding = async (probe: Probe, broken: Reply): Promise<BooleanHit | null> => {
  if (probe.request.bound === undefined || probe.point.members) return null
  const baseline = await probe.baseline()
  const other = await probe.control()
  const noise = noiseOf(baseline)
  if (!moves(other, baseline, [probe.point.value]) || !same(other, broken, noise)) return null
  const fits = fitsOf(probe.point)
  for (const boundary of BOUNDARIES.filter((one) => isPlain(one) && fits.includes(one.fits))) {
    const hit = await askThrough(probe, boundary, noise, baseline[0], null, () => undefined, true)
    if (hit !== null) return hit
  }
  return null
}

const same = (a: Reply, b: Reply, noise: number): boolean => likeness(a, b) >= SAME - noise

/**
 * Either the true page has to be the usual one, or it has to be more than nothing. `few`: fewer conditions tell as much, where what is none is answered
 * as what is false.
 */
const askThrough = async (
  probe: Probe,
  boundary: Boundary,
  noise: number,
  usual: Reply | null,
  nothing: Reply | null,
  failed: () => void,
  few = false,
): Promise<BooleanHit | null> => {
  const value = usual ? probe.point.value : controlValue(probe.point.value)
  const ask = (predicate: string): Promise<Reply> => probe.send(boundary.with(value, predicate), { language: 'sql' })
  const begun = begunAt(probe, boundary.name)
  begun.onTrue ??= usual && boundary.quote ? await probe.joined(boundary.quote) : await ask(truePredicate().text)
  const { onTrue } = begun
  // Where the page repeats what it is sent, the value that stood there shows in its place.
  const isUsual = async (one: Reply): Promise<boolean> =>
    usual !== null && (same(one, usual, noise) || (few && !moves(one, await probe.baseline(), [value])))
  if (usual ? !(await isUsual(onTrue)) : nothing && identical(onTrue, nothing, noise)) {
    failed()
    return null
  }
  // One question from being known.
  if (few) probe.pursue()
  begun.onFalse ??= await ask(falsePredicate().text)
  const { onFalse, trials } = begun
  const apart = 1 - likeness(onTrue, onFalse)
  if (apart <= Math.max(1e-9, 3 * noise)) return null
  probe.pursue()
  const references = { onTrue, onFalse, apart }
  let anew = MOST_ANEW
  if (isRefuted(begun)) return null
  for (const { text, truth } of begun.predicates.slice(trials.length)) {
    let answer = answerOf(await ask(text), references)
    if (answer === 'neither' && anew > 0) {
      // Some pages keep what the request before has found, and show it as well.
      anew -= 1
      await ask(falsePredicate().text)
      answer = answerOf(await ask(text), references)
    }
    trials.push({ predicate: text, truth, answer })
    // One wrong answer decides; the rest would only cost requests.
    if (answer !== (truth ? 'true' : 'false')) return null
  }
  const malformed = answerOf(await ask(malformedPredicate()), references)
  // Where what fails looks like what is true, these answers prove nothing, and another way may.
  if (malformed === 'true' || (few && malformed !== 'false')) return null
  return {
    technique: 'boolean',
    ...(probe.request.bound === undefined ? {} : { few: true as const }),
    boundary: boundary.name,
    apart,
    noise,
    trials,
    malformed,
    truePayload: onTrue.value,
    falsePayload: onFalse.value,
    ...excerptsOf(onTrue, onFalse),
    replay: `${onTrue.replay}\n${onFalse.replay}`,
  }
}

/** The nearer reference, if it is much nearer than the two references are to each other. */
export const answerOf = (reply: Reply, { onTrue, onFalse, apart }: References): BooleanTrial['answer'] => {
  const [toTrue, toFalse] = [1 - likeness(reply, onTrue), 1 - likeness(reply, onFalse)]
  if (toTrue <= apart / 3 && toTrue < toFalse) return 'true'
  if (toFalse <= apart / 3 && toFalse < toTrue) return 'false'
  return 'neither'
}

/** From where the two pages part. */
export const excerptsOf = (
  onTrue: Reply,
  onFalse: Reply,
): { readonly trueExcerpt: string; readonly falseExcerpt: string } => {
  let at = 0
  while (at < onTrue.text.length && onTrue.text[at] === onFalse.text[at]) at += 1
  const cut = (reply: Reply): string => `HTTP ${reply.status}\n${reply.text.slice(Math.max(0, at - 120), at + 300)}`
  return { trueExcerpt: cut(onTrue), falseExcerpt: cut(onFalse) }
}

/** Lets the page answer questions: first one true and one false, then twelve at random, then one that is no SQL. */
import { likeness, noiseOf } from '../../probing/likeness.ts'
import type { Probe, Reply } from '../../probing/prober.ts'
import type { BooleanHit, BooleanTrial } from '../facts.ts'
import { BOUNDARIES, type Boundary } from '../payloads.ts'
import { falsePredicate, malformedPredicate, randomPredicates, truePredicate } from '../predicates.ts'
import { fitsOf } from './fits.ts'

export const TRIALS = 12
/** Two answers are the same page from here on, the page's own noise aside. */
const SAME = 0.98

interface References {
  readonly onTrue: Reply
  readonly onFalse: Reply
  readonly apart: number
}

/** `broken` is the answer to a value that no statement survives, `other` to one that finds nothing. */
export const askBooleans = async (probe: Probe, broken: Reply, other: Reply): Promise<BooleanHit | null> => {
  const baseline = await probe.baseline()
  const noise = noiseOf(baseline)
  const [usual] = baseline
  const fits = fitsOf(probe.point)
  // Where the value finds nothing, or finding it looks like not finding it, only more rows could show.
  const idle = identical(other, usual, noise)
  const narrows = !idle || !identical(broken, usual, noise)
  const widens = idle && probe.request.effect === 'reads'
  const tried = BOUNDARIES.filter((one) => fits.includes(one.fits))
  for (const boundary of tried.filter((one) => narrows && one.kind === 'narrows')) {
    const hit = await askThrough(probe, boundary, noise, usual, null)
    if (hit) return hit
  }
  for (const boundary of tried.filter((one) => widens && one.kind === 'widens')) {
    const hit = await askThrough(probe, boundary, noise, null, other)
    if (hit) return hit
  }
  return null
}

/** Same kind, but a record that is not there. */
export const unlike = (value: string): string => (/^\d+$/.test(value) ? `${value}98765` : `${value}qzvkx`)

const same = (a: Reply, b: Reply, noise: number): boolean => likeness(a, b) >= SAME - noise

/** Not even one row more in a long page. */
export const identical = (a: Reply, b: Reply, noise: number): boolean =>
  1 - likeness(a, b) <= Math.max(3 * noise, 0.0005)

/** Either the true page has to be the usual one, or it has to be more than nothing. */
const askThrough = async (
  probe: Probe,
  boundary: Boundary,
  noise: number,
  usual: Reply | null,
  nothing: Reply | null,
): Promise<BooleanHit | null> => {
  const value = usual ? probe.point.value : unlike(probe.point.value)
  const ask = (predicate: string): Promise<Reply> => probe.send(boundary.with(value, predicate), { language: 'sql' })
  const onTrue = await ask(truePredicate().text)
  if (usual ? !same(onTrue, usual, noise) : nothing && identical(onTrue, nothing, noise)) return null
  const onFalse = await ask(falsePredicate().text)
  const apart = 1 - likeness(onTrue, onFalse)
  if (apart <= Math.max(1e-9, 3 * noise)) return null
  const references = { onTrue, onFalse, apart }
  const trials: BooleanTrial[] = []
  for (const { text, truth } of randomPredicates(TRIALS)) {
    const answer = answerOf(await ask(text), references)
    trials.push({ predicate: text, truth, answer })
    // One wrong answer decides; the rest would only cost requests.
    if (answer !== (truth ? 'true' : 'false')) return null
  }
  const malformed = answerOf(await ask(malformedPredicate()), references)
  return {
    technique: 'boolean',
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
const answerOf = (reply: Reply, { onTrue, onFalse, apart }: References): BooleanTrial['answer'] => {
  const [toTrue, toFalse] = [1 - likeness(reply, onTrue), 1 - likeness(reply, onFalse)]
  if (toTrue <= apart / 3 && toTrue < toFalse) return 'true'
  if (toFalse <= apart / 3 && toFalse < toTrue) return 'false'
  return 'neither'
}

/** From where the two pages part. */
const excerptsOf = (onTrue: Reply, onFalse: Reply): { readonly trueExcerpt: string; readonly falseExcerpt: string } => {
  let at = 0
  while (at < onTrue.text.length && onTrue.text[at] === onFalse.text[at]) at += 1
  const cut = (reply: Reply): string => `HTTP ${reply.status}\n${reply.text.slice(Math.max(0, at - 120), at + 300)}`
  return { trueExcerpt: cut(onTrue), falseExcerpt: cut(onFalse) }
}

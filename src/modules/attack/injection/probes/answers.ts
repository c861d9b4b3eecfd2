/** Puts questions whose answers are known to whatever reads the value, and sees whether the page knows them. */
import { randomBytes, randomInt } from 'node:crypto'
import { isSafe } from '../../../../safety/effect.ts'
import { unwatched } from '../../insertion-points/groups.ts'
import { identical, likeness, moves, noiseOf, readsBeginning } from '../../insertion-points/likeness.ts'
import { Blocked, type Probe, type Reply } from '../../insertion-points/prober.ts'
import { keyOf } from '../../insertion-points/reached.ts'
import { mayWiden } from '../../insertion-points/sign-in.ts'
import { firstOf, MAY_WRITE, mindsQuotes } from '../../insertion-points/techniques.ts'
import { controlValue } from '../../insertion-points/word.ts'
import type { AnswersHit } from '../facts.ts'
import { QUESTIONERS, type Questioner } from '../questions.ts'
import { eachMember } from './built.ts'
import { classNameWays } from './class-names.ts'
import { operatorNameWays, operatorWays } from './operators.ts'
import { serializedWays } from './serialized.ts'

const TRIALS = 8
const SAME = 0.98

export interface Way extends Pick<Questioner, 'quote' | 'within' | 'flavour' | 'mode' | 'holds' | 'exact'> {
  readonly kind: AnswersHit['kind']
  /** Questions of a language have two shapes for each truth: `turn` says which. */
  readonly ask: (truth: boolean, turn: number) => Promise<{ readonly question: string; readonly reply: Reply }>
  readonly malformed: () => Promise<Reply>
  /** What shows nothing, where a value that means nothing is shown otherwise than what is put in its place; by default that value. */
  readonly nothing?: () => Promise<Reply>
  /** Questions of the shapes and operands of true and of false ones that nothing can answer: who tells them apart knows shapes, and no answers. */
  readonly unknown?: () => Promise<{ readonly true: readonly Reply[]; readonly false: readonly Reply[] }>
  /** The value as it is worked out; languages share it. */
  readonly holding?: () => Promise<Reply>
  /** What a language that reads the value ends in an error by; languages that write alike share one. */
  readonly failing?: () => Promise<Reply>
}

/**
 * Where the value shows something, questions that leave it so; elsewhere those that show more. `kinds`: of these languages alone.
 */
export const questionWays = async (
  probe: Probe,
  kinds?: ReadonlySet<string>,
): Promise<readonly (() => Promise<AnswersHit | null>)[]> => {
  const baseline = await probe.baseline()
  const control = await probe.control()
  const mode = moves(control, baseline, [probe.point.value]) ? 'narrows' : 'widens'
  if (mode === 'widens' && !mayWiden(probe.request)) probe.leave('nosql', MAY_WRITE)
  const all = (await isBeginning(probe)) ? [] : languageWays(probe, mode, await mindsQuotes(probe, false))
  if (kinds) return all.filter(({ kind }) => kinds.has(kind)).map((way) => () => askThrough(probe, way))
  // Where few may be sent, those about expressions went before: see expressionWays.
  const languages = probe.request.bound === undefined ? all : all.filter((way) => !isOfExpressions(way))
  // The first of them went before, too, where a body holds the value: see soonestWays.
  const operators = operatorWays(probe, mode, word).slice(isSoonest(probe) && mode === 'narrows' ? 1 : 0)
  // A number is made one of a text alone: an object goes as it is, with a text in it that is like no number.
  const any = mode === 'narrows' && /^\d+$/.test(probe.point.value) && mayWiden(probe.request)
  const others = any && !probe.point.members ? operatorWays(probe, 'widens', word).slice(0, 1) : []
  return [...operators, ...others, ...languages].map((way) => () => askThrough(probe, way))
}

/** Of values that are objects, of a group each of its members. */
export const objectWays = (probe: Probe): readonly (() => Promise<AnswersHit | null>)[] =>
  // What the others of a group hold stands as it is, so that its answers are not those to values that mean nothing.
  eachMember(unwatched(probe)).flatMap((one) =>
    [...serializedWays(one), ...classNameWays(one)].map((way) => () => askThrough(one, way)),
  )

/** Where a place is asked by hardly anything: a page that begins anew where a value is no object shows nothing by other texts. */
export const askObjects = async (probe: Probe, found: (hit: AnswersHit) => void): Promise<void> => {
  const hit = await firstOf(objectWays(probe))
  if (hit) found(hit)
}

/** Of a body of JSON, which may be sent a few times only by the time that all else was asked: the operator that most databases know. */
export const soonestWays = (probe: Probe): readonly (() => Promise<AnswersHit | null>)[] =>
  isSoonest(probe)
    ? operatorWays(probe, 'narrows', word)
        .slice(0, 1)
        .map((way) => () => askThrough(probe, way))
    : []

/** Of any request with a body: mostly one request tells that there is no database that reads operators. */
export const operatorNamesAsked = (probe: Probe): readonly (() => Promise<AnswersHit | null>)[] => {
  const isLike = async (one: Reply, other: Reply): Promise<boolean> =>
    one.status === other.status && likeness(one, other) >= SAME - noiseOf(await probe.baseline())
  return operatorNameWays(probe, word, isLike).map((way) => async () => {
    if (isFragile(probe, way) || noteSilence(probe, way, await way.first())) return null
    return (await way.doubt()) ? null : askThrough(probe, way)
  })
}

/** By run: questions by operators that were not answered. */
const silences = new WeakMap<Probe['turns'], Set<Reply>>()
/** A server may end at each of them: so many are enough to leave the others. */
const MOST_SILENT = 2
const UNANSWERED = 'of a server that did not answer questions by operators, and may have died of them'

const isByOperators = ({ kind, flavour }: Way): boolean => kind === 'nosql' && flavour.includes('operator')

/** Whether no more of these are asked. */
const isFragile = (probe: Probe, way: Way): boolean => {
  const isLeft = isByOperators(way) && (silences.get(probe.turns)?.size ?? 0) >= MOST_SILENT
  if (isLeft) probe.leave(way.kind, UNANSWERED)
  return isLeft
}

/** Whether it was none: silence is no answer, and is not asked for again. */
const noteSilence = (probe: Probe, way: Way, reply: Reply): boolean => {
  if (reply.status !== 0) return false
  if (isByOperators(way)) silences.set(probe.turns, new Set([...(silences.get(probe.turns) ?? []), reply]))
  probe.leave(way.kind, isByOperators(way) ? UNANSWERED : 'where a question was not answered')
  return true
}

const isSoonest = ({ request: { method }, point: { place } }: Probe): boolean => place === 'json' && !isSafe(method)

/** Of these the questions about code that stands for the whole value: where few may be sent, they are worth more than most. */
export const expressionWays = (probe: Probe): readonly (() => Promise<AnswersHit | null>)[] =>
  languageWays(probe, 'narrows', false)
    .filter(isOfExpressions)
    .map((way) => () => askThrough(probe, way))

/** A number is most often none: what is asked of it waits its turn. */
const isOfExpressions = ({ kind, within, holds }: Way): boolean =>
  kind === 'code' && within === undefined && holds === undefined

/** False where something refuses to be asked: the questions may pass. */
const isBeginning = async (probe: Probe): Promise<boolean> => {
  try {
    return readsBeginning(await probe.broken(), await probe.control(), await probe.baseline(), probe.point.value)
  } catch (error) {
    if (error instanceof Blocked) return false
    throw error
  }
}

/** Of an even number of letters with an even turn: the shape of a question goes by that. */
export const word = (turn = randomInt(2)): string =>
  `q${randomBytes(8)
    .toString('hex')
    .replace(/\d/g, 'x')
    .slice(0, 2 * randomInt(3, 6) - 1 + (turn % 2))}`

const languageWays = (probe: Probe, mode: Questioner['mode'], quoted: boolean): readonly Way[] => {
  // Directories and documents in XML are only read by their questions; others may be changed where they match.
  const asked = ({ kind, mode: own, fits, within }: Questioner): boolean =>
    // What fails within quotes shows so whether or not the value itself shows.
    (own === mode || (kind === 'code' && within !== undefined)) &&
    (within === undefined || quoted) &&
    (own === 'narrows' || kind !== 'nosql' || isSafe(probe.request.method)) &&
    (fits?.(probe.point.name, probe.point.value) ?? true)
  const sent = new Map<string, Promise<Reply>>()
  const once = (text: string): Promise<Reply> => {
    const reply = sent.get(text) ?? probe.send(text)
    sent.set(text, reply)
    return reply
  }
  return QUESTIONERS.filter(asked).map((one) => {
    const value = one.mode === 'narrows' ? probe.point.value : controlValue(probe.point.value)
    const send = (question: string): Promise<Reply> => probe.send(one.with(value, question))
    const { fails, holds } = one
    return {
      ...one,
      ...(holds && { holding: () => once(holds(value)) }),
      ...(fails && { failing: () => once(fails(value)) }),
      ask: async (truth, turn) => {
        const question = one.ask(truth, word(turn), value)
        return { question, reply: await send(question) }
      },
      malformed: () => send(one.malformed),
    }
  })
}

/** What a way was answered so far, each question by its name; and in which order the questions of its proof are asked. */
interface Begun {
  readonly answers: Map<string, unknown>
  readonly order: readonly { readonly truth: boolean; readonly turn: number }[]
}
const byRun = new WeakMap<Probe['turns'], Map<string, Begun>>()

/** Kept for the run where few may be sent: asked again, with what was kept of its form's few requests, the proof goes on where it stopped. */
const begunAt = ({ request, point, turns }: Probe, { kind, flavour, mode }: Way): Begun => {
  const known = byRun.get(turns) ?? new Map<string, Begun>()
  byRun.set(turns, known)
  const key = `${keyOf(point)} ${kind} ${flavour} ${mode}`
  // Both shapes of each: a page that shows the value in a coding of its own tells shapes apart, and no truth.
  const order = Array.from({ length: TRIALS }, (_, index) => ({
    ...{ truth: index % 2 === 0, turn: index >> 1, at: randomInt(1_000_000) },
  })).toSorted((a, b) => a.at - b.at)
  const begun = known.get(key) ?? { answers: new Map(), order }
  if (request.bound !== undefined && !point.members) known.set(key, begun)
  return begun
}

const remembering =
  ({ answers }: Begun) =>
  async <Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer> => {
    if (!answers.has(what)) answers.set(what, await ask())
    return answers.get(what) as Answer
  }

export const askThrough = async (probe: Probe, way: Way): Promise<AnswersHit | null> => {
  if (isFragile(probe, way)) return null
  const begun = begunAt(probe, way)
  const once = remembering(begun)
  const baseline = await probe.baseline()
  const noise = noiseOf(baseline)
  if (way.quote && likeness(await probe.joined(way.quote), baseline[0]) < SAME - noise) return null
  // A page that shows the value again shows another text in its place, and may be as it was in all else.
  const own = [probe.point.value]
  if (way.holding && moves(await way.holding(), baseline, own)) return null
  if (way.failing && !moves(await way.failing(), baseline, own)) return null
  const onTrue = await once('true', async () => (await way.ask(true, 0)).reply)
  if (noteSilence(probe, way, onTrue)) return null
  const nothing = await once('nothing', way.nothing ?? (() => probe.control()))
  const isOther = way.mode === 'narrows' && likeness(onTrue, baseline[0]) < SAME - noise
  if (way.mode === 'narrows' ? isOther && moves(onTrue, baseline, own) : identical(onTrue, nothing, noise)) return null
  if (way.exact && !identical(onTrue, baseline[0], noise)) return null
  const onFalse = await once('false', async () => (await way.ask(false, 0)).reply)
  if (noteSilence(probe, way, onFalse)) return null
  if (way.mode === 'widens' && !identical(onFalse, nothing, noise)) return null
  const apart = 1 - likeness(onTrue, onFalse)
  if (apart <= Math.max(0.0005, 3 * noise)) return null
  probe.pursue()
  const answerOf = (reply: Reply): 'true' | 'false' | 'neither' => {
    const [toTrue, toFalse] = [1 - likeness(reply, onTrue), 1 - likeness(reply, onFalse)]
    if (toTrue <= apart / 3 && toTrue < toFalse) return 'true'
    return toFalse <= apart / 3 && toFalse < toTrue ? 'false' : 'neither'
  }
  const trials: AnswersHit['trials'][number][] = []
  for (const [index, { truth, turn }] of begun.order.entries()) {
    const { question, reply } = await once(`trial ${index}`, () => way.ask(truth, turn))
    if (noteSilence(probe, way, reply)) return null
    const answer = answerOf(reply)
    trials.push({ question, truth, answer })
    if (answer !== (truth ? 'true' : 'false')) return null
  }
  const none = { true: [], false: [] }
  const unknown = await once('unknown', async () => (await way.unknown?.()) ?? none)
  const apartest = Math.max(0, ...unknown.true.flatMap((one) => unknown.false.map((other) => 1 - likeness(one, other))))
  if (apartest > apart / 3) return null
  const malformed = answerOf(await once('malformed', way.malformed))
  const { kind, flavour } = way
  const excerpt = `true: HTTP ${onTrue.status}, ${onTrue.text.length} characters\nfalse: HTTP ${onFalse.status}, ${onFalse.text.length} characters`
  return {
    kind,
    proof: 'answers',
    flavour,
    apart,
    noise,
    trials,
    malformed,
    excerpt,
    replay: `${onTrue.replay}\n${onFalse.replay}`,
  }
}

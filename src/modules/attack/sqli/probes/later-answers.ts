/** Stores questions in place of a value, and sees whether a page behind another statement knows the answers. */
import { identical, likeness, steadied } from '../../insertion-points/likeness.ts'
import { conjunction, type Probe, type Reply } from '../../insertion-points/prober.ts'
import type { BooleanTrial, LaterAnswersHit } from '../facts.ts'
import { falsePredicate, malformedPredicate, randomPredicates, truePredicate } from '../predicates.ts'
import { answerOf, excerptsOf } from './boolean.ts'

/** What stores a value, null where it is not taken any more; and what a page says then. */
export interface Storing {
  readonly store: (value: string) => Promise<Reply | null>
  readonly read: (page: string) => Promise<Pick<Reply, 'status' | 'text'>>
}

/** Each stays in the site, until the next takes its place. */
export const LATER_TRIALS = 8

/** What each page said, behind what was stored. */
type Said = ReadonlyMap<string, Reply>

/**
 * `broken`: the answer to a value with quotes, which was stored just now. A page that shows something for a condition which holds, and
 * nothing for the broken value, reads it; some at random are asked then. The value that stood there is stored at the end.
 */
export const askLaterAnswers = async (
  probe: Probe,
  pages: readonly string[],
  broken: Reply,
  storing: Storing,
): Promise<LaterAnswersHit | null> => {
  const sent = [broken.value]
  const look = async (stored: Reply, of: readonly string[]): Promise<Said> => {
    sent.push(stored.value)
    const said = await Promise.all(
      of.map(async (page) => [page, { ...stored, ...(await storing.read(page)), location: '' }] as const),
    )
    // A list shows what was stored before, too.
    return new Map(said.map(([page, reply]) => [page, { ...reply, echoes: [...sent] }]))
  }
  const ask = (predicate: string): Promise<Reply | null> =>
    storing.store(conjunction(probe.point.value, "'", predicate))
  const [once, again] = [await look(broken, pages), await look(broken, pages)]
  const stored = await ask(truePredicate().text)
  if (!stored) return null
  const onTrue = await look(stored, pages)
  for (const page of pages) {
    const [first, second, shown] = [once.get(page), again.get(page), onTrue.get(page)]
    if (!first || !second || !shown || shown.status >= 400) continue
    const [usual] = steadied([first, second])
    const varying = usual.varying ? { varying: usual.varying } : {}
    const seen = { ...shown, ...varying }
    if (identical(seen, usual, 0)) continue
    probe.pursue()
    const hit = await askPage(page, seen, ask, async (reply) => {
      const said = (await look(reply, [page])).get(page)
      return said ? { ...said, ...varying } : null
    })
    await storing.store(probe.point.value)
    if (hit) return hit
  }
  return null
}

const askPage = async (
  page: string,
  onTrue: Reply,
  ask: (predicate: string) => Promise<Reply | null>,
  look: (stored: Reply) => Promise<Reply | null>,
): Promise<LaterAnswersHit | null> => {
  const answer = async (predicate: string): Promise<Reply | null> => {
    const stored = await ask(predicate)
    return stored && look(stored)
  }
  const onFalse = await answer(falsePredicate().text)
  if (!onFalse) return null
  const apart = 1 - likeness(onTrue, onFalse)
  if (apart <= 1e-9) return null
  const references = { onTrue, onFalse, apart }
  const trials: BooleanTrial[] = []
  for (const { text, truth } of randomPredicates(LATER_TRIALS)) {
    const reply = await answer(text)
    const first = reply && answerOf(reply, references)
    // Somebody else may have stored another value in between.
    const second = first === (truth ? 'true' : 'false') ? null : await answer(text)
    const told = second ? answerOf(second, references) : first
    if (!told) return null
    trials.push({ predicate: text, truth, answer: told })
    if (told !== (truth ? 'true' : 'false')) return null
  }
  const last = await answer(malformedPredicate())
  const malformed = last ? answerOf(last, references) : 'neither'
  if (malformed === 'true') return null
  const read = `curl -isk '${page}'`
  return {
    ...{ technique: 'later-answers', page, boundary: "text in '", apart, noise: 0, trials, malformed },
    ...{ truePayload: onTrue.value, falsePayload: onFalse.value },
    ...excerptsOf(onTrue, onFalse),
    replay: [onTrue.replay, read, onFalse.replay, read].join('\n'),
  }
}

/** Stores questions in place of a value, and sees whether a page behind another statement knows the answers. */
import { identical, likeness, steadied as steadiedPair } from '../../insertion-points/likeness.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { conjunction } from '../../insertion-points/word.ts'
import type { BooleanTrial, LaterAnswersHit } from '../facts.ts'
import { BOUNDARIES } from '../payloads.ts'
import { falsePredicate, malformedPredicate, randomPredicates, truePredicate } from '../predicates.ts'
import { answerOf, excerptsOf } from './boolean.ts'

/** What stores a value, null where it is not taken any more; and what a page says then. */
export interface Storing {
  readonly store: (value: string) => Promise<Reply | null>
  /** `stored`: the answer behind which it is read. */
  readonly read: (page: string, stored: Reply) => Promise<Shown>
  /** Pages that said the same before the broken value was stored: what they say by themselves is known. */
  readonly still?: ReadonlySet<string>
}

/** `address`: of the page, where that is another for each answer. */
export type Shown = Pick<Reply, 'status' | 'text'> & { readonly address?: string }

/** Each stays in the site, until the next takes its place. */
export const LATER_TRIALS = 8

/** What each page said, behind what was stored. */
type Said = ReadonlyMap<string, Reply>

/**
 * `broken`: the answer to a value with quotes, which was stored just now; `shown`: what the pages said then. A page that shows something for a condition which holds, and
 * nothing for the broken value, reads it; some at random are asked then. The value that stood there is stored at the end.
 */
export const askLaterAnswers = async (
  probe: Probe,
  shown: ReadonlyMap<string, Shown>,
  broken: Reply,
  storing: Storing,
): Promise<LaterAnswersHit | null> => {
  const pages = [...shown.keys()]
  const sent = [broken.value]
  // A list shows what was stored before, too.
  const saidBy = (stored: Reply, { status, text, address }: Shown): Reply => ({
    ...{ ...stored, status, text, location: '', echoes: [...sent] },
    ...(address === undefined ? {} : { replay: `${stored.replay}\ncurl -isk '${address}'` }),
  })
  const look = async (stored: Reply, of: readonly string[]): Promise<Said> => {
    sent.push(stored.value)
    return new Map(
      await Promise.all(of.map(async (page) => [page, saidBy(stored, await storing.read(page, stored))] as const)),
    )
  }
  const { value } = probe.point
  const store = (way: Way, predicate: string): Promise<Reply | null> => storing.store(way.with(value, predicate))
  const once = new Map([...shown].map(([page, now]) => [page, saidBy(broken, now)]))
  const again = await look(
    broken,
    pages.filter((page) => storing.still?.has(page) !== true),
  )
  const moving = [...again.keys()].filter((page) => !isSame(once.get(page), again.get(page)))
  const known = [...once].filter(([page]) => !again.has(page))
  const usual = new Map([...known, ...steadied(once, again, new Map([...again, ...(await look(broken, moving))]))])
  const stored = await store(AND, truePredicate().text)
  if (!stored) return null
  const onTrue = await look(stored, pages)
  const steadyAt = (page: string, reply: Reply): Reply => {
    const { varying } = usual.get(page) ?? {}
    return varying ? { ...reply, varying } : reply
  }
  /** Pages that are another one for the same value, too: a list has one entry more for each. */
  const growing = async (some: readonly string[]): Promise<ReadonlySet<string>> => {
    const anew = await storing.store(broken.value)
    const said = anew ? await look(anew, some) : new Map<string, Reply>()
    return new Set(
      some.filter((page) => {
        const [now, known] = [said.get(page), usual.get(page)]
        return !now || !known || !identical(steadyAt(page, now), known, 0)
      }),
    )
  }
  const others = [...onTrue].filter(([page, first]) => {
    const known = usual.get(page)
    return known && first.status < 400 && !identical(steadyAt(page, first), known, 0)
  })
  const second = await look(
    stored,
    others.map(([page]) => page),
  )
  const lasting = others.filter(([page, first]) => {
    const last = second.get(page)
    return last !== undefined && identical(steadyAt(page, first), steadyAt(page, last), 0)
  })
  const lists = lasting.length === 0 ? new Set() : await growing(lasting.map(([page]) => page))
  for (const [page, first] of lasting) {
    if (lists.has(page)) continue
    const steady = (reply: Reply): Reply => steadyAt(page, reply)
    probe.pursue()
    const read = async (reply: Reply): Promise<Reply | null> => {
      const said = (await look(reply, [page])).get(page)
      return said ? steady(said) : null
    }
    const hit =
      (await askPage(page, AND, steady(first), store, read)) ?? (await askPage(page, FAILING, null, store, read))
    await storing.store(value)
    if (hit) return hit
  }
  return null
}

interface Way {
  readonly name: string
  readonly with: (value: string, predicate: string) => string
}

const AND: Way = { name: "text in '", with: (value, predicate) => conjunction(value, "'", predicate) }
/** Where the value finds nothing, true or not. */
const FAILING: Way = {
  name: "text in ', joined",
  with: (value, predicate) => BOUNDARIES.find(({ name }) => name === "text in ', joined")?.with(value, predicate) ?? '',
}

const isSame = (a: Reply | undefined, b: Reply | undefined): boolean =>
  a !== undefined && b !== undefined && identical(a, b, 0)

/** What pages say, those aside that are another each time; with what they change by themselves. */
const steadied = (once: Said, again: Said, third: Said): Said =>
  new Map(
    [...once].flatMap(([page, first]) => {
      const [second, last] = [again.get(page), third.get(page)]
      if (!second || !last) return []
      const [usual] = steadiedPair([first, second], last)
      const varying = usual.varying ? { varying: usual.varying } : {}
      return [second, last].every((one) => identical({ ...one, ...varying }, usual, 0)) ? [[page, usual] as const] : []
    }),
  )

const askPage = async (
  page: string,
  way: Way,
  known: Reply | null,
  store: (way: Way, predicate: string) => Promise<Reply | null>,
  read: (stored: Reply) => Promise<Reply | null>,
): Promise<LaterAnswersHit | null> => {
  const answer = async (predicate: string): Promise<Reply | null> => {
    const stored = await store(way, predicate)
    return stored && read(stored)
  }
  const onTrue = known ?? (await answer(truePredicate().text))
  const onFalse = onTrue && (await answer(falsePredicate().text))
  if (!onTrue || !onFalse) return null
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
  return {
    ...{ technique: 'later-answers', page, boundary: way.name, apart, noise: 0, trials, malformed },
    ...{ truePayload: onTrue.value, falsePayload: onFalse.value },
    ...excerptsOf(onTrue, onFalse),
    replay: [onTrue.replay, onFalse.replay].join('\n'),
  }
}

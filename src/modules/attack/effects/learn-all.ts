/**
 * Learns of many requests at once: those that show on one page one after another, as one would be taken for the other. What is said once to whoever has
 * the session, or stands on every page, is seen by all: what that may be the work of is learned once more, alone.
 */
import { isSafe } from '../../../safety/effect.ts'
import { formOf } from '../../../safety/form.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { familiesOf } from '../insertion-points/likes.ts'
import { type Learned, type LearnParts, learn } from './learn.ts'

const AT_ONCE = 4

/** So many forms of one program that store, answered alike, speak for the others: it stores for each of its records. */
const OF_A_PROGRAM = 4

/**
 * `isOver`: nothing is begun from then on. `each` is told of one as soon as it is known. Of the requests of one form the first
 * is sent, and what it shows holds for all. Of forms that one program has for each of many records the first are sent, and where all of
 * them store the others do; what reads is learned of each, as it is asked more.
 */
export const learnAll = async (
  templates: readonly RequestTemplate[],
  parts: LearnParts,
  isOver: () => boolean,
  each: (template: RequestTemplate, learned: Learned) => void,
): Promise<void> => {
  const forms = [...Map.groupBy(templates, formOf).values()]
  const lines = [...Map.groupBy(forms, ([first]) => first?.seenOn[0] ?? first?.url ?? '').values()]
  const programs = programsOf(forms.flatMap(([first]) => first ?? []))
  const overlaps = createOverlaps()
  const doubtful: Doubtful[] = []
  const tell = ({ line: [first, ...others], learned }: Doubtful): void => {
    if (first !== undefined) each(first, learned)
    for (const other of others) each(other, { ...learned, sent: 0, answer: null })
  }
  const worker = async (): Promise<void> => {
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      for (const form of line) {
        const [first] = form
        if (isOver() || first === undefined) return
        const program = programs.get(first.id)
        const known = program && storing(program.learned)
        if (known) {
          tell({ line: form, learned: { ...known, sent: 0, answer: null } })
          continue
        }
        const overlap = overlaps.begin(!isSafe(first.method))
        const learned = await learn(first, parts).finally(overlap.end)
        if (learned.doubtful && overlap.wasBeside() && !parts.careful) {
          doubtful.push({ line: form, learned })
          continue
        }
        program?.learned.push(learned)
        tell({ line: form, learned })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  for (const { line, learned } of doubtful) {
    const [first] = line
    const again = first === undefined || isOver() ? null : await learn(first, parts)
    tell({ line, learned: again === null ? learned : { ...again, sent: learned.sent + again.sent } })
  }
}

interface Doubtful {
  /** Requests of one form. */
  readonly line: readonly RequestTemplate[]
  readonly learned: Learned
}

/** What went on beside one another, of which some may write. */
const createOverlaps = () => {
  const running = new Set<{ readonly writes: boolean; beside: boolean }>()
  return {
    begin: (writes: boolean) => {
      const one = { writes, beside: [...running].some((other) => other.writes) }
      if (writes) for (const other of running) other.beside = true
      running.add(one)
      return { end: () => void running.delete(one), wasBeside: () => one.beside }
    },
  }
}

interface Program {
  readonly learned: Learned[]
}

/** By the id of a request that is one of many of one program. */
const programsOf = (templates: readonly RequestTemplate[]): ReadonlyMap<string, Program> => {
  const posted = templates.filter(({ method, encoding }) => !isSafe(method) && encoding === 'urlencoded')
  const families = familiesOf(posted.map(requestOf), () => true)
  return new Map(
    families.flatMap((family) => {
      const program: Program = { learned: [] }
      return family.map(({ request }) => [request.id, program] as const)
    }),
  )
}

/** What all that were sent have shown; null where they are too few, or not all of them store and are answered alike. */
const storing = (learned: readonly Learned[]): Learned | null => {
  const [first] = learned
  const isAlike = learned.every(
    ({ seen, answer }) => seen === 'writes' && answer !== null && answer.status === first?.answer?.status,
  )
  return first && isAlike && learned.length >= OF_A_PROGRAM ? first : null
}

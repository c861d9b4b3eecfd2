/** Learns of many requests at once: those that show on one page one after another, as one would be taken for the other. */
import { formOf } from '../../../safety/form.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { type Learned, type LearnParts, learn } from './learn.ts'

const AT_ONCE = 4

/**
 * `isOver`: nothing is begun from then on. `each` is told of one as soon as it is known. Of the requests of one form the first
 * is sent, and what it shows holds for all.
 */
export const learnAll = async (
  templates: readonly RequestTemplate[],
  parts: LearnParts,
  isOver: () => boolean,
  each: (template: RequestTemplate, learned: Learned) => void,
): Promise<void> => {
  const forms = [...Map.groupBy(templates, formOf).values()]
  const lines = [...Map.groupBy(forms, ([first]) => first?.seenOn[0] ?? first?.url ?? '').values()]
  const worker = async (): Promise<void> => {
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      for (const [first, ...others] of line) {
        if (isOver() || first === undefined) return
        const learned = await learn(first, parts)
        each(first, learned)
        for (const other of others) each(other, { ...learned, sent: 0, answer: null })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

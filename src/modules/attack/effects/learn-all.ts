/** Learns of many requests at once: those that show on one page one after another, as one would be taken for the other. */
import type { RequestTemplate } from '../crawl/facts.ts'
import { type Learned, type LearnParts, learn } from './learn.ts'

const AT_ONCE = 4

/** `isOver`: nothing is begun from then on. `each` is told of one as soon as it is known. */
export const learnAll = async (
  templates: readonly RequestTemplate[],
  parts: LearnParts,
  isOver: () => boolean,
  each: (template: RequestTemplate, learned: Learned) => void,
): Promise<void> => {
  const lines = [...Map.groupBy(templates, ({ seenOn, url }) => seenOn[0] ?? url).values()]
  const worker = async (): Promise<void> => {
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      for (const template of line) {
        if (isOver()) return
        each(template, await learn(template, parts))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

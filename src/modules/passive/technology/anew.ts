/** Release lines of the stored inventory by what is known of them today. What runs there is as it was seen. */
import type { Anew } from '../../anew.ts'
import { type EndOfLife, holdsEvidence, type TechnologyFacts } from './facts.ts'
import { lineOf, linesOf, openCycles } from './release-lines.ts'

type Version = Pick<EndOfLife, 'product' | 'version'>

export const anewTechnology: Anew<TechnologyFacts, unknown> = {
  suffices: (facts) => holdsEvidence(facts) && Array.isArray(facts.endOfLife),
  questions: ({ technologies, endOfLife }) =>
    technologies.flatMap(({ name: product, version }) => {
      if (version === null) return []
      const line = endOfLife.find((one) => one.product === product && one.version === version)
      return [{ question: JSON.stringify({ product, version } satisfies Version), answer: answerOf(line ?? null) }]
    }),
  answers: (questions, folder) => {
    const known = openCycles(folder)
    try {
      return questions.map((question) => answerOf(lineOf(JSON.parse(question) as Version, known)))
    } finally {
      known.close()
    }
  },
  facts: async (facts, _known, { knowledge }) => {
    const known = openCycles(knowledge)
    try {
      const endOfLife = linesOf(facts.technologies, known)
      return { ...facts, endOfLife, knowledge: { ...facts.knowledge, endoflife: known.version } }
    } finally {
      known.close()
    }
  },
  because: (before, now): Readonly<Record<string, string>> => {
    const { endoflife } = now.knowledge
    const differs = JSON.stringify(before.endOfLife.map(answerOf)) !== JSON.stringify(now.endOfLife.map(answerOf))
    return differs && endoflife !== undefined && before.knowledge.endoflife !== endoflife ? { endoflife } : {}
  },
}

const answerOf = (line: Pick<EndOfLife, 'cycle' | 'end'> | null): string =>
  line === null ? '' : `${line.cycle} ${line.end}`

/** Stored components matched by the feeds of today. */
import { severityOfScore } from '../../../knowledge/cve/record.ts'
import { openCveKnowledge } from '../../../knowledge/feeds/cve-knowledge.ts'
import type { Anew } from '../../anew.ts'
import { holdsEvidence, type TechnologyFacts } from '../technology/facts.ts'
import { collectCve } from './collect.ts'
import type { Component, ComponentCve, CveFacts } from './facts.ts'
import { lookUp, type Subject, subjectsOf } from './look-up.ts'

type Known = { readonly technology: TechnologyFacts }

export const anewCve: Anew<CveFacts, Known> = {
  suffices: (facts, { technology }) => Array.isArray(facts.components) && holdsEvidence(technology),
  questions: ({ components }, { technology: { technologies } }) =>
    technologies
      .flatMap(subjectsOf)
      .filter(({ keys }) => keys.length > 0)
      .map((subject) => {
        const stored = components.find((one) => one.product === subject.product && one.version === subject.version)
        return { question: JSON.stringify(subject), answer: stored === undefined ? null : answerOf(stored) }
      }),
  answers: (questions, folder) => {
    const knowledge = openCveKnowledge(folder)
    try {
      return questions.map((question) => answerOf(lookUp(JSON.parse(question) as Subject, knowledge)))
    } finally {
      knowledge.close()
    }
  },
  facts: (_facts, { technology }, day) => collectCve(day, technology),
  because,
}

/** Which records apply and how gravely, not how they word it. Facts of older runs do not say who followed a product. */
const answerOf = ({ cves, followedBy }: Pick<Component, 'cves' | 'followedBy'>): string =>
  JSON.stringify([followedBy === undefined || followedBy.length > 0, ...cves.map(recordOf).toSorted()])

const recordOf = ({ id, match, score, epss, kev }: ComponentCve): string =>
  [id, match, severityOfScore(score), likelihoodOf(epss), kev === null ? '' : 'exploited'].join(' ')

/** Scores move a little every day: one that crosses a bound is news. FIRST's own examples sort by a tenth. */
const likelihoodOf = (epss: ComponentCve['epss']): string => {
  if (epss === null) return ''
  return epss.score >= 0.5 ? 'likely' : epss.score >= 0.1 ? 'possible' : ''
}

/** Feeds whose entries add to a record; what is left of a difference is of the records themselves. */
function because(before: CveFacts, now: CveFacts): Readonly<Record<string, string>> {
  const differs = (of: (facts: CveFacts) => readonly string[]): boolean =>
    of(before).toSorted().join('\n') !== of(now).toSorted().join('\n')
  const entries = (facts: CveFacts): readonly ComponentCve[] => facts.components.flatMap(({ cves }) => cves)
  const exploited = (facts: CveFacts) => entries(facts).flatMap(({ id, kev }) => (kev === null ? [] : [id]))
  const likely = (facts: CveFacts) => entries(facts).map(({ id, epss }) => `${id} ${likelihoodOf(epss)}`)
  const records = differs((facts) =>
    facts.components.flatMap((one) => [
      `${one.product} ${one.version} ${(one.followedBy ?? [true]).length > 0}`,
      ...one.cves.map(
        ({ id, match, score }) => `${one.product} ${one.version} ${id} ${match} ${severityOfScore(score)}`,
      ),
    ]),
  )
  const causes = [
    ...(records ? RECORDS : []),
    // Some records say themselves that they are exploited.
    ...(differs(exploited) ? ['kev', 'cve5', 'nvd'] : []),
    ...(differs(likely) ? ['epss'] : []),
  ]
  return Object.fromEntries(
    Object.entries(now.knowledge).filter(
      ([feed, version]) => causes.includes(feed) && before.knowledge[feed] !== version,
    ),
  )
}

const RECORDS = ['cve5', 'osv', 'nvd', 'debian', 'ubuntu', 'redhat', 'retire']

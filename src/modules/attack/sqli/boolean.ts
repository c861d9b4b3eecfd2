import type { Check, FindingDefinition } from '../../module.ts'
import { findingAt, judgeProbed, parameterOf, readOnce } from '../insertion-points/verdict.ts'
import type { BooleanHit, SqliHit } from './facts.ts'
import { PROVEN } from './remedy.ts'

const definition: FindingDefinition = {
  ...PROVEN,
  id: 'sqli/boolean',
  title: 'SQL injection (boolean-based): the page answers true and false questions to the database',
}

/** `few`: of a form that may be sent a few times only; the pair before them and what is no condition tell as well. */
const LEAST_TRIALS = { few: 8, others: 12 } as const

export const boolean: Check<'sqli', 'crawl'> = {
  findings: [definition],
  judge: (facts, { crawl }) =>
    judgeProbed(
      facts,
      (point) => {
        const hit = point.hits.find(answersExactly)
        if (!hit) return []
        const right = hit.trials.length
        return [
          findingAt(point, definition, {
            confidence: 'confirmed',
            ...readOnce(point, hit.boundary, crawl),
            detail:
              `${right} of ${right} random conditions in ${parameterOf(point.at)} were answered rightly by the page ` +
              `(${hit.boundary}), e.g. true for ${trialOf(hit, true)} and false for ${trialOf(hit, false)}.`,
            proof: {
              excerpt: `true: ${hit.truePayload}\n${hit.trueExcerpt}\n\nfalse: ${hit.falsePayload}\n${hit.falseExcerpt}`,
              mark: hit.truePayload,
              replay: hit.replay,
              basis: 'answers',
            },
          }),
        ]
      },
      ['boolean'],
    ),
}

const answersExactly = (hit: SqliHit): hit is BooleanHit =>
  hit.technique === 'boolean' &&
  hit.trials.length >= LEAST_TRIALS[isOfFew(hit) ? 'few' : 'others'] &&
  isAnsweredExactly(hit) &&
  (hit.byErrors !== true || hit.malformed === 'false')

const isOfFew = ({ byErrors, few }: BooleanHit): boolean => byErrors === true || few === true

/** All conditions, and not what is none. */
export const isAnsweredExactly = (hit: Pick<BooleanHit, 'trials' | 'malformed' | 'apart' | 'noise'>): boolean =>
  hit.trials.every((trial) => trial.answer === (trial.truth ? 'true' : 'false')) &&
  hit.malformed !== 'true' &&
  hit.apart > 3 * hit.noise

const trialOf = ({ trials }: BooleanHit, truth: boolean): string =>
  trials.find((trial) => trial.truth === truth)?.predicate ?? ''

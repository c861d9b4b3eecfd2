/** When the evidence of a hit decides, and what a finding says of it. */
import { kindOf } from '../../../page/shape.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { followsDelays, regressionOf } from '../insertion-points/delay-times.ts'
import type { ProbedPoint } from '../insertion-points/facts.ts'
import { findingAt, judgeProbed, type ProbedFinding, parameterOf, readOnce } from '../insertion-points/verdict.ts'
import { type CalledHit, FORWARDED_HOST, type InjectionHit, type InjectionKind } from './facts.ts'

const LEAST_TRIALS = 8

/** What hardly shows but by a call; without a listener it was not tested, whatever else was. */
export const listeningCheck = (kind: InjectionKind, definition: FindingDefinition): Check<'injection', 'crawl'> => {
  const { findings, judge } = provenCheck(kind, definition)
  return {
    findings,
    judge: (facts, known, about) => {
      const judgement = judge(facts, known, about)
      if (facts.listened === true) return judgement
      // What showed otherwise is found all the same.
      const found = 'state' in judgement ? (judgement.findings ?? []) : judgement
      return { state: 'not_tested', reason: 'nothing listens for calls from the target', findings: found }
    },
  }
}

/** What is asked as one of the kind, and is another flaw where it shows. */
interface Apart {
  readonly definition: FindingDefinition
  readonly is: (hit: InjectionHit) => boolean
}

/** A check that reports proven hits of one kind; a place where the way of that name was left is not asked in full. */
export const provenCheck = (
  kind: InjectionKind,
  definition: FindingDefinition,
  ...apart: readonly Apart[]
): Check<'injection', 'crawl'> => ({
  findings: [definition, ...apart.map((one) => one.definition)],
  judge: (facts, { crawl }) =>
    judgeProbed(
      facts,
      (point) => {
        const hits = point.hits.filter((one) => one.kind === kind && isProven(one))
        const apartOf = (hit: InjectionHit): Apart | undefined => apart.find(({ is }) => is(hit))
        // The flaw itself says all that its lesser signs say.
        const hit = hits.find((one) => apartOf(one) === undefined) ?? hits[0]
        return hit ? [findingOf(point, hit, apartOf(hit)?.definition ?? definition, crawl)] : []
      },
      [kind],
    ),
})

export const isProven = (hit: InjectionHit): boolean => {
  switch (hit.proof) {
    case 'computed':
      return (
        hit.computed.length >= 2 &&
        new Set(hit.computed.map((one) => one.expected)).size === hit.computed.length &&
        hit.computed.every((one) => one.seen && !one.payload.includes(one.expected))
      )
    case 'waited':
      return followsDelays(hit)
    case 'file':
      return hit.files.length >= 2 && !hit.controlShows && hit.files.every((one) => !one.payload.includes(one.mark))
    case 'answers':
      return (
        hit.trials.length >= LEAST_TRIALS &&
        hit.trials.every((trial) => trial.answer === (trial.truth ? 'true' : 'false')) &&
        hit.malformed !== 'true' &&
        hit.apart > 3 * hit.noise
      )
    case 'called':
      return hit.calls.length >= 2 && !hit.controlCalled && (isOwn(hit.kind) || hit.calls.every(isConnection))
    case 'host':
      return hit.links.length >= 2 && !hit.controlShows
    case 'opened':
      return hit.names.length >= 2 && new Set(hit.names.map(({ path }) => path)).size === hit.names.length
    case 'marker':
      return false
  }
}

/**
 * A name that was looked up may have been seen on its way by many. Only a product is the server's own, and what came out of an
 * object that nobody had to read on its way.
 */
const isOwn = (kind: CalledHit['kind']): boolean => ['command', 'code', 'deserialization'].includes(kind)
const isConnection = ({ protocol }: CalledHit['calls'][number]): boolean => protocol === 'http'

const findingOf = (
  asked: ProbedPoint<InjectionHit>,
  hit: InjectionHit,
  definition: FindingDefinition,
  crawl: CrawlFacts,
): Finding => {
  const point = { ...asked, at: readAt(asked, hit) }
  return findingAt(point, definition, {
    confidence: 'confirmed',
    ...readOnce(point, hit.kind, crawl),
    ...parsedOnce(point, hit),
    ...wordsOf(hit, parameterOf(point.at)),
  })
}

/** One parser reads a document, whichever of its parts holds the entity. */
const parsedOnce = ({ at }: ProbedPoint<InjectionHit>, { kind }: InjectionHit): Pick<Finding, 'cause'> =>
  kind === 'xxe' && at.place === 'xml'
    ? { cause: ['document', at.method, kindOf(at.url), at.route ?? ''].join(' ') }
    : {}

/** A header that is sent beside a form belongs to no place of it. */
const readAt = ({ at }: ProbedPoint<InjectionHit>, hit: InjectionHit): ProbedPoint<InjectionHit>['at'] => {
  if (hit.proof !== 'host') return at
  const { within: _within, ...whole } = at
  return { ...whole, place: 'header', name: hit.header ?? FORWARDED_HOST }
}

/** "shell" of "shell, $(())": which of its ways got through first is chance. */
const interpreterOf = ({ flavour }: { readonly flavour: string }): string => flavour.split(/,| \(/)[0] ?? flavour

const wordsOf = (hit: InjectionHit, where: string): Pick<Finding, 'detail'> & ProbedFinding => {
  switch (hit.proof) {
    case 'computed': {
      const [first] = hit.computed
      return {
        detail: `Numbers sent in ${where} came back ${hit.computed.every(({ payload }) => payload.includes('*')) ? 'multiplied' : 'worked out'}: ${hit.computed.map((one) => one.expected).join(' and ')} (${hit.flavour}).`,
        proof: {
          excerpt: first?.excerpt ?? '',
          mark: first?.expected ?? null,
          replay: first?.replay ?? null,
          basis: interpreterOf(hit),
        },
      }
    }
    case 'waited': {
      const { slope, r } = regressionOf(hit.trials)
      const rows = hit.trials.map(({ delay, ms }) => `asked ${delay.toFixed(1)} s, took ${(ms / 1_000).toFixed(2)} s`)
      return {
        detail: `The server waited as told in ${where}: ${hit.trials.length} random waits, slope ${slope.toFixed(2)}, correlation ${r.toFixed(3)} (${hit.flavour}).`,
        proof: {
          excerpt: `${hit.payload}\n${rows.join('\n')}`,
          mark: hit.payload,
          replay: hit.replay,
          basis: interpreterOf(hit),
        },
      }
    }
    case 'file': {
      const [first] = hit.files
      const paths = [...new Set(hit.files.map((one) => one.path))]
      const shown = paths.length > 1 ? 'were shown' : 'was shown twice, and a name beside it not at all,'
      return {
        detail: `${paths.join(' and ')} ${shown} for ${where} (${hit.flavour}).`,
        proof: {
          excerpt: first?.excerpt ?? '',
          mark: first?.mark ?? null,
          replay: first?.replay ?? null,
          basis: 'file',
        },
      }
    }
    case 'answers':
      return {
        detail: `${hit.trials.length} of ${hit.trials.length} random questions in ${where} were answered rightly by the page (${hit.flavour}), e.g. ${hit.trials[0]?.question}.`,
        proof: { excerpt: hit.excerpt, mark: null, replay: hit.replay, basis: 'answers' },
      }
    case 'called': {
      const [first] = hit.calls
      const rows = hit.calls.map(
        ({ protocol, from, detail, agent }) => `${protocol} from ${from}: ${detail} (${agent})`,
      )
      return {
        detail: `${hit.calls.length} addresses that only ${where} was given were called, by ${first?.from ?? ''} (${hit.flavour}).`,
        proof: {
          excerpt: `${first?.payload}\n${rows.join('\n')}`,
          mark: rows[0] ?? null,
          replay: first?.replay ?? null,
          basis: isOwn(hit.kind) ? interpreterOf(hit) : 'request',
        },
      }
    }
    case 'host': {
      const [first] = hit.links
      return {
        detail: `Addresses of the answer lead to ${hit.links.map(({ payload }) => payload).join(' and ')}, which ${where} named.`,
        proof: {
          excerpt: first?.excerpt ?? '',
          mark: first?.payload ?? null,
          replay: first?.replay ?? null,
          basis: 'host',
        },
      }
    }
    case 'opened': {
      const [first] = hit.names
      const sent = hit.names.map(({ payload }) => payload).join(' and ')
      return {
        detail: `${sent} in ${where} were looked for outside of ${hit.folder}, as the errors of the system say: ${hit.names.map(({ path }) => path).join(' and ')}. There are no such folders, so nothing was opened.`,
        proof: {
          excerpt: first?.excerpt ?? '',
          mark: first?.path ?? null,
          replay: first?.replay ?? null,
          basis: 'file',
        },
      }
    }
    case 'marker':
      return { detail: `The value of ${where} begins like a ${hit.format}: ${hit.beginning}…` }
  }
}

import { leftUntold } from '../../../safety/signed-in.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import type { ProbedPoint } from '../insertion-points/facts.ts'
import { codeOf, findingAt, judgeProbed, locationOf, parameterOf, withShortfall } from '../insertion-points/verdict.ts'
import type { ReflectedHit, StoredFacts, StoredHit, XssFacts, XssHit } from './facts.ts'
import { withAlert } from './payloads/calls.ts'
import { isKeptBehind, SCRIPTING } from './reflected.ts'

const storedDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/stored',
  title: 'Cross-site scripting, stored: script that one visitor stores runs for others',
  severity: 'high',
  why: 'The script stays on the site and runs for everyone who opens the page, staff included, with the rights of each. Nobody has to follow a link.',
}
const accountDefinition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/stored-in-account',
  title: 'Cross-site scripting, stored in the account: it runs in pages of the same account',
  severity: 'medium',
  why: 'The script stays on the site and runs in a later visit. It was seen signed in with the account that stored it; where staff or other members see the same data, it runs with their rights.',
}

/** Confirmed where a browser ran it in another session. */
export const stored: Check<'xss', 'crawl'> = {
  findings: [storedDefinition, accountDefinition],
  judge: (facts, { crawl }) => {
    const judgement = judgeStored(facts, crawl)
    const short = shortfallOf(facts.stored)
    return short === null ? judgement : withShortfall(judgement, short)
  },
}

/** What was stored and nobody looked for, or looked into. */
const shortfallOf = ({ pages, left = 0, untried = 0, isCut, absent = [] }: StoredFacts): string | null => {
  const parts = [
    ...(left > 0 ? [`what was stored was looked for on ${pages} of ${pages + left} pages`] : []),
    ...(isCut ? ['the time to look for what was stored was over'] : []),
    ...(absent.length > 0 ? [`nobody looked as ${absent.join(', ')}, who could not be signed in`] : []),
    ...(untried > 0 ? [`${untried} places whose values show elsewhere were sent no script`] : []),
  ]
  return parts.length === 0 ? null : parts.join('; ')
}

const judgeStored = (facts: XssFacts, crawl: CrawlFacts): Judgement => {
  const judgement = judgeProbed(facts, () => [])
  const kept = facts.points.flatMap((point) =>
    point.hits.flatMap((hit) => (isKeptBehind(facts, point, hit) ? [findingBehind(point, hit)] : [])),
  )
  const findings = [...facts.stored.hits.map(findingOf), ...kept]
  if (!('state' in judgement)) {
    const left = leftUntold(crawl)
    if (left) return { state: facts.stored.planted === 0 ? 'not_tested' : 'inconclusive', reason: left, findings }
    if (facts.stored.planted === 0 && !facts.stored.isCut)
      return { state: 'not_applicable', reason: 'no request that may be sent stores anything', findings }
    return facts.browser === null ? findings : { state: 'inconclusive', reason: facts.browser, findings }
  }
  return { ...judgement, findings }
}

const VIEWERS: Readonly<Record<StoredHit['seenBy'], (viewer: string) => string>> = {
  anyone: () => 'by a stranger',
  account: () => 'with the same account',
  other: (viewer) => `by ${viewer}, another identity of the run`,
}

const findingOf = (hit: StoredHit): Finding => ({
  definition: hit.seenBy === 'account' ? accountDefinition : storedDefinition,
  confidence: hit.ran ? 'confirmed' : 'firm',
  at: locationOf(hit.at),
  ...codeOf(hit.at),
  places: [{ url: hit.page, method: 'GET' }],
  detail: `A script sent once in ${parameterOf(hit.at)} ${hit.ran ? 'ran in another browser session' : 'stands where browsers run it'} at ${hit.page}, asked for ${VIEWERS[hit.seenBy](hit.viewer ?? '')}${hit.deed === undefined ? '' : `, once somebody did this there: ${hit.deed}`}.`,
  proof: { excerpt: hit.excerpt, mark: hit.mark, replay: withAlert(hit.replay), basis: 'script' },
  ...(hit.screenshot ? { evidence: [hit.screenshot] } : {}),
})

/** A browser ran it in the session that sent it; whoever asks for the page again is sent the same, and another session runs it where one could be opened. */
const findingBehind = (
  point: ProbedPoint<XssHit>,
  hit: ReflectedHit & Required<Pick<ReflectedHit, 'behind' | 'kept'>>,
): Finding =>
  findingAt(point, hit.kept === 'anyone' ? storedDefinition : accountDefinition, {
    confidence: hit.ranAgain ? 'confirmed' : 'firm',
    places: [{ url: hit.behind, method: 'GET' }],
    detail: `A script sent once in ${parameterOf(point.at)} ran in Chromium at ${hit.behind}, to which the answer leads, and ${hit.ranAgain ? 'ran in another browser session' : 'stands there'} when the page was asked for again ${VIEWERS[hit.kept]('')}.`,
    proof: { excerpt: hit.excerpt, mark: hit.mark, replay: withAlert(hit.replay), basis: 'script' },
    ...(hit.screenshot ? { evidence: [hit.screenshot] } : {}),
  })

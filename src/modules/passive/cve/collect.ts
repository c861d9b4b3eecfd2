import { NPM, RETIRE } from '../../../knowledge/cve/names.ts'
import type { CveMatch } from '../../../knowledge/cve/record.ts'
import { type CveKnowledge, openCveKnowledge } from '../../../knowledge/feeds/cve-knowledge.ts'
import { epssOf } from '../../../knowledge/feeds/parse/epss.ts'
import { exploitedOf } from '../../../knowledge/feeds/parse/kev.ts'
import { isFollowed, retiredOf } from '../../../knowledge/feeds/parse/retire.ts'
import { listFeeds } from '../../../knowledge/feeds/state.ts'
import type { Detected } from '../../../knowledge/fingerprints/match.ts'
import { type Distribution, distributionOf } from '../../../knowledge/versions/distribution.ts'
import { rangeText } from '../../../knowledge/versions/version.ts'
import type { CollectContext } from '../../module.ts'
import type { TechnologyFacts } from '../technology/facts.ts'
import { isIdentified, verdictOf } from './certainty.ts'
import type { Component, ComponentCve, CveFacts, FeedAge } from './facts.ts'

const MOST_CVES = 200
const DAY = 86_400_000

/** Asks the target nothing: looks up what the inventory names. What was known then is part of the facts. */
export const collectCve = async (ctx: CollectContext, { technologies }: TechnologyFacts): Promise<CveFacts> => {
  const knowledge = openCveKnowledge(ctx.knowledge)
  try {
    const components: Component[] = []
    for (const technology of technologies) {
      ctx.signal.throwIfAborted()
      const versions = [technology.version, ...technology.otherVersions].filter((version) => version !== null)
      for (const version of versions) components.push(componentOf(technology, version, knowledge))
    }
    return {
      components: components.filter(({ keys }) => keys.length > 0),
      withoutVersion: technologies
        .filter((one) => one.version === null && keysOf(one).length > 0)
        .map(({ name }) => name),
      knowledge: knowledge.versions,
      feeds: feedAges(ctx),
    }
  } finally {
    knowledge.close()
  }
}

const feedAges = ({ knowledge, now }: CollectContext): readonly FeedAge[] =>
  listFeeds(knowledge).map(({ feed, title, active, builtIn }) => ({
    ...{ feed, title },
    version: active?.version ?? builtIn?.version ?? null,
    records: active?.records ?? builtIn?.records ?? 0,
    days: active === null ? null : Math.max(0, Math.floor((now - Date.parse(active.imported_at)) / DAY)),
  }))

const keysOf = ({ name, cpe, kind }: Detected): readonly string[] => {
  const npm = NPM[name]
  const keys = [...cpe.map((one) => `cpe:${one.toLowerCase()}`), ...(npm === undefined ? [] : [`npm:${npm}`])]
  // What only the data of retire.js know goes by its name there.
  return keys.length === 0 && kind === 'library' ? [`retire:${name.toLowerCase()}`] : keys
}

const componentOf = (technology: Detected, version: string, knowledge: CveKnowledge): Component => {
  const keys = keysOf(technology)
  const said = technology.evidence.find((one) => one.version === version)
  const banners = technology.evidence.map(({ text }) => distributionOf(text)).filter((one) => one !== null)
  const distribution = banners.find(({ revision }) => revision !== null) ?? banners[0] ?? null
  const matches = [...knowledge.find(keys, version), ...retired(technology.name, version, knowledge)]
  const cves = [...new Map(matches.toReversed().map((match) => [match.id, match])).values()]
    .filter(({ id }) => !knowledge.isWithdrawn(id))
    .flatMap((match) => entryOf(technology, version, match, distribution, knowledge))
    .toSorted(
      (a, b) =>
        Number(b.kev !== null) - Number(a.kev !== null) || (b.score ?? 5) - (a.score ?? 5) || (a.id < b.id ? -1 : 1),
    )
  return {
    product: technology.name,
    version,
    keys,
    url: said?.url ?? '',
    evidence: said?.text ?? '',
    revision: distribution?.revision ?? null,
    proven: (distribution?.revision ?? null) !== null || isIdentified(technology, version),
    followedBy: [...knowledge.followedBy(keys), ...(isRetires(technology.name, knowledge) ? ['retire'] : [])],
    cves: cves.slice(0, MOST_CVES),
  }
}

const entryOf = (
  technology: Detected,
  version: string,
  match: CveMatch,
  distribution: Distribution | null,
  knowledge: CveKnowledge,
): readonly ComponentCve[] => {
  const verdict = verdictOf(technology, version, match, distribution, knowledge.distributions)
  if (verdict.match === 'none') return []
  const listed = knowledge.kev ? exploitedOf(knowledge.kev, match.id) : null
  // The record's own date does not say whether blackmailers use it; only the catalogue does.
  const noted = match.exploitedSince === null ? null : { date_added: match.exploitedSince, ransomware: false }
  const { id, summary, score, vector, references, affected } = match
  return [
    {
      ...{ id, summary, score, vector, references },
      range: rangeText(affected.range),
      match: verdict.match,
      because: verdict.because,
      epss: knowledge.epss ? epssOf(knowledge.epss, id) : null,
      kev: listed ?? noted,
    },
  ]
}

const SCORES: Readonly<Record<string, number>> = { critical: 9, high: 7, medium: 4, low: 2 }

const retireName = (product: string): string => RETIRE[product] ?? NPM[product] ?? product
const isRetires = (product: string, { retire }: CveKnowledge): boolean =>
  retire !== null && isFollowed(retire, retireName(product))

/** Entries of retire.js in the shape of the others; their words stand for scores. */
const retired = (product: string, version: string, { retire }: CveKnowledge): readonly CveMatch[] => {
  if (retire === null) return []
  const component = retireName(product)
  return retiredOf(retire, component, version).map(({ id, summary, severity, info, below, atOrAbove }) => ({
    id,
    summary,
    score: SCORES[severity] ?? null,
    vector: null,
    cwe: null,
    references: info.filter((url) => url.startsWith('https://')).slice(0, 3),
    exploitedSince: null,
    affected: {
      key: `retire:${component}`,
      scheme: 'generic',
      range: { start: atOrAbove, startIncluded: true, end: below, endIncluded: false },
      anyUpdate: false,
      conditional: false,
    },
  }))
}

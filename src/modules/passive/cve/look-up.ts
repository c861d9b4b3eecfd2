/** What the feeds say about one version of one product, whatever site it was seen on. */
import { NPM, RETIRE } from '../../../knowledge/cve/names.ts'
import type { CveMatch } from '../../../knowledge/cve/record.ts'
import type { CveKnowledge } from '../../../knowledge/feeds/cve-knowledge.ts'
import { epssOf } from '../../../knowledge/feeds/parse/epss.ts'
import { exploitedOf } from '../../../knowledge/feeds/parse/kev.ts'
import { isFollowed, retiredOf } from '../../../knowledge/feeds/parse/retire.ts'
import type { Detected } from '../../../knowledge/fingerprints/match.ts'
import { type Distribution, distributionOf } from '../../../knowledge/versions/distribution.ts'
import { rangeText } from '../../../knowledge/versions/version.ts'
import { isIdentified, verdictOf } from './certainty.ts'
import type { Component, ComponentCve } from './facts.ts'

/** All that an answer of the feeds depends on. */
export interface Subject {
  readonly product: string
  readonly version: string
  /** What is looked up, as in `Component`. */
  readonly keys: readonly string[]
  /** Its own code names the version. */
  readonly identified: boolean
  /** That of the banners, the one with a full version first. */
  readonly distribution: Distribution | null
}

const MOST_CVES = 200

/** One a version that was read. Pure. */
export const subjectsOf = (technology: Detected): readonly Subject[] => {
  const keys = keysOf(technology)
  const banners = technology.evidence.map(({ text }) => distributionOf(text)).filter((one) => one !== null)
  const distribution = banners.find(({ revision }) => revision !== null) ?? banners[0] ?? null
  return [technology.version, ...technology.otherVersions]
    .filter((version) => version !== null)
    .map((version) => ({
      ...{ product: technology.name, version, keys, distribution },
      identified: isIdentified(technology, version),
    }))
}

export const keysOf = ({ name, cpe, kind }: Pick<Detected, 'name' | 'cpe' | 'kind'>): readonly string[] => {
  const npm = NPM[name]
  const keys = [...cpe.map((one) => `cpe:${one.toLowerCase()}`), ...(npm === undefined ? [] : [`npm:${npm}`])]
  // What only the data of retire.js know goes by its name there.
  return keys.length === 0 && kind === 'library' ? [`retire:${name.toLowerCase()}`] : keys
}

/** The gravest first. */
export const lookUp = (
  subject: Subject,
  knowledge: CveKnowledge,
): Required<Pick<Component, 'proven' | 'followedBy'>> & Pick<Component, 'revision' | 'cves'> => {
  const { product, version, keys, identified, distribution } = subject
  const matches = [...knowledge.find(keys, version), ...retired(product, version, knowledge)]
  const cves = [...new Map(matches.toReversed().map((match) => [match.id, match])).values()]
    .filter(({ id }) => !knowledge.isWithdrawn(id))
    .flatMap((match) => entryOf(subject, match, knowledge))
    .toSorted(
      (a, b) =>
        Number(b.kev !== null) - Number(a.kev !== null) || (b.score ?? 5) - (a.score ?? 5) || (a.id < b.id ? -1 : 1),
    )
  const revision = distribution?.revision ?? null
  return {
    revision,
    proven: revision !== null || identified,
    followedBy: [...knowledge.followedBy(keys), ...(isRetires(product, knowledge) ? ['retire'] : [])],
    cves: cves.slice(0, MOST_CVES),
  }
}

const entryOf = (subject: Subject, match: CveMatch, knowledge: CveKnowledge): readonly ComponentCve[] => {
  const said = verdictOf(subject, match, knowledge.distributions)
  if (said.match === 'none') return []
  // Records often name every version below the newest fix, while older branches have fixes of their own.
  const isDisputed =
    said.match === 'certain' &&
    subject.distribution === null &&
    knowledge.isContradicted(subject.keys, subject.version, match.id)
  const verdict = isDisputed ? DISPUTED : said
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

const DISPUTED = { match: 'possible', because: 'another feed leaves this version out' } as const

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

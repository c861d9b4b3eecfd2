import { type CveKnowledge, openCveKnowledge } from '../../../knowledge/feeds/cve-knowledge.ts'
import { listFeeds } from '../../../knowledge/feeds/state.ts'
import type { Detected } from '../../../knowledge/fingerprints/match.ts'
import type { CollectContext } from '../../module.ts'
import type { TechnologyFacts } from '../technology/facts.ts'
import type { Component, CveFacts, FeedAge } from './facts.ts'
import { keysOf, lookUp, subjectsOf } from './look-up.ts'

const DAY = 86_400_000

/** Of a run, or of the day on which it is judged again. */
type Day = Pick<CollectContext, 'knowledge' | 'now' | 'signal'>

/** Asks the target nothing: looks up what the inventory names. What was known then is part of the facts. */
export const collectCve = async (ctx: Day, { technologies }: TechnologyFacts): Promise<CveFacts> => {
  const knowledge = openCveKnowledge(ctx.knowledge)
  try {
    const components: Component[] = []
    for (const technology of technologies) {
      ctx.signal.throwIfAborted()
      components.push(...componentsOf(technology, knowledge))
    }
    return {
      components,
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

const feedAges = ({ knowledge, now }: Day): readonly FeedAge[] =>
  listFeeds(knowledge).map(({ feed, title, active, builtIn }) => ({
    ...{ feed, title },
    version: active?.version ?? builtIn?.version ?? null,
    records: active?.records ?? builtIn?.records ?? 0,
    days: active === null ? null : Math.max(0, Math.floor((now - Date.parse(active.imported_at)) / DAY)),
  }))

const componentsOf = (technology: Detected, knowledge: CveKnowledge): readonly Component[] =>
  subjectsOf(technology)
    .filter(({ keys }) => keys.length > 0)
    .map((subject) => {
      const { product, version, keys } = subject
      const said = technology.evidence.find((one) => one.version === version)
      const place = { url: said?.url ?? '', evidence: said?.text ?? '' }
      return { product, version, keys, ...place, ...lookUp(subject, knowledge) }
    })

/** What the crawl saw and its lists have no room for. It may hold places that nobody asks, so each is told. */
import type { ReachCount } from './facts.ts'

const REASONS = {
  page: 'it stands beyond the first 256 KiB of a page',
  script: 'a script beyond the first 300 of the site',
  route: 'a view beyond the first 400 that stand behind the # of one document',
  named: 'an address that a script names beyond its longest list, or beyond the first 4 MiB of it',
  sitemap: 'a sitemap beyond the first 30',
  service: 'the description of a service, which was not looked for',
} as const

export interface Beyond {
  /** Each thing counts once, however often it is seen. False: it is not taken. */
  readonly note: (kind: keyof typeof REASONS, what: string) => false
  readonly counts: () => readonly ReachCount[]
}

/** Things of one kind that are told apart; what comes then may be one of them. */
const MOST_KEPT = 20_000

export const createBeyond = (): Beyond => {
  const seen = new Map<keyof typeof REASONS, Set<string>>()
  return {
    note: (kind, what) => {
      const known = seen.get(kind) ?? new Set<string>()
      if (known.size < MOST_KEPT) seen.set(kind, known.add(what))
      return false
    },
    counts: () =>
      [...seen].map(([kind, { size }]) => ({
        ...{ kind: 'address', fate: 'left_out', holds: true, reason: REASONS[kind], count: size },
      })),
  }
}

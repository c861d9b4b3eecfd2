/** Keeps what became of everything that the crawl has learned of, within a bound. */
import { SESSION_LOST } from '../../../contract/reach.ts'
import type { ReachCount, ReachFacts, ReachRow } from './facts.ts'

/** Rows that are kept one by one; beyond them they are counted. */
const MOST_ROWS = 10_000

export interface ReachNotes {
  /** The latest word on a thing holds: what was left out first and asked later was asked. What was asked stays asked. */
  readonly note: (row: ReachRow) => void
  /** Things of which only a number is known: operations of a description that was read in part. */
  readonly count: (what: Omit<ReachCount, 'count'>, count: number) => void
  /** What was asked of these (`GET https://…`) was asked of nobody, as the session was lost. */
  readonly doubt: (asked: ReadonlySet<string>) => void
  readonly facts: () => ReachFacts
}

/**
 * One row for each kind, method and address. `most`: rows kept, those that were not asked before those that were. `isLost`: the session is, so
 * that whatever is cut off now is so for that.
 */
export const createReachNotes = (most = MOST_ROWS, isLost: () => boolean = () => false): ReachNotes => {
  const rows = new Map<string, ReachRow>()
  const counted = new Map<string, ReachCount>()
  const add = (counts: Map<string, ReachCount>, what: Omit<ReachCount, 'count'>, count: number): void => {
    const { kind, fate, reason, holds } = what
    const key = JSON.stringify([kind, fate, reason, holds])
    counts.set(key, { kind, fate, reason, holds, count: (counts.get(key)?.count ?? 0) + count })
  }
  return {
    note: (row) => {
      const key = `${row.kind} ${row.method} ${row.url}`
      if (rows.get(key)?.fate === 'asked') return
      rows.set(key, row.fate === 'cut_off' && isLost() ? { ...row, reason: SESSION_LOST } : row)
    },
    doubt: (asked) => {
      if (asked.size === 0) return
      for (const [key, row] of rows)
        if (row.fate === 'asked' && isAmong(row, asked))
          rows.set(key, { ...row, fate: 'cut_off', reason: SESSION_LOST })
    },
    count: (what, count) => add(counted, what, count),
    facts: () => {
      const counts = new Map(counted)
      const all = [...rows.values()]
      for (const row of all) add(counts, row, 1)
      const first = all.filter(({ fate }) => fate !== 'asked')
      return {
        rows: [...first, ...all.filter(({ fate }) => fate === 'asked')].slice(0, most),
        counts: [...counts.values()].toSorted((a, b) => b.count - a.count),
      }
    },
  }
}

/** Of a described operation the address has places instead of values. */
const isAmong = ({ method, url }: ReachRow, asked: ReadonlySet<string>): boolean => {
  const [plain = ''] = url.split('#')
  if (!plain.includes('{')) return asked.has(`${method} ${plain}`)
  const parts = plain.split(/\{[^{}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${method} ${parts.join('[^/?]+')}(?:\\?|$)`)
  return [...asked].some((one) => pattern.test(one))
}

/** Which pages are opened in the browser, in which order, and what becomes of the others. */
import { hashRouteOf } from '../../../page/shape.ts'
import type { ModuleBrowser } from '../../browser.ts'
import { ModuleEnding } from '../../endings.ts'
import { kindsOf } from '../insertion-points/kinds.ts'
import { createExplorer, type Explorer } from './browser/explore.ts'
import type { ExploreParts } from './browser/parts.ts'
import { type BrowserFacts, PRESSED_IN_PART, type ReachRow, type ScriptedPage, UNOPENED } from './facts.ts'
import type { ReachNotes } from './reach.ts'

export interface BrowsingParts extends Omit<ExploreParts, 'browser' | 'opened'> {
  readonly launch: () => Promise<ModuleBrowser>
  /** Pages that run scripts, as far as they are known. */
  readonly scripted: () => readonly ScriptedPage[]
  /** Addresses that may be pages: only what they show in the browser tells. */
  readonly guessed: () => readonly ScriptedPage[]
  /** The request that a script means by such an address, which names it without what all of them begin with; null where none is known. */
  readonly meant: () => (url: string) => string | null
  /** Where nothing is, to compare with; null where nobody knows. */
  readonly missing: string | null
  /** One of the guessed ones shows something of its own. */
  readonly isPage: (url: string) => void
  /** Of an address, as it is known by now, what chooses among the pages that one program makes: `page=profile`; '' where nothing does. */
  readonly chosenIn: (url: string) => string
  /** Follows what the browser has shown. */
  readonly follow: () => Promise<void>
  readonly notes: ReachNotes
}

export interface Browsing {
  /** Opens pages while there are new ones and time is left: all of them, then again those on which something was left. */
  readonly run: () => Promise<void>
  readonly facts: () => BrowserFacts
}

const NO_BROWSER: BrowserFacts = {
  ...{ version: null, reason: 'the crawl ended before', pages: 0, clicks: 0, states: 0, failures: [], running: [] },
}
/** So many addresses that only scripts name are opened, and so many at once. */
const MOST_GUESSED = 60
const GUESSED_AT_ONCE = 6
/** Pages of one kind with the same scripts build the same; what stands on them differs. Of those that send something new each, more are opened. */
const PER_PAIR = 2
/** Of one folder the third page and each after it wait for so many others: a list names a page for each of its words. */
const BEHIND_OTHERS = 20
/** What pages have shown is followed once so many were opened. */
const FOLLOWED_AFTER = 20

const rowOf = (url: string, fate: ReachRow['fate'], reason: string | null): ReachRow => ({
  ...{ kind: 'browser_page', method: 'GET', url, fate, reason, holds: true },
})

/** Buttons of one name may send something else there. */
const NOT_AGAIN: Parameters<ReachNotes['count']>[0] = {
  ...{ kind: 'browser_page', fate: 'cut_off', holds: true },
  reason: 'a second time, to do what was done on other pages',
}

const UNDONE: Record<'short' | 'alike', Parameters<ReachNotes['count']>[0]> = {
  short: { kind: 'browser_page', fate: 'cut_off', holds: true, reason: PRESSED_IN_PART },
  alike: { kind: 'browser_page', fate: 'merged', holds: true, reason: 'things to press that numbers alone tell apart' },
}

export const createBrowsing = (parts: BrowsingParts): Browsing => {
  let facts = NO_BROWSER
  const outlines = new Map<string, string>()
  const none = (reason: string): void => {
    facts = { ...NO_BROWSER, reason }
  }
  const queue = createQueue(parts)
  const launched = async (): Promise<Explorer | null> => {
    try {
      const opened = (url: string, problem: string | null, outline: string, requests: number) => {
        if (problem === null) outlines.set(url, outline)
        if (requests > 0) queue.brought(url)
        parts.notes.note(
          rowOf(url, problem === null ? 'asked' : 'cut_off', problem === null ? null : 'the browser could not open it'),
        )
      }
      return await createExplorer({ ...parts, browser: await parts.launch(), opened })
    } catch (error) {
      parts.signal.throwIfAborted()
      if (!(error instanceof ModuleEnding)) throw error
      none(error.message)
      return null
    }
  }
  return {
    facts: () => facts,
    run: async () => {
      if (parts.scripted().length === 0) return none('no page runs scripts')
      const explorer = await launched()
      if (explorer === null) return
      const guesses = createGuesses(parts, outlines)
      const openGuesses = async (isLast = false): Promise<boolean> => {
        const next = guesses.next(queue.add, isLast)
        for (const url of next.filter((one) => one === parts.missing)) queue.first(url)
        if (next.length > 0) await explorer.open(queue.next, queue.count)
        return next.length > 0
      }
      try {
        while (performance.now() < parts.until()) {
          queue.add(parts.scripted())
          const isDone =
            queue.count() === 0 &&
            !(await openGuesses()) &&
            !(await explorer.deepen()) &&
            !(await openGuesses(true)) &&
            !(await explorer.repeat())
          if (isDone) break
          if (queue.count() > 0) await explorer.open(inTurn(queue, parts.scripted), queue.count)
          guesses.judge()
          facts = explorer.facts()
          await parts.follow()
        }
      } finally {
        // What came last was not opened, and is told.
        queue.add(parts.scripted())
        const meant = parts.meant()
        for (const { url } of guesses.left()) {
          const request = meant(url)
          const row =
            request === null
              ? rowOf(url, 'left_out', 'scripts alone name it, and others were opened')
              : { ...rowOf(url, 'merged', 'scripts mean a request by it that is known'), with: request }
          parts.notes.note(row)
        }
        if (explorer.left() > 0) parts.notes.count(NOT_AGAIN, explorer.left())
        const { short, alike } = explorer.undone()
        if (short > 0) parts.notes.count(UNDONE.short, short)
        if (alike > 0) parts.notes.count(UNDONE.alike, alike)
        facts = explorer.facts()
        await explorer.close()
      }
    },
  }
}

/**
 * Addresses that only scripts name, when nothing else is left to open: those that show what no missing page shows are pages. Exported for its
 * test.
 */
export const createGuesses = (
  { guessed, missing, meant, isPage }: Pick<BrowsingParts, 'guessed' | 'missing' | 'meant' | 'isPage'>,
  outlines: ReadonlyMap<string, string>,
) => {
  const asked = new Set<string>()
  const fresh = (): readonly ScriptedPage[] => guessed().filter(({ url }) => !asked.has(url))
  return {
    /** `isLast`: also those by which scripts mean a request. */
    next: (picks: (pages: readonly ScriptedPage[]) => readonly string[], isLast = false): readonly string[] => {
      if (missing === null) return []
      const known = meant()
      const first = asked.size === 0 ? [missing] : []
      while (asked.size < MOST_GUESSED) {
        const some = fresh()
          .filter(({ url }) => isLast || known(url) === null)
          .slice(0, GUESSED_AT_ONCE)
        if (some.length === 0) return []
        for (const { url } of some) asked.add(url)
        const picked = picks(some)
        if (picked.length > 0) return [...first, ...picked]
      }
      return []
    },
    /** Those that were not opened. */
    left: fresh,
    judge: (): void => {
      const nothing = missing === null ? undefined : outlines.get(missing)
      for (const { url } of guessed()) {
        const shown = outlines.get(url)
        if (shown !== undefined && nothing !== undefined && shown !== nothing) isPage(url)
      }
    },
  }
}

interface Queue {
  /** Those that were not known, but for some that others stand for. */
  readonly add: (pages: readonly ScriptedPage[]) => readonly string[]
  /** This page has sent what none had sent before: one more of its kind is opened, as it may do so, too. */
  readonly brought: (url: string) => void
  /** Comes before all others. */
  readonly first: (url: string) => void
  readonly next: () => string | undefined
  /** How many wait. */
  readonly count: () => number
}

/** Some of those that wait, with those that come meanwhile: once all are under way, each worker has its part of what they bring. */
const inTurn = (queue: Queue, scripted: BrowsingParts['scripted']): (() => string | undefined) => {
  let left = FOLLOWED_AFTER
  return () => {
    queue.add(scripted())
    const next = left > 0 ? queue.next() : undefined
    left = next === undefined ? 0 : left - 1
    return next
  }
}

/** Pages that wait: those with new scripts, of new kinds and of new folders first, whenever they came. Exported for its test. */
export const createQueue = ({ notes, chosenIn }: Pick<BrowsingParts, 'notes' | 'chosenIn'>): Queue => {
  const known = new Set<string>()
  const codes = new Map<string, number>()
  const kinds = new Map<string, number>()
  const folders = new Map<string, number>()
  const pairs = new Map<string, string[]>()
  const keys = new Map<string, string>()
  /** Those that others of their kind stand for so far, by kind. */
  const alike = new Map<string, ScriptedPage[]>()
  let waiting: { readonly url: string; readonly rank: number }[] = []
  const count = (counts: Map<string, number>, key: string): number => {
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before
  }
  /** Of pages of one folder, by whichever words. */
  const siblings = (url: string, code: string): number => {
    const folder = folderWithin(url)
    return folder === null ? 0 : Math.max(0, count(folders, `${folder} ${code}`) - PER_PAIR + 1)
  }
  const wait = (url: string, code: string, kind: string): void => {
    const rank = count(codes, code) + 2 * count(kinds, kind) + BEHIND_OTHERS * siblings(url, code)
    waiting.push({ url, rank })
    notes.note(rowOf(url, 'cut_off', UNOPENED))
  }
  return {
    count: () => waiting.length,
    brought: (url) => {
      const key = keys.get(url) ?? ''
      const next = alike.get(key)?.shift()
      if (next === undefined) return
      keys.set(next.url, key)
      wait(next.url, next.code, key)
    },
    first: (url) => void waiting.unshift({ url, rank: Number.NEGATIVE_INFINITY }),
    next: () => {
      const [next] = waiting.toSorted((a, b) => a.rank - b.rank)
      waiting = waiting.filter((one) => one !== next)
      return next?.url
    },
    add: (pages) => {
      const kindOf = kindsOf(pages)
      return pages
        .filter(({ url }) => !known.has(url))
        .flatMap((page) => {
          const { url, code } = page
          known.add(url)
          const kind = `${kindOf(page)} ${chosenIn(url)}`
          const key = `${kind} ${code} ${page.own ?? ''}`
          const pair = pairs.get(key) ?? []
          pairs.set(key, pair)
          if (pair.length >= PER_PAIR) {
            notes.note({
              ...rowOf(url, 'merged', 'its scripts are those of another page of its kind'),
              with: pair[0] ?? url,
            })
            alike.set(key, [...(alike.get(key) ?? []), page])
            return []
          }
          pair.push(url)
          keys.set(url, key)
          wait(url, code, kind)
          return [url]
        })
    },
  }
}

/** `/#/topic/` of `/#/topic/news`; null for what lies at the root. */
const folderWithin = (url: string): string | null => {
  const { pathname, host } = new URL(url)
  const path = hashRouteOf(url)?.split('?')[0] ?? pathname
  const folder = path.replace(/[^/]*\/?$/, '')
  return /[^/!]/.test(folder) ? `${host}${path === pathname ? '' : pathname}#${folder}` : null
}

/** Which pages are opened in the browser, in which order, and what becomes of the others. */
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
/** Pages of one kind with the same scripts build the same; what stands on them differs. */
const PER_PAIR = 2

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
  const launched = async (): Promise<Explorer | null> => {
    try {
      const opened = (url: string, problem: string | null, outline: string) => {
        if (problem === null) outlines.set(url, outline)
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
      const picks = createPicks(parts)
      const guesses = createGuesses(parts, outlines)
      try {
        while (performance.now() < parts.until()) {
          const pages = picks(parts.scripted())
          const next = pages.length > 0 ? pages : guesses.next(picks)
          if (next.length > 0) await explorer.open(next)
          else if (!(await explorer.deepen())) {
            const last = guesses.next(picks, true)
            if (last.length > 0) await explorer.open(last)
            else if (!(await explorer.repeat())) break
          }
          guesses.judge()
          facts = explorer.facts()
          await parts.follow()
        }
      } finally {
        // What came last was not opened, and is told.
        picks(parts.scripted())
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

/** Each call gives the pages that came since, those with new scripts and of new kinds first. Some stand for others. */
const createPicks = ({
  notes,
  chosenIn,
}: Pick<BrowsingParts, 'notes' | 'chosenIn'>): ((scripted: readonly ScriptedPage[]) => readonly string[]) => {
  const known = new Set<string>()
  const codes = new Map<string, number>()
  const kinds = new Map<string, number>()
  const pairs = new Map<string, string[]>()
  const count = (counts: Map<string, number>, key: string): number => {
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before
  }
  return (scripted) => {
    const picked: { readonly url: string; readonly rank: number }[] = []
    const kindOf = kindsOf(scripted)
    for (const page of scripted.filter(({ url }) => !known.has(url))) {
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
        continue
      }
      pair.push(url)
      picked.push({ url, rank: count(codes, code) + 2 * count(kinds, kind) })
      notes.note(rowOf(url, 'cut_off', UNOPENED))
    }
    return picked.toSorted((a, b) => a.rank - b.rank).map(({ url }) => url)
  }
}

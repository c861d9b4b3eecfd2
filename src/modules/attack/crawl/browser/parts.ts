/** What the exploration of a site needs, and what its pages have in common. */
import type { Request } from 'playwright-core'
import type { Asked, Decision, Seen } from '../../../../safety/policy.ts'
import type { ModuleBrowser } from '../../../browser.ts'
import type { RunningPage } from '../facts.ts'
import type { Draft } from '../requests.ts'

export interface ExploreParts {
  readonly browser: ModuleBrowser
  readonly inScope: (url: URL) => boolean
  readonly decide: (asked: Asked, seen: Seen) => Decision
  /** True where the address is new. */
  readonly link: (url: string, on: string, label: string, harm?: string | null) => boolean
  readonly request: (draft: Draft) => void
  /** A cookie that scripts may read, and so one that they may have set. */
  readonly cookie: (name: string, value: string) => void
  /** Told of a page that was opened, and what it showed, or that could not be. */
  readonly opened: (url: string, problem: string | null, outline: string) => void
  /** Read in the first pages, see `globalsScript`. */
  readonly expressions: readonly string[]
  /** False ends it: the session is lost. */
  readonly alive: () => Promise<boolean>
  readonly signal: AbortSignal
  readonly progress: (detail: string) => void
  /** By performance.now(). */
  readonly until: number
}

export interface Shared extends ExploreParts {
  readonly states: Set<string>
  readonly pressed: Pressed
  /** How often what may write was let through, by method and address. */
  readonly writes: Map<string, number>
  /** Other sites that did not answer. */
  readonly dead: Set<string>
  /** Addresses that the crawl itself is going to. */
  readonly opening: Set<string>
  readonly passed: WeakSet<Request>
}

/** What was done already, on which kinds of pages, and whether it ever showed anything. */
export interface Pressed {
  /** Whether to do it on a page of this kind. */
  readonly isDue: (key: string, kind: string) => boolean
  readonly done: (key: string, kind: string) => void
  readonly showed: (key: string) => void
  /** It leads to a view that is a page of its own: once is enough. */
  readonly led: (key: string) => void
  /** Whether it was done nowhere so far. */
  readonly isNew: (key: string) => boolean
}

export interface OpenedPage {
  readonly clicks: number
  readonly running: RunningPage | null
  /** What it showed before anybody did anything, its own address apart. */
  readonly outline: string
}

/** Kinds of pages on which one thing is tried in vain. */
const IN_VAIN = 3

export const createPressed = (): Pressed => {
  const kinds = new Map<string, Set<string>>()
  const fruitful = new Set<string>()
  const leading = new Set<string>()
  return {
    isDue: (key, kind) => {
      if (leading.has(key)) return false
      const known = kinds.get(key)
      return !known || (!known.has(kind) && (fruitful.has(key) || known.size < IN_VAIN))
    },
    done: (key, kind) => void kinds.set(key, (kinds.get(key) ?? new Set()).add(kind)),
    showed: (key) => void fruitful.add(key),
    led: (key) => void leading.add(key),
    isNew: (key) => !kinds.has(key),
  }
}

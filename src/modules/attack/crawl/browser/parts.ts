/** What the exploration of a site needs, and what its pages have in common. */

import type { Request } from 'playwright-core'
import type { Asked, Decision, Seen } from '../../../../safety/policy.ts'
import type { ModuleBrowser } from '../../../browser.ts'
import type { Doubtful } from '../../../doubtful.ts'
import type { RunningPage } from '../facts.ts'
import type { Draft } from '../requests.ts'

export interface ExploreParts {
  readonly browser: ModuleBrowser
  readonly inScope: (url: URL) => boolean
  readonly decide: (asked: Asked, seen: Seen) => Decision
  /** True where the address is new. */
  readonly link: (url: string, on: string, label: string, harm?: string | null) => boolean
  /** True where the browser has shown no such request before. */
  readonly request: (draft: Draft) => boolean
  /** Told of what pages ask of other hosts. */
  readonly elsewhere: (draft: Draft) => void
  /** A cookie that scripts may read, and so one that they may have set. */
  readonly cookie: (name: string, value: string) => void
  /** Told of a page that was opened, what it showed, and how many requests it sent that no page had sent before; or that it could not be. */
  readonly opened: (url: string, problem: string | null, outline: string, requests: number) => void
  /** Read in the first pages, see `globalsScript`. */
  readonly expressions: readonly string[]
  /** Pages that were opened under a session which was lost since its last proof. */
  readonly doubt: Doubtful<string>
  /** False ends it: the session is lost. */
  readonly alive: () => Promise<boolean>
  readonly signal: AbortSignal
  readonly progress: (detail: string) => void
  /** By performance.now(), as it stands. */
  readonly until: () => number
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
  /** Addresses at which pages have opened a WebSocket. */
  readonly sockets: Set<string>
}

/** What was done already, on which kinds of pages, and whether it still shows anything. */
export interface Pressed {
  /** Whether to do it on a page of this kind. */
  readonly isDue: (key: string, kind: string) => boolean
  /** `brought`: whether it showed what no page had shown before. */
  readonly done: (key: string, kind: string, brought: boolean) => void
  /** Somebody is about to do it: others, on pages that are open at once, leave it. */
  readonly begin: (key: string) => void
  /** It leads to a view that is a page of its own: once is enough. */
  readonly led: (key: string) => void
  /** Whether it was done nowhere so far. */
  readonly isNew: (key: string) => boolean
  /** Done on few kinds of pages so far, and nowhere just now: a few more tell whether it does the same everywhere. */
  readonly isUnsure: (key: string) => boolean
}

export interface OpenedPage {
  readonly clicks: number
  /** What was left, as it had been done on another kind of page, by key. */
  readonly left: readonly string[]
  /** Things to do that were never done there, as the limits of one page were reached, or as others alike stand for them. */
  readonly short: number
  readonly alike: number
  /** Those that no page had sent before. */
  readonly requests: number
  readonly running: RunningPage | null
  /** What it showed before anybody did anything, its own address apart. */
  readonly outline: string
}

/** Kinds of pages in a row on which one thing is tried in vain: what opens the menu of an application stands in every view. */
const IN_VAIN = 3

export const createPressed = (): Pressed => {
  const kinds = new Map<string, Set<string>>()
  const inVain = new Map<string, number>()
  const begun = new Set<string>()
  const leading = new Set<string>()
  const busy = new Map<string, number>()
  return {
    isDue: (key, kind) => !leading.has(key) && !kinds.get(key)?.has(kind) && (inVain.get(key) ?? 0) < IN_VAIN,
    done: (key, kind, brought) => {
      kinds.set(key, (kinds.get(key) ?? new Set()).add(kind))
      inVain.set(key, brought ? 0 : (inVain.get(key) ?? 0) + 1)
      busy.set(key, (busy.get(key) ?? 1) - 1)
    },
    begin: (key) => {
      begun.add(key)
      busy.set(key, (busy.get(key) ?? 0) + 1)
    },
    led: (key) => void leading.add(key),
    isNew: (key) => !begun.has(key) && !kinds.has(key),
    isUnsure: (key) => (busy.get(key) ?? 0) <= 0 && (kinds.get(key)?.size ?? IN_VAIN + 1) <= IN_VAIN,
  }
}

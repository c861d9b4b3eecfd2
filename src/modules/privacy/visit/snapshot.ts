/** What a profile holds at one moment: cookies of all sites, storage of all frames. Values stay in memory. */
import type { Page } from 'playwright-core'
import { isGone } from '../../browser.ts'
import type { Moment } from '../facts.ts'
import type { Profile } from './profile.ts'
import { StepTimeout, within } from './times.ts'

export interface HeldCookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  /** Milliseconds since the epoch; null ends with the browser. */
  readonly expires: number | null
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: string
  /** When it was first seen, and when with this value. */
  readonly moment: Moment
  readonly changed: Moment
  readonly at: number
}

export interface HeldItem {
  readonly kind: 'localStorage' | 'sessionStorage'
  readonly origin: string
  readonly key: string
  readonly value: string
  readonly moment: Moment
  readonly changed: Moment
}

/** Grows over the looks at one profile; the first moment that something was seen stays. */
export interface Holdings {
  readonly cookies: Map<string, HeldCookie>
  readonly items: Map<string, HeldItem>
}

export const emptyHoldings = (): Holdings => ({ cookies: new Map(), items: new Map() })

const MOST = 500

export const lookInto = async (profile: Profile, pages: readonly Page[], holdings: Holdings): Promise<void> => {
  const moment = profile.log.moment()
  const at = Date.now()
  for (const cookie of (await within('reading cookies', profile.context.cookies(), 5_000)).slice(0, MOST)) {
    const key = `${cookie.domain} ${cookie.path} ${cookie.name}`
    const before = holdings.cookies.get(key)
    const expires = cookie.expires > 0 ? cookie.expires * 1000 : null
    holdings.cookies.set(key, {
      ...cookie,
      expires,
      moment: before?.moment ?? moment,
      changed: before?.value === cookie.value ? before.changed : moment,
      at: before?.at ?? at,
    })
  }
  for (const page of pages) {
    for (const frame of page.frames().slice(0, 20)) {
      const items = await within('reading storage', frame.evaluate<readonly Item[]>(ITEMS), 4_000).catch(unreadable)
      for (const item of items) {
        const key = `${item.kind} ${item.origin} ${item.key}`
        const before = holdings.items.get(key)
        if (before?.value === item.value || (!before && holdings.items.size >= MOST)) continue
        holdings.items.set(key, { ...item, moment: before?.moment ?? moment, changed: moment })
      }
    }
  }
}

type Item = Omit<HeldItem, 'moment' | 'changed'>

/** A frame that went away or hangs holds nothing that could be read; what it wrote was recorded. */
export const unreadable = (error: unknown): readonly never[] => {
  if (
    error instanceof StepTimeout ||
    isGone(error) ||
    (error instanceof Error && /context|navigat/i.test(error.message))
  )
    return []
  throw error
}

const ITEMS = `(() => {
  const items = []
  for (const kind of ['localStorage', 'sessionStorage']) {
    try {
      const store = window[kind]
      for (let index = 0; index < Math.min(store.length, 200); index += 1) {
        const key = store.key(index)
        items.push({ kind, origin: location.origin, key: key.slice(0, 200), value: String(store.getItem(key)).slice(0, 4096) })
      }
    } catch (error) {
      continue // A sandboxed frame has none.
    }
  }
  return items
})()`

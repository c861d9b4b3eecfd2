/** What is done with a page that has loaded: what stands on all views of its application is told, it is pressed, and it is led on. */
import type { Page } from 'playwright-core'
import { hashRouteOf } from '../../../../page/shape.ts'
import { LOAD, tolerant } from '../browser/approach.ts'
import type { Press } from '../browser/pressable.ts'
import type { Hand } from '../browser/pressing.ts'
import type { Activity } from '../browser/timers.ts'
import { depthOf, frameOn, leadBack, leadTo } from '../browser/views.ts'
import type { Walk } from '../browser/walking.ts'
import type { Doing, Looked, Presses, Reached, Watched } from './watching.ts'

/** What a visit has heard, and what had been done to the page by then. */
export interface Trace {
  readonly reached: Reached[]
  /** Index of the message that is under way. */
  sent: number | null
  pressed: readonly Press[]
  /** The last of them, and what had to be pressed for it to be there. */
  way: readonly Press[]
  /** What is heard from now on belongs to another view. */
  isOver: boolean
}

export interface Touring {
  readonly page: Page
  /** As it was opened. */
  readonly address: string
  readonly hand: Hand
  readonly activity: Activity
  readonly trace: Trace
  /** Words of ours. */
  readonly marked: RegExp
  /** Pages that go nowhere. */
  readonly stay: Set<Page>
  readonly settle: () => Promise<unknown>
}

export const tour = async (
  touring: Touring,
  { presses = null, beside = [], ways }: Doing,
  looked: Looked,
): Promise<Pick<Watched, 'unpressed' | 'frame'>> => {
  const { page, address, hand, activity, trace, settle } = touring
  const isDrawn = looked.notes.drawn || hashRouteOf(address) !== null
  const { frame, isHome } =
    beside.length > 0 && isDrawn ? await compare(touring, beside) : { frame: null, isHome: true }
  const how = typeof presses === 'function' ? presses({ ...looked, frame }) : presses
  const again = () => openAnew(touring)
  const unpressed =
    how && isHome && looked.notes.pressable
      ? await hand.pressAll(page, activity, { ...walkOf(how, touring), again })
      : null
  trace.isOver ||= frame !== null
  for (const way of frame === null ? [] : (ways?.(looked) ?? [])) {
    await leadTo(page, way)
    await settle()
  }
  return { unpressed, frame }
}

/** To other views and back. What is heard on the way is not of this one. */
const compare = async (
  { page, hand, trace, settle }: Touring,
  beside: readonly string[],
): Promise<Pick<Watched, 'frame'> & { readonly isHome: boolean }> => {
  const [home, depth] = [page.url(), await depthOf(page)]
  trace.isOver = true
  hand.take(page)
  const frame = await frameOn(page, beside, settle)
  const isHome = await leadBack(page, home, depth, settle)
  trace.isOver = !isHome
  return { frame, isHome }
}

/** A view that is given one of our words is walked on. */
const walkOf = (presses: Presses, { trace, address: opened, marked }: Touring): Walk => ({
  ...presses,
  before: (press, way) => {
    trace.pressed = [...trace.pressed, press]
    trace.way = [...way, press]
  },
  undone: (press) => {
    trace.pressed = trace.pressed.filter((one) => one !== press)
    trace.way = []
  },
  isPage: (address) => !marked.test(viewIn(address, opened)) && presses.isPage?.(address) === true,
  heard: () => trace.reached.map(({ sink }) => sink),
})

/** What an address says of a view: what follows the address of the document where a route stands there. */
export const viewIn = (address: string, opened: string): string =>
  hashRouteOf(opened) === null ? address : (hashRouteOf(address) ?? '')

/** Its address is changed without a load; where a script, a sandbox or a page that never came does not let it, it is loaded. */
const leadAnew = async (page: Page, address: string): Promise<'led' | 'loaded'> => {
  // Given apart: the text of what runs here is what the watcher of the page's code sees.
  const change = `(to) => { try { history.replaceState(null, '', to); return true } catch { return false } }`
  const ended = { isLed: false, isLoaded: false }
  await tolerant(
    page.evaluate<boolean, string>(change, address).then((done) => {
      ended.isLed = done === true
    }),
  )
  // One of the same document is no load.
  if (!ended.isLed)
    await tolerant(
      page.goto(address, { waitUntil: 'load', timeout: LOAD }).then((answer) => {
        ended.isLoaded = answer !== null
      }),
    )
  return ended.isLoaded ? 'loaded' : 'led'
}

/** At its first address, by itself: the name of its window and the page before it stay what they were. */
const openAnew = async ({ page, address, stay, settle }: Touring): Promise<void> => {
  stay.delete(page)
  if ((await leadAnew(page, address)) === 'led') await tolerant(page.reload({ waitUntil: 'load', timeout: LOAD }))
  await settle()
  stay.add(page)
}

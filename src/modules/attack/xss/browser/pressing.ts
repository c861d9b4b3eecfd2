/**
 * A hand on a page: it presses what can be pressed and types into fields, as a visitor's own hand does. Scripts cannot tell its
 * events from those (`isTrusted`). What it may press, and what the page may send for that, the policy of the run decides.
 */
import type { ElementHandle, Page, Request, Route } from 'playwright-core'
import { aroundRun } from '../../../../safety/around.ts'
import { asSent } from '../../../../safety/asked.ts'
import { ASKS_FIRST } from '../../../../safety/form-effect.ts'
import { type Around, decide } from '../../../../safety/policy.ts'
import { isAhead } from '../../../browser.ts'
import { inPageScript } from '../../../in-page.ts'
import type { CollectContext } from '../../../module.ts'
import { bringIntoView, tolerant } from './approach.ts'
import type { Press, Pressable } from './pressable.ts'
import { type Activity, pause, settled } from './timers.ts'
import { type Unpressed, type Walk, walkAll } from './walking.ts'

const SCRIPT = new URL('../in-page/pressable.ts', import.meta.url)
const LISTENERS = new URL('../in-page/listeners.ts', import.meta.url)
/** Has to run in each page before its own code: what listens can be pressed. */
export const noteListeners = (): string => `(${inPageScript(LISTENERS)})()`
const PATIENCE = { quiet: 80, longest: 800, drawing: 4_000 }

export interface Hand {
  /** Has to be told of each page before it goes anywhere. */
  readonly follow: (page: Page) => void
  /** What the page asks for from now on is judged as if something had been pressed. */
  readonly take: (page: Page) => void
  /** Everything that may be pressed, one after the other, what one brings included. */
  readonly pressAll: (page: Page, activity: Activity, walk: Walk) => Promise<Unpressed>
  /** These, in this order, while `mayContinue`. False where none of them was there. */
  readonly press: (
    page: Page,
    presses: readonly Press[],
    activity: Activity,
    mayContinue: () => boolean,
  ) => Promise<boolean>
  /**
   * For the routes of its profile: what a page that is being pressed asks for leaves only where the policy lets it read, and what one asks for
   * ahead of somebody going there not at all.
   */
  readonly judge: (route: Route) => Promise<void>
}

export const handOf = (ctx: CollectContext): Hand => {
  const { hasCredentials, egress } = ctx
  const around = aroundRun(ctx, { signedIn: hasCredentials, staff: false, excludes: egress.excludes })
  const pressed = new WeakSet<Page>()
  /** Pages that talk to their server by a socket, whose messages pass no judge. */
  const talking = new WeakSet<Page>()
  const reasonAgainst = (one: Pressable, page: Page): string | null =>
    talking.has(page) && around.environment === 'production' ? SOCKET : harmOf(one, page.url(), around)
  const pressOne = async (
    page: Page,
    { key, field }: Pick<Press, 'key' | 'field'>,
    activity: Activity,
  ): Promise<boolean> => {
    pressed.add(page)
    const was = await act(page, key, field)
    if (was) {
      await settled(page, activity, PATIENCE)
      await comesToRest(page)
    }
    return was
  }
  return {
    follow: (page) => void page.on('websocket', () => talking.add(page)),
    take: (page) => void pressed.add(page),
    judge: async (route) => {
      if (isAhead(route.request())) return void (await route.abort('aborted').catch(() => undefined)) // The page is gone already.
      const page = pageOf(route.request())
      const by = page !== null && !pressed.has(page) ? await page.opener() : page
      const stops = by !== null && pressed.has(by) && !mayLeave(route.request(), around)
      await (stops ? route.abort('aborted') : route.fallback()).catch(() => undefined) // The page is gone already.
    },
    pressAll: (page, activity, walk) =>
      walkAll(page, walk, {
        list: () => pressablesOf(page),
        reasonAgainst: (one) => reasonAgainst(one, page),
        pressOf: (one) => ({ key: one.key, field: one.field, words: wordsOf(one) }),
        press: (press) => pressOne(page, press, activity),
        settle: () => settled(page, activity, PATIENCE),
      }),
    press: async (page, presses, activity, mayContinue) => {
      let any = false
      for (const one of presses)
        if (mayContinue() && !page.isClosed()) any = (await pressOne(page, one, activity)) || any
      return any
    },
  }
}

const SOCKET = 'it may send by a socket'

/** Why it must not be pressed, by what it says of itself; null where nothing says so. */
const harmOf = ({ label, names, asks }: Pressable, url: string, around: Around): string | null => {
  const said = { labels: [label], names, told: asks ? ASKS_FIRST : null }
  const asked = {
    ...said,
    url: new URL('/', url).href,
    method: 'GET',
    encoding: 'none',
    fields: [],
    body: null,
  } as const
  const decision = decide(asked, null, around)
  return decision.send === 'never' ? decision.reason : null
}

/** Nothing is written for the sake of a press, on test systems neither: what a press stores is asked where it is sent. */
const mayLeave = (request: Request, around: Around): boolean => {
  const body = request.postData()
  const contentType = request.headers()['content-type'] ?? null
  return (
    decide(asSent({ method: request.method(), url: request.url(), contentType, body }), null, around).send === 'send'
  )
}

/** Null for the request of a page that is just being opened, and of a worker: Playwright knows no frame. */
export const pageOf = (request: Request): Page | null => {
  try {
    return request.frame().page()
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}

const pressablesOf = async (page: Page): Promise<readonly Pressable[]> => {
  let list: readonly Pressable[] = []
  await tolerant(
    page.evaluate<readonly Pressable[]>(`(${inPageScript(SCRIPT)})(null)`).then((read) => {
      list = read
    }),
  )
  return list
}

/** Where something lies over it a visitor closes that first. */
const isReached = async (page: Page, element: ElementHandle): Promise<boolean> => {
  if (!(await element.evaluate(isUnder))) return true
  await page.keyboard.press('Escape')
  await pause(CLOSING)
  return !(await element.evaluate(isUnder))
}
/** Milliseconds in which a dialog or menu closes. */
const CLOSING = 400

/** Milliseconds for what opens or closes with an animation: until then it is neither there nor gone. */
const MOVING = 800

/** Waits for animations that end by themselves. */
const comesToRest = (page: Page): Promise<void> =>
  tolerant(
    page.evaluate(`(() => {
      const ends = document.getAnimations().filter((one) => one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime))
      return Promise.race([Promise.allSettled(ends.map((one) => one.finished)), new Promise((late) => setTimeout(late, ends.length > 0 ? ${MOVING} : 0))]).then(() => null)
    })()`),
  )

/** What the page's function uses of an element: this project has no types of the DOM. */
interface Box {
  readonly parentElement: Box | null
  readonly contains: (other: unknown) => boolean
  readonly getBoundingClientRect: () => {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }
  /** Of what was taken out of its document the root is an element. */
  readonly getRootNode: () => { readonly elementFromPoint?: (x: number, y: number) => Box | null }
}

/** Runs in the page: whether a layer lies over it, as dialogs and what darkens the page behind them do. */
const isUnder = (element: unknown): boolean => {
  const { innerWidth, innerHeight, getComputedStyle } = globalThis as unknown as {
    readonly innerWidth: number
    readonly innerHeight: number
    readonly getComputedStyle: (of: Box) => { readonly position: string }
  }
  const { x, y, width, height } = (element as Box).getBoundingClientRect()
  const hit = (element as Box).getRootNode().elementFromPoint?.(x + width / 2, y + Math.min(height / 2, 300)) ?? null
  for (let one = hit; one !== null && !one.contains(element); one = one.parentElement) {
    const layer = one.getBoundingClientRect()
    const isLayer = /fixed|absolute/.test(getComputedStyle(one).position)
    if (isLayer && layer.width * layer.height > (innerWidth * innerHeight) / 4) return true
  }
  return false
}

/** False where it is not there, nobody could see it, or something lies over it. */
const act = async (page: Page, key: string, field: string | null): Promise<boolean> => {
  let was = false
  await tolerant(
    (async () => {
      const handle = await page.evaluateHandle(`(${inPageScript(SCRIPT)})(${JSON.stringify(key)})`)
      const element = handle.asElement()
      if (element === null || !(await element.isVisible())) return
      if (field === 'scroll') {
        was = true
        return page.mouse.wheel(0, FAR)
      }
      await bringIntoView(element)
      if (!(await isReached(page, element))) return
      const box = await element.boundingBox()
      if (!box) return
      was = true
      await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height / 2, 300))
      if (field === null) return page.mouse.click(box.x + box.width / 2, box.y + Math.min(box.height / 2, 300))
      await element.focus()
      // A list of choices opens no window of its own where a key chooses.
      if (field === 'select') return page.keyboard.press('ArrowDown')
      await page.keyboard.press('End')
      const typed = TYPED[field]
      if (typed === undefined || (await element.inputValue()) === '') await page.keyboard.type(typed ?? 'a')
      await page.keyboard.press('Enter')
    })(),
  )
  return was
}

/** Pixels: to the end of most pages. */
const FAR = 20_000

/** What a field of its own kind is filled with where it is empty; elsewhere a letter goes behind what an address has put there. */
const TYPED: Readonly<Record<string, string>> = {
  ...{ email: 'test@example.org', url: 'https://example.org/', tel: '+4930123456', number: '1', password: 'Test-1234' },
}

const wordsOf = ({ label, field, names }: Pressable): string => {
  const name = (label.split('\n')[0] ?? '').slice(0, 60) || names.trim().split(/\s+/)[0] || ''
  const called = name === '' ? '' : ` "${name}"`
  if (field === null) return `press${called || ' what can be pressed'}`
  if (field === 'scroll') return 'scroll the page'
  return field === 'select' ? `choose another of the list${called}` : `type into the field${called} and press Enter`
}

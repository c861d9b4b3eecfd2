/** Runs what a payload made in a real browser, under the page's own policy, and sees whether its call comes. */
import { randomInt } from 'node:crypto'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import type { EvidenceRef } from '../../../contract/evidence.ts'
import { hashRouteOf } from '../../../page/shape.ts'
import { carriesMessages } from '../../../page/transport.ts'
import { isUndrawn, type ModuleBrowser } from '../../browser.ts'
import type { CollectContext } from '../../module.ts'
import { actOn } from './browser/acts.ts'
import { type Approach, arrive, LOAD, serveForeign, tolerant } from './browser/approach.ts'
import { createHeld, type Held } from './browser/held.ts'
import type { Press } from './browser/pressable.ts'
import { type Hand, handOf, noteListeners, pageOf } from './browser/pressing.ts'
import { type Activity, createActivity, noteDrawing, settled } from './browser/timers.ts'
import { isByHeader } from './by-header.ts'
import { CALL } from './payloads/calls.ts'

/** What another host answers to a script: a call in markup, and in a heading of Markdown, which pages repeat in their contents and clean there otherwise. */
export const fetchedWith = (call: string): string =>
  `<p>From another site.</p>\n\n<img src=x onerror=${call}>\n\n# Part <img src=x onerror=${call}>\n`
const PATIENCE = { quiet: 300, longest: 6_000, drawing: 10_000 }

export interface Proof {
  readonly ran: 'load' | 'click' | null
  readonly refused: boolean
  readonly screenshot: EvidenceRef | null
  /** What was pressed before it ran, where more was tried than the element itself. */
  readonly pressed?: Press
  /** The page has opened a WebSocket before what is done meanwhile. */
  readonly listened?: true
  /** A message came to it meanwhile. */
  readonly told?: true
  /** The page has asked for what was waited for, by itself. */
  readonly asked?: true
}

/** What more is looked at beside whether it runs. */
export interface Looking {
  /** Address that scripts of the page may ask for. */
  readonly feed?: string
  /** Whatever may be pressed is, where nothing ran by then. */
  readonly pressing?: Pressing
}

export interface Pressing {
  /** Address that scripts ask for once the right thing is pressed: then it is over. */
  readonly seeks?: string
}

/** What came from another host, or leads to it. */
export interface Taken {
  /** Its script ran in the page. */
  readonly ran: boolean
  /** Types of what else was asked for, in the browser's words: `image`, `stylesheet`, `document` of a frame. */
  readonly kinds: ReadonlySet<string>
  /** The addresses of the page are relative to it. */
  readonly base: boolean
  /** A form of the page is sent there. */
  readonly form: boolean
  readonly screenshot: EvidenceRef | null
}

export interface Prover {
  readonly prove: (approach: Approach, nonce: number, looking?: Looking) => Promise<Proof>
  /** What the page, left to itself, takes from this host. Nothing is asked of that host; a script from it calls with `nonce`. */
  readonly takes: (approach: Approach, host: string, nonce: number) => Promise<Taken>
  /** Whether the page, left to itself, goes on to this host. Nothing is asked of that host. */
  readonly leadsTo: (approach: Approach, host: string) => Promise<boolean>
  /** A visitor who has nothing to do with this one: another profile, signed in or not. The caller closes it. */
  readonly stranger: (options: {
    readonly authenticated: boolean
    /** There from the beginning. */
    readonly cookies?: Cookies
  }) => Promise<Prover>
  readonly setCookies: (cookies: Cookies) => Promise<void>
  /** A header alone says who it is: no browser sends that with a link or form of another site. */
  readonly byHeader: (url: string) => Promise<boolean>
  readonly browser: ModuleBrowser
  /** Presses in pages of this and other profiles. */
  readonly hand: Hand
  readonly close: () => Promise<void>
}

/** For the site at `url`, name to value as it is sent. */
export interface Cookies {
  readonly url: string
  readonly values: Readonly<Record<string, string>>
}

export const newNonce = (): number => randomInt(100_000, 999_999)

/** A message where there is no browser: nothing can be proven then, and that is said. */
export const openProver = async (ctx: CollectContext): Promise<Prover | string> => {
  try {
    return await proverOf(ctx, await ctx.browser(), true)
  } catch (error) {
    if (error instanceof Error && error.name === 'ModuleEnding') return error.message
    throw error
  }
}

/** What the questions of one visitor share. */
interface Visitor {
  readonly ctx: CollectContext
  readonly profile: BrowserContext
  readonly hand: Hand
  /** Who waits for a call with this nonce. */
  readonly called: Map<number, () => void>
  /** Pages that open no connection for messages, and what these have asked for. */
  readonly quiet: WeakSet<Page>
  readonly held: Held
}

const proverOf = async (ctx: CollectContext, browser: ModuleBrowser, authenticated: boolean): Promise<Prover> => {
  const profile = await browser.newContext({ authenticated })
  const host = ctx.target.host
  const called = new Map<number, () => void>()
  // Named by the page's own frame: a call from another host proves nothing about this one.
  await profile.exposeBinding(CALL, async ({ frame, page }, nonce: unknown) => {
    // A window without an address of its own acts for the page that opened it.
    const from = hostOf(frame) || hostOf((await page.opener())?.mainFrame() ?? frame)
    if (from === host || from === `www.${host}`) called.get(nonceIn(nonce))?.()
  })
  await profile.addInitScript(noteListeners())
  await profile.addInitScript(noteDrawing())
  await serveForeign(profile)
  const hand = handOf(ctx)
  await profile.route('**/*', hand.judge)
  const [quiet, held] = [new WeakSet<Page>(), createHeld()]
  await profile.route(carriesMessages, async (route) => {
    const page = pageOf(route.request())
    if (page !== null && quiet.has(page) && held.takes(route)) return
    await route.fallback().catch(() => undefined) // The page is gone already.
  })
  const visitor: Visitor = { ctx, profile, hand, called, quiet, held }
  return {
    browser,
    hand,
    byHeader: (url) => isByHeader(ctx, url),
    stranger: async ({ authenticated: signedIn, cookies }) => {
      const other = await proverOf(ctx, browser, signedIn)
      if (cookies) await other.setCookies(cookies)
      return other
    },
    setCookies: ({ url, values }) =>
      profile.addCookies(Object.entries(values).map(([name, value]) => ({ name, value, url: new URL(url).origin }))),
    close: () => profile.close(),
    prove: (approach, nonce, looking = {}) => prove(visitor, approach, nonce, looking),
    takes: (approach, from, nonce) => takes(visitor, approach, from, nonce),
    leadsTo: (approach, wanted) => leadsTo(visitor, approach, wanted),
  }
}

const prove = (
  { ctx, profile, hand, called, quiet, held }: Visitor,
  approach: Approach,
  nonce: number,
  { feed, pressing }: Looking,
): Promise<Proof> => {
  const call = Promise.withResolvers<true>()
  let ran = false
  called.set(nonce, () => {
    ran = true
    call.resolve(true)
  })
  const activity = createActivity()
  const came = async (page: Page): Promise<boolean> => {
    await Promise.race([call.promise, settled(page, activity, PATIENCE, () => ran)])
    return ran
  }
  let refused = false
  let open = false
  let frames = 0
  let asked = false
  return withPages<Proof>(async (pages) => {
    const page = await arrive(profile, approach, pages, (one) => {
      one.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined)) // Gone with its page.
      hand.follow(one)
      activity.follow(one)
      if (approach.isQuiet) quiet.add(one)
      one.on('websocket', (socket) => {
        open = true
        socket.on('framereceived', () => {
          frames += 1
        })
      })
      one.on('request', (request) => {
        asked ||= request.url() === feed
      })
      one.on('console', (message) => {
        refused ||= /Content Security Policy/i.test(message.text())
      })
    })
    if (await came(page)) return { ran: 'load', refused, screenshot: await picture(ctx, page, nonce) }
    if (approach.meanwhile !== undefined) {
      const listened = open ? ({ listened: true } as const) : {}
      const before = frames
      await approach.meanwhile()
      const screenshot = (await came(page)) ? await picture(ctx, page, nonce) : null
      const told = frames > before ? ({ told: true } as const) : {}
      return { ran: ran ? 'load' : null, refused, screenshot, ...listened, ...told }
    }
    const any = await hand.press(page, approach.presses ?? [], activity, () => !ran)
    if (any && (await came(page))) return { ran: 'click', refused, screenshot: await picture(ctx, page, nonce) }
    if ((await actOn(page, nonce, () => !ran)) && (await came(page)))
      return { ran: 'click', refused, screenshot: await picture(ctx, page, nonce) }
    const waited = asked ? ({ asked } as const) : {}
    const pressed = pressing ? await pressedLast(hand, page, activity, { pressing, isOver: () => ran }) : undefined
    if (pressed && (await came(page)))
      return { ran: 'click', refused, screenshot: await picture(ctx, page, nonce), pressed }
    return { ran: null, refused, screenshot: null, ...waited }
  }, held.release).finally(() => called.delete(nonce))
}

const takes = ({ ctx, profile, called }: Visitor, approach: Approach, host: string, nonce: number): Promise<Taken> => {
  let ran = false
  called.set(nonce, () => {
    ran = true
  })
  const kinds = new Set<string>()
  const activity = createActivity()
  return withPages<Taken>(async (pages) => {
    const page = await arrive(profile, approach, pages, (one) => {
      activity.follow(one)
      void one.route(
        (url) => url.hostname === host,
        (route) => {
          const type = route.request().resourceType()
          const own = isOwnNavigation(route.request(), one)
          if (!own) kinds.add(type)
          const answer = own
            ? route.abort('aborted')
            : route.fulfill(answerFor(type, nonce, new URL(approach.url).origin))
          return answer.catch(() => undefined) // The page is gone already.
        },
      )
    })
    await settled(page, activity, PATIENCE, () => ran)
    const led = await leadsOf(page, host)
    const any = ran || kinds.size > 0 || led.base || led.form
    return { ran, kinds, ...led, screenshot: any ? await picture(ctx, page, nonce) : null }
  }).finally(() => called.delete(nonce))
}

const leadsTo = ({ profile, hand }: Visitor, approach: Approach, wanted: string): Promise<boolean> =>
  withPages(async (pages) => {
    const left = Promise.withResolvers<true>()
    const activity = createActivity()
    let isLeft = false
    const arrived = arrive(profile, approach, pages, (one) => {
      hand.follow(one)
      activity.follow(one)
      void one.route(
        (url) => url.hostname === wanted,
        (route) => {
          isLeft ||= isOwnNavigation(route.request(), one)
          if (isLeft) left.resolve(true)
          return route.abort('aborted').catch(() => undefined) // The page is gone already.
        },
      )
    })
    arrived.catch(() => undefined) // Nobody waits for it once the page has left.
    // A page that was kept from leaving may never say that it has loaded.
    return Promise.race([
      left.promise,
      arrived.then(async (page) => {
        await settled(page, activity, PATIENCE)
        const pressed = await hand.press(page, approach.presses ?? [], activity, () => !isLeft)
        if (pressed) await settled(page, activity, PATIENCE)
        return isLeft
      }),
    ])
  })

/** Milliseconds in which things are pressed on one page. */
const PRESSING = 20_000

/** Of all that may be pressed. Another view of an application is a page of its own: this one is gone back to. */
const pressedLast = async (
  hand: Hand,
  page: Page,
  activity: Activity,
  { pressing: { seeks }, isOver }: { readonly pressing: Pressing; readonly isOver: () => boolean },
): Promise<Press | undefined> => {
  const until = performance.now() + PRESSING
  const home = page.url()
  let last: Press | undefined
  await hand.pressAll(page, activity, {
    before: (press) => {
      last = press
    },
    mayContinue: () => !isOver() && performance.now() < until,
    isPage: (address) => seeks !== undefined || hashRouteOf(address) !== null,
    again: async () => {
      await tolerant(page.goto('about:blank'))
      await tolerant(page.goto(home, { waitUntil: 'load', timeout: LOAD }))
      await settled(page, activity, PATIENCE)
    },
    ...(seeks === undefined ? {} : { seeks }),
  })
  return last
}

interface Answer {
  readonly contentType: string
  readonly body: string
  readonly headers?: Record<string, string>
}

/** What a script fetches is let through to it (Fetch standard, 3.3), with the run's session or without. */
const answerFor = (type: string, nonce: number, origin: string): Answer => {
  if (type === 'script') return { contentType: 'text/javascript', body: `${CALL}(${nonce})` }
  if (type === 'xhr' || type === 'fetch')
    return {
      contentType: 'text/html',
      body: fetchedWith(`${CALL}(${nonce})`),
      headers: { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' },
    }
  return { contentType: type === 'document' ? 'text/html' : 'text/css', body: '' }
}

/** Whether addresses and forms of the page lead to the host. */
const leadsOf = async (page: Page, host: string): Promise<Pick<Taken, 'base' | 'form'>> => {
  let led = { base: false, form: false }
  await tolerant(
    page
      .evaluate<typeof led>(
        `(() => {
          const isThere = (address) => (URL.parse(address)?.hostname ?? '') === ${JSON.stringify(host)}
          const sends = [...document.querySelectorAll('form[action], [formaction]')]
          return {
            base: isThere(document.baseURI),
            form: sends.some((one) => isThere(String(one.getAttribute('formaction') !== null ? one.formAction : one.action))),
          }
        })()`,
      )
      .then((found) => {
        led = found
      }),
  )
  return led
}

const isOwnNavigation = (
  request: { readonly isNavigationRequest: () => boolean; readonly frame: () => Frame },
  page: Page,
): boolean => {
  if (!request.isNavigationRequest()) return false
  try {
    return request.frame() === page.mainFrame()
  } catch (error) {
    // Playwright knows no frame yet for the request of a page that is just being opened.
    if (error instanceof Error) return true
    throw error
  }
}

const withPages = async <Value>(
  work: (pages: Page[]) => Promise<Value>,
  before: (page: Page) => Promise<void> = async () => undefined,
): Promise<Value> => {
  const pages: Page[] = []
  try {
    return await work(pages)
  } finally {
    for (const page of pages) await before(page)
    for (const page of pages) await page.close().catch(() => undefined) // It may have crashed.
  }
}

/** The number that a call brought: by itself, as the text of a template, or in the message of an error. */
const nonceIn = (given: unknown): number => Number(/\d{6}/.exec(String(given))?.[0])

/** A frame without an address of its own acts for the page around it; one with a `data:` address for nobody. */
const hostOf = (frame: Frame): string => {
  let acting: Frame | null = frame
  while (acting?.parentFrame() && !/^(?:data|https?):/.test(acting.url())) acting = acting.parentFrame()
  const url = acting?.url() ?? ''
  return url.startsWith('data:') ? 'data:' : (URL.parse(url)?.hostname ?? '')
}

const picture = async (ctx: CollectContext, page: Page, nonce: number): Promise<EvidenceRef | null> => {
  try {
    const body = await page.screenshot({ timeout: 3_000 })
    return ctx.evidence({ filename: `executed-${nonce}.png`, contentType: 'image/png', body })
  } catch (error) {
    // The proof is the call; a page that cannot be drawn is proven all the same.
    if (isUndrawn(error)) return null
    throw error
  }
}

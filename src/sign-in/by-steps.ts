/** Signing in by steps in a browser of its own, whose every request goes through the door of the sign-in. */
import type { BrowserContext, Locator, Page, Request, Response } from 'playwright-core'
import { strangeHost } from '../contract/identity.ts'
import type { Proof, SignInStep, StepsSignIn } from '../contract/sign-in.ts'
import { sleep } from '../contract/sleep.ts'
import { within } from '../contract/within.ts'
import type { ModuleBrowser } from '../modules/browser.ts'
import { isGone, isUndrawn } from '../modules/browser.ts'
import { ModuleEnding } from '../modules/endings.ts'
import { clicked, hindranceIn, type Typed, typedAgain } from './clicked.ts'
import { SignInFailed, unlessOther } from './failure.ts'
import { NO_OFFERS, type StoredItem } from './page-storage.ts'
import { neededBeside, watchSentHeaders } from './sent-header.ts'
import type { Signed, Steps } from './sign-in.ts'
import { atPointer, type Values } from './values.ts'
import { type Place, pageAt, type Visitor } from './visitor.ts'

/** Milliseconds of a step that does not say otherwise, and between two looks for what it is about. */
const PATIENCE = 30_000
const EVERY = 100
/** Milliseconds for what the last step has set off. */
const SETTLING = 5_000
const PICTURE = 5_000
/** Milliseconds for what the pages keep in the end. */
const READING = 10_000

export interface BrowserPorts {
  /** @throws ModuleEnding where there is none */
  readonly open: () => Promise<ModuleBrowser>
  /** Whether a picture is wanted after each step. Default false. */
  readonly pictures?: boolean
}

interface Stage {
  readonly page: Page
  readonly place: Place
  readonly visitor: Visitor
  readonly values: Values
  /** What something was typed into: painted over in pictures. */
  readonly typed: Typed[]
  /** What is wrong with the page that was asked for last; null where nothing is. */
  readonly amiss: () => string | null
  /** How many requests of the page are under way. */
  readonly pending: () => number
}

export const bySteps = async (
  { steps: wanted, header }: StepsSignIn,
  {
    visitor,
    values,
    place,
    browser,
    steps,
    again,
    proof,
  }: {
    readonly visitor: Visitor
    readonly values: Values
    readonly place: Place
    readonly browser: BrowserPorts
    readonly steps: Steps
    /** It was done before: what is only waited for in the end may be another text by now, and the proof tells whether it has worked. */
    readonly again: boolean
    readonly proof?: Proof | undefined
  },
): Promise<Signed> => {
  const opened = await openBrowser(browser)
  try {
    const context = await opened.newContext({ authenticated: false })
    const page = await context.newPage()
    const sent = watchSentHeaders(context, visitor.origin)
    const told = toldTo(page, visitor.origin)
    const stage: Stage = { page, place, visitor, values, typed: [], amiss: watchFor(page), pending: pendingOf(page) }
    const all = wanted ?? []
    const end = again ? all.findLastIndex((one) => one.do !== 'wait') : all.length
    for (const [at, one] of all.entries()) {
      const picture = browser.pictures ? () => pictureOf(stage) : undefined
      const work = steps.take(titleOfStep(one), () => inTime(one, stage), picture)
      await (at > end ? work.catch(unlessOther) : work)
    }
    await settled(stage)
    visitor.keep(ownCookies(await context.cookies(visitor.origin)))
    const cookies = await context.cookies()
    visitor.keep(ownCookies(cookies.filter(({ domain }) => isOf(domain, new URL(visitor.origin).hostname))))
    const kept = async (): Promise<Signed> => {
      const items = await itemsOf(context, visitor.origin)
      const answers = await told()
      const texts = [
        ...items.flatMap(({ area, value }) => (area === 'cookie' ? [] : [value])),
        ...answers.map(({ text }) => text),
      ]
      const cookies = visitor.cookies()
      const end = URL.parse(stage.page.url())
      return {
        cookie: cookies,
        header:
          header === undefined
            ? (sent.lineOf(texts, cookies) ?? (await neededBeside(sent.besideCookies(cookies), visitor, proof)))
            : await headerOf(header, context, stage),
        storage: { items, offers: NO_OFFERS },
        elsewhere: sent.elsewhere(texts),
        ...(answers.length === 0 ? {} : { answers }),
        ...(end?.origin === visitor.origin ? { landed: [pageAt(end.href)] } : {}),
      }
    }
    return await within(READING, kept(), () => unanswering(stage.page, READING))
  } finally {
    await opened.close()
  }
}

/** Characters of an answer, and answers, that are kept. */
const MOST_TOLD = 100_000
const MOST_ANSWERS = 10
/** Milliseconds. */
const TELLING = 3_000

/** What the site answered to what the page sent it, where that is an object of JSON: whose account it is, and what belongs to it. */
const toldTo = (page: Page, origin: string): (() => Promise<NonNullable<Signed['answers']>>) => {
  const texts: Promise<{ readonly url: string; readonly text: string } | null>[] = []
  page.on('response', (response) => {
    const isSent = !['GET', 'HEAD', 'OPTIONS'].includes(response.request().method())
    const isJson = /json/i.test(response.headers()['content-type'] ?? '')
    if (!isSent || !isJson || !response.ok() || URL.parse(response.url())?.origin !== origin) return
    if (texts.length >= MOST_ANSWERS) return
    const read = response.text().then(
      (text) => (/^\s*\{/.test(text) && text.length <= MOST_TOLD ? { url: response.url(), text } : null),
      () => null, // Gone with its page.
    )
    // One that never ends tells nothing.
    texts.push(Promise.race([read, sleep(TELLING).then(() => null)]))
  })
  return async () => (await Promise.all(texts)).filter((one) => one !== null)
}

const pendingOf = (page: Page): Stage['pending'] => {
  const open = new Set<Request>()
  page.on('request', (request) => void open.add(request))
  const over = (request: Request): void => void open.delete(request)
  page.on('requestfinished', over)
  page.on('requestfailed', over)
  return () => open.size
}

const watchFor = (page: Page): Stage['amiss'] => {
  let amiss: string | null = null
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame()) amiss = amissIn(response)
  })
  return () => amiss
}

/** The door answers the browser in place of a site that it did not get to. */
const amissIn = (response: Response): string | null => {
  const { 'sonde-refused': code, 'sonde-reason': reason } = response.headers()
  if (code !== undefined) return `was not answered: ${reason ?? code}`
  return response.status() >= 400 ? `answered ${response.status()}` : null
}

/** @throws SignInFailed where there is none */
export const openBrowser = async ({ open }: BrowserPorts): Promise<ModuleBrowser> => {
  try {
    return await open()
  } catch (error) {
    if (error instanceof ModuleEnding)
      throw new SignInFailed(`Its steps need a browser: ${error.message}`, { cause: error })
    throw error
  }
}

const isOf = (domain: string, host: string): boolean => {
  const bare = domain.replace(/^\./, '')
  return host === bare || host.endsWith(`.${bare}`)
}
const ownCookies = (cookies: readonly { readonly name: string; readonly value: string }[]) =>
  cookies.map(({ name, value }) => ({ name, value }))

/** Nothing of what is typed. */
const titleOfStep = (one: SignInStep): string => {
  if (one.do === 'goto') return `goto ${one.url.split(/[?#]/)[0]}`
  if (one.do === 'press') return `press ${one.key}`
  if (one.do === 'wait') return `wait for ${one.text === undefined ? nameOf(one.on ?? '') : `“${one.text}”`}`
  return `${one.do} ${nameOf(one.on)}`
}
const nameOf = (on: string | readonly string[]): string => [on].flat()[0] ?? ''

/** A page whose script never ends answers nothing, and not every question to it has a deadline of its own. */
const inTime = async (one: SignInStep, stage: Stage): Promise<void> => {
  // It is waited for what the step is about, and then for what it does.
  const most = 2 * patienceOf(one) + 2_000
  try {
    await within(most, carryOut(one, stage), () => unanswering(stage.page, most))
  } catch (error) {
    const amiss = stage.amiss()
    if (!(error instanceof SignInFailed) || amiss === null || error.message.includes(amiss)) throw error
    throw new SignInFailed(`${error.message}, a page that ${amiss}`, { cause: error })
  }
}

const patienceOf = ({ seconds }: SignInStep): number => (seconds === undefined ? PATIENCE : seconds * 1_000)

const unanswering = (page: Page, milliseconds: number): SignInFailed =>
  new SignInFailed(
    `The page at ${whereOf(page)} answered nothing for ${milliseconds / 1_000} s: a script may never end`,
  )

const carryOut = async (one: SignInStep, stage: Stage): Promise<void> => {
  const { page, visitor, values } = stage
  const patience = patienceOf(one)
  try {
    switch (one.do) {
      case 'goto': {
        const url = visitor.addressOf(await values.filled(one.url))
        const answer = await page.goto(url, { timeout: patience, waitUntil: 'domcontentloaded' })
        const amiss = answer === null ? null : amissIn(answer)
        if (amiss !== null) throw new SignInFailed(`It ${amiss}`)
        return
      }
      case 'wait':
        if (one.text !== undefined) await waited(page, [page.getByText(one.text)], `“${one.text}”`, patience)
        if (one.on !== undefined) await waited(page, locatorsOf(page, one.on), nameOf(one.on), patience)
        return
      case 'press':
        await typedAgain(page, stage.typed)
        return await page.keyboard.press(one.key)
      case 'click': {
        const at = await found(page, one.on, patience)
        await typedAgain(page, stage.typed)
        return await clicked(at, patience)
      }
      case 'fill':
      case 'totp': {
        const at = await found(page, one.on, patience)
        // Looked at last: a page may have moved while it was waited for.
        const strange = strangeHost(page.url(), stage.place.domain, stage.place.hosts)
        if (strange !== null) throw new SignInFailed(`Nothing is typed here: the page ${strange}`)
        const value = await values.filled(one.do === 'totp' ? '{{totp}}' : one.value)
        stage.typed.push({ at, value, on: page.url() })
        return await at.fill(value, { timeout: patience })
      }
    }
  } catch (error) {
    if (error instanceof SignInFailed || !(error instanceof Error)) throw error
    if (error.name === 'TimeoutError')
      throw new SignInFailed(`It was not done within ${patience / 1_000} s, at ${whereOf(page)}${hindranceIn(error)}`, {
        cause: error,
      })
    if (isGone(error)) throw new SignInFailed('The page was gone', { cause: error })
    // In the words of the browser: net::ERR_…, an unknown key, a selector that is none.
    throw new SignInFailed(`It failed at ${whereOf(page)}: ${firstLine(error.message)}`, { cause: error })
  }
}

const whereOf = (page: Page): string => {
  const url = URL.parse(page.url())
  return url === null || url.origin === 'null' ? 'an empty page' : `${url.origin}${url.pathname}`
}
/** The log that Playwright adds may hold what was typed. */
const firstLine = (message: string): string => (message.split('\n')[0] ?? '').replace(/^\w+\.\w+: /, '').slice(0, 200)

/** The first of them that is seen. */
const found = async (page: Page, on: string | readonly string[], patience: number): Promise<Locator> => {
  const locators = locatorsOf(page, on)
  return (await firstSeen(locators, patience)) ?? missing(page, nameOf(on), patience)
}

/** Of what people wait for, what stands hidden in the end will do, as in a menu that nobody has opened: the proof tells whether it was enough. */
const waited = async (page: Page, locators: readonly Locator[], name: string, patience: number): Promise<void> => {
  if ((await firstSeen(locators, patience)) !== null) return
  for (const locator of locators) if ((await locator.count()) > 0) return
  missing(page, name, patience)
}

/** Null where none of them was seen for so long. */
const firstSeen = async (locators: readonly Locator[], patience: number): Promise<Locator | null> => {
  const until = performance.now() + patience
  const shown = locators.map(seen)
  for (;;) {
    for (const locator of shown) if (await locator.isVisible()) return locator
    if (performance.now() > until) return null
    await sleep(EVERY)
  }
}

const missing = (page: Page, name: string, patience: number): never => {
  throw new SignInFailed(`${name} was not there within ${patience / 1_000} s, at ${whereOf(page)}`)
}

const locatorsOf = (page: Page, on: string | readonly string[]): readonly Locator[] =>
  [on].flat().map((selector) => locatorOf(page, selector))

/** A menu, a dialog or a list that is closed may hold the same before it. */
const seen = (locator: Locator): Locator => locator.filter({ visible: true }).first()

/** As Chrome DevTools records them (https://developer.chrome.com/docs/devtools/recorder), CSS else. */
const locatorOf = (page: Page, selector: string): Locator => {
  const [, kind = '', rest = ''] = /^(aria|text|xpath|pierce)\/(.*)$/s.exec(selector) ?? []
  if (kind === 'text') return page.getByText(rest)
  if (kind === 'xpath') return page.locator(`xpath=${rest}`)
  if (kind === 'pierce') return page.locator(rest)
  if (kind !== 'aria') return page.locator(selector)
  const [, name = '', role = ''] = /^(.*?)(?:\[role="(\w+)"\])?$/s.exec(rest) ?? []
  if (role !== '') return page.getByRole(role as Parameters<Page['getByRole']>[0], { name, exact: true })
  const any = page.getByLabel(name, { exact: true }).or(page.getByPlaceholder(name, { exact: true }))
  const pressed = page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true }))
  return any.or(pressed)
}

/**
 * What the last step has set off: a page, or what a script asks for. Of a page that rested once Playwright says for ever that it does, whatever it
 * asks for since.
 */
const settled = async ({ page, pending }: Stage): Promise<void> => {
  const until = performance.now() + SETTLING
  try {
    await page.waitForLoadState('networkidle', { timeout: SETTLING })
  } catch (error) {
    // A page that never rests: the proof tells whether it was enough.
    if (!(error instanceof Error) || !(error.name === 'TimeoutError' || isGone(error))) throw error
  }
  for (let quiet = 0; quiet < QUIET && performance.now() < until; quiet = pending() === 0 ? quiet + 1 : 0)
    await sleep(EVERY)
}
/** Looks one after the other at which nothing was under way. */
const QUIET = 3

const headerOf = async (
  { storage, key, pointer, line }: NonNullable<StepsSignIn['header']>,
  context: BrowserContext,
  { visitor, values }: Stage,
): Promise<string> => {
  const state = await context.storageState()
  const page = context.pages().at(-1)
  const kept =
    storage === 'local'
      ? state.origins.find(({ origin }) => origin === visitor.origin)?.localStorage.find(({ name }) => name === key)
          ?.value
      : await page?.evaluate((name) => globalThis.sessionStorage.getItem(name), key)
  const value = kept == null ? null : pointer === undefined ? kept : atPointer(kept, pointer)
  if (value === null) throw new SignInFailed(`The page keeps nothing under "${key}" in its ${storage} storage`)
  values.learn('value', value)
  return values.filled(line)
}

/** Of one area, and characters of one item: more than that is no session. */
const MOST_ITEMS = 100
const LONGEST_ITEM = 65_536

/** What the pages of the site hold in the end. Of the tab that was last, as nothing else holds the storage of a session. */
const itemsOf = async (context: BrowserContext, origin: string): Promise<readonly StoredItem[]> => {
  const { origins } = await context.storageState()
  const local = origins.find((one) => one.origin === origin)?.localStorage ?? []
  const page = context.pages().findLast((one) => URL.parse(one.url())?.origin === origin)
  const session = page === undefined ? [] : await keptByTab(page)
  const of = (area: StoredItem['area'], list: readonly { readonly name: string; readonly value: string }[]) =>
    list
      .filter(({ value }) => value.length <= LONGEST_ITEM)
      .slice(0, MOST_ITEMS)
      .map(({ name, value }) => ({ area, name, value }))
  const cookies = (await context.cookies(origin)).filter(({ httpOnly }) => !httpOnly)
  return [...of('local', local), ...of('session', session), ...of('cookie', cookies)]
}

/** Nothing of a tab that goes on to another page or away just then: that somebody is signed in is proven apart. */
const keptByTab = async (page: Page): Promise<readonly { readonly name: string; readonly value: string }[]> => {
  try {
    return await page.evaluate(() =>
      Object.entries(globalThis.sessionStorage).map(([name, value]) => ({ name, value: String(value) })),
    )
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}

/** Fields for passwords and codes, and all that was typed into, are painted over before the picture is taken. */
const pictureOf = async ({ page, typed }: Stage): Promise<Uint8Array | null> => {
  const secret = page.locator('input[type="password"], input[autocomplete="one-time-code"]')
  const draw = () =>
    page.screenshot({ type: 'jpeg', quality: 60, timeout: PICTURE, mask: [secret, ...typed.map(({ at }) => at)] })
  try {
    return await draw().catch(async (error: unknown) => {
      if (!isUnpictured(error) || isLate(error)) throw error
      // It may just have been left for the next one.
      await page.waitForLoadState('domcontentloaded', { timeout: PICTURE })
      return draw()
    })
  } catch (error) {
    if (isUnpictured(error)) return null // What became of the step is told all the same.
    throw error
  }
}

const isLate = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

const isUnpictured = (error: unknown): boolean =>
  isUndrawn(error) || (error instanceof Error && /navigat/i.test(error.message))

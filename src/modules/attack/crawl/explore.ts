/**
 * What scripts build: pages are opened in a real browser, their requests noted, and what can be pressed is pressed while it
 * shows something new. Requests that could do harm, and all that a click would send beyond a look-up, are noted and stopped.
 */
import type { BrowserContext, Page, Request, Route } from 'playwright-core'
import { globalsScript } from '../../../knowledge/fingerprints/globals.ts'
import { findSecrets, maskAll } from '../../../knowledge/secrets/find.ts'
import { readHtml } from '../../../page/html.ts'
import { findPasswords } from '../../../page/passwords.ts'
import { isSafe } from '../../../safety/effect.ts'
import { ASKS_FIRST } from '../../../safety/form-effect.ts'
import type { Asked, Decision, Seen } from '../../../safety/policy.ts'
import type { ModuleBrowser } from '../../browser.ts'
import type { BrowserFacts, RunningPage } from './facts.ts'
import { draftsOfForm } from './forms.ts'
import { CLICKABLE, clickOf, HOOK, LINKS, STATE } from './page-script.ts'
import { isSamePage } from './pages.ts'
import type { Draft } from './requests.ts'

export interface ExploreParts {
  readonly browser: ModuleBrowser
  readonly pages: readonly string[]
  readonly inScope: (url: URL) => boolean
  readonly decide: (asked: Asked, seen: Seen) => Decision
  readonly link: (url: string, on: string, label: string, harm?: string | null) => void
  readonly request: (draft: Draft) => void
  /** Read in the first pages, see `globalsScript`. */
  readonly expressions: readonly string[]
  /** False ends it: the session is lost. */
  readonly alive: () => Promise<boolean>
  readonly signal: AbortSignal
  readonly progress: (detail: string) => void
  /** By performance.now(). */
  readonly until: number
}

/** What the pages of one exploration have in common. */
interface Shared extends ExploreParts {
  readonly states: Set<string>
  readonly pressed: Set<string>
  /** Other sites that did not answer. */
  readonly dead: Set<string>
  readonly running: RunningPage[]
}

const LOAD_TIMEOUT = 12_000
/** Milliseconds that a page gets to ask for more after a load or click. */
const QUIET = 400
/** Most of the time a page is waited for, not worked on. */
const PAGES_AT_ONCE = 3
const CLICKS_PER_PAGE = 15
const DEPTH = 2
const PASSED_BY: readonly string[] = ['image', 'media', 'font']

export const explore = async (parts: ExploreParts): Promise<BrowserFacts> => {
  const context = await parts.browser.newContext({ viewport: { width: 1280, height: 900 } })
  const failures: string[] = []
  const states = new Set<string>()
  const pressed = new Set<string>()
  const dead = new Set<string>()
  const running: RunningPage[] = []
  let pages = 0
  let clicks = 0
  try {
    await context.addInitScript(HOOK)
    const waiting = [...parts.pages]
    const worker = async (): Promise<void> => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
        if (parts.signal.aborted || performance.now() > parts.until || !(await parts.alive())) return
        parts.progress(`browser: ${pages + 1} of ${parts.pages.length} pages`)
        try {
          const pressedHere = await explorePage(url, context, { ...parts, states, pressed, dead, running })
          clicks += pressedHere
        } catch (error) {
          parts.signal.throwIfAborted()
          // One page that hangs or crashes is one page not explored.
          failures.push(`${url}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`)
          if (failures.length > 5 && pages === 0) return
        }
        pages += 1
      }
    }
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, worker))
  } finally {
    await context.close().catch(() => undefined) // The browser may be gone; its module ends it in any case.
  }
  return {
    version: parts.browser.version,
    reason: null,
    pages,
    clicks,
    states: states.size,
    failures: failures.slice(0, 20),
    running: running.toSorted((a, b) => parts.pages.indexOf(a.url) - parts.pages.indexOf(b.url)),
  }
}

/** Opens one page and presses what there is. Returns the number of clicks. */
const explorePage = async (url: string, context: BrowserContext, parts: Shared): Promise<number> => {
  const { states, pressed, dead } = parts
  const page = await context.newPage()
  // A host that did not answer once would hold up every page that names it.
  const note = (address: string) => {
    const failed = URL.parse(address)
    if (failed && !parts.inScope(failed)) dead.add(failed.host)
  }
  const gate = { clicked: false, pending: 0 }
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined)) // Gone with its page.
  page.on('popup', (popup) => void popup.close().catch(() => undefined)) // Its address was noted by the hook.
  page.on('requestfailed', (request) => {
    const failed = request.failure()?.errorText ?? ''
    if (!/ABORTED|BLOCKED/.test(failed)) note(request.url())
  })
  page.on('response', (response) => {
    if ((response.headers()['sonde-refused'] ?? 'budget') !== 'budget') note(response.url())
  })
  page.on('websocket', (socket) => noteSocket(socket.url(), url, parts))
  await page.route('**/*', (route) => judgeRoute(route, page, url, gate, parts))
  let clicks = 0
  try {
    await page.goto(url, { waitUntil: 'domcontentloaded', timeout: LOAD_TIMEOUT })
    await settle(page, gate)
    // The first of the list, not the first that are ready: the next run has to see the same.
    if (parts.pages.indexOf(url) < MOST_RUNNING) parts.running.push(await readRunning(page, url, parts.expressions))
    states.add(`${new URL(url).pathname} ${await page.evaluate<string>(STATE)}`)
    await readDom(page, url, parts)
    for (let depth = 0; depth < DEPTH; depth += 1) {
      const fresh = (await page.evaluate<Clickable[]>(CLICKABLE)).filter(({ key }) => !pressed.has(key))
      let changed = false
      for (const { key, label, names, asks } of fresh) {
        if (clicks >= CLICKS_PER_PAGE || performance.now() > parts.until || parts.signal.aborted) return clicks
        pressed.add(key)
        if (!mayPress(parts, { url, labels: [label], names, told: asks ? ASKS_FIRST : null })) continue
        gate.clicked = true
        if (!(await page.evaluate<boolean>(clickOf(key)))) continue
        clicks += 1
        await settle(page, gate)
        const state = `${new URL(url).pathname} ${await page.evaluate<string>(STATE)}`
        if (states.has(state)) continue
        states.add(state)
        changed = true
        await readDom(page, url, parts)
      }
      if (!changed) break
    }
    return clicks
  } finally {
    await page.close().catch(() => undefined) // It may have crashed.
  }
}

const MOST_RUNNING = 3
const LONGEST_HTML = 65_536

/** Facts are kept; what a page gives away has no place in them. */
const masked = (html: string): string =>
  maskAll(html, [...findSecrets(html).map(({ secret }) => secret), ...findPasswords(html)])

const readRunning = async (page: Page, url: string, expressions: readonly string[]): Promise<RunningPage> => ({
  url,
  globals: await page.evaluate<Record<string, string>>(globalsScript(expressions)),
  html: masked((await page.content()).slice(0, LONGEST_HTML)),
})

interface Clickable {
  readonly key: string
  readonly label: string
  /** Its id, classes and name. */
  readonly names: string
  readonly asks: boolean
}

interface Gate {
  clicked: boolean
  pending: number
}

interface Dom {
  readonly links: readonly { readonly url: string; readonly label: string; readonly asks: boolean }[]
  readonly html: string
  readonly routes: readonly string[]
}

const readDom = async (page: Page, url: string, parts: ExploreParts): Promise<void> => {
  for (const frame of page.frames().slice(0, 10)) {
    const address = URL.parse(frame.url())
    if (frame !== page.mainFrame() && !(address && parts.inScope(address))) continue
    // A frame may go away while it is read.
    const dom = await frame.evaluate<Dom>(LINKS).catch(() => null)
    if (!dom) continue
    for (const { url: found, label, asks } of dom.links) {
      if (isSamePage(found, url)) parts.link(found, url, '')
      else parts.link(found, url, label, asks ? ASKS_FIRST : null)
    }
    for (const route of dom.routes) parts.link(route, url, '')
    for (const form of readHtml(dom.html, frame.url() || url).forms) {
      for (const draft of draftsOfForm(form, url)) parts.request({ ...draft, source: 'browser' })
    }
  }
}

/** Every request of a page passes here: noted, and let through or stopped. */
const judgeRoute = async (route: Route, page: Page, url: string, gate: Gate, parts: Shared): Promise<void> => {
  const request = route.request()
  const stop = () => route.abort('aborted').catch(() => undefined) // The page is gone already.
  if (PASSED_BY.includes(request.resourceType())) return void (await stop())
  const address = URL.parse(request.url())
  if (address && !parts.inScope(address) && parts.dead.has(address.host)) return void (await stop())
  if (!address || !parts.inScope(address))
    return void (await (isMainNavigation(request, page) ? stop() : pass(route, gate)))
  const first = isMainNavigation(request, page) && page.url() === 'about:blank'
  if (isMainNavigation(request, page) && !first && request.method() === 'GET' && !request.redirectedFrom()) {
    // A click that leads elsewhere is a link; the crawl goes there itself.
    parts.link(address.href, url, '')
    return void (await stop())
  }
  const draft = draftOf(request, url, false)
  // What a page asks for by itself it asks for on every visit.
  const decision = parts.decide(askedBy(draft), gate.clicked ? null : 'reads')
  const leaves = request.isNavigationRequest() && !isSafe(request.method())
  const allowed = !leaves && (decision.send === 'send' || (decision.send === 'bounded' && decision.most > 1))
  if (['xhr', 'fetch', 'document', 'other', 'ping', 'eventsource'].includes(request.resourceType()) && !first)
    parts.request({ ...draft, sent: allowed })
  await (allowed ? pass(route, gate) : stop())
}

const pass = async (route: Route, gate: Gate): Promise<void> => {
  gate.pending += 1
  // Not `continue`: the engine's own rule for signed-in profiles comes after this one.
  await route.fallback().catch(() => undefined) // The page is gone already.
  route
    .request()
    .response()
    .catch(() => null)
    .finally(() => {
      gate.pending -= 1
    })
}

const isMainNavigation = (request: Request, page: Page): boolean => {
  if (!request.isNavigationRequest()) return false
  try {
    return request.frame() === page.mainFrame()
  } catch (error) {
    // Playwright knows no frame yet for the request of a page that is just being opened.
    if (error instanceof Error) return true
    throw error
  }
}

/** Whether something may be pressed, by what it says of itself. */
const mayPress = ({ decide }: Shared, said: Pick<Asked, 'url' | 'labels' | 'names' | 'told'>): boolean =>
  decide({ ...said, url: new URL('/', said.url).href, method: 'GET', encoding: 'none', fields: [], body: null }, null)
    .send !== 'never'

const askedBy = ({ method, url, encoding = 'none', fields = [], body = null }: Draft): Asked => ({
  ...{ method, url, encoding, fields, body },
})

const draftOf = (request: Request, on: string, sent: boolean): Draft => {
  const type = request.headers()['content-type'] ?? ''
  const body = request.postData()
  const base = { method: request.method(), url: request.url(), source: 'browser', seenOn: on, sent } as const
  if (body === null || body === '') return base
  if (/urlencoded/i.test(type)) {
    return {
      ...base,
      encoding: 'urlencoded',
      fields: [...new URLSearchParams(body)].map(([name, value]) => ({ name, value, type: 'text' })),
    }
  }
  if (/multipart/i.test(type)) return { ...base, encoding: 'multipart', fields: partsOf(body) }
  if (/json/i.test(type) || /^\s*[{[]/.test(body)) return { ...base, encoding: 'json', body }
  return { ...base, encoding: /xml/i.test(type) ? 'xml' : 'text', body }
}

const partsOf = (body: string): Draft['fields'] =>
  [
    ...body
      .slice(0, 100_000)
      .matchAll(
        /name="([^"\r\n]{1,200})"(; filename="[^"]*")?[^\r\n]*\r\n(?:[\w-]+:[^\r\n]*\r\n)*\r\n([\s\S]{0,2000}?)\r\n--/g,
      ),
  ]
    .slice(0, 60)
    .map((match) => ({
      name: match[1] ?? '',
      value: match[2] ? '' : (match[3] ?? ''),
      type: match[2] ? 'file' : 'text',
    }))

const noteSocket = (address: string, on: string, parts: ExploreParts): void => {
  const url = URL.parse(address.replace(/^ws/, 'http'))
  if (url && parts.inScope(url)) {
    parts.request({ method: 'GET', url: url.href, source: 'browser', seenOn: on, sent: true, harm: null })
  }
}

/** Waits until nothing has been under way for a moment, at most a few seconds. */
const settle = async (page: Page, gate: Gate): Promise<void> => {
  const end = performance.now() + 4_000
  let quietSince = performance.now()
  while (performance.now() < end) {
    await page.waitForTimeout(100)
    if (gate.pending > 0) quietSince = performance.now()
    if (performance.now() - quietSince >= QUIET) return
  }
}

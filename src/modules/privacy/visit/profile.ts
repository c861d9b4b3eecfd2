/** One browser profile: recorders in every document and worker, and a log of all that it asks for. */
import type { BrowserContext, CDPSession, Page, Request, Response } from 'playwright-core'
import { sleep } from '../../../contract/sleep.ts'
import { isGone, type ModuleBrowser } from '../../browser.ts'
import { pageRecorder, workerRecorder } from '../record/recorder.ts'
import { readTold, type Told } from '../record/told.ts'
import { createLog, type RawContact, type TrafficLog, withoutHash } from './log.ts'
import { StepTimeout, type Times, within } from './times.ts'

export interface Profile {
  readonly context: BrowserContext
  readonly log: TrafficLog
  /** What the recorders said, each once, in order; at most 5,000. */
  readonly told: readonly ToldBy[]
  /** Pages of this visit; pop-ups are noted and closed. */
  readonly newPage: () => Promise<Page>
  /** Null when it loaded, else why not. Ends when nothing has been asked for a while. */
  readonly open: (page: Page, url: string) => Promise<string | null>
  /** Until nothing has been asked or answered for a while, `since` then (by performance.now()) or from now on. */
  readonly settle: (most?: number, since?: number) => Promise<void>
  /** Milliseconds that are left for this state. */
  readonly left: () => number
  readonly times: Times
  readonly signal: AbortSignal
  readonly close: () => Promise<void>
}

export type ToldBy = Told & { readonly page: string; readonly frame: string }

const WORKERS: ReadonlySet<string> = new Set(['worker', 'sharedworker', 'serviceworker'])
const MOST_TOLD = 5_000
const CLOSE = 3_000
/** A browser that has just started beside others answers late; what hangs is ended by the time of the module. */
const ATTACH = 15_000
/** A page in an endless loop gives none. */
const ANSWER = 4_000

export const openProfile = async (
  browser: ModuleBrowser,
  options: {
    /** Known to no page before it runs. */
    readonly binding: string
    readonly times: Times
    readonly signal: AbortSignal
    /** When all of it has to be over, by performance.now(). */
    readonly until: number
    readonly headers?: Readonly<Record<string, string>>
    readonly script?: string
  },
): Promise<Profile> => {
  const { binding, times, signal } = options
  const log = createLog()
  const told = new Map<string, ToldBy>()
  const workers = new Set<string>()
  const until = Math.min(options.until, performance.now() + times.state)
  const context = await browser.newContext({
    authenticated: false,
    serviceWorkers: 'allow',
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...(options.headers ? { extraHTTPHeaders: { ...options.headers } } : {}),
    watching: {
      watch: log.proxied,
      prefixOf: ({ url, destination }) =>
        WORKERS.has(destination) || workers.has(withoutHash(url)) ? workerRecorder(binding) : '',
    },
  })
  await context.exposeBinding(binding, ({ page, frame }, text: unknown) => {
    const one = readTold(text)
    if (one === null || told.size >= MOST_TOLD) return
    if (one.kind === 'worker') workers.add(withoutHash(one.url))
    told.set(`${one.realm} ${one.seq}`, { ...one, page: page.url(), frame: frame.url() })
  })
  await context.addInitScript({ content: pageRecorder(binding) })
  if (options.script) await context.addInitScript({ content: options.script })
  const traffic = watchTraffic(context, log)
  const own = new Set<Page>()
  context.on('page', (page) => {
    // The event comes before newPage() returns; one that a page opened has an opener.
    void page.opener().then(
      (opener) => (opener && !own.has(page) ? page.close() : undefined),
      () => undefined, // It is gone already.
    )
  })
  const settle = async (most = times.settle, since = performance.now()): Promise<void> => {
    const end = performance.now() + Math.min(most, until - performance.now())
    while (performance.now() < end) {
      const quiet = performance.now() - Math.max(since, traffic.changed())
      if (traffic.pending() === 0 && quiet >= times.quiet) return
      await sleep(50, signal)
    }
  }
  const left = () => until - performance.now()
  return {
    context,
    log,
    get told() {
      return [...told.values()]
    },
    newPage: async () => {
      const page = await within('opening a tab', context.newPage(), ATTACH)
      own.add(page)
      page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined)) // Gone with its page.
      page.on('crash', () => traffic.forget())
      await traffic.initiators(page)
      return page
    },
    open: async (page, url) => {
      const shown = lastShown(page)
      try {
        const timeout = Math.max(1, Math.min(times.load, left()))
        await within('loading', loaded(page, url, timeout), timeout + 500)
        await page.waitForLoadState('domcontentloaded', { timeout: timeout / 2 }).catch(unparsed)
        await within('an answer of the page', page.evaluate('1'), ANSWER)
        await settle()
        return refusalOf(shown.status())
      } catch (error) {
        signal.throwIfAborted()
        return reasonOf(error)
      } finally {
        shown.close()
      }
    },
    settle,
    left,
    times,
    signal,
    close: async () => {
      // A page in an endless loop holds its context up; the browser's end takes both.
      await within('closing', context.close(), CLOSE).catch((error: unknown) => {
        if (!(error instanceof StepTimeout) && !isGone(error)) throw error
      })
    },
  }
}

const loaded = (page: Page, url: string, timeout: number): Promise<unknown> => {
  const load = () => page.goto(url, { waitUntil: 'commit', timeout })
  // Interfaces of this machine came or went: that is nobody's answer.
  const again = (error: unknown) =>
    error instanceof Error && error.message.includes('ERR_NETWORK_CHANGED') ? load() : Promise.reject(error)
  return load().catch(again)
}

/** The status of the document that a tab shows in the end: a page of a challenge leads on to the one that was asked for. Null: none came. */
const lastShown = (page: Page): { readonly status: () => number | null; readonly close: () => void } => {
  let status: number | null = null
  const note = (response: Response): void => {
    const request = response.request()
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) status = response.status()
  }
  page.on('response', note)
  return { status: () => status, close: () => void page.off('response', note) }
}

/** What is shown in place of a site to whoever it keeps out says nothing of the site (RFC 9110, 15.5 and 15.6); null where it let the visitor in. */
const refusalOf = (status: number | null): string | null =>
  status !== null && ([401, 403, 407, 429].includes(status) || status >= 500)
    ? `the page answered ${status} to a visitor who is not signed in`
    : null

/** A script that never comes holds up the rest of a document, not what is there already. */
const unparsed = (error: unknown): void => {
  if (!(error instanceof Error && error.name === 'TimeoutError')) throw error
}

/** First line of what playwright says, without its log. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
    .replace(/^(?:page|frame|context)\.\w+: /, '')
    .slice(0, 200)

const watchTraffic = (context: BrowserContext, log: TrafficLog) => {
  const open = new Map<Request, RawContact | null>()
  const scripts = new Map<string, string>()
  let changed = performance.now()
  const ended = (request: Request, failure: string | null) => {
    changed = performance.now()
    const contact = open.get(request)
    if (contact) contact.failure = failure
    open.delete(request)
  }
  context.on('request', (request) => {
    if (/^(?:data|blob|about):/.test(request.url())) return
    changed = performance.now()
    const from = frameOf(request)
    const contact = log.add({
      at: Date.now(),
      url: request.url().slice(0, 16_384),
      method: request.method(),
      type: request.resourceType(),
      page: from.page,
      from: from.frame,
      script: scripts.get(request.url()) ?? null,
      status: null,
      failure: null,
      body: request.postData()?.slice(0, 65_536) ?? null,
      referrer: request.headers().referer ?? null,
    })
    open.set(request, contact)
    // Playwright tells of a request before or after the protocol does: the script may be known a little later.
    if (contact && contact.script === null) wanting.set(request.url(), contact)
  })
  const wanting = new Map<string, RawContact>()
  context.on('response', (response) => {
    const contact = open.get(response.request())
    if (!contact) return
    const refused = response.headers()['sonde-refused']
    if (refused === undefined) contact.status = response.status()
    else contact.failure = refused
  })
  context.on('requestfinished', (request) => ended(request, open.get(request)?.failure ?? null))
  context.on('requestfailed', (request) => ended(request, request.failure()?.errorText ?? 'failed'))
  return {
    pending: () => [...open.keys()].filter((request) => request.resourceType() !== 'eventsource').length,
    /** When the last request began or ended. */
    changed: () => changed,
    forget: () => open.clear(),
    /** Which script asked: the protocol says it for the frames of the page's own process. */
    initiators: async (page: Page): Promise<void> => {
      const session: CDPSession = await within('attaching to a tab', context.newCDPSession(page), ATTACH)
      session.on('Network.requestWillBeSent', ({ request, initiator }) => {
        const script = scriptOf(initiator)
        if (script === null || scripts.size > 5_000) return
        scripts.set(request.url, script)
        const contact = wanting.get(request.url)
        if (contact) contact.script ??= script
      })
      session.on('Network.webSocketCreated', ({ url, initiator }) => {
        changed = performance.now()
        const at = Date.now()
        const from = page.url()
        const script = initiator ? scriptOf(initiator) : null
        const open = { status: null, failure: null, body: null, referrer: null }
        log.add({ at, url, method: 'GET', type: 'websocket', page: from, from, script, ...open })
      })
      await within('attaching to a tab', session.send('Network.enable'), ATTACH)
    },
  }
}

interface Initiator {
  readonly type: string
  readonly url?: string
  readonly stack?: Stack
}
interface Stack {
  readonly callFrames: readonly { readonly url: string }[]
  readonly parent?: Stack
}

const scriptOf = (initiator: Initiator): string | null => {
  for (let stack = initiator.stack; stack; stack = stack.parent) {
    const frame = stack.callFrames.find(({ url }) => /^https?:/.test(url))
    if (frame) return frame.url.slice(0, 500)
  }
  return initiator.type === 'parser' && initiator.url ? initiator.url.slice(0, 500) : null
}

const frameOf = (request: Request): { readonly frame: string; readonly page: string } => {
  const worker = request.serviceWorker()
  if (worker) return { frame: worker.url(), page: worker.url() }
  try {
    const frame = request.frame()
    const page = frame.page().url()
    return {
      frame: frame.url() || page,
      page: request.isNavigationRequest() && page === 'about:blank' ? request.url() : page,
    }
  } catch (error) {
    if (error instanceof Error) return { frame: '', page: '' } // No frame yet: the request opens it.
    throw error
  }
}

/** What pages do later: whether they still wait for something, and when the last of their timers is due. */
import type { Page, Request, WebSocket } from 'playwright-core'
import { carriesMessages } from '../../../../page/transport.ts'
import { inPageScript } from '../../../in-page.ts'
import { tolerant } from './approach.ts'
import type { Drawing } from './drawing.ts'

const SCRIPT = new URL('../in-page/drawing.ts', import.meta.url)

/** Has to run in each page before its own code. */
export const noteDrawing = (): string => `(${inPageScript(SCRIPT)})()`

/** As the page tells it; nothing where it is gone. */
const drawingOf = async (page: Page): Promise<Drawing> => {
  let drawing: Drawing = { due: 0, loading: 0 }
  await tolerant(
    page.evaluate<Drawing | null>('window.__sondeDrawing ?? null').then((told) => {
      drawing = told ?? drawing
    }),
  )
  return drawing
}

/** What a page has asked for and not got yet. */
export interface Activity {
  /** Requests under way, and streams that have said nothing so far. */
  readonly pending: number
  /** The document, its scripts and its styles among them. What scripts ask for the page itself knows, see in-page/drawing.ts. */
  readonly loading: number
  /** Has to be told of each page before it goes anywhere. */
  readonly follow: (page: Page) => void
}

const PARTS: readonly string[] = ['document', 'script', 'stylesheet']
const STREAM = /^(?:text\/event-stream|application\/(?:x-)?ndjson|multipart\/x-mixed-replace)/i
/** Milliseconds for the first word of a socket. */
const FIRST_WORD = 1_000

export const createActivity = (): Activity => {
  const pending = new Set<Request | WebSocket>()
  const loading = new Set<Request>()
  const ended = (one: Request | WebSocket): void => {
    pending.delete(one)
    loading.delete(one as Request)
  }
  return {
    get pending() {
      return pending.size
    },
    get loading() {
      return loading.size
    },
    follow: (page) => {
      page.on('request', (request) => {
        // A message is waited for until there is one.
        const url = URL.parse(request.url())
        if (url !== null && carriesMessages(url)) return
        pending.add(request)
        if (PARTS.includes(request.resourceType()) && isOfPage(request)) loading.add(request)
      })
      // A stream goes on for ever once it has begun.
      page.on('response', (response) => {
        if (STREAM.test(response.headers()['content-type'] ?? '')) ended(response.request())
      })
      page.on('requestfinished', ended)
      page.on('requestfailed', ended)
      page.on('websocket', (socket) => {
        pending.add(socket)
        const heard = (): void => ended(socket)
        socket.once('framereceived', heard)
        socket.once('close', heard)
        setTimeout(heard, FIRST_WORD).unref()
      })
    },
  }
}

/** False for what a frame loads: it does not keep the page around it. One that comes and goes leaves requests that never end. */
const isOfPage = (request: Request): boolean => {
  try {
    return request.frame().parentFrame() === null
  } catch (error) {
    if (error instanceof Error) return false // Its frame is gone, or not there yet.
    throw error
  }
}

/** Milliseconds. */
export interface Patience {
  /** Without a request under way, after which a page has done what it does. */
  readonly quiet: number
  /** For all that it does. */
  readonly longest: number
  /** As long as it is still being drawn: it loads something, or a timer of it has not fired once. At least `longest`. */
  readonly drawing: number
}

/**
 * Until the page asks for nothing more and no timer of it is left; `ended` ends it at once. False where the page was not done with
 * drawing itself when its time was over: what it would have done then is not known.
 */
export const settled = async (
  page: Page,
  activity: Pick<Activity, 'pending' | 'loading'>,
  { quiet, longest, drawing }: Patience,
  ended: () => boolean = () => false,
): Promise<boolean> => {
  const began = performance.now()
  let since = began
  for (;;) {
    await pause(30)
    if (ended() || page.isClosed()) return true
    const now = performance.now()
    if (activity.pending > 0) since = now
    if (now - since < quiet && now - began < longest) continue
    const { due, loading } = await drawingOf(page)
    if (due === 0 && loading + activity.loading === 0) return true
    const left = began + drawing - performance.now()
    if (left <= 0) return false
    if (due === 0) continue
    await pause(Math.min(due, left) + 30)
    since = performance.now()
  }
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, ms))
  })

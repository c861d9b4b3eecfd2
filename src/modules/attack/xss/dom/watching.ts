/** Opens pages with a word in every source that an attacker can fill, and hears which sinks it reaches. */
import { randomBytes } from 'node:crypto'
import type { BrowserContext, Frame, Page, Request, Response, Route } from 'playwright-core'
import { withoutHash } from '../../../../page/shape.ts'
import type { ModuleBrowser } from '../../../browser.ts'
import { inPageScript } from '../../../in-page.ts'
import { type Approach, arrive, isForeign, send, serveForeign, tolerant } from '../browser/approach.ts'
import { createHeld, type Held } from '../browser/held.ts'
import type { Press } from '../browser/pressable.ts'
import { type Hand, noteListeners } from '../browser/pressing.ts'
import { createActivity, noteDrawing, pause, settled } from '../browser/timers.ts'
import type { Frame as StandingFrame } from '../browser/views.ts'
import type { Unpressed, Walk } from '../browser/walking.ts'
import type { CodeNames } from './code-names.ts'
import { type PageNotes, SINK } from './hooks.ts'
import { type Message, messagesFor, withPayload } from './messages.ts'
import type { Sink } from './payloads.ts'
import { type FileNames, keepScript, namesBy, readScript } from './script-files.ts'
import { type Trace, tour, viewIn } from './touring.ts'

const SINKS = new URL('../in-page/sinks.ts', import.meta.url)
const NOTES = new URL('../in-page/notes.ts', import.meta.url)
const PATIENCE = { quiet: 200, longest: 2_500, drawing: 8_000 }
const MESSAGE_SETTLE = 120
const LEAVING = 300
/** Kinds of requests that no script waits for. */
const NOT_NEEDED: readonly string[] = ['image', 'media', 'font', 'stylesheet']

export interface Reached {
  readonly sink: Sink
  /** At most 4,000 characters, with the word in them. */
  readonly value: string
  /** The word itself: whose it is, its source knows. */
  readonly word: string
  /** Places in files of scripts that gave it there; empty where they are not known, or the page holds some of that code itself. */
  readonly by: string
  /** Index of the message that brought it. */
  readonly message: number | null
  /** What had been pressed on the page by then. */
  readonly presses: readonly Press[]
  /** The last of these, and what had to be pressed for it to be there. */
  readonly way: readonly Press[]
}

export interface Watched {
  readonly reached: readonly Reached[]
  /** False where no answer came, and the browser showed a page of its own. */
  readonly isThere: boolean
  /** Before anything was pressed. */
  readonly notes: PageNotes
  /** Where it stood then; null where it was given one of our words to go on with, or is gone. */
  readonly shown: string | null
  /** Names of parameters that were asked for by the end. */
  readonly names: readonly string[]
  /** What was sent to the page's listeners. */
  readonly messages: readonly Message[]
  /** Null where nothing was to be pressed. */
  readonly unpressed: Unpressed | null
  /** What stands on other views, too; null where that was not asked, or it shows no other view. */
  readonly frame: StandingFrame | null
  /** Members of ours in its prototypes, after it was led elsewhere, too. */
  readonly polluted: readonly string[]
  /** Files of scripts that it loaded from its own host, at most 12; none where they were not asked for. */
  readonly scripts: readonly string[]
  /** Names that routers in its own files of scripts read, those of the files that came last first; none where they were not asked for. */
  readonly routed: readonly string[]
  /** Names by which its scripts may take parts of an address; none where they were not asked for. */
  readonly coded: CodeNames
  /** Parameters of an address that its scripts read by name at some time; none where they were not asked for. */
  readonly queried: readonly string[]
  /** What was asked of it last; null where nothing was, or it is gone. */
  readonly read: unknown
}

/** What a page has shown before anything was done with it but sending it messages. */
export type Looked = Pick<Watched, 'notes' | 'shown' | 'routed' | 'messages'>

/** What is done with a page once it is there. */
export interface Doing {
  /** Sent to what listens to messages. */
  readonly message?: string
  /** How all that may be pressed is, by what was seen by then; null where nothing is. */
  readonly presses?: Presses | null | ((seen: Looked & Pick<Watched, 'frame'>) => Presses | null)
  /** Two views of the same application, where it may be one: what stands there, too, is told. */
  readonly beside?: readonly string[]
  /** Addresses that it is led to at the end, where it has shown other views. */
  readonly ways?: (seen: Looked) => readonly string[]
  /** Runs in it before its own code. */
  readonly before?: string
  /** Its files of scripts are kept. */
  readonly scripts?: boolean
  /** Names by which its scripts, those in files too, may read an address are told. */
  readonly routed?: boolean
  /** Asked of it when all else is done. */
  readonly read?: string
}

/** How a page is pressed. */
export type Presses = Pick<Walk, 'isPage' | 'shell' | 'rows'>

export interface Watcher {
  /** A new word for a source; no two are the same. */
  readonly word: () => string
  /** Cookies of an approach go with all of the profile's: one such visit at a time. `words` are those that the approach holds. */
  readonly watch: (approach: Approach, words: readonly string[], doing?: Doing) => Promise<Watched>
  readonly close: () => Promise<void>
}

const NO_NOTES: PageNotes = {
  ...{
    listeners: [],
    names: [],
    keys: [],
    cookies: [],
    anchors: [],
    pressable: false,
    follows: false,
    moves: false,
    code: '',
    scripts: '',
  },
  ...{ drawn: false, password: false, files: false, polluted: [] },
}
const NOTHING = {
  isThere: true,
  notes: NO_NOTES,
  shown: null,
  names: [],
  messages: [],
  unpressed: null,
  frame: null,
  polluted: [],
  scripts: [],
  routed: [],
  coded: { names: [], starts: [] },
  queried: [],
  read: null,
}

/** `undrawn` hears of each page that was still being drawn when its time was over, as host and path. */
export const openWatcher = async (
  { browser, hand }: { readonly browser: ModuleBrowser; readonly hand: Hand },
  undrawn: (page: string) => void,
): Promise<Watcher> => {
  const prefix = `qx${randomBytes(4).toString('hex')}`
  const marked = new RegExp(`${prefix}w\\d+z`)
  let made = 0
  /** Who waits for a word. A page may use it before its window has been told to us. */
  const owners = new Map<string, (sink: Sink, value: string, by: string) => void>()
  const [starts, held] = [createStarts(), createHeld()]
  const [stay, unanswered] = [new Set<Page>(), new Set<string>()]
  const routes: FileNames = new Map()
  const note = (sink: unknown, value: unknown, by: unknown = ''): void => {
    const word = typeof value === 'string' ? marked.exec(value)?.[0] : undefined
    if (word !== undefined) owners.get(word)?.(sink as Sink, String(value), String(by))
  }
  const open = (): Promise<BrowserContext> =>
    openProfile(browser, hand, { prefix, starts, stay, note, unanswered, held })
  const shared = await open()

  return {
    word: () => {
      made += 1
      return `${prefix}w${made}z`
    },
    close: () => shared.close(),
    watch: async (approach, words, doing = {}) => {
      const { message, before, scripts = false, routed = false } = doing
      const trace: Trace = { reached: [], sent: null, pressed: [], way: [], isOver: false }
      const { reached } = trace
      const pages: Page[] = []
      const files: Promise<string>[] = []
      const parts: string[] = []
      const leaving = Promise.withResolvers<null>()
      const activity = createActivity()
      for (const word of message === undefined ? words : [...words, message])
        owners.set(word, (sink, value, by) => {
          if (trace.isOver) return
          const { sent, pressed, way } = trace
          if (reached.length < 100) reached.push({ sink, value, word, by, message: sent, presses: pressed, way })
          // A page that was kept from leaving may never say that it has loaded.
          if (sink === 'location') setTimeout(() => leaving.resolve(null), LEAVING)
        })
      const start = startOf(approach.url)
      // What lies in the storage lies there for every page of a profile, and few applications start with what they cannot read.
      const profile = approach.storage ? await open() : shared
      starts.begin(start)
      try {
        const arrived = arrive(profile, approach, pages, (one) => {
          hand.follow(one)
          activity.follow(one)
          if (before !== undefined) one.addInitScript(before).catch(() => undefined) // Gone already.
          if (scripts) one.on('response', (response) => void keepScript(response, approach.url, files))
          if (routed) one.on('response', (response) => readScript(response, approach.url, parts, routes))
          keepInSight(one, pages)
        })
        arrived.catch(() => undefined) // Where the page leaves first, nobody waits for it any more.
        const page = (await Promise.race([arrived, leaving.promise])) ?? pages.at(-1)
        if (!page) return { ...NOTHING, reached }
        // Its window did not open in time.
        if (approach.opener && page === pages[0] && reached.length === 0) undrawn(start)
        if (!(await settled(page, activity, PATIENCE))) undrawn(start)
        const notes = await notesOf(page)
        stay.add(page)
        const messages =
          message === undefined || notes.listeners.length === 0 ? [] : messagesFor(notes.listeners, message)
        await sendAll(messages, message ?? '', [pages[0], page], (index) => {
          trace.sent = index
        })
        const known = await namesBy(parts, routes, routed ? notes.code : '')
        const settle = () => settled(page, activity, PATIENCE)
        const shown = marked.test(viewIn(page.url(), approach.url)) ? null : page.url()
        const touring = { page, address: approach.url, hand, activity, trace, marked, stay, settle }
        const { unpressed, frame } = await tour(touring, doing, { notes, shown, routed: known.routed, messages })
        const answer = doing.read === undefined ? null : await readOf(page, doing.read)
        const last = unpressed || frame ? await notesOf(page) : notes
        return {
          reached,
          isThere: !unanswered.delete(addressOf(approach.url)),
          notes,
          shown,
          names: last.names,
          polluted: last.polluted,
          messages,
          unpressed,
          frame,
          scripts: await Promise.all(files),
          ...known,
          read: answer,
        }
      } finally {
        starts.end(start)
        await closeAll(pages, stay, held)
        for (const word of words) owners.delete(word)
        if (approach.cookies) await profile.clearCookies()
        if (profile !== shared) await profile.close().catch(() => undefined) // Its browser may have crashed.
      }
    },
  }
}

/** Whose pages say which sinks our words reach, and stay where they are. */
const openProfile = async (browser: ModuleBrowser, hand: Hand, keeping: Keeping): Promise<BrowserContext> => {
  const made = await browser.newContext()
  await made.exposeBinding(SINK, (_source, ...told: readonly unknown[]) => keeping.note(told[0], told[1], told[2]))
  await made.addInitScript(`(${inPageScript(SINKS)})(${JSON.stringify(keeping.prefix)})`)
  await made.addInitScript(noteListeners())
  await made.addInitScript(noteDrawing())
  await made.route('**/*', hand.judge)
  await made.route('**/*', (route) => keepHere(route, keeping))
  await serveForeign(made)
  made.on('response', (response) => noteUnanswered(response, keeping.unanswered))
  return made
}

/** What it opens is closed with it, and nothing that it asks a person waits. */
const keepInSight = (page: Page, pages: Page[]): void => {
  page.on('popup', (popup) => pages.push(popup))
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined)) // Gone with its page.
}

/** The door answers in place of a target that does not, or that it keeps the browser from. A window hears of its first answer too late. */
const noteUnanswered = (response: Response, unanswered: Set<string>): void => {
  if (response.headers()['sonde-refused'] !== undefined && response.request().isNavigationRequest())
    unanswered.add(addressOf(response.url()))
}

/** As it is asked for. */
const addressOf = (url: string): string => withoutHash(new URL(url).href)

/** One after the other, with the word in each; `sent` hears which one is under way, and null at the end. */
const sendAll = async (
  messages: readonly Message[],
  word: string,
  [opener, page]: readonly [Page | undefined, Page],
  sent: (index: number | null) => void,
): Promise<void> => {
  for (const [index, one] of messages.entries()) {
    sent(index)
    if (opener && !page.isClosed()) await send(opener, [withPayload(one, word, word)])
    await pause(MESSAGE_SETTLE)
  }
  sent(null)
}

const closeAll = async (pages: readonly Page[], stay: Set<Page>, held: Held): Promise<void> => {
  for (const page of pages) await held.release(page)
  for (const page of pages) {
    stay.delete(page)
    await page.close().catch(() => undefined) // It may have crashed.
  }
}

const startOf = (address: string): string => {
  const { host, pathname } = new URL(address)
  return host + pathname
}

/** Host and path of the addresses that are being opened: several at once may have the same, as those of one front controller do. */
interface Starts {
  readonly begin: (start: string) => void
  readonly end: (start: string) => void
  readonly has: (start: string) => boolean
}

const createStarts = (): Starts => {
  const open = new Map<string, number>()
  return {
    begin: (start) => void open.set(start, (open.get(start) ?? 0) + 1),
    end: (start) => void open.set(start, (open.get(start) ?? 0) - 1),
    has: (start) => (open.get(start) ?? 0) > 0,
  }
}

interface Keeping {
  readonly prefix: string
  readonly starts: Pick<Starts, 'has'>
  /** Pages that go nowhere any more. */
  readonly stay: ReadonlySet<Page>
  readonly note: (sink: unknown, value: unknown, by?: unknown) => void
  /** Addresses that the door answered. */
  readonly unanswered: Set<string>
  readonly held: Held
}

/**
 * A page that goes where our word says leaves before any hook could tell. The request is stopped; and while a page is
 * sent messages it stays where it is, whatever it is told.
 */
const keepHere = async (route: Route, { prefix, starts, stay, note, held }: Keeping): Promise<void> => {
  const request = route.request()
  const href = request.url()
  const proceed = () => route.fallback().catch(() => undefined) // The page is gone already.
  // Chromium shows a page of its own for any other reason to stop.
  const stop = () => route.abort('aborted').catch(() => undefined)
  if (NOT_NEEDED.includes(request.resourceType())) return route.abort('blockedbyclient').catch(() => undefined)
  const url = new URL(href)
  // What a server says over it is nothing of the address, and each load would open a connection anew, of five requests.
  if (held.takes(route)) return
  if (request.resourceType() === 'script' && url.hostname.startsWith(prefix)) {
    note('script', href.slice(href.indexOf(prefix)))
    return stop()
  }
  if (!request.isNavigationRequest() || isFrame(request)) return proceed()
  if (isForeign(url.hostname)) return proceed()
  const page = pageOf(request)
  const kept = page !== null && stay.has(page)
  // Where a page's own script sends it away at once, there is nothing left to look at.
  const there = page?.url().startsWith('http') && !request.redirectedFrom()
  const left = there === true && !starts.has(url.host + url.pathname)
  if (!href.includes(prefix)) return kept || left ? stop() : proceed()
  if (!kept && starts.has(url.host + url.pathname)) return proceed()
  const whole = /\/qx[0-9a-f]{8}w\d+z\/?$/.test(url.pathname) || url.hostname.startsWith(prefix)
  note('location', whole ? href.slice(href.indexOf(prefix)) : href)
  return stop()
}

/** Null for the request of a page that is just being opened: Playwright knows no frame yet. */
const frameOf = (request: Request): Frame | null => {
  try {
    return request.frame()
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}

const isFrame = (request: Request): boolean => (frameOf(request)?.parentFrame() ?? null) !== null
const pageOf = (request: Request): Page | null => frameOf(request)?.page() ?? null

const notesOf = async (page: Page): Promise<PageNotes> =>
  (await readOf<PageNotes>(page, `(${inPageScript(NOTES)})()`)) ?? NO_NOTES

const readOf = async <Value>(page: Page, script: string): Promise<Value | null> => {
  let answer: Value | null = null
  await tolerant(
    page.evaluate<Value>(script).then((read) => {
      answer = read
    }),
  )
  return answer
}

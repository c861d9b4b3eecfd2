/** Opens pages with a word in every source that an attacker can fill, and hears which sinks it reaches. */
import { randomBytes } from 'node:crypto'
import type { Page, Request } from 'playwright-core'
import type { ModuleBrowser } from '../../browser.ts'
import { type Approach, arrive, send, serveForeign, tolerant } from '../browser/approach.ts'
import { hookFor, NOTES, type PageNotes, SINK } from './hooks.ts'
import { type Message, messagesFor, withPayload } from './messages.ts'
import type { Sink } from './payloads.ts'

/** Milliseconds without a request under way, after which a page has used what it was given; and the most it gets. */
const QUIET = 120
const LONGEST = 1_500
const MESSAGE_SETTLE = 120
const LEAVING = 300

export interface Reached {
  readonly sink: Sink
  /** At most 4,000 characters, with the word in them. */
  readonly value: string
  /** The word itself, with the source's mark. */
  readonly word: string
  /** Index of the message that brought it. */
  readonly message: number | null
}

export interface Watched {
  readonly reached: readonly Reached[]
  readonly notes: PageNotes
  /** What was sent to the page's listeners. */
  readonly messages: readonly Message[]
}

export interface Watcher {
  /** The word of a source: `letter` and `index` come back with what it reached. */
  readonly word: (letter: string, index?: number) => string
  readonly watch: (approach: Approach) => Promise<Watched>
  readonly close: () => Promise<void>
}

const NO_NOTES: PageNotes = { listeners: [], names: [], keys: [], moves: false, scripts: '' }

export const openWatcher = async (browser: ModuleBrowser): Promise<Watcher> => {
  const profile = await browser.newContext()
  const prefix = `qx${randomBytes(4).toString('hex')}`
  const word: Watcher['word'] = (letter, index = 0) => `${prefix}${letter}${index}z`
  const marked = new RegExp(`${prefix}[a-z]\\d+z`)
  const listening = new Map<Page, (sink: string, value: string) => void>()
  await profile.exposeBinding(SINK, ({ page }, sink: unknown, value: unknown) => {
    if (typeof sink === 'string' && typeof value === 'string') listening.get(page)?.(sink, value)
  })
  await profile.addInitScript(hookFor(prefix))
  await serveForeign(profile)

  return {
    word,
    close: () => profile.close(),
    watch: async (approach) => {
      const reached: Reached[] = []
      const pages: Page[] = []
      let message: number | null = null
      const stay = { put: false }
      const leaving = Promise.withResolvers<null>()
      const busy = { pending: 0 }
      const note = (sink: string, value: string) => {
        const found = marked.exec(value)?.[0]
        if (found && reached.length < 100) reached.push({ sink: sink as Sink, value, word: found, message })
        // A page that was kept from leaving may never say that it has loaded.
        if (sink === 'location') setTimeout(() => leaving.resolve(null), LEAVING)
      }
      try {
        const arrived = arrive(profile, approach, pages, (one) => {
          listening.set(one, note)
          one.on('request', () => {
            busy.pending += 1
          })
          const ended = () => {
            busy.pending -= 1
          }
          one.on('requestfinished', ended)
          one.on('requestfailed', ended)
          one.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined)) // Gone with its page.
          void watchLeaving(one, approach.url, word, note, stay)
        })
        arrived.catch(() => undefined) // Where the page leaves first, nobody waits for it any more.
        const page = (await Promise.race([arrived, leaving.promise])) ?? pages.at(-1)
        if (!page) return { reached, notes: NO_NOTES, messages: [] }
        await settled(busy)
        stay.put = true
        const notes = await notesOf(page)
        const messages = approach.opener && notes.listeners.length > 0 ? messagesFor(notes.listeners, word('m')) : []
        const [opener] = pages
        for (const [index, one] of messages.entries()) {
          message = index
          if (opener && !page.isClosed()) await send(opener, [withPayload(one, word('m'), word('m'))])
          await pause(MESSAGE_SETTLE)
        }
        return { reached, notes, messages }
      } finally {
        for (const page of pages) {
          listening.delete(page)
          await page.close().catch(() => undefined) // It may have crashed.
        }
      }
    },
  }
}

/**
 * A page that goes where our word says leaves before any hook could tell. The request is stopped; and once the page has
 * settled it stays where it is, whatever it is told.
 */
const watchLeaving = (
  page: Page,
  own: string,
  word: Watcher['word'],
  note: (sink: string, value: string) => void,
  stay: { readonly put: boolean },
): Promise<unknown> => {
  const prefix = word('x').slice(0, -3)
  const start = new URL(own)
  return page.route('**/*', async (route) => {
    const request = route.request()
    const href = request.url()
    const goesOn = () => route.fallback().catch(() => undefined) // The page is gone already.
    if (!request.isNavigationRequest() || isFrame(request, page)) return goesOn()
    const url = new URL(href)
    const again = url.pathname === start.pathname && url.host === start.host
    if (!href.includes(prefix) || (again && !stay.put))
      return stay.put ? route.abort('aborted').catch(() => undefined) : goesOn()
    const whole = /\/qx[0-9a-f]{8}[a-z]\d+z\/?$/.test(url.pathname) || url.hostname.startsWith(prefix)
    note('location', whole ? href.slice(href.indexOf(prefix)) : href)
    return route.abort('aborted').catch(() => undefined)
  })
}

const isFrame = (request: Request, page: Page): boolean => {
  try {
    return request.frame() !== page.mainFrame()
  } catch (error) {
    // Playwright knows no frame yet for the request of a page that is just being opened.
    if (error instanceof Error) return false
    throw error
  }
}

const notesOf = async (page: Page): Promise<PageNotes> => {
  let notes = NO_NOTES
  await tolerant(
    page.evaluate<PageNotes>(NOTES).then((read) => {
      notes = read
    }),
  )
  return notes
}

const settled = async (busy: { readonly pending: number }): Promise<void> => {
  const end = performance.now() + LONGEST
  let quietSince = performance.now()
  while (performance.now() < end && performance.now() - quietSince < QUIET) {
    await pause(30)
    if (busy.pending > 0) quietSince = performance.now()
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** A real browser for modules. The engine launches it; every byte of it goes through the module's own egress. */
import type { BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import type { BrowserProxyOptions } from '../egress/door/egress.ts'

export interface ModuleBrowser {
  /** Chromium's version, for example "156.0.7200.10". */
  readonly version: string
  /** A profile of its own: cookies, storage and cache are shared with no other. The caller may close it. */
  readonly newContext: (options?: ContextOptions) => Promise<BrowserContext>
  /** Ends the browser and everything in it. Called for the module when it ends. */
  readonly close: () => Promise<void>
}

/** An element, a frame, a page, its profile or the whole browser went away while it was spoken to: in Playwright's words. */
export const isGone = (error: unknown): boolean =>
  error instanceof Error && /closed|crashed|detached|not attached|disposed|disconnected|destroyed/i.test(error.message)

/**
 * A tab that nothing has been asked of yet. Where memory is short, its process may be lost before that, which says nothing of the page
 * that is to be opened: it is asked for once more.
 */
export const openTab = async (profile: Pick<BrowserContext, 'newPage'>): Promise<Page> => {
  try {
    return await profile.newPage()
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('Target crashed'))) throw error
    return profile.newPage()
  }
}

/** A picture of a page could not be taken: the page went away, was too slow, or Chromium had nothing to draw it with. */
export const isUndrawn = (error: unknown): boolean =>
  isGone(error) || (error instanceof Error && (error.name === 'TimeoutError' || /screenshot/i.test(error.message)))

/**
 * Asked for before anybody goes there, for a link that the page has: by a browser's word for it, or by a library's own. A page is whole without,
 * and one with twenty links asks for twenty more each time it is opened.
 */
export const isAhead = (request: Pick<Request, 'method' | 'headers'>): boolean => {
  const headers = request.headers()
  const said = headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? ''
  const isNamed = ['next-router-prefetch', 'next-router-segment-prefetch'].some((name) => headers[name] !== undefined)
  return request.method() === 'GET' && (/\b(?:prefetch|preview|prerender)\b/.test(said) || isNamed)
}

export interface ContextOptions
  extends Pick<BrowserContextOptions, 'locale' | 'timezoneId' | 'viewport' | 'extraHTTPHeaders' | 'serviceWorkers'> {
  /** False sends the requests of this profile without the run's credentials. Default true. */
  readonly authenticated?: boolean
  /** A door of its own for this profile, whose requests are told and whose scripts may get a prefix. */
  readonly watching?: Pick<BrowserProxyOptions, 'watch' | 'prefixOf'>
}

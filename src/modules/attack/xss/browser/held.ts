/**
 * Requests of a page that stay unanswered until it is closed: a library that is refused a connection for messages tries again and again, and
 * the page is never done with drawing itself.
 */
import type { Page, Route } from 'playwright-core'
import { carriesMessages } from '../../../../page/transport.ts'
import { pageOf } from './pressing.ts'

export interface Held {
  /** Whether it opens a connection for messages, and is held from now on. */
  readonly takes: (route: Route) => boolean
  /** Has to be called before the page is closed: what is under way then goes on to the site. */
  readonly release: (page: Page) => Promise<void>
}

export const createHeld = (): Held => {
  const held = new Map<Page, Route[]>()
  return {
    takes: (route) => {
      const request = route.request()
      const page = pageOf(request)
      if (page === null || request.isNavigationRequest() || !carriesMessages(new URL(request.url()))) return false
      held.set(page, [...(held.get(page) ?? []), route])
      return true
    },
    release: async (page) => {
      const routes = held.get(page) ?? []
      held.delete(page)
      await Promise.all(routes.map((route) => route.abort('blockedbyclient').catch(() => undefined))) // It may have gone with its document.
    },
  }
}

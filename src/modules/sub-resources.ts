/** Scripts and style sheets of a site, fetched once for all pages that a browser of the run opens. */
import type { Request, Response, Route } from 'playwright-core'

export interface SubResources {
  /** Answers a script or style sheet that is known. False where it is not. */
  readonly answer: (route: Route) => Promise<boolean>
  /** Keeps what a page has received. */
  readonly keep: (response: Response) => Promise<void>
}

interface Kept {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const KINDS: readonly string[] = ['script', 'stylesheet']
const MAX_ENTRIES = 500
const MAX_BYTES = 64 * 1024 * 1024

/** Of one run and one set of credentials. What says that it must not be stored is not. */
export const createSubResources = (): SubResources => {
  const kept = new Map<string, Kept>()
  let bytes = 0
  return {
    answer: async (route) => {
      const request = route.request()
      const known = isKind(request) ? kept.get(request.url()) : undefined
      if (!known) return false
      await route.fulfill({ status: 200, ...known }).catch(() => undefined) // The page is gone already.
      return true
    },
    keep: async (response) => {
      const url = response.url()
      if (!isKind(response.request()) || response.status() !== 200 || kept.has(url) || kept.size >= MAX_ENTRIES) return
      const headers = response.headers()
      if (/no-store|private/i.test(headers['cache-control'] ?? '')) return
      // A page that is closed takes its answers along.
      const body = await response.body().catch(() => null)
      if (body === null || bytes + body.length > MAX_BYTES) return
      bytes += body.length
      kept.set(url, { headers: withoutFraming(headers), body })
    },
  }
}

const isKind = (request: Request): boolean => request.method() === 'GET' && KINDS.includes(request.resourceType())

/** The body is kept as decoded. */
const withoutFraming = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !['content-encoding', 'content-length', 'transfer-encoding', 'set-cookie'].includes(name),
    ),
  )

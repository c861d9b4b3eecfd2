/** A browser that is signed in and does no harm: what pages send by themselves to store something is stopped. */
import type { Request, Route } from 'playwright-core'
import type { Environment } from '../../contract/run.ts'
import type { ContextOptions, ModuleBrowser } from '../../modules/browser.ts'
import { asSent } from '../../safety/asked.ts'
import { type Asked, decide } from '../../safety/policy.ts'

/** For runs with credentials. Profiles without them, and those whose traffic is what is looked at, stay as they are. */
export const unchanging = (browser: ModuleBrowser, environment: Environment = 'production'): ModuleBrowser => ({
  version: browser.version,
  close: browser.close,
  newContext: async (options: ContextOptions = {}) => {
    const context = await browser.newContext(options)
    const judge = (route: Route) => stopChanges(route, environment)
    if (options.authenticated !== false && !options.watching) await context.route(/^/, judge)
    return context
  },
})

const stopChanges = async (route: Route, environment: Environment): Promise<void> => {
  const around = { environment, signedIn: true, staff: false, excludes: () => false }
  // What a page asks for by itself it asks for on every visit; words still forbid.
  const { send } = decide(askedBy(route.request()), 'reads', around)
  await (send === 'never' ? route.abort('aborted') : route.fallback()).catch(() => undefined) // The page is gone already.
}

const askedBy = (request: Request): Asked =>
  asSent({
    method: request.method(),
    url: request.url(),
    contentType: request.headers()['content-type'] ?? null,
    body: request.postData(),
  })

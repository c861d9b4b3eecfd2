/** A browser that is signed in and still changes nothing: what pages send by themselves to store something is stopped. */
import type { Route } from 'playwright-core'
import type { ContextOptions, ModuleBrowser } from '../../modules/browser.ts'
import { isAlteration } from '../../safety/signed-in.ts'

/** For runs with credentials. Profiles without them, and those whose traffic is what is looked at, stay as they are. */
export const unchanging = (browser: ModuleBrowser): ModuleBrowser => ({
  version: browser.version,
  close: browser.close,
  newContext: async (options: ContextOptions = {}) => {
    const context = await browser.newContext(options)
    if (options.authenticated !== false && !options.watching) await context.route(/^/, stopChanges)
    return context
  },
})

const stopChanges = async (route: Route): Promise<void> => {
  const request = route.request()
  const alters = isAlteration(request.method(), request.url(), request.postData() ?? '')
  await (alters ? route.abort('aborted') : route.fallback()).catch(() => undefined) // The page is gone already.
}

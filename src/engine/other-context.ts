/** What a module works with as another identity of the run: its requests, its browser and its session are that one's. */
import { cookieNames, headerNames } from '../egress/door/credentials.ts'
import { settingsAmong } from '../egress/redaction/secrets-of.ts'
import { egressAs } from '../modules/as-other.ts'
import type { ModuleBrowser } from '../modules/browser.ts'
import type { CollectContext, RunIdentity } from '../modules/module.ts'
import type { Run } from './run.ts'
import type { LiveSession } from './session.ts'

/** `open`: launches a browser that ends with the module, of whose pages these are the session and the door. */
export const otherContexts =
  (
    run: Run,
    ctx: CollectContext,
    open: (session: LiveSession, egress: CollectContext['egress']) => Promise<ModuleBrowser>,
  ): NonNullable<CollectContext['asOther']> =>
  async ({ name, as }: RunIdentity) => {
    const identity = run.identities.find((one) => one.as === as)
    if (as === null || identity === undefined) throw new Error(`the run has no other identity called "${name}"`)
    const { live, failed } = await identity.begin()
    if (live === null) return failed ?? 'nobody is signed in'
    if (live.ofPages !== null) return 'its pages alone keep its session'
    const { session: _session, identities: _identities, ...common } = ctx
    const egress = egressAs(ctx.egress, as)
    let browser: Promise<ModuleBrowser> | null = null
    return {
      ...common,
      ...{ as, egress, hasCredentials: true },
      browser: () => {
        browser ??= open(live, egress)
        return browser
      },
      ...(live.watched === null ? {} : { session: live.watched }),
      ownCookies: cookieNames(live.credentials()),
      ownSettings: settingsAmong(live.credentials()),
      ownHeaders: headerNames(live.credentials()),
    }
  }

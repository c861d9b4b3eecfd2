/** A site of members and a sign-in by steps to it, in a real browser, for tests. */
import { memberSite, SEED } from '../../../tests/support/member-site.ts'
import type { StepsSignIn } from '../../contract/sign-in.ts'
import type { LaunchBrowser } from '../../engine/run.ts'
import { sharedBrowser } from '../../engine/testing/shared-browser.ts'
import { type CaseServers, collectContext, serveCase } from '../../modules/testing/collecting.ts'
import { createSignIn, type Step } from '../sign-in.ts'

let servers: CaseServers | null = null
let close: () => Promise<void> = async () => undefined
/** After each test, and before another site of the same test. */
export const closeSigning = async (): Promise<void> => {
  await close()
  await servers?.close()
  servers = null
}

/** `launch`: a browser of its own where the page may not let go of it. */
export const signing = async (steps: StepsSignIn, site = memberSite(), launch: LaunchBrowser = sharedBrowser) => {
  servers = await serveCase(64, { http: site.answer })
  const made = collectContext(servers.address, { requests: 500 })
  close = made.close
  const told: Step[] = []
  const signIn = createSignIn(
    { steps, totp: { secret: SEED, period: 10 }, proof: { path: '/account', text: 'Hello Ada' } },
    {
      egress: made.ctx.egress,
      place: { domain: 'shop.test', hosts: [] },
      clock: Date.now,
      sleep: async () => undefined,
      told: (step) => void told.push(step),
      browser: {
        open: () => launch(made.ctx.egress, made.ctx.signal, () => undefined),
        pictures: true,
      },
    },
  )
  return { signIn, told, site }
}

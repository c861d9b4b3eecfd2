/**
 * The run's own sign-in by steps once more, its pages opened with an address of our choice in a parameter: where its browser goes then
 * (CWE-601), which a script decides in many applications. Nobody is signed in by it afterwards.
 */
import type { SignIn } from '../contract/identity.ts'
import type { SignInStep } from '../contract/sign-in.ts'
import type { ModuleBrowser } from '../modules/browser.ts'
import { SignInFailed } from './failure.ts'
import type { Given, Leading } from './leading.ts'
import { createSignIn, type SignInPorts } from './sign-in.ts'

/** Seconds of a step: led to a page that it does not know, none that is left finds anything. */
const PATIENCE = 10
/** Seconds of what is waited for in the end, once somebody is signed in. */
const IN_THE_END = 5

/** Null where it is no sign-in by steps. */
export const leadsBySteps = (
  how: SignIn,
  origin: string,
  ports: SignInPorts,
): (Pick<Leading, 'paths' | 'at' | 'to'> & { readonly by: 'page' }) | null => {
  const steps = how.steps?.steps
  if (how.steps === undefined || steps === undefined) return null
  const opened = steps.flatMap((step) => openedBy(step, origin) ?? [])
  return {
    by: 'page',
    paths: new Set(opened.map(({ pathname }) => pathname)),
    ...(opened[0] === undefined ? {} : { at: opened[0].href }),
    to: async (given, host) => {
      const changed = inSeconds(steps.map((step) => withParameters(step, origin, given)))
      let led: string | null = null
      const open = async (): Promise<ModuleBrowser> =>
        watched(await ports.browser.open(), ({ hostname, href }) => {
          if (hostname === host || hostname.endsWith(`.${host}`)) led ??= href
        })
      try {
        const signIn = { ...how, steps: { ...how.steps, steps: changed } }
        await createSignIn(signIn, { ...ports, browser: { open }, told: () => undefined })()
      } catch (error) {
        if (!(error instanceof SignInFailed)) throw error
        // Away from its site the steps that are left find nothing, and its pages keep nothing; elsewhere nobody got in.
        return led ?? false
      }
      return led
    },
  }
}

/** Null where it opens no page of the site by a name that is known before. */
const openedBy = (step: SignInStep, origin: string): URL | null => {
  if (step.do !== 'goto' || step.url.includes('{{')) return null
  const url = URL.parse(step.url, origin)
  return url?.origin === origin ? url : null
}

/** None waits for longer than somebody would who is led elsewhere. Exported for its test. */
export const inSeconds = (steps: readonly SignInStep[]): SignInStep[] => {
  const last = steps.findLastIndex((step) => step.do !== 'wait')
  return steps.map((step, at) => {
    const most = at > last ? IN_THE_END : PATIENCE
    return { ...step, seconds: Math.min(step.seconds ?? most, most) }
  })
}

const withParameters = (step: SignInStep, origin: string, given: Given): SignInStep => {
  const url = openedBy(step, origin)
  if (url === null || step.do !== 'goto') return step
  for (const [name, address] of given) url.searchParams.set(name, address)
  return { ...step, url: url.href }
}

/** `goes` hears of each address that one of its pages goes to. */
const watched = (browser: ModuleBrowser, goes: (url: URL) => void): ModuleBrowser => ({
  ...browser,
  newContext: async (options) => {
    const context = await browser.newContext(options)
    context.on('request', (request) => {
      const url = request.isNavigationRequest() ? URL.parse(request.url()) : null
      if (url !== null) goes(url)
    })
    return context
  },
})

/** A browser whose pages keep what the session of the run needs outside of cookies, on the origins that its credentials may go to. */
import type { BrowserContext } from 'playwright-core'
import type { Egress } from '../../egress/door/egress.ts'
import type { ContextOptions, ModuleBrowser } from '../../modules/browser.ts'
import { inPageScript } from '../../modules/in-page.ts'
import type { PageStorage } from '../../sign-in/page-storage.ts'
import type { GivenStorage } from './given-storage.ts'

const SCRIPT = new URL('./in-page/storage.ts', import.meta.url)

export interface SignedInPorts {
  readonly egress: Pick<Egress, 'credentialsFor'>
  readonly target: { readonly host: string; readonly port: number | null }
  /** The origin whose pages alone have the session; null where requests carry it. */
  readonly ofPages?: string | null
  /** Of the session as it stands now. */
  readonly storage: () => PageStorage
}

/** For runs with credentials. Profiles without them, and those whose traffic is what is looked at, stay as they are. */
export const signedInPages = (browser: ModuleBrowser, ports: SignedInPorts): ModuleBrowser => ({
  version: browser.version,
  close: browser.close,
  newContext: async (options: ContextOptions = {}) => {
    const context = await browser.newContext(options)
    if (options.authenticated !== false && !options.watching) await giveStorage(context, ports)
    return context
  },
})

/** What an earlier session gave is told, so that a page which still holds it gets that of now. */
const giveStorage = async (context: BrowserContext, ports: SignedInPorts): Promise<void> => {
  let given: PageStorage | null = null
  const over = new Set<string>()
  const give = async (): Promise<void> => {
    const now = ports.storage()
    if (now === given || isEmpty(now)) return
    for (const value of valuesOf(given)) over.add(value)
    given = now
    const told: GivenStorage = { ...now, origins: await originsOf(ports), over: [...over].slice(-MOST_OVER) }
    if (told.origins.length > 0) await context.addInitScript(`(${inPageScript(SCRIPT)})(${JSON.stringify(told)})`)
  }
  const open = context.newPage.bind(context)
  context.newPage = async () => {
    await give()
    return open()
  }
}
const MOST_OVER = 200

const isEmpty = ({ items, offers }: PageStorage): boolean =>
  items.length === 0 && offers.token === null && Object.keys(offers.members).length === 0

const valuesOf = (storage: PageStorage | null): readonly string[] =>
  storage === null
    ? []
    : [
        ...storage.items.map(({ value }) => value),
        ...[storage.offers.token, storage.offers.holder].filter((one) => one !== null),
        ...Object.values(storage.offers.members).filter((value) => value.length > SHORTEST),
      ]
/** Shorter values are words that pages keep for other reasons, too. */
const SHORTEST = 16

/** Where requests carry the credentials: never in clear where the site speaks https. */
const originsOf = async ({ egress, target, ofPages = null }: SignedInPorts): Promise<readonly string[]> => {
  if (ofPages !== null) return [ofPages]
  const at = target.port === null ? target.host : `${target.host}:${target.port}`
  const origins = ['https', 'http'].map((scheme) => new URL(`${scheme}://${at}/`).origin)
  const carried = await Promise.all(origins.map(async (origin) => (await egress.credentialsFor?.(`${origin}/`)) ?? []))
  return origins.filter((_, index) => (carried[index] ?? []).length > 0)
}

/** Loads a page in the browser, waits until it has done what it had to do, and reads what it shows. */
import type { Frame, Page } from 'playwright-core'
import { type HtmlForm, type HtmlInput, readHtml } from '../../../../page/html.ts'
import { hashRouteOf, withoutHash } from '../../../../page/shape.ts'
import { ASKS_FIRST, PASSWORD } from '../../../../safety/form-effect.ts'
import type { Asked } from '../../../../safety/policy.ts'
import { draftOfLooseInputs, draftsOfForm } from '../forms.ts'
import { isSamePage } from '../pages.ts'
import { LINKS, SCROLL, STATE, WORK } from './page-script.ts'
import type { ExploreParts, Shared } from './parts.ts'
import type { Gate } from './requests.ts'

const LOAD_TIMEOUT = 12_000
/** Milliseconds that a page gets to ask for more, change or finish what it waits for, after a load and after a deed. */
const LOADING = 4_000
export const ACTING = 2_500
const QUIET = 300
/** What a deed begins has begun by then. */
const STARTING = 120
/** Where the server sends when it likes. */
const QUIET_OF_STREAMS = 900
const FRAMES = 10

export const load = async (page: Page, url: string, gate: Gate, parts: Shared): Promise<void> => {
  const document = withoutHash(new URL(url).href)
  parts.opening.add(document)
  gate.arrivals = 0
  try {
    const end = performance.now() + LOAD_TIMEOUT
    // To another route behind the # of the same document a browser goes without loading it anew.
    if (hashRouteOf(url) !== null && withoutHash(page.url()) === document) await page.goto('about:blank')
    await page.goto(url, { waitUntil: 'commit', timeout: LOAD_TIMEOUT })
    await parsed(page, end)
  } finally {
    parts.opening.delete(document)
  }
  await settle(page, gate, LOADING)
  await readDom(page, url, gate, parts)
  const before = await stateOf(page)
  parts.states.add(before)
  const changes = await changesOf(page)
  await page.evaluate(SCROLL)
  await settle(page, gate, ACTING, changes)
  if ((await stateOf(page)) !== before) await readDom(page, url, gate, parts)
}

/** A page that was kept from leaving while it loaded has no event that says so: its state does. */
const parsed = async (page: Page, end: number): Promise<void> => {
  // Between two documents there is none that could tell.
  const isLoading = () => page.evaluate<boolean>(LOADING_STILL).catch(() => true)
  while (performance.now() < end && (await isLoading())) await page.waitForTimeout(50)
}
const LOADING_STILL = `document.readyState === 'loading'`

export const stateOf = (page: Page): Promise<string> => page.evaluate<string>(STATE)

/** Whether something may be done, by what it says of itself. */
export const mayDo = ({ decide }: ExploreParts, said: Pick<Asked, 'url' | 'labels' | 'names' | 'told'>): boolean =>
  decide({ ...said, url: new URL('/', said.url).href, method: 'GET', encoding: 'none', fields: [], body: null }, null)
    .send !== 'never'

interface Dom {
  readonly links: readonly { readonly url: string; readonly label: string; readonly asks: boolean }[]
  readonly html: string
  readonly routes: readonly string[]
}

/** Its own, and those of the site; a frame without an address of its own holds what its page put there. */
export const framesOf = (page: Page, parts: ExploreParts): readonly Frame[] =>
  page
    .frames()
    .filter((frame) => {
      const address = URL.parse(frame.url())
      return (
        frame === page.mainFrame() || address?.protocol === 'about:' || (address !== null && parts.inScope(address))
      )
    })
    .slice(0, FRAMES)

export const readDom = async (page: Page, url: string, gate: Gate, parts: ExploreParts): Promise<void> => {
  const link = (found: string, label: string, harm: string | null = null): void => {
    if (parts.link(found, url, label, harm)) gate.news += 1
  }
  for (const frame of framesOf(page, parts)) {
    // A frame may go away while it is read.
    const dom = await frame.evaluate<Dom>(LINKS).catch(() => null)
    if (!dom) continue
    for (const { url: found, label, asks } of dom.links) {
      if (isSamePage(found, url)) link(found, '')
      else link(found, label, asks ? ASKS_FIRST : null)
    }
    for (const route of dom.routes) link(route, '')
    const own = frame.url().startsWith('http') ? frame.url() : url
    const { forms, looseInputs, base } = readHtml(dom.html, own)
    // Of what a script draws for a route behind the # no server reads a field.
    const loose = hashRouteOf(own) === null ? draftOfLooseInputs(looseInputs, own) : null
    const drafts = [
      ...forms.filter((form) => isSentAsItStands(form, own)).flatMap((form) => draftsOfForm(form, url, base)),
      ...(loose === null ? [] : [loose]),
    ]
    for (const draft of drafts) {
      if (draft.method === 'GET') link(draft.url, draft.label ?? '', draft.harm ?? null)
      gate.news += parts.request({ ...draft, source: 'browser' }) ? 1 : 0
    }
  }
}

/** A form with a password that says neither how nor where it is sent is a script's, which sends it otherwise: as it stands nobody sends it. */
const isSentAsItStands = ({ method, action, inputs }: HtmlForm, page: string): boolean =>
  method === 'post' || action !== page || !inputs.some(isPassword)

/** Shown to whoever types it, too. */
const isPassword = ({ type, name }: HtmlInput): boolean =>
  type === 'password' || (type === 'text' && PASSWORD.test(name))

const workOf = (page: Page): Promise<readonly [changes: number, timers: number]> =>
  page.evaluate<readonly [number, number]>(WORK).catch(() => [0, 0] as const) // Between two documents there is none.

export const changesOf = async (page: Page): Promise<number> => (await workOf(page))[0]

/**
 * Waits until nothing has been under way for a moment: no request, no change, no timer that is to run soon. `known`: the
 * changes before a deed; where it has begun nothing, there is nothing to wait for.
 */
export const settle = async (page: Page, gate: Gate, most: number, known = -1): Promise<void> => {
  const began = performance.now()
  const end = began + most
  let quietSince = began
  // A socket over which nothing was said since has nothing to do with it.
  const streams = (): boolean => gate.streams || gate.spoke >= began
  let before = known
  await page.waitForTimeout(STARTING)
  while (performance.now() < end) {
    const [changes, timers] = await workOf(page)
    if (changes === known && gate.pending === 0 && timers === 0 && !streams()) return
    if (gate.pending > 0 || timers > 0 || changes !== before) quietSince = performance.now()
    before = changes
    if (performance.now() - quietSince >= (streams() ? QUIET_OF_STREAMS : QUIET)) return
    await page.waitForTimeout(100)
  }
}

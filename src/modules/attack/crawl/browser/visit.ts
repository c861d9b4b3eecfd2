/** One page in the browser: what it shows, and what it shows when somebody does what can be done there. */
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { globalsScript } from '../../../../knowledge/fingerprints/globals.ts'
import { findSecrets, maskAll } from '../../../../knowledge/secrets/find.ts'
import { readHtml } from '../../../../page/html.ts'
import { findPasswords } from '../../../../page/passwords.ts'
import { kindOf } from '../../../../page/shape.ts'
import { ASKS_FIRST } from '../../../../safety/form-effect.ts'
import type { Asked } from '../../../../safety/policy.ts'
import type { RunningPage } from '../facts.ts'
import { draftOfLooseInputs, draftsOfForm } from '../forms.ts'
import { isSamePage } from '../pages.ts'
import { actOn, CANDIDATES_LIST, LINKS, OUTLINE, SCROLL, STATE, WORK } from './page-script.ts'
import type { ExploreParts, OpenedPage, Shared } from './parts.ts'
import { type Gate, judgeRoute } from './requests.ts'

const LOAD_TIMEOUT = 12_000
/** Milliseconds that a page gets to ask for more, change or finish what it waits for, after a load and after a deed. */
const LOADING = 4_000
const ACTING = 2_500
const QUIET = 300
/** What a deed begins has begun by then. */
const STARTING = 120
/** Where the server sends when it likes. */
const QUIET_OF_STREAMS = 900
/** Deeds on one page, in a row that showed nothing, and loads to do what was not there any more. */
const DEEDS = 60
const IN_VAIN = 15
const LOADS = 3
const FRAMES = 10
/** Milliseconds for one page, and how long one that is open may go on when the time for all is over. */
const LONGEST_VISIT = 60_000
const GRACE = 3_000
const LONGEST_HTML = 65_536

interface Candidate {
  readonly key: string
  readonly label: string
  /** Its id, classes and name. */
  readonly names: string
  readonly asks: boolean
}

/** Opens one page and does what there is to do. */
export const visitPage = async (
  url: string,
  context: BrowserContext,
  parts: Shared,
  keepsRunning: boolean,
): Promise<OpenedPage> => {
  const page = await context.newPage()
  const gate: Gate = { clicked: false, pending: 0, streams: false, news: 0, arrivals: 0 }
  // A page that goes elsewhere for ever answers no question; closed, it refuses them all.
  const most = Math.max(0, Math.min(LONGEST_VISIT, parts.until - performance.now() + GRACE))
  const closing = setTimeout(() => void page.close().catch(() => undefined), most) // It may have crashed.
  try {
    await listen(page, url, gate, parts)
    await load(page, url, gate, parts)
    const running = keepsRunning ? await readRunning(page, url, parts.expressions) : null
    const outline = await page.evaluate<string>(OUTLINE)
    return { clicks: await actAll(page, url, gate, parts), running, outline }
  } finally {
    clearTimeout(closing)
    await page.close().catch(() => undefined) // It may have crashed.
  }
}

const listen = async (page: Page, url: string, gate: Gate, parts: Shared): Promise<void> => {
  // A host that did not answer once would hold up every page that names it.
  const note = (address: string) => {
    const failed = URL.parse(address)
    if (failed && !parts.inScope(failed)) parts.dead.add(failed.host)
  }
  page.on('dialog', (dialog) => {
    const agrees = dialog.type() !== 'confirm' || mayDo(parts, { url, labels: [dialog.message()], told: ASKS_FIRST })
    void (agrees ? dialog.accept(dialog.defaultValue() || 'test') : dialog.dismiss()).catch(() => undefined) // Gone with its page.
  })
  page.on('popup', (popup) => void popup.close().catch(() => undefined)) // Its address was noted already.
  page.on('requestfailed', (request) => {
    const failed = request.failure()?.errorText ?? ''
    if (!/ABORTED|BLOCKED/.test(failed)) note(request.url())
  })
  page.on('response', (response) => {
    if ((response.headers()['sonde-refused'] ?? 'budget') !== 'budget') note(response.url())
  })
  page.on('websocket', (socket) => {
    gate.streams = true
    noteSocket(socket.url(), url, parts)
  })
  await page.route('**/*', (route) => judgeRoute(route, page, url, gate, parts))
}

const load = async (page: Page, url: string, gate: Gate, parts: Shared): Promise<void> => {
  parts.opening.add(new URL(url).href)
  gate.arrivals = 0
  try {
    const end = performance.now() + LOAD_TIMEOUT
    await page.goto(url, { waitUntil: 'commit', timeout: LOAD_TIMEOUT })
    await parsed(page, end)
  } finally {
    parts.opening.delete(new URL(url).href)
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

const stateOf = (page: Page): Promise<string> => page.evaluate<string>(STATE)

/** What a deed has shown is done next, so that a menu in a menu is open when it is its turn. Returns the number of deeds. */
const actAll = async (page: Page, url: string, gate: Gate, parts: Shared): Promise<number> => {
  const kind = kindOf(url)
  let deeds = 0
  let loads = 1
  let gone = false
  let vain = 0
  const stack = await candidatesOf(page, parts, kind)
  for (;;) {
    const next = stack.shift()
    if (next === undefined) {
      if (!gone || loads >= LOADS || vain >= IN_VAIN) return deeds
      // What was there at first made place for something else.
      loads += 1
      gone = false
      await load(page, url, gate, parts)
      stack.push(...(await candidatesOf(page, parts, kind)))
      continue
    }
    if (deeds >= DEEDS || vain >= IN_VAIN || performance.now() > parts.until || parts.signal.aborted) return deeds
    const { candidate, frame } = next
    const { key, label, names, asks } = candidate
    if (!parts.pressed.isDue(key, kind)) continue
    if (!mayDo(parts, { url, labels: [label], names, told: asks ? ASKS_FIRST : null })) {
      parts.pressed.done(key, kind)
      continue
    }
    const outcome = await act(page, frame, key, gate, parts, url)
    if (outcome === 'gone') {
      gone = true
      continue
    }
    deeds += 1
    parts.pressed.done(key, kind)
    if (outcome === 'nothing') {
      vain += 1
      continue
    }
    vain = 0
    parts.pressed.showed(key)
    stack.unshift(...(await candidatesOf(page, parts, kind)))
  }
}

interface Due {
  readonly candidate: Candidate
  readonly frame: Frame
}

const candidatesOf = async (page: Page, parts: Shared, kind: string): Promise<Due[]> => {
  const due: Due[] = []
  for (const frame of framesOf(page, parts)) {
    // A frame may go away while it is read.
    const found = await frame.evaluate<readonly Candidate[]>(CANDIDATES_LIST).catch(() => [])
    for (const candidate of found) if (parts.pressed.isDue(candidate.key, kind)) due.push({ candidate, frame })
  }
  return due
}

const act = async (
  page: Page,
  frame: Frame,
  key: string,
  gate: Gate,
  parts: Shared,
  url: string,
): Promise<'gone' | 'nothing' | 'showed'> => {
  gate.clicked = true
  const [changes, news] = [await changesOf(page), gate.news]
  // A deed may take the page or frame away.
  const found = await frame.evaluate<boolean>(actOn(key)).catch(() => false)
  if (!found) return 'gone'
  await settle(page, gate, ACTING, changes)
  const state = await stateOf(page)
  const isNew = !parts.states.has(state)
  parts.states.add(state)
  if (isNew || (await changesOf(page)) !== changes) await readDom(page, url, gate, parts)
  return isNew || gate.news > news ? 'showed' : 'nothing'
}

/** Whether something may be done, by what it says of itself. */
const mayDo = ({ decide }: ExploreParts, said: Pick<Asked, 'url' | 'labels' | 'names' | 'told'>): boolean =>
  decide({ ...said, url: new URL('/', said.url).href, method: 'GET', encoding: 'none', fields: [], body: null }, null)
    .send !== 'never'

/** Facts are kept; what a page gives away has no place in them. */
const masked = (html: string): string =>
  maskAll(html, [...findSecrets(html).map(({ secret }) => secret), ...findPasswords(html)])

const readRunning = async (page: Page, url: string, expressions: readonly string[]): Promise<RunningPage> => ({
  url,
  globals: await page.evaluate<Record<string, string>>(globalsScript(expressions)),
  html: masked((await page.content()).slice(0, LONGEST_HTML)),
})

interface Dom {
  readonly links: readonly { readonly url: string; readonly label: string; readonly asks: boolean }[]
  readonly html: string
  readonly routes: readonly string[]
}

/** Its own, and those of the site; a frame without an address of its own holds what its page put there. */
const framesOf = (page: Page, parts: ExploreParts): readonly Frame[] =>
  page
    .frames()
    .filter((frame) => {
      const address = URL.parse(frame.url())
      return (
        frame === page.mainFrame() || address?.protocol === 'about:' || (address !== null && parts.inScope(address))
      )
    })
    .slice(0, FRAMES)

const readDom = async (page: Page, url: string, gate: Gate, parts: ExploreParts): Promise<void> => {
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
    const loose = draftOfLooseInputs(looseInputs, own)
    const drafts = [...forms.flatMap((form) => draftsOfForm(form, url, base)), ...(loose === null ? [] : [loose])]
    for (const draft of drafts) {
      if (draft.method === 'GET') link(draft.url, draft.label ?? '', draft.harm ?? null)
      parts.request({ ...draft, source: 'browser' })
    }
  }
}

const noteSocket = (address: string, on: string, parts: ExploreParts): void => {
  const url = URL.parse(address.replace(/^ws/, 'http'))
  if (url && parts.inScope(url)) {
    parts.request({ method: 'GET', url: url.href, source: 'browser', seenOn: on, sent: true, harm: null })
  }
}

const workOf = (page: Page): Promise<readonly [changes: number, timers: number]> =>
  page.evaluate<readonly [number, number]>(WORK).catch(() => [0, 0] as const) // Between two documents there is none.

const changesOf = async (page: Page): Promise<number> => (await workOf(page))[0]

/**
 * Waits until nothing has been under way for a moment: no request, no change, no timer that is to run soon. `known`: the
 * changes before a deed; where it has begun nothing, there is nothing to wait for.
 */
const settle = async (page: Page, gate: Gate, most: number, known = -1): Promise<void> => {
  const end = performance.now() + most
  let quietSince = performance.now()
  let before = known
  await page.waitForTimeout(STARTING)
  while (performance.now() < end) {
    const [changes, timers] = await workOf(page)
    if (changes === known && gate.pending === 0 && timers === 0 && !gate.streams) return
    if (gate.pending > 0 || timers > 0 || changes !== before) quietSince = performance.now()
    before = changes
    if (performance.now() - quietSince >= (gate.streams ? QUIET_OF_STREAMS : QUIET)) return
    await page.waitForTimeout(100)
  }
}

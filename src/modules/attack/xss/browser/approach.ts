/**
 * How a visitor's browser comes to a page of the target: by a link, by a form of another site, or as a window that a
 * page of another site opens, names and sends messages to. That other site is made up; its page never leaves the browser.
 */
import type { BrowserContext, ElementHandle, Page } from 'playwright-core'
import { formDecoded } from '../../../../page/percent.ts'
import { isGone, openTab } from '../../../browser.ts'
import { pairsWith } from '../../insertion-points/body.ts'
import type { Press } from './pressable.ts'

/** Milliseconds. */
export const LOAD = 8_000

export interface Approach {
  readonly method: string
  readonly url: string
  /** Form fields, urlencoded; null where the request has no body. */
  readonly body: string | null
  /** What the request for the page has beside that, where no other site can send it: it is sent as written. */
  readonly exact?: Exact | null
  /** Null where any browser may send it. */
  readonly fresh?: Fresh | null
  /** Null where no other site has to be there. */
  readonly opener?: Opener | null
  /** What lies in the site's own storage when the page begins. */
  readonly storage?: Readonly<Record<string, string>> | null
  /** Cookies that its scripts may read, there when the page begins. */
  readonly cookies?: Readonly<Record<string, string>> | null
  /** Where the open page is led then: another part of it, behind the #. */
  readonly moved?: string | null
  /** What the visitor presses there, in this order. */
  readonly presses?: readonly Press[]
  /** What libraries keep open for messages stays unanswered, as it was where the lead was seen: a load opens it anew, in some ten requests. */
  readonly isQuiet?: true
  /** What somebody else does once the page stands, which it may hear of. */
  readonly meanwhile?: () => Promise<unknown>
}

export interface Exact {
  readonly headers: Readonly<Record<string, string>>
  /** What the server answered to these, where a browser cannot send them. */
  readonly answer?: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

/** Tokens against forged requests: the browser comes from the page that holds them, with those of today. */
export interface Fresh {
  readonly page: string
  readonly names: readonly string[]
}

export interface Opener {
  /** Name of the window. */
  readonly name: string
  /** Query of the other site's page, which the referrer shows. */
  readonly query: string
  /** Sent to the window once it has loaded. */
  readonly messages: readonly unknown[]
  /** The other site, where it has to be a certain one; absent where any will do. */
  readonly origin?: string
}

/** End of the names of made-up hosts. */
export const FOREIGN = '.other-site.example'

/** A host that begins like the target's: careless checks of origins let it in. It exists nowhere (RFC 2606). */
export const foreignOrigin = (url: string): string => {
  const { protocol, hostname } = new URL(url)
  return `${protocol}//${hostname}${FOREIGN}`
}

/** Begins the names of made-up hosts whose end a page wants to see. */
export const FOREIGN_START = 'other-site-of-nobody-'

/** Whether it is one that is made up. */
export const isForeign = (host: string): boolean => host.endsWith(FOREIGN) || host.startsWith(FOREIGN_START)

/** Has to be called once for each profile that opens windows from elsewhere. */
export const serveForeign = (profile: BrowserContext): Promise<unknown> =>
  profile.route(
    (url) => isForeign(url.hostname),
    (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><meta name=referrer content=unsafe-url><title>Other site</title>',
      }),
  )

/** The page as it is once loaded. `prepare` sees each page before it goes anywhere. The caller closes `pages`. */
export const arrive = async (
  profile: BrowserContext,
  approach: Approach,
  pages: Page[],
  prepare: (page: Page) => void = () => undefined,
): Promise<Page> => {
  const opened = await openTab(profile)
  pages.push(opened)
  if (!approach.opener) {
    prepare(opened)
    await visit(opened, approach)
    if (approach.storage || approach.cookies) await again(opened, approach.storage ?? {}, approach.cookies ?? {})
    if (approach.moved) await tolerant(opened.evaluate(`void (location.href = ${JSON.stringify(approach.moved)})`))
    return opened
  }
  const { name, query, messages, origin = foreignOrigin(approach.url) } = approach.opener
  await tolerant(opened.goto(`${origin}/${query === '' ? '' : `?${query}`}`, { timeout: LOAD }))
  const page = await oneAtATime(profile, () => popupOf(opened, approach.url, name))
  // Blocked, or taken out of our hands by the page's own policy for openers.
  if (page === null) return opened
  pages.push(page)
  prepare(page)
  await tolerant(page.waitForLoadState('load', { timeout: LOAD }))
  await send(opened, messages)
  return page
}

/**
 * Each new window is stopped until it has been prepared, and with it every other page of its process: two at once can
 * wait for each other.
 */
const oneAtATime = <Value>(profile: BrowserContext, work: () => Promise<Value>): Promise<Value> => {
  const key = profile.browser() ?? profile
  const turn = (LINES.get(key) ?? Promise.resolve()).then(work, work)
  LINES.set(
    key,
    turn.catch(() => undefined), // Its own caller hears of it; the next in line only waits.
  )
  return turn
}
const LINES = new WeakMap<object, Promise<unknown>>()

const popupOf = async (opener: Page, url: string, name: string): Promise<Page | null> => {
  let popup: Page | null = null
  await tolerant(
    Promise.all([
      opener.waitForEvent('popup', { timeout: LOAD }).then((page) => {
        popup = page
      }),
      opener.evaluate(`void (window.opened = window.open(${JSON.stringify(url)}, ${JSON.stringify(name)}))`),
    ]),
  )
  return popup
}

/** From the window that opened the page. */
export const send = async (opener: Page, messages: readonly unknown[]): Promise<void> => {
  if (messages.length === 0) return
  await tolerant(
    opener.evaluate(
      `for (const one of ${JSON.stringify(messages)}) window.opened && window.opened.postMessage(one, '*')`,
    ),
  )
}

const again = async (
  page: Page,
  storage: Readonly<Record<string, string>>,
  cookies: Readonly<Record<string, string>>,
): Promise<void> => {
  // Values are given apart: the text of what runs here is what a watcher of the page's code sees.
  await tolerant(page.evaluate(fill, { storage, cookies }))
  await tolerant(page.reload({ waitUntil: 'load', timeout: LOAD }))
}

/** What the page's function uses of its window: this project has no types of the DOM. */
interface Filled {
  readonly localStorage: { readonly setItem: (key: string, value: string) => void }
  readonly sessionStorage: Filled['localStorage']
  readonly document: { cookie: string }
}

/** Runs in the page. */
const fill = ({ storage, cookies }: Readonly<Record<'storage' | 'cookies', Readonly<Record<string, string>>>>) => {
  const { localStorage, sessionStorage, document } = globalThis as unknown as Filled
  for (const [key, value] of Object.entries(storage)) {
    localStorage.setItem(key, value)
    sessionStorage.setItem(key, value)
  }
  for (const [name, value] of Object.entries(cookies)) document.cookie = `${name}=${value}; path=/`
}

const visit = async (page: Page, approach: Approach): Promise<void> => {
  const { method, url, body, exact, fresh } = approach
  if (fresh) return visitFrom(page, approach, fresh)
  if (exact?.answer) {
    const { answer } = exact
    await page.route(
      (to) => to.href === new URL(url).href,
      (route) => route.fulfill(answer).catch(() => undefined), // The page is gone already.
      { times: 1 },
    )
    await tolerant(page.goto(url, { waitUntil: 'load', timeout: LOAD }))
    return
  }
  if (exact) {
    await page.route(
      (to) => to.href === new URL(url).href,
      (route) => {
        const headers = { ...route.request().headers(), ...exact.headers }
        const sent = { method, headers, ...(body === null ? {} : { postData: body }) }
        return route.continue(sent).catch(() => undefined) // The page is gone already.
      },
      { times: 1 },
    )
    // The browser sets this one itself.
    const referer = Object.entries(exact.headers).find(([name]) => name.toLowerCase() === 'referer')?.[1]
    await tolerant(page.goto(url, { waitUntil: 'load', timeout: LOAD, ...(referer === undefined ? {} : { referer }) }))
    return
  }
  if (method === 'GET' || body === null) {
    await tolerant(page.goto(url, { waitUntil: 'load', timeout: LOAD }))
    return
  }
  await tolerant(page.goto('about:blank'))
  await tolerant(
    Promise.all([
      page.waitForURL((to) => to.href !== 'about:blank', { waitUntil: 'load', timeout: LOAD }),
      page.evaluate(submit({ url, inputs: inputsOf(body) })),
    ]),
  )
}

const inputsOf = (body: string): readonly { readonly name: string; readonly value: string }[] =>
  body.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    return { name: formDecoded(name), value: formDecoded(value) }
  })

const visitFrom = async (page: Page, { method, url, body }: Approach, { page: form, names }: Fresh): Promise<void> => {
  await tolerant(page.goto(form, { waitUntil: 'domcontentloaded', timeout: LOAD }))
  let tokens: Readonly<Record<string, string>> = {}
  await tolerant(
    page.evaluate<typeof tokens>(tokensOf(names, method === 'GET' ? new URL(url).pathname : '')).then((read) => {
      tokens = read
    }),
  )
  const now = (pairs: string): string => pairsWith(pairs, (name) => tokens[name] || null)
  const [path = '', query] = url.split(/\?(.*)/s)
  const to = query === undefined ? path : `${path}?${now(query)}`
  if (method === 'GET' || body === null) return tolerant(page.goto(to, { waitUntil: 'load', timeout: LOAD }))
  await tolerant(
    Promise.all([
      page.waitForEvent('framenavigated', { predicate: (frame) => frame === page.mainFrame(), timeout: LOAD }),
      page.evaluate(submit({ url: to, inputs: inputsOf(now(body)) })),
    ]),
  )
  await tolerant(page.waitForLoadState('load', { timeout: LOAD }))
}

/** Runs in the page: the values of these fields as they are now, or of these parameters of its first link to `path` that has them. */
const tokensOf = (names: readonly string[], path: string): string =>
  `Object.fromEntries(${JSON.stringify(names)}.map((name) => [name,
    [...document.links].filter((link) => link.pathname === ${JSON.stringify(path)})
      .map((link) => new URLSearchParams(link.search).get(name)).find(Boolean) ??
    document.getElementsByName(name)[0]?.value ?? '']))`

/** A page that loads for ever, that our own call replaced, or that went away, whole or in part, may still have run what it holds. */
export const tolerant = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work
  } catch (error) {
    if (!isGone(error) && !(error instanceof Error && UNLOADED.test(`${error.name} ${error.message}`))) throw error
  }
}

/** Milliseconds in which an element comes to rest, on a quiet machine. */
const REST = 2_000

/**
 * Where a hand reaches it, and at rest: two frames show it at the same place. A page that moves without end, or a machine that draws no
 * two frames in time, shows none; it is reached where it is.
 */
export const bringIntoView = async (element: ElementHandle): Promise<void> => {
  try {
    await element.scrollIntoViewIfNeeded({ timeout: REST })
  } catch (error) {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error
    await element.evaluate(scrollTo)
  }
}

/** Runs in the page. */
const scrollTo = (element: unknown): void =>
  (element as { readonly scrollIntoView: (how: object) => void }).scrollIntoView({
    block: 'center',
    behavior: 'instant',
  })

/** The last two: the page was another one between finding an element and taking it. */
const UNLOADED = /Timeout|net::ERR|interrupted|navigati|from a different document|Cannot find context/i

/** Runs in the page: a form as an attacker's own site would send it. */
const submit = (form: { readonly url: string; readonly inputs: readonly { name: string; value: string }[] }): string =>
  `(({ url, inputs }) => {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = url
    for (const { name, value } of inputs) {
      const input = document.createElement('textarea')
      input.name = name
      input.value = value
      form.append(input)
    }
    document.body.append(form)
    HTMLFormElement.prototype.submit.call(form)
  })(${JSON.stringify(form)})`

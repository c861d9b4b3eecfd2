/** The static crawl: reads what answers, and follows it within the frontier's bounds. */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { headerOf } from '../../../page/exchange.ts'
import { lookOfText } from '../../../page/look.ts'
import type { Page } from '../../../page/page.ts'
import { kindOf, withoutHash } from '../../../page/shape.ts'
import { likeness } from '../../../page/similarity.ts'
import { isHtml, mediaTypeOf, textOf } from '../../../page/text.ts'
import { harmOf } from '../../../safety/safety.ts'
import { ON_DEMAND } from '../../../safety/signed-in.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import { addressesOfDocument, addressesOfHeaders } from './addresses.ts'
import { createChoices } from './choices.ts'
import type { Described } from './described.ts'
import { readDescription } from './discover.ts'
import type { ApiDescription, CrawledUrl, RequestTemplate, ScriptedPage, Source } from './facts.ts'
import type { Fetcher } from './fetching.ts'
import type { Candidate, Frontier } from './frontier.ts'
import { type Found, type PageYield, readPage, yieldOf } from './pages.ts'
import type { ReachNotes } from './reach.ts'
import type { Draft, Requests } from './requests.ts'
import type { Routes } from './routes.ts'
import type { Scope } from './scope.ts'
import { endpointsOf } from './scripts.ts'
import type { Session } from './session.ts'

const AT_ONCE = 6
const MAX_SCRIPTS = 300
const MAX_CODE = 2 * 1024 * 1024
/** Parts that a script loads when they are needed, workers, service workers. */
const LOADED =
  /(?:\bfrom|\bimport\s*\(?|Worker\s*\(|\.register\s*\(|importScripts\s*\()\s*["'`]([^"'`\s]{1,300}\.m?js(?:\?[^"'`\s]*)?)["'`]/g
/** So many pages in a row that bring nothing new, and what forms do is learned before the next ones. */
const DULL = 40
/** A guess whose answer is this much like that to a random path has found nothing. */
const MISSING = 0.95

export interface CrawlParts {
  readonly scope: Scope
  readonly frontier: Frontier
  readonly requests: Requests
  readonly routes: Routes
  readonly notes: ReachNotes
  readonly fetcher: Fetcher
  readonly session: Session
  readonly site: SiteFacts
  readonly described: Described
  /** Addresses that only scripts name are left to the browser. */
  readonly leavesScripts: boolean
  /** Sends what nobody knows the effect of once, with its own values. `each` is told of every answer. True where it sent any. */
  readonly learn: (until: number, each: (request: RequestTemplate, answer: HttpExchange) => void) => Promise<boolean>
  readonly signal: AbortSignal
  readonly progress: (detail: string) => void
}

export interface Crawler {
  /** Follows the frontier until it is empty. Returns why it stopped earlier, or null. `until` is by performance.now(). */
  readonly run: (until: number) => Promise<string | null>
  /** A page that another module has fetched. */
  readonly take: (page: Page) => void
  /** What was answered to an operation that a description names. */
  readonly takeAnswer: (url: string, answer: HttpExchange) => void
  /** A page as those who are not signed in see it. */
  readonly takeStranger: (url: string, answer: HttpExchange) => void
  readonly script: (code: string, url: string) => void
  readonly urls: () => readonly CrawledUrl[]
  /** HTML pages that run scripts. */
  readonly interactive: () => readonly string[]
  readonly scripted: () => readonly ScriptedPage[]
  /** Addresses that scripts alone name, where the server answers all it does not know with the page that draws itself. */
  readonly guessed: () => readonly ScriptedPage[]
  /** One of them is a page after all: a link leads there, or the browser has shown it. True where it was one of them. */
  readonly isPage: (address: string) => boolean
  /** Pages of which only the beginning was read. */
  readonly cutPages: () => readonly string[]
  /** Descriptions of interfaces that links led to. */
  readonly apis: () => readonly ApiDescription[]
}

export const createCrawler = (parts: CrawlParts): Crawler => {
  const { frontier, requests, fetcher, scope } = parts
  const urls: CrawledUrl[] = []
  const scripted: ScriptedPage[] = []
  /** Scripts with the first page that runs them. */
  const scripts = new Map<string, string>()
  const apis: ApiDescription[] = []
  const seen = createSeen()
  const cutPages = new Set<string>()
  const guessed = new Map<string, { readonly page: ScriptedPage; readonly row: CrawledUrl }>()
  const drawsAll = isShell(parts.site)
  /** Pages in a row that brought nothing new. */
  let dull = 0
  let until = 0
  const choices = createChoices({
    routeOf: parts.routes.of,
    follow: (address, on) => frontier.add(address, 1, 'form', on),
    send: fetcher.send,
    maySend: ({ id }) => requests.find(id)?.harm === null,
    read: (request, answer) => readAnswer(request, answer),
    isOver: () => performance.now() > until || parts.signal.aborted,
  })

  const list = (url: string, status: number, contentType: string, title: string, depth: number, source: Source) =>
    urls.push({ url, status, contentType, title, depth, source })

  /** `moved`: it leads elsewhere, and its own text says nothing of its kind. */
  const readBody = (url: string, text: string, type: string, depth: number, moved = false): PageYield | null => {
    const found = isHtml(type, text) ? readPage(text, url) : null
    const look = found?.look ?? lookOfText(text)
    const unlike = !moved && parts.routes.saw(url, look)
    const fresh = found ? readMarkup(found, url, depth) : readDocument(url, text, type, depth)
    if (moved) return found
    dull = unlike || fresh ? 0 : dull + 1
    frontier.saw(url, { any: unlike || fresh, words: look.words })
    return found
  }

  /** True where the page brought what no page before had. */
  const readMarkup = (found: PageYield, url: string, depth: number): boolean => {
    const kind = kindOf(url)
    let fresh = false
    for (const link of found.links) {
      const added = follow(link, depth + 1, url)
      fresh = seen.takes(link.url) || (added && kindOf(link.url) !== kind) || fresh
    }
    for (const request of found.requests) note(request)
    for (const form of found.forms) fresh = takeForm(form, depth) || fresh
    for (const script of found.scripts) {
      enqueueScript(script, url)
      if (isMadeFor(script)) note({ method: 'GET', url: script, source: 'link', seenOn: url, sent: true })
    }
    if (found.interactive) scripted.push({ url, code: found.code })
    if (found.truncated) cutPages.add(url)
    return fresh
  }

  const readDocument = (url: string, text: string, type: string, depth: number): boolean => {
    let fresh = false
    for (const [name, link] of addressesOfDocument(type, text, url))
      fresh = frontier.add(link, depth + 1, 'link', url, '', harmOf(name)) || fresh
    if (/javascript|ecmascript/.test(type)) script(text, url)
    return fresh
  }

  /** What scripts name may be left to the browser, which sees when they ask for it. */
  const follow = ({ url, source, label, harm }: Found, depth: number, on: string): boolean => {
    if (source !== 'script' || !parts.leavesScripts)
      return frontier.add(url, depth, source, on, label, harm) || (source !== 'script' && isPage(url))
    note({ method: 'GET', url, source, seenOn: on, sent: false, harm: harm ?? ON_DEMAND })
    return false
  }

  const isPage = (address: string): boolean => {
    const known = guessed.get(withoutHash(address))
    // A link to it may have told what it does.
    if (!known || frontier.harmOf(known.page.url) !== null) return false
    guessed.delete(known.page.url)
    scripted.push(known.page)
    urls.push(known.row)
    requests.add({ method: 'GET', url: known.page.url, source: known.row.source, seenOn: null, sent: true })
    return true
  }

  const note = (draft: Draft): boolean => {
    const url = URL.parse(draft.url)
    return url !== null && scope.holds(url) && requests.add(draft) !== null
  }

  /** A form that only reads is a link with fields; what any other does is learned when nothing else is left to ask for. */
  const takeForm = (form: Draft, depth: number): boolean => {
    const url = URL.parse(form.url)
    const listed = url && scope.holds(url) ? requests.add(form) : null
    if (!listed) return false
    if (listed.method === 'GET' && listed.effect === undefined)
      frontier.add(form.url, depth + 1, 'form', form.seenOn, '', listed.harm)
    if (listed.harm === null) choices.note(form)
    return seen.form(form)
  }

  const enqueueScript = (address: string, page: string) => {
    const url = URL.parse(address)
    const fresh = url && scope.holds(url) && !scripts.has(url.href) && scripts.size < MAX_SCRIPTS
    if (fresh) scripts.set(url.href, page)
  }

  /** What a script names is relative to the page that runs it. */
  const script = (code: string, url: string, page = new URL('/', parts.site.baseUrl).href) => {
    const found = yieldOf(endpointsOf(code), url, page)
    for (const link of found.links) follow(link, 2, url)
    for (const request of found.requests) note(request)
    for (const [, name = ''] of code.slice(0, MAX_CODE).matchAll(LOADED))
      enqueueScript(URL.parse(name, url)?.href ?? '', page)
  }

  const visit = async (candidate: Candidate): Promise<void> => {
    const exchange = await fetcher.get(candidate.url)
    const row = { kind: 'address', method: 'GET', url: candidate.url, holds: true } as const
    if (exchange === null) return parts.notes.note({ ...row, fate: 'cut_off', reason: 'it did not answer' })
    parts.notes.note({ ...row, fate: 'asked', reason: null })
    parts.session.fetched(candidate.url)
    read(candidate, exchange)
  }

  const read = ({ url, depth, source, on }: Candidate, exchange: HttpExchange): PageYield | null => {
    const type = mediaTypeOf(exchange)
    const text = textOf(exchange)
    const target = targetOf(exchange, url)
    if (target !== null) frontier.add(target, depth, 'redirect', url)
    for (const address of addressesOfHeaders(exchange, url)) frontier.add(address, depth + 1, 'link', url)
    if (isMissing(exchange.status, text, source, parts.site)) {
      // What a page asks for with values may be there: another value may find something.
      if ((source === 'link' || source === 'form') && new URL(url).search !== '')
        requests.add({ method: 'GET', url, source, seenOn: on, sent: true })
      if (drawsAll && exchange.status === 200 && isHtml(type, text)) {
        const { title, code } = readPage(text, url)
        const row = { url, status: exchange.status, contentType: type, title, depth, source }
        guessed.set(withoutHash(url), { page: { url, code }, row })
      }
      return null
    }
    const description =
      exchange.status === 200 && !isHtml(type, text) ? readDescription(parts.described, url, exchange) : null
    if (description) apis.push(description)
    // Paths of a description are no addresses: they stand for many.
    const found = description ? null : readBody(url, text, type, depth, target !== null)
    list(url, exchange.status, type, found?.title ?? '', depth, source)
    requests.add({ method: 'GET', url, source, seenOn: on, sent: true })
    return found
  }

  const learned = (request: RequestTemplate, answer: HttpExchange): void => {
    choices.answered(request, answer)
    readAnswer(request, answer)
  }

  const readAnswer = (request: RequestTemplate, answer: HttpExchange): void => {
    const target = targetOf(answer, request.url)
    if (target !== null) frontier.add(target, 1, 'redirect', request.url)
    readBody(request.url, textOf(answer), mediaTypeOf(answer), 1, target !== null)
  }

  const readScripts = async (done: Set<string>): Promise<boolean> => {
    const fresh = [...scripts].filter(([url]) => !done.has(url))
    for (const [url, page] of fresh) {
      done.add(url)
      const exchange = await fetcher.get(url, '*/*')
      if (exchange?.status !== 200) continue
      const code = exchange.body.toString('utf8')
      script(code, url, page)
      await readSourceMap(code, url, page)
    }
    return fresh.length > 0
  }

  const readSourceMap = async (code: string, url: string, page: string): Promise<void> => {
    const named = /\/\/[#@]\s*sourceMappingURL=([^\s'"]{1,500})\s*$/.exec(code.slice(-1_000))?.[1]
    const address = named && !named.startsWith('data:') ? URL.parse(named, url) : null
    if (!address || !scope.holds(address)) return
    const exchange = await fetcher.get(address.href, '*/*')
    if (exchange?.status !== 200) return
    for (const source of sourcesOf(exchange.body.toString('utf8'))) script(source, url, page)
  }

  const bare = new Set<string>()
  /** A page that was linked with values alone may ask for them without: one of each kind. True where there are any. */
  const followBare = (): boolean => {
    const known = new Set(urls.filter(({ url }) => !url.includes('?')).map(({ url }) => kindOf(url)))
    const asked = urls.filter(({ url, status }) => url.includes('?') && status < 400 && !known.has(kindOf(url)))
    return asked
      .map(({ url, depth }) => {
        const kind = kindOf(url)
        const before = bare.has(kind)
        bare.add(kind)
        return !before && frontier.add(url.replace(/\?.*$/s, ''), depth + 1, 'link', url)
      })
      .includes(true)
  }

  const scriptsDone = new Set<string>()
  return {
    urls: () => urls,
    interactive: () => scripted.map(({ url }) => url),
    scripted: () => scripted,
    guessed: () => [...guessed.values()].map(({ page }) => page),
    isPage,
    cutPages: () => [...cutPages],
    apis: () => apis,
    script,
    take: (page) => {
      frontier.mark(page.url)
      fetcher.learn(page.headers)
      for (const address of addressesOfHeaders(page, page.url)) frontier.add(address, page.depth + 1, 'link', page.url)
      const found = readBody(page.url, page.body, page.contentType, page.depth)
      list(page.url, page.status, page.contentType, found?.title ?? '', page.depth, 'link')
      requests.add({ method: 'GET', url: page.url, source: 'link', seenOn: null, sent: true })
    },
    takeAnswer: (url, answer) => {
      frontier.mark(url)
      read({ url, depth: 1, source: 'openapi', on: null }, answer)
    },
    takeStranger: (url, answer) => {
      const known = urls.some((one) => one.url === url)
      frontier.mark(url)
      // What a stranger sees there says nothing of how the page is built for the account.
      if (known) readMarkup(readPage(textOf(answer), url), url, 1)
      else read({ url, depth: 1, source: 'link', on: null }, answer)
    },
    run: async (end) => {
      until = end
      for (;;) {
        parts.signal.throwIfAborted()
        if (!(await parts.session.alive())) return 'the session was lost'
        if (performance.now() > until) return 'its share of the time was used up'
        const batch = Array.from({ length: AT_ONCE }, () => frontier.next()).filter((one) => one !== null)
        await Promise.all(batch.map(visit))
        if (batch.length > 0) parts.progress(`${urls.length} addresses`)
        if (batch.length > 0 && dull < DULL) continue
        dull = 0
        if (await readScripts(scriptsDone)) continue
        const learnt = await parts.learn(until, learned)
        const walked = await choices.walk()
        const next = frontier.next()
        if (next !== null) await visit(next)
        else if (batch.length === 0 && !learnt && !walked && !followBare()) return null
      }
    },
  }
}

/** A script that a program writes for what its query says, and no file with its version behind it. */
const isMadeFor = (address: string): boolean => {
  const url = URL.parse(address)
  return url !== null && url.searchParams.size > 0 && !/\.m?js$/i.test(url.pathname)
}

/** Where an answer leads on to, null where it is none that does. */
const targetOf = (exchange: HttpExchange, url: string): string | null => {
  const location = exchange.status >= 300 && exchange.status < 400 ? headerOf(exchange, 'location') : null
  return location === null ? null : (URL.parse(location, url)?.href ?? null)
}

const isMissing = (status: number, text: string, source: Source, site: SiteFacts): boolean => {
  if (status === 404 || status === 410) return true
  // A site that answers everything with success: only what was guessed is in doubt.
  const guessed = source === 'script' || source === 'robots' || source === 'sitemap'
  return guessed && site.missing.some((page) => page.status === status && likeness(page.body, text) >= MISSING)
}

/** Whether what is not there is answered with the start page, whose scripts draw what its address says. */
const isShell = ({ pages, missing }: SiteFacts): boolean => {
  const [start] = pages
  return (
    start !== undefined &&
    missing.length > 0 &&
    readPage(start.body, start.url).interactive &&
    missing.every(({ status, body }) => status === start.status && likeness(body, start.body) >= MISSING)
  )
}

/** Which forms and parameters pages have shown. */
const createSeen = () => {
  const known = new Set<string>()
  const isNew = (key: string): boolean => {
    const before = known.size
    known.add(key)
    return known.size > before
  }
  return {
    form: ({ method, url, fields = [] }: Draft): boolean =>
      isNew(`${method} ${kindOf(url)} ${fields.map(({ name }) => name).toSorted()}`),
    /** A parameter that nothing there took before. */
    takes: (address: string): boolean => {
      const kind = URL.canParse(address) ? kindOf(address) : ''
      const names = [...new Set(URL.parse(address)?.searchParams.keys())]
      return names.map((name) => isNew(`${kind}?${name}`)).includes(true)
    },
  }
}

const sourcesOf = (text: string): readonly string[] => {
  try {
    const map: unknown = JSON.parse(text)
    const sources =
      typeof map === 'object' && map !== null ? (map as { sourcesContent?: unknown }).sourcesContent : null
    return Array.isArray(sources) ? sources.filter((one) => typeof one === 'string').slice(0, 300) : []
  } catch (error) {
    if (error instanceof SyntaxError) return [] // No map: nothing in it.
    throw error
  }
}

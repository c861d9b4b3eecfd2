/** What answers name and show: each is read once, kept, and told to the frontier and to the inventory of requests. */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { lookOfText } from '../../../page/look.ts'
import type { Page } from '../../../page/page.ts'
import { hashRouteOf, kindOf, withoutHash } from '../../../page/shape.ts'
import { isHtml, textOf } from '../../../page/text.ts'
import { harmOf } from '../../../safety/safety.ts'
import { ON_DEMAND } from '../../../safety/signed-in.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import { headersNamedIn } from '../insertion-points/anti-forgery.ts'
import { isDocument } from '../insertion-points/documents.ts'
import { addressesOfDocument, addressesOfHeaders } from './addresses.ts'
import { createBeyond } from './beyond.ts'
import type { Described } from './described.ts'
import { descriptionIn, readDescription } from './discover.ts'
import type { ApiDescription, CrawledUrl, GuessedPage, RequestTemplate, ScriptedPage, Source } from './facts.ts'
import { type Fetcher, targetOf, withoutQuery } from './fetching.ts'
import { fileNameOf, isMadeFor } from './files.ts'
import type { Candidate, Frontier } from './frontier.ts'
import { createFormsToItself } from './furniture.ts'
import { createKnown } from './known.ts'
import { createPageCode, createPageCookies } from './page-code.ts'
import { type Found, type PageYield, readPage, yieldOf } from './pages.ts'
import type { Draft, Requests } from './requests.ts'
import { routesIn } from './route-tables.ts'
import type { Routes } from './routes.ts'
import type { Scope } from './scope.ts'
import { type Built, createScripts, type Endpoint, type ScriptCookie } from './scripts.ts'
import { isMissing, isNoPage } from './shell.ts'
import { toldIn } from './told-headers.ts'
import { type Said, saidIn } from './told-requests.ts'
import { createViews, type Views } from './views.ts'

const MAX_SCRIPTS = 300
const MAX_FOLDERS = 200
/** Routes behind the #: a list of records may name one for each. */
const MAX_ROUTES = 400
const MAX_CODE = 2 * 1024 * 1024
/** Parts that a script loads when they are needed, workers, service workers. */
const LOADED =
  /(?:\bfrom|\bimport\s*\(?|Worker\s*\(|\.register\s*\(|importScripts\s*\()\s*["'`]([^"'`\s]{1,300}\.m?js(?:\?[^"'`\s]*)?)["'`]/g
/** Folders of documents that are asked for. */
const MOST_HANDED_OUT = 10

export interface ReadingParts {
  readonly scope: Scope
  readonly frontier: Frontier
  readonly requests: Requests
  readonly routes: Routes
  readonly fetcher: Fetcher
  readonly site: SiteFacts
  readonly described: Described
  /** Addresses that only scripts name are left to the browser. */
  readonly leavesScripts: boolean
  /** Whether what a script keeps is neither the run's own session nor a token. */
  readonly isSetting: (cookie: ScriptCookie) => boolean
  /** Told of headers that scripts name for a token against forged requests. */
  readonly names: (headers: readonly string[]) => void
  /** Told of the addresses that a page links to, before they are followed. */
  readonly links: (addresses: readonly string[]) => void
  /** Told of requests that scripts make to other hosts. */
  readonly elsewhere: (draft: Draft) => void
  /** Told of texts that people read. */
  readonly texts: (said: Said) => void
  /** Told of forms whose choices may lead to other pages. */
  readonly chooses: (form: Draft) => void
}

export class Reading {
  readonly urls: CrawledUrl[] = []
  /** HTML pages that run scripts. */
  readonly scripted: ScriptedPage[] = []
  /** Scripts with the first page that runs them. */
  readonly scripts = new Map<string, string>()
  /** Descriptions of interfaces that links led to. */
  readonly apis: ApiDescription[] = []
  /** Folders of the site out of which pages have their scripts, style sheets and pictures. */
  readonly folders = new Set<string>()
  /** Addresses, and where they lead in place of an answer. */
  readonly led = new Map<string, string>()
  readonly beyond = createBeyond()
  /** Pages in a row that brought nothing new. */
  dull = 0
  readonly #parts: ReadingParts
  readonly #known = createKnown()
  readonly #toItself = createFormsToItself()
  readonly #guessed = new Map<string, GuessedPage>()
  readonly #bare = new Set<string>()
  readonly #routes = new Set<string>()
  readonly #tables = new Set<string>()
  /** Files of the site call each other's functions. */
  readonly #code = createScripts((address) => this.beyond.note('named', address))
  readonly operations = this.#code.operations
  readonly #pageCode = createPageCode(this.#code)
  readonly #pageCookies = createPageCookies((draft) => this.#noteScripted(draft))
  /** By which name other modules import a file, where a page maps it. */
  readonly #imported = new Map<string, string>()
  readonly #handedOut = new Set<string>()
  /** The address of its start page. */
  readonly #start: string
  readonly views: Views

  constructor(parts: ReadingParts) {
    this.#parts = parts
    this.#start = new URL('/', parts.site.baseUrl).href
    this.views = createViews(parts.site)
  }

  /** Addresses that scripts alone name, where the server answers all it does not know with the page that draws itself. */
  guessed(): readonly ScriptedPage[] {
    return [...this.#guessed.values()].map(({ page }) => page)
  }

  /** A page that another module has fetched. */
  take(page: Page): void {
    const { frontier, fetcher, requests } = this.#parts
    frontier.mark(page.url)
    fetcher.learn(page.url, page)
    for (const address of addressesOfHeaders(page, page.url)) frontier.add(address, page.depth + 1, 'link', page.url)
    const found = this.#readBody({ ...page, text: page.body, type: page.contentType }, page.depth)
    this.#list(page.url, page.status, page.contentType, found?.title ?? '', page.depth, 'link')
    const told = found ? toldIn(page.body) : {}
    requests.add({ method: 'GET', url: page.url, source: 'link', seenOn: null, sent: true, ...told })
  }

  /** What was answered to an operation that a description names. */
  takeAnswer(url: string, answer: HttpExchange): void {
    this.#parts.frontier.mark(url)
    this.read({ url, depth: 1, source: 'openapi', on: null }, answer)
  }

  /** A page as those who are not signed in see it. */
  takeStranger(url: string, answer: HttpExchange): void {
    const known = this.urls.some((one) => one.url === url)
    this.#parts.frontier.mark(url)
    // What a stranger sees there says nothing of how the page is built for the account.
    if (known) this.#readMarkup(readPage(textOf(answer), url), url, 1)
    else this.read({ url, depth: 1, source: 'link', on: null }, answer)
  }

  /** One of the guessed is a page after all: a link leads there, or the browser has shown it. True where it was one of them. */
  isPage(address: string): boolean {
    const known = this.#guessed.get(withoutHash(address))
    // A link to it may have told what it does.
    if (!known || this.#parts.frontier.harmOf(known.page.url) !== null) return false
    this.#guessed.delete(known.page.url)
    this.scripted.push(known.page)
    this.urls.push(known.row)
    if (known.standsApart || this.views.isOneOfFew())
      this.#parts.requests.add({
        method: 'GET',
        url: known.page.url,
        source: known.row.source,
        seenOn: null,
        sent: true,
      })
    return true
  }

  /** A page that a known document draws for the route behind the #. True where it is new. */
  isRoute(address: string): boolean {
    if (hashRouteOf(address) === null || this.#routes.has(address)) return false
    const document = withoutHash(address)
    const page = this.scripted.find(({ url }) => url === document)
    if (page === undefined) return false
    if (this.#routes.size >= MAX_ROUTES) return this.beyond.note('route', address)
    this.#routes.add(address)
    this.scripted.push({ url: address, code: page.code })
    return true
  }

  /** Views that the tables of scripts name, where the site has routes behind the # at all. */
  tabled(): readonly string[] {
    return this.#routes.size === 0 ? [] : [...this.#tables]
  }

  read({ url, depth, source, on }: Candidate, exchange: HttpExchange): PageYield | null {
    const { text, type, status } = saidIn(exchange)
    const target = targetOf(exchange, url)
    if (target !== null) this.#parts.frontier.add(target, depth, 'redirect', url)
    if (target !== null) this.led.set(url, target)
    for (const address of addressesOfHeaders(exchange, url)) this.#parts.frontier.add(address, depth + 1, 'link', url)
    if (status === 200) this.views.answered(url, text)
    if (isMissing(status, text, source, this.#parts.site)) {
      // What a page asks for with values may be there: another value may find something.
      if ((source === 'link' || source === 'form') && new URL(url).search !== '')
        this.#parts.requests.add({ method: 'GET', url, source, seenOn: on, sent: true })
      if (this.views.drawsAll && status === 200 && isHtml(type, text)) {
        const { title, code } = readPage(text, url)
        const row = { url, status, contentType: type, title, depth, source }
        this.#guessed.set(withoutHash(url), { page: { url, code }, row, standsApart: !this.views.isNothing(text) })
      }
      return null
    }
    // Links that only the browser has seen come by here as well.
    if (status === 200) this.#followFolder(url, depth, on ?? url)
    const isDescribed = status === 200 && !isHtml(type, text) && this.#describes(text, url)
    // Paths of a description are no addresses: they stand for many.
    const found = isDescribed ? null : this.#readBody({ url, text, type, status }, depth, target !== null)
    this.#list(url, status, type, found?.title ?? '', depth, source)
    if (!isNoPage(exchange, url, source) && (!this.views.isNothing(text) || this.views.isOneOfFew()))
      this.#parts.requests.add({ method: 'GET', url, source, seenOn: on, sent: true, ...(found ? toldIn(text) : {}) })
    return found
  }

  /** Whether it describes an interface, whose operations are taken. */
  #describes(text: string | null, url: string): boolean {
    const description = text === null ? null : readDescription(this.#parts.described, url, text)
    if (description && !this.apis.some((one) => one.url === url)) this.apis.push(description)
    return description !== null
  }

  /** The answer under a session that has replaced the one before: what was answered under that one does not count. */
  readAgain(candidate: Candidate, exchange: HttpExchange): void {
    const at = this.urls.findIndex(({ url }) => url === candidate.url)
    if (at >= 0) this.urls.splice(at, 1)
    this.read(candidate, exchange)
  }

  /** The answer to a form, or to what was sent to learn its effect. */
  readAnswer(request: RequestTemplate, answer: HttpExchange): void {
    const target = targetOf(answer, request.url)
    if (target !== null) this.#toItself.led(request.url, target)
    if (target !== null) this.#parts.frontier.add(target, 1, 'redirect', request.url)
    this.#readBody({ ...saidIn(answer), url: request.url, request }, 1, target !== null)
  }

  /** What a script names is relative to the page that runs it. `of`: what it was called before it was built, where that is its text. */
  script(code: string, url: string, page = this.#start, { name: source, built }: Built = {}): void {
    this.#takeScripted(this.#code.add(code, source ?? this.#imported.get(url) ?? url, built), url, page)
    this.#describes(descriptionIn(code), url)
    this.#parts.names(headersNamedIn(code.slice(0, MAX_CODE)))
    for (const route of routesIn(code)) {
      this.#tables.add(`${withoutHash(page)}#${route}`)
      // A router that keeps its route in the path draws it at that address, where the server lets it.
      if (this.views.drawsAll)
        this.#follow({ url: new URL(route, page).href, source: 'script', label: '', harm: null }, 2, url)
    }
    // What a source names lay beside it, where nobody is served.
    for (const [, name = ''] of source === undefined ? code.slice(0, MAX_CODE).matchAll(LOADED) : [])
      this.#enqueueScript(URL.parse(name, url)?.href ?? '', page)
  }

  /** All scripts were read: what some of them import comes no more. */
  scriptsRead(page = this.#start): void {
    this.#takeScripted(this.#code.rest(), page, page)
  }

  #takeScripted(endpoints: readonly Endpoint[], url: string, page: string): void {
    const found = yieldOf(endpoints.map(this.#pageCode.filled), url, page)
    for (const link of found.links) this.#follow(link, 2, url)
    for (const request of found.requests) this.#noteScripted(request, url)
    const cookies = this.#code.cookies().filter(this.#parts.isSetting)
    for (const { name, value } of cookies.filter(({ page: own }) => own === null)) this.#parts.fetcher.keep(name, value)
    this.#pageCookies.sets(cookies)
  }

  /** A page that was linked with values alone may ask for them without: one of each kind. True where there are any. */
  followBare(): boolean {
    const known = new Set(this.urls.filter(({ url }) => !url.includes('?')).map(({ url }) => kindOf(url)))
    const asked = this.urls.filter(({ url, status }) => url.includes('?') && status < 400 && !known.has(kindOf(url)))
    return asked
      .map(({ url, depth }) => {
        const kind = kindOf(url)
        const before = this.#bare.has(kind)
        this.#bare.add(kind)
        return !before && this.#parts.frontier.add(url.replace(/\?.*$/s, ''), depth + 1, 'link', url)
      })
      .includes(true)
  }

  #list(url: string, status: number, contentType: string, title: string, depth: number, source: Source): void {
    this.urls.push({ url, status, contentType, title, depth, source })
  }

  /** `moved`: it leads elsewhere, and its own text says nothing of its kind. */
  #readBody(said: Said, depth: number, moved = false): PageYield | null {
    const { url, text, type } = said
    const found = isHtml(type, text) ? readPage(text, url) : null
    const look = found?.look ?? lookOfText(text)
    if (!moved) this.#parts.texts({ ...said, type: found ? 'text/html' : type })
    if (moved) this.#parts.routes.led(url)
    const newKind = !moved && this.#parts.routes.saw(url, look)
    const fresh = found ? this.#readMarkup(found, url, depth) : this.#readDocument(url, text, type, depth)
    if (moved) return found
    this.dull = newKind || fresh ? 0 : this.dull + 1
    this.#parts.frontier.saw(url, { any: newKind || fresh, words: look.words })
    return found
  }

  /** True where the page brought what no page before had. */
  #readMarkup(found: PageYield, url: string, depth: number): boolean {
    const kind = kindOf(url)
    let fresh = false
    this.#parts.links(found.links.map((link) => link.url).filter((link) => this.#parts.scope.holds(new URL(link))))
    for (const link of found.links) {
      this.#followFolder(link.url, depth, url)
      const added = this.#follow(link, depth + 1, url)
      // A list that is narrowed leads to others that are narrowed alike: what is new in a query is a parameter, and no combination.
      const leadsOn = this.#known.path(link.url) && added && kindOf(link.url) !== kind
      fresh = this.#known.takes(link.url) || leadsOn || fresh
    }
    for (const request of found.requests) this.#noteScripted(request, url, found.shown)
    for (const form of found.forms) {
      fresh = this.#takeForm(form, depth) || fresh
      if (found.interactive) this.#pageCookies.has(url, form, found.shown)
    }
    for (const script of found.scripts) {
      this.#enqueueScript(script, url)
      if (isMadeFor(script)) this.#note({ method: 'GET', url: script, source: 'link', seenOn: url, sent: true })
    }
    for (const { url: file, name } of found.modules) {
      this.#enqueueScript(file, url)
      if (name !== null && this.scripts.has(file)) this.#imported.set(file, name)
    }
    this.#takeScripted(this.#pageCode.read(found, url), url, url)
    for (const code of found.inline) this.#describes(descriptionIn(code), url)
    for (const file of found.embedded) this.#takeFolder(file)
    if (found.interactive) this.scripted.push({ url, code: found.code, ...found.built })
    if (found.truncated) this.beyond.note('page', url)
    return fresh
  }

  #readDocument(url: string, text: string, type: string, depth: number): boolean {
    let fresh = false
    for (const [name, link] of addressesOfDocument(type, text, url))
      fresh = this.#parts.frontier.add(link, depth + 1, 'link', url, '', harmOf(name)) || fresh
    if (/javascript|ecmascript/.test(type)) this.script(text, url)
    return fresh
  }

  /** What hands out a document by its name may list all of its folder. */
  #followFolder(link: string, depth: number, on: string): void {
    const url = URL.parse(link)
    if (url === null || !isDocument(fileNameOf(url)) || url.pathname.lastIndexOf('/') === 0) return
    const folder = withoutQuery(new URL('.', url).href)
    if (this.#handedOut.has(folder) || this.#handedOut.size >= MOST_HANDED_OUT) return
    this.#handedOut.add(folder)
    this.#parts.frontier.add(folder, depth + 1, 'link', on)
  }

  /** What scripts name may be left to the browser, which sees when they ask for it. */
  #follow({ url, source, label, harm }: Found, depth: number, on: string): boolean {
    if (source !== 'script' || !this.#parts.leavesScripts)
      return this.#parts.frontier.add(url, depth, source, on, label, harm) || (source !== 'script' && this.isPage(url))
    this.#note({ method: 'GET', url, source, seenOn: on, sent: false, harm: harm ?? ON_DEMAND })
    return false
  }

  /** What scripts ask for is left to the browser as their addresses are, whatever method, headers and values it has. */
  #noteScripted(draft: Draft, page?: string, shown: PageYield['shown'] = []): void {
    const onDemand = draft.source === 'script' && this.#parts.leavesScripts
    const isLeft = onDemand && draft.method === 'GET'
    this.#note(isLeft ? { ...draft, harm: draft.harm ?? ON_DEMAND } : { ...draft, onDemand })
    if (page !== undefined) this.#pageCookies.has(page, draft, shown)
  }

  #note(draft: Draft): boolean {
    const url = URL.parse(draft.url)
    if (url === null) return false
    if (!this.#parts.scope.holds(url) && draft.source === 'script') this.#parts.elsewhere(draft)
    return this.#parts.scope.holds(url) && this.#parts.requests.add(draft) !== null
  }

  /** A form that only reads is a link with fields; what any other does is learned when nothing else is left to ask for. */
  #takeForm(given: Draft, depth: number): boolean {
    const { form, isKnown } = this.#toItself.take(given)
    if (form.withheld) this.#parts.names(form.withheld)
    const url = URL.parse(form.url)
    const listed = url && this.#parts.scope.holds(url) ? this.#parts.requests.add(form) : null
    if (!listed || isKnown) return false
    if (form.method === 'GET') this.#parts.routes.typed(form.url, form.typed ?? [])
    if (listed.method === 'GET' && listed.effect === undefined)
      this.#parts.frontier.add(form.url, depth + 1, 'form', form.seenOn, '', listed.harm)
    if (listed.harm === null) this.#parts.chooses(form)
    return this.#known.form(form)
  }

  #takeFolder(file: string): void {
    const url = URL.parse(file)
    if (url === null || !this.#parts.scope.holds(url) || this.folders.size >= MAX_FOLDERS) return
    const folder = withoutQuery(new URL('.', url).href)
    this.folders.add(folder)
    this.#parts.frontier.sawFolder(folder)
  }

  #enqueueScript(address: string, page: string): void {
    const url = URL.parse(address)
    if (!url || !this.#parts.scope.holds(url) || this.scripts.has(url.href)) return
    if (this.scripts.size < MAX_SCRIPTS) this.scripts.set(url.href, page)
    else this.beyond.note('script', url.href)
  }
}

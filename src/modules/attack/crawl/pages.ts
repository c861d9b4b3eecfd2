/** What one page gives a crawl: addresses to go to, and requests that it can make. */
import { createHash } from 'node:crypto'
import { type HtmlElement, type HtmlInput, readHtml } from '../../../page/html.ts'
import { type Look, lookOf } from '../../../page/look.ts'
import { modulesOf, type PageModule } from '../../../page/page-modules.ts'
import { segmentsOf } from '../../../page/segments.ts'
import { withoutHash } from '../../../page/shape.ts'
import { visibleText } from '../../../page/visible.ts'
import { asksWhetherMeant } from '../../../safety/asking-first.ts'
import { ASKS_FIRST, harmAsked } from '../../../safety/form-effect.ts'
import { choosesOther, OTHER_LANGUAGE } from '../../../safety/language.ts'
import { builtOf } from '../insertion-points/kinds.ts'
import { REFRESH } from './addresses.ts'
import { draftsOfElements } from './asking-elements.ts'
import type { ScriptedPage, Source } from './facts.ts'
import { isStoredPicture } from './files.ts'
import { draftOfLooseInputs, draftsOfForm } from './forms.ts'
import type { Draft } from './requests.ts'
import type { Shown } from './scripts/controls.ts'
import { pathsInComments } from './scripts/paths.ts'
import { type Endpoint, endpointsOfPage } from './scripts.ts'

export interface Found {
  readonly url: string
  readonly source: Source
  readonly label: string
  /** Why it must not be followed, by what the element itself says; null where it says nothing. */
  readonly harm: string | null
}

export interface PageYield {
  readonly title: string
  readonly links: readonly Found[]
  readonly forms: readonly Draft[]
  readonly requests: readonly Draft[]
  /** Scripts of the site, to be read once each. */
  readonly scripts: readonly string[]
  /** What its import map names, and what it loads ahead, to be read as scripts. */
  readonly modules: readonly PageModule[]
  /** Scripts, style sheets, pictures: what a server hands out of its folders for the page. */
  readonly embedded: readonly string[]
  /** Code that stands in the page itself. */
  readonly inline: readonly string[]
  /** What stands in its fields, by their names and ids. */
  readonly shown: Shown
  /** Code of its elements, by events. */
  readonly handlers: readonly string[]
  /** Elements that name a controller of Stimulus. */
  readonly controlled: readonly HtmlElement[]
  readonly interactive: boolean
  readonly look: Look
  /** True where a bound cut the page: it may lead further. */
  readonly truncated: boolean
  /** What tells its scripts from those of another page, whatever values they hold; '' without scripts. */
  readonly code: string
  /** See `kinds.ts`; nothing of a page that runs no scripts. */
  readonly built: Pick<ScriptedPage, 'built' | 'own'>
}

const MAX_LINKS = 5_000
const DATA =
  /\sdata-[\w-]*(?:url|href|src|action|endpoint|api|path|link|route|remote|target)[\w-]*\s*=\s*(?:"([^"]{1,500})"|'([^']{1,500})')/gi

/** What opens a file of code at a line, as pages of debuggers do: its address without these; null for any other. */
const openerOf = (address: string): string | null => {
  const url = URL.parse(address)
  const [file, line] = [url?.searchParams.get('file'), url?.searchParams.get('line')]
  const isCode = /\.(?:php\d?|phtml|twig|py|rb|erb|java|kt|cs|go|[cm]?[jt]sx?|p[lm])$/i.test(file ?? '')
  return url && isCode && /^\d{1,6}$/.test(line ?? '') ? `${url.origin}${url.pathname}` : null
}

/** Markup in markup in a page. */
const DEEPEST = 2
const MAX_NESTED = 50
const MAX_COMMENTS = 2_000
/** Words of a `link` element that leads to another page (HTML, 4.6.7). */
export const LEADING =
  /alternate|canonical|next|prev|search|help|author|license|manifest|prefetch|prerender|start|contents|index|first|last|up|amphtml|self|edit|collection|item/

export const readPage = (body: string, url: string, depth = 0): PageYield => {
  const page = readHtml(body, url)
  const links: Found[] = []
  const add = (raw: string | null | undefined, source: Source = 'link', label = '', harm: string | null = null) => {
    const found = raw ? URL.parse(raw, page.base) : null
    if (found && /^https?:$/.test(found.protocol) && links.length < MAX_LINKS)
      links.push({ url: found.href, source, label, harm })
  }
  const opened = new Set<string>()
  for (const link of page.links) {
    // Each call of a stack is a link: the first stands for all that open their file in the same way.
    const opener = link.url === null ? null : openerOf(link.url)
    if (opener !== null && opened.has(opener)) continue
    if (opener !== null) opened.add(opener)
    // What a script does when it is pressed says nothing of a GET: another method, or a link to the page itself.
    if (sendsOtherwise(link)) continue
    if (isSamePage(link.url, url)) add(link.url)
    else {
      const otherwise = choosesOther(link.url, page.lang) ? OTHER_LANGUAGE : null
      add(link.url, 'link', link.label, harmAsked(link) ?? otherwise)
    }
  }
  for (const frame of [...page.frames, ...page.fetching]) add(frame.url)
  for (const resource of page.resources) {
    if (LEADING.test(resource.attributes.rel ?? '')) add(resource.url)
  }
  // A picture that a program makes takes values as a page does; of those that lie in one folder, one stands for all.
  const folders = new Set<string>()
  for (const { url: source } of page.media) {
    const media = URL.parse(source ?? '')
    if (!media || (media.search === '' && !/\.\w+$/.test(media.pathname))) continue
    const folder = new URL('.', media).href
    if (isStoredPicture(media) && folders.has(folder)) continue
    if (isStoredPicture(media)) folders.add(folder)
    add(media.href)
  }
  for (const meta of page.metas) if (meta.httpEquiv === 'refresh') add(REFRESH.exec(meta.content)?.[1])
  for (const [, double, single] of body.matchAll(DATA)) {
    const raw = (double ?? single ?? '').replace(/&amp;/g, '&')
    if (/^(?:\/|https?:|\.{1,2}\/|\?)/.test(raw)) add(raw, 'script')
  }
  // Commented-out links are still routes.
  for (const comment of page.comments.slice(0, MAX_COMMENTS)) {
    for (const [, href] of comment.slice(0, 5_000).matchAll(/(?:href|action|src)\s*=\s*["']([^"'\s]{1,300})["']/gi))
      add(href)
  }
  for (const path of pathsInComments(page.comments.slice(0, MAX_COMMENTS))) add(path)
  const codes = page.scripts
    .filter(({ src, type }) => !src && (type === '' || /javascript|module|ecmascript/.test(type)))
    .map(({ code }) => code)
  const handlers = page.handlers.flatMap(({ attributes }) =>
    Object.entries(attributes).flatMap(([name, code]) => (/^on[a-z]/.test(name) ? [code] : [])),
  )
  const shown = [...page.forms.flatMap(({ inputs }) => inputs), ...page.looseInputs].flatMap(shownBy)
  const drawn = yieldOf(endpointsOfPage([...codes, ...handlers], shown), url, page.base)
  const nested =
    depth >= DEEPEST ? [] : page.nested.slice(0, MAX_NESTED).map((markup) => readPage(markup, page.base, depth + 1))
  // What an element of htmx sends elsewhere is not sent to the page.
  const others = new Set(page.asking.flatMap(({ htmx }) => htmx.sends))
  const loose = draftOfLooseInputs(
    page.looseInputs.filter((one) => !others.has(one)),
    url,
  )
  const interactive = page.scripts.length > 0 || page.handlers.length > 0 || nested.some((one) => one.interactive)
  return {
    title: page.title,
    links: [...links, ...drawn.links, ...nested.flatMap((one) => one.links)],
    forms: [
      ...draftsOfForms(page, url, body),
      ...(loose === null ? [] : [loose]),
      ...draftsOfElements(page, url),
      ...nested.flatMap((one) => one.forms),
    ],
    requests: [...drawn.requests, ...nested.flatMap((one) => one.requests)],
    scripts: page.scripts.flatMap(({ src }) => src?.url ?? []),
    modules: modulesOf(page),
    embedded: [...page.scripts.map(({ src }) => src?.url), ...page.resources, ...page.media]
      .flatMap((one) => (typeof one === 'string' ? one : (one?.url ?? [])))
      .slice(0, MAX_LINKS),
    look: lookOf(page, body, url),
    truncated: page.truncated || page.nested.length > MAX_NESTED || links.length >= MAX_LINKS,
    inline: codes,
    shown,
    handlers,
    controlled: [...page.controlled, ...nested.flatMap((one) => one.controlled)],
    interactive,
    code: codeOf(page),
    built: interactive && depth === 0 ? { ...builtOf(body, url), ...ownOf(page, url) } : {},
  }
}

const shownBy = ({ name, value, type, attributes: { id = '' } }: HtmlInput): Shown =>
  value === '' || value.length > LONGEST_SHOWN || !SHOWN.has(type)
    ? []
    : [...new Set([name, id])].flatMap((one) => (one === '' ? [] : [[one, value] as const]))
const LONGEST_SHOWN = 100
const SHOWN: ReadonlySet<string> = new Set(['', 'text', 'search', 'number', 'email', 'url', 'tel', 'date', 'hidden'])

/** Of a page that asks whether something is really meant, each form that is posted may be the answer. */
const draftsOfForms = (page: ReturnType<typeof readHtml>, url: string, body: string): readonly Draft[] => {
  const drafts = page.forms.flatMap((form) => draftsOfForm(form, url, page.base, page.links))
  const isOpen = ({ method, harm }: Draft): boolean => method !== 'GET' && (harm ?? null) === null
  if (!drafts.some(isOpen) || !asksWhetherMeant(visibleText(body))) return drafts
  return drafts.map((draft) => (isOpen(draft) ? { ...draft, harm: ASKS_FIRST } : draft))
}

/** `/tools/Report7.html` with `<input name="Report7">`. */
const ownOf = ({ forms, looseInputs }: ReturnType<typeof readHtml>, url: string): Pick<ScriptedPage, 'own'> => {
  const name = segmentsOf(url)
    .findLast((segment) => segment !== '')
    ?.replace(/\.\w+$/, '')
  if (name === undefined || !/[a-z]/i.test(name)) return {}
  const isIt = ({ name: own, attributes }: HtmlInput): boolean => own === name || attributes.id === name
  return [...forms.flatMap(({ inputs }) => inputs), ...looseInputs].some(isIt) ? { own: name } : {}
}

/** Whether a link leads nowhere but to the page that it stands on, or a part of it. */
export const isSamePage = (link: string | null, page: string): boolean =>
  link !== null && withoutHash(link) === withoutHash(page)

/** Links that libraries send with another method: Rails, Turbo, htmx. */
const sendsOtherwise = ({ attributes }: HtmlElement): boolean =>
  [attributes['data-method'], attributes['data-turbo-method'], attributes['up-method']].some(
    (method) => method !== undefined && !/^get$/i.test(method),
  ) || ['hx-post', 'hx-put', 'hx-patch', 'hx-delete'].some((name) => attributes[name] !== undefined)

const codeOf = ({ scripts, handlers }: ReturnType<typeof readHtml>): string => {
  const parts = [
    ...scripts.map(({ src, code }) => src?.url?.split('?')[0] ?? code.slice(0, 20_000).replace(VALUES, '')),
    ...handlers.flatMap(({ attributes }) =>
      Object.entries(attributes).flatMap(([name, code]) => (/^on/.test(name) ? code.replace(VALUES, '') : [])),
    ),
  ]
  return parts.length === 0
    ? ''
    : createHash('sha256')
        .update([...new Set(parts)].join('\n'))
        .digest('hex')
        .slice(0, 16)
}
/** Texts and numbers in scripts. */
const VALUES = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\d+/g

/** Endpoints as links where a GET can be tried, as requests where a call shows another method or a body. */
export const yieldOf = (
  endpoints: readonly Endpoint[],
  pageUrl: string,
  base: string,
): { readonly links: readonly Found[]; readonly requests: readonly Draft[] } => {
  const links: Found[] = []
  const requests: Draft[] = []
  for (const { method, address, body, headers, called, socket } of endpoints) {
    const url = URL.parse(address.replace(/\{\w*\}|:(?=[a-z])\w+/gi, '1'), base)
    if (!url || !/^https?:$/.test(url.protocol)) continue
    if (method === 'GET' && !socket) links.push({ url: url.href, source: 'script', label: '', harm: null })
    // With values that nobody knows it may find nothing, and is there all the same.
    if (method !== 'GET' || headers || socket || (called && url.search !== '')) {
      const fields = Object.entries(body?.fields ?? {}).map(([name, value]) => ({
        ...{ name, value },
        type: body?.files?.includes(name) ? 'file' : 'text',
      }))
      const whole = body?.json ?? body?.text
      const said = headers || body?.encoding === 'text' ? [...typeOf(body), ...(headers ?? [])] : []
      requests.push({
        method,
        url: url.href,
        encoding: body ? body.encoding : 'none',
        fields: whole === undefined ? fields : [],
        body: whole ?? null,
        ...(said.length > 0 ? { headers: said } : {}),
        source: 'script',
        seenOn: pageUrl,
        sent: false,
      })
    }
  }
  return { links, requests }
}

/** What stands beside the headers of a script is the media type of its body. */
const typeOf = (body: Endpoint['body']): readonly (readonly [name: string, value: string])[] => {
  // A boundary is known when the body is written.
  if (body === null || body.encoding === 'multipart') return []
  return [
    [
      'Content-Type',
      body.type ?? (body.encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'),
    ],
  ]
}

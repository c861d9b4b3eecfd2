/**
 * What passive checks need of a page, read by the HTML standard's own parsing rules (parse5) and not by patterns.
 * Bounded for hostile pages: characters, elements, depth. Deterministic: document order, no clock, no ids.
 * What a browser keeps inert is left out: comments (listed apart), `<template>` and, as scripting is on, `<noscript>`.
 */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser, serialize, type TreeAdapter } from 'parse5'
import { formsOf, type HtmlForm, type HtmlInput, type HtmxElement } from './html-forms.ts'
import {
  attribute,
  collapsed,
  type Element,
  type HtmlElement,
  labelOf,
  ofTag,
  outlineOf,
  plain,
  resolved,
  textOf,
} from './html-tree.ts'

export type { HtmlForm, HtmlInput } from './html-forms.ts'
export type { HtmlElement } from './html-tree.ts'

/** Characters read of one page; site keeps no more of a body. */
const MAX_CHARACTERS = 262_144
/** Formatting elements are reopened by the parser in every block, so a short page could ask for millions. */
const MAX_ELEMENTS = 50_000
/** Browsers stop nesting at 512. */
const MAX_DEPTH = 1_000

/** `raw` is the attribute as written; `url` is it resolved against the base, null where it is no address. */
export interface Reference extends HtmlElement {
  readonly raw: string
  readonly url: string | null
}

export interface HtmlLink extends Reference {
  /** Visible text, white space collapsed, at most 200 characters. */
  readonly text: string
  /** Everything that names it, one line each: text, `aria-label`, `title`, `alt` of images in it. */
  readonly label: string
  readonly target: string | null
  /** Lower case tokens. */
  readonly rel: readonly string[]
}

export interface HtmlScript extends HtmlElement {
  /** Null for an inline script. */
  readonly src: Reference | null
  readonly type: string
  readonly integrity: string | null
  readonly crossorigin: string | null
  readonly nonce: string | null
  /** Inline code, '' with src. */
  readonly code: string
}

export interface HtmlStylesheet extends Reference {
  readonly integrity: string | null
  readonly crossorigin: string | null
}

export interface HtmlMeta {
  readonly name: string | null
  readonly httpEquiv: string | null
  readonly property: string | null
  readonly charset: string | null
  readonly content: string
  readonly inHead: boolean
}

export interface HtmlPage {
  readonly title: string
  readonly lang: string | null
  /** What relative addresses are resolved against. */
  readonly base: string
  readonly links: readonly HtmlLink[]
  readonly scripts: readonly HtmlScript[]
  readonly stylesheets: readonly HtmlStylesheet[]
  /** Every other `<link>` with an address: preload, icon, canonical … */
  readonly resources: readonly Reference[]
  readonly forms: readonly HtmlForm[]
  /** Inputs outside any form. */
  readonly looseInputs: readonly HtmlInput[]
  readonly metas: readonly HtmlMeta[]
  readonly comments: readonly string[]
  /** iframe, frame, embed, object. */
  readonly frames: readonly Reference[]
  /** Elements of a page's own scripts that fetch what they show, `<turbo-frame src>`, `<include-fragment src>`. */
  readonly fetching: readonly Reference[]
  /** img, audio, video, source, track, input type=image; every candidate of a srcset. */
  readonly media: readonly Reference[]
  /** Every element with an on… attribute. */
  readonly handlers: readonly HtmlElement[]
  /** Elements with an attribute of htmx for a request, forms aside, the first 200. */
  readonly asking: readonly HtmxElement[]
  /** Elements that name a controller of Stimulus (`data-controller`), the first 200. */
  readonly controlled: readonly HtmlElement[]
  /** Code of `<style>` elements. */
  readonly styles: readonly string[]
  /** Markup that other circumstances show: of `srcdoc`, `<noscript>` and `<template>`. */
  readonly nested: readonly string[]
  /** How it is built, whatever it says: see `outlineOf`. */
  readonly outline: ReadonlySet<string>
  /** True when a bound cut the page: what is listed is true, what is absent proves nothing. */
  readonly truncated: boolean
}

/**
 * Never throws: what the page holds up to a bound, and `truncated` where a bound was met. A page is read by one module after another:
 * the last few are remembered.
 */
export const readHtml = (html: string, pageUrl: string): HtmlPage => {
  const at = known.findIndex((one) => one.html === html && one.pageUrl === pageUrl)
  const page = known[at]?.page ?? readAnew(html, pageUrl)
  if (at >= 0) known.splice(at, 1)
  known.push({ html, pageUrl, page })
  for (let held = charactersOf(known); known.length > MOST_KNOWN || held > MOST_KNOWN_CHARACTERS; ) {
    held -= known.shift()?.html.length ?? held
  }
  return page
}

/** In the order of their last use. */
const known: { readonly html: string; readonly pageUrl: string; readonly page: HtmlPage }[] = []
const MOST_KNOWN = 16
/** What is read of one takes ten times its text. */
const MOST_KNOWN_CHARACTERS = 1_000_000
const charactersOf = (pages: typeof known): number => pages.reduce((sum, { html }) => sum + html.length, 0)

const readAnew = (html: string, pageUrl: string): HtmlPage => {
  const { document, owners, truncated } = parseBounded(html)
  const elements: Element[] = []
  const comments: string[] = []
  walk(document, elements, comments)
  const base = baseOf(elements, pageUrl)
  const html0 = ofTag(elements, 'html')[0]
  const title = ofTag(elements, 'title')[0]
  return {
    title: title ? collapsed(textOf(title)) : '',
    lang: (html0 && attribute(html0, 'lang')) ?? null,
    base,
    links: ofTag(elements, 'a', 'area').flatMap((one) => references(one, 'href', base).map((ref) => linkOf(one, ref))),
    scripts: ofTag(elements, 'script').map((one) => scriptOf(one, base)),
    stylesheets: linkElements(elements, base, true),
    resources: linkElements(elements, base, false),
    ...formsOf(elements, owners, base, pageUrl),
    metas: ofTag(elements, 'meta').map(metaOf),
    comments,
    frames: ofTag(elements, 'iframe', 'frame', 'embed', 'object').flatMap((one) =>
      references(one, one.tagName === 'object' ? 'data' : 'src', base),
    ),
    fetching: elements.filter(isCustom).flatMap((one) => references(one, 'src', base)),
    media: ofTag(elements, 'img', 'audio', 'video', 'source', 'track', 'input').flatMap((one) => mediaOf(one, base)),
    handlers: elements.filter((one) => one.attrs.some(({ name }) => /^on[a-z]/.test(name))).map(plain),
    controlled: elements
      .filter((one) => attribute(one, 'data-controller') !== null)
      .slice(0, 200)
      .map(plain),
    styles: ofTag(elements, 'style').map(textOf),
    nested: nestedIn(elements),
    outline: outlineOf(elements),
    truncated,
  }
}

type Node = DefaultTreeAdapterTypes.Node
type Document = DefaultTreeAdapterTypes.Document

/** What a form may own. */
const SUBMITTED: ReadonlySet<string> = new Set(['input', 'select', 'textarea', 'button'])

class BoundMet extends Error {}

export interface ParsedHtml {
  readonly document: Document
  /** The form that the parser held open when it met an input. */
  readonly owners: ReadonlyMap<Element, Element>
  readonly truncated: boolean
}

/**
 * Bounded in characters, elements and depth; what was read before a bound was met is true. `located`: nodes know where in
 * the text they stand. `elements`: how many are read.
 */
export const parseBounded = (
  html: string,
  { located = false, elements = MAX_ELEMENTS }: { readonly located?: boolean; readonly elements?: number } = {},
): ParsedHtml => {
  const owners = new Map<Element, Element>()
  let document: Document | undefined
  let count = 0
  let depth = 0
  const treeAdapter: TreeAdapter<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createDocument: () => {
      document = defaultTreeAdapter.createDocument()
      return document
    },
    createElement: (name, namespace, attributes) => {
      count += 1
      if (count > elements) throw new BoundMet('too many elements')
      const element = defaultTreeAdapter.createElement(name, namespace, attributes)
      if (parser.formElement && SUBMITTED.has(name)) owners.set(element, parser.formElement)
      return element
    },
    onItemPush: () => {
      depth += 1
      if (depth > MAX_DEPTH) throw new BoundMet('nested too deep')
    },
    onItemPop: () => {
      depth -= 1
    },
  }
  const parser = new Parser({ treeAdapter, sourceCodeLocationInfo: located })
  // Texts of answers are cut there before.
  const cut = html.length >= MAX_CHARACTERS
  try {
    parser.tokenizer.write(cut ? html.slice(0, MAX_CHARACTERS) : html, true)
    return { document: parser.document, owners, truncated: cut }
  } catch (error) {
    if (!(error instanceof BoundMet) || !document) throw error
    return { document, owners, truncated: true }
  }
}

/** Document order without recursion: depth is the page's choice. */
const walk = (document: Document, elements: Element[], comments: string[]): void => {
  const stack: Node[] = [document]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (defaultTreeAdapter.isCommentNode(node)) comments.push(node.data)
    else if (defaultTreeAdapter.isElementNode(node)) elements.push(node)
    const children = 'childNodes' in node ? node.childNodes : []
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index]
      if (child) stack.push(child)
    }
  }
}

const baseOf = (elements: readonly Element[], pageUrl: string): string => {
  for (const one of ofTag(elements, 'base')) {
    const href = attribute(one, 'href')
    if (href !== null) return resolved(href, pageUrl) ?? pageUrl
  }
  return pageUrl
}

const reference = (element: Element, raw: string, base: string): Reference => ({
  ...plain(element),
  raw,
  url: resolved(raw, base),
})

const references = (element: Element, name: string, base: string): Reference[] => {
  const raw = attribute(element, name)
  return raw === null ? [] : [reference(element, raw, base)]
}

/** By its name (HTML, 4.13.3). */
const isCustom = ({ tagName }: Element): boolean => /^[a-z][^-]*-/.test(tagName)

const tokens = (text: string | null): string[] => (text ?? '').toLowerCase().split(/\s+/).filter(Boolean)

const linkOf = (element: Element, ref: Reference): HtmlLink => ({
  ...ref,
  text: collapsed(textOf(element)),
  label: labelOf(element),
  target: attribute(element, 'target'),
  rel: tokens(attribute(element, 'rel')),
})

const scriptOf = (element: Element, base: string): HtmlScript => {
  const src = references(element, 'src', base)[0] ?? references(element, 'href', base)[0] ?? null
  return {
    ...plain(element),
    src,
    type: (attribute(element, 'type') ?? '').trim().toLowerCase(),
    integrity: attribute(element, 'integrity'),
    crossorigin: attribute(element, 'crossorigin'),
    nonce: attribute(element, 'nonce'),
    code: src ? '' : textOf(element),
  }
}

const linkElements = (elements: readonly Element[], base: string, styles: boolean): HtmlStylesheet[] =>
  ofTag(elements, 'link')
    .filter((one) => tokens(attribute(one, 'rel')).includes('stylesheet') === styles)
    .flatMap((one) =>
      references(one, 'href', base).map((ref) => ({
        ...ref,
        integrity: attribute(one, 'integrity'),
        crossorigin: attribute(one, 'crossorigin'),
      })),
    )

const nestedIn = (elements: readonly Element[]): string[] => {
  const noscript = ofTag(elements, 'noscript').map(textOf)
  const templates = ofTag(elements, 'template')
    .flatMap((one) => ('content' in one ? [one.content as DefaultTreeAdapterTypes.DocumentFragment] : []))
    .map((content) => serialize(content))
  const documents = ofTag(elements, 'iframe').map((one) => attribute(one, 'srcdoc') ?? '')
  return [...noscript, ...templates, ...documents].filter((markup) => markup.trim() !== '')
}

const metaOf = (element: Element): HtmlMeta => ({
  name: attribute(element, 'name')?.trim().toLowerCase() ?? null,
  httpEquiv: attribute(element, 'http-equiv')?.trim().toLowerCase() ?? null,
  property: attribute(element, 'property')?.trim().toLowerCase() ?? null,
  charset: attribute(element, 'charset'),
  content: attribute(element, 'content') ?? '',
  inHead: element.parentNode !== null && element.parentNode.nodeName === 'head',
})

const mediaOf = (element: Element, base: string): Reference[] => {
  if (element.tagName === 'input' && attribute(element, 'type')?.trim().toLowerCase() !== 'image') return []
  const candidates = (attribute(element, 'srcset') ?? '')
    .split(/,\s+|,$/)
    .map((one) => one.trim().split(/\s+/)[0] ?? '')
    .filter(Boolean)
  return [
    ...references(element, 'src', base),
    ...references(element, 'poster', base),
    ...candidates.map((raw) => reference(element, raw, base)),
  ]
}

/** A case as a site has it: what happens to its value, where the value stands in a request, and how a visitor comes to the request. */
import type { WebCase } from '../case.ts'
import type { Place } from '../place.ts'

export type SitePlace =
  | Place
  /** A member of an element of a list of JSON, a variable of GraphQL, a header that a script sends. */
  | 'json-list'
  | 'graphql'
  | 'own-header'
  /** Names of parameters. */
  | 'name'
  /** Nothing that is sent: what the page's own scripts read. */
  | 'page'

/** How a visitor comes to the request. */
export const WAYS = [
  ...(['link', 'folder', 'menu', 'form', 'fetch'] as const),
  /** Beside a choice, a default or a file without which the form says nothing. */
  ...(['select', 'radio', 'textarea', 'upload'] as const),
  /** A form that takes one of its two fields alone; one whose button has an address of its own. */
  ...(['either', 'formaction'] as const),
  ...(['frame', 'base', 'refresh', 'hop', 'link-header', 'comment'] as const),
  /** Routes behind the number sign, what only a press leads to, a page that a script gives a cookie. */
  ...(['hash-route', 'press', 'script-cookie'] as const),
] as const
export type Way = (typeof WAYS)[number]

export interface SiteCase extends Pick<WebCase, 'id' | 'value' | 'answer' | 'firm' | 'reads'> {
  /** Of bench/beds/classes.ts. */
  readonly class: string
  readonly place: SitePlace
  /** What is sent is kept, and shown or used at the address itself. */
  readonly keeps?: true
  /** By default one of those that fit the place. */
  readonly way?: Way
}

/** The class of a case of a module's own bed, by what is found of it. */
export const fromWebCase = (one: WebCase): SiteCase => {
  const isDom = /^(?:fragment|dom)-/.test(one.id)
  const { id, value, answer, firm, reads } = one
  return {
    ...{ id, value, answer },
    ...(firm === undefined ? {} : { firm }),
    ...(reads === undefined ? {} : { reads }),
    ...(one.needs === undefined ? {} : { keeps: true as const }),
    class: classOf(one, isDom),
    place: isDom ? 'page' : one.place,
  }
}

const CLASSES: Readonly<Record<string, string>> = {
  'xss/stored': 'stored',
  'xss/open-redirect': 'redirect',
  'xss/header-injection': 'header',
  'xss/html-injection': 'html',
  'injection/path-traversal': 'traversal',
  'injection/xml-external-entity': 'xxe',
}

const classOf = ({ finds: [found = ''], module, id }: WebCase, isDom: boolean): string => {
  const named = CLASSES[found]
  if (named !== undefined) return named
  if (module === 'sqli') return 'sqli'
  if (module === 'xss') return isDom ? 'dom-xss' : 'xss'
  const [, name] = found.split('/')
  if (name === undefined) throw new Error(`${id} has no class`)
  return name
}

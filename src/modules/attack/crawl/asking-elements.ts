/** Elements that a library sends requests from, and no form does: the attributes of htmx (https://htmx.org/reference/), links with a method. */
import type { HtmlForm, HtmlLink, HtmlPage } from '../../../page/html.ts'
import { draftsBy } from './forms.ts'
import { inputOf, sentByHtmx, withHtmx } from './htmx-drafts.ts'
import type { Draft } from './requests.ts'

const ASKS = /^(?:data-)?hx-(get|post|put|patch|delete)$/

/** A request each: with the values that go with it by the library's rules. */
export const draftsOfElements = (
  page: Pick<HtmlPage, 'asking' | 'links' | 'base'>,
  pageUrl: string,
): readonly Draft[] => [
  ...page.asking.flatMap((element) => draftsOf(element, pageUrl, page.base)),
  ...page.links.flatMap((link) => draftsOfLink(link, pageUrl)),
]

const draftsOf = (
  { attributes, label, htmx }: HtmlPage['asking'][number],
  pageUrl: string,
  base: string,
): readonly Draft[] => {
  const [name = '', raw = ''] = Object.entries(attributes).find(([one]) => ASKS.test(one)) ?? []
  const method = ASKS.exec(name)?.[1] ?? 'get'
  const action = URL.parse(raw, base)
  if (action?.origin !== new URL(pageUrl).origin) return []
  const button = inputOf({ tag: 'button', type: 'submit', label })
  const form: HtmlForm = {
    ...{ tag: 'form', attributes, action: action.href, method: method === 'get' ? 'get' : 'post' },
    inputs: [button],
  }
  return sentByHtmx(draftsBy(withHtmx(form, htmx), button, pageUrl, base), htmx, method)
}

/** Links that a library sends with a method that they name: Rails (rails-ujs), Turbo, Unpoly. */
const draftsOfLink = ({ url, label, attributes }: HtmlLink, pageUrl: string): readonly Draft[] => {
  const turbo = attributes['data-turbo-method']
  const method = (turbo ?? attributes['data-method'] ?? attributes['up-method'] ?? 'get').trim().toLowerCase()
  if (url === null || !OTHERS.has(method) || new URL(url).origin !== new URL(pageUrl).origin) return []
  const button = inputOf({ tag: 'button', type: 'submit', label })
  // What no form can send is posted with its name, but by Turbo.
  const isNamed = turbo === undefined && method !== 'post'
  const named = isNamed ? [inputOf({ tag: 'input', type: 'hidden', name: '_method', value: method })] : []
  const form: HtmlForm = { tag: 'form', attributes, action: url, method: 'post', inputs: [...named, button] }
  const drafts = draftsBy(form, button, pageUrl, pageUrl)
  return turbo === undefined ? drafts : drafts.map((draft) => ({ ...draft, method: method.toUpperCase() }))
}
const OTHERS: ReadonlySet<string> = new Set(['post', 'put', 'patch', 'delete'])

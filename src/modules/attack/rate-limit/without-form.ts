/** What the address of a form answers without the form, and whether it answers the form otherwise. */
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { pageRequest } from '../../../page/exchange.ts'
import { likeness } from '../../../page/similarity.ts'
import { mediaTypeOf, textOf } from '../../../page/text.ts'
import { ACCOUNT } from './attempts.ts'

export const UNREAD = 'the address answers as it does without the form, so nothing there seems to read it'

export interface WithoutForm {
  /** Whether an answer to the form says no more than the page says to who sends none. */
  readonly isSame: (exchange: HttpExchange) => boolean
}

/**
 * What the address of a form answers to who sends nothing. A form that belongs to a script stands in many pages and leads,
 * by its markup, to one that never looks at it.
 */
export const lookTwice = async (
  ask: (request: HttpRequest) => Promise<HttpExchange | null>,
  url: string,
): Promise<WithoutForm | null> => {
  const [first, second] = [
    await ask(pageRequest(url, { authenticated: false })),
    await ask(pageRequest(url, { authenticated: false })),
  ]
  if (first?.status !== 200 || second?.status !== 200) return null
  const [one, other] = [textOf(first), textOf(second)]
  const itself = likeness(one, other)
  const plain = marksOf(one).union(marksOf(other))
  const steady = marksOf(one).size === plain.size && marksOf(other).size === plain.size
  return {
    isSame: (exchange) => {
      const text = textOf(exchange)
      // A page without a word has all of its words in common with whatever comes.
      if (exchange.status !== 200 || mediaTypeOf(exchange) !== mediaTypeOf(first)) return false
      if (likeness(one, text) < itself) return false
      const [typed = null] = ACCOUNT.exec(String(exchange.request.body ?? '')) ?? []
      if (typed !== null && text.includes(typed)) return false
      return !steady || marksOf(text).isSubsetOf(plain)
    },
  }
}

/**
 * The classes of a page and the names of its attributes: a wrong password may be told by a red field alone (`class="form-group has-error"`,
 * `aria-invalid`), or by the name that stands in its field again.
 */
const marksOf = (html: string): ReadonlySet<string> => {
  const marks = new Set<string>()
  for (const [, tag = '', attributes = ''] of html.slice(0, MAX_TEXT).matchAll(TAG)) {
    for (const [, name = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
      marks.add(`${tag} ${name}`.toLowerCase())
      if (name.toLowerCase() === 'class') for (const one of (double ?? single ?? '').split(/\s+/)) marks.add(`.${one}`)
    }
  }
  return marks
}
const MAX_TEXT = 200_000
const TAG = /<([a-z][\w-]{0,40})((?:\s[^<>]{0,3000})?)>/gi
const ATTRIBUTE = /([a-z][\w:-]{0,60})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|[^\s"'>]+))?/gi

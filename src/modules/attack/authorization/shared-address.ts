/** What addresses say of whom an object is for. */
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import { isTokenField } from '../insertion-points/tokens.ts'
import type { Answer } from './answers.ts'
import type { Slot } from './operations.ts'
import { linksIn } from './parties.ts'

/**
 * Whether the page above an object is what lists such objects. What is named in a query lies in no folder: the page above its program may be a menu,
 * which is one for everybody; it is a list where it leads to that program with such an object.
 */
export const isListOf = (
  { exchange, text }: Pick<Answer, 'exchange' | 'text'>,
  { asked }: { readonly asked: { readonly request: { readonly url: string } } },
  slot: Pick<Slot, 'place' | 'at'> | null,
): boolean => {
  if (slot?.place !== 'query' || !isHtml(mediaTypeOf(exchange), text)) return true
  const { pathname } = new URL(asked.request.url)
  return linksIn(text, exchange.request.url).some(
    ([address, named]) => new URL(address).pathname === pathname && Object.hasOwn(JSON.parse(named) as object, slot.at),
  )
}

/**
 * A key in it that nobody guesses takes the place of a sign-in, as in feeds, calendars and links that are shared. A token against forged requests
 * does not: it says that a page of the site was asked, and nothing of whose the object is.
 */
export const isSecretAddress = (address: string): boolean =>
  [...new URL(address).searchParams].some(
    ([name, value]) =>
      /(?:^|[_-])(?:key|token|sig|signature|secret|hash|hmac|code|auth|ticket)$/i.test(name) &&
      !isTokenField(name) &&
      isUnguessable(value),
  )

const isUnguessable = (value: string): boolean =>
  /^[\w.~+/=-]{20,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value)

/** Of the folder above. */
export const parentOf = (address: string): string => {
  const url = new URL(address)
  return `${url.origin}${url.pathname.replace(/\/[^/]*\/?$/, '')}`
}

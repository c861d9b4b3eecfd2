/** What a page is for, told from its address and its forms: the context table weighs findings by it. */

import { type HtmlForm, type HtmlInput, type HtmlPage, readHtml } from './html.ts'
import type { PageKind } from './page.ts'

const PAYMENT_PATH = /(^|[/_-])(payment|pay|zahlung|paiement|pago)([/_.-]|$)/i
const CHECKOUT_PATH = /(^|[/_-])(checkout|kasse|caisse|bestellung|place-order)([/_.-]|$)/i
const LOGIN_PATH = /(^|[/_-])(log-?in|sign-?in|anmeld(en|ung)|connexion|wp-login)([/_.-]|$)/i
const CARD_FIELD = /^(cc-?(number|csc|exp)|card-?(number|no|cvc)|cvv2?|cvc2?|iban)/i
const LOGOUT = /(^|[^a-z])(log[-_ ]?out|sign[-_ ]?out|log[-_ ]?off|abmelden|déconnexion|cerrar-sesi[oó]n)([^a-z]|$)/i

/** `signedIn` is true where the request carried the run's credentials. */
export const pageKindOf = (url: string, body: string, signedIn: boolean): PageKind =>
  kindOf(new URL(url).pathname, readHtml(body, url), signedIn)

const kindOf = (path: string, page: HtmlPage, signedIn: boolean): PageKind => {
  const inputs = [...page.forms.flatMap((form) => form.inputs), ...page.looseInputs]
  if (PAYMENT_PATH.test(path) || inputs.some(asksForCard)) return 'payment'
  if (CHECKOUT_PATH.test(path)) return 'checkout'
  if (LOGIN_PATH.test(path) || inputs.some((input) => input.type === 'password')) return 'login'
  if (signedIn && offersLogout(page)) return 'authenticated'
  return page.forms.some(takesData) ? 'form' : 'plain'
}

const asksForCard = (input: HtmlInput): boolean =>
  CARD_FIELD.test(input.name) ||
  (input.autocomplete ?? '').split(/\s+/).some((token) => /^cc-(number|csc|exp)/i.test(token))

const offersLogout = (page: HtmlPage): boolean =>
  page.links.some((link) => LOGOUT.test(link.text) || LOGOUT.test(link.raw)) ||
  page.forms.some((form) => LOGOUT.test(form.action ?? ''))

/** A search field asks for nothing that could be stolen; anything posted, or with two fields, does. */
const takesData = (form: HtmlForm): boolean =>
  form.method === 'post' ||
  form.inputs.filter(({ tag, type }) => tag === 'textarea' || ['text', 'email', 'tel', 'date', 'file'].includes(type))
    .length > 1

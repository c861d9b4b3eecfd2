/** Whether one is signed in: the page of the proof shows and answers what it does for that person. */
import type { Proof } from '../contract/sign-in.ts'
import type { Egress, HttpExchange, HttpRequest } from '../egress/door/egress.ts'
import { targetFailure } from '../egress/door/target-failure.ts'
import { headerOf } from '../page/exchange.ts'
import { textOf } from '../page/text.ts'
import { visibleText } from '../page/visible.ts'

/** With the run's own credentials. Null: no answer, or one that says nothing of who asks. `why`: in words, where it is not so. */
export const proven = async (
  egress: Pick<Egress, 'http'>,
  origin: string,
  proof: Proof,
  /** False: as nobody. */
  authenticated = true,
): Promise<{ readonly isSignedIn: boolean | null; readonly why: string; readonly answer?: HttpExchange }> => {
  const url = new URL(proof.path, origin).href
  try {
    const answer = await egress.http({ ...requestOf(url, proof), timeout: TIMEOUT, maxBody: MOST_BYTES, authenticated })
    return { ...judged(answer, proof), answer }
  } catch (error) {
    const failure = targetFailure(error)
    if (failure === null) throw error
    return { isSignedIn: null, why: `${proof.path} was not answered: ${failure.message}` }
  }
}

/** What asks for the proof at an address. */
export const requestOf = (url: string, { json }: Proof): HttpRequest =>
  json === undefined
    ? { url }
    : { url, method: 'POST', body: JSON.stringify(json), headers: [['Content-Type', 'application/json']] }

const TIMEOUT = 15_000
const MOST_BYTES = 4 * 1024 * 1024

/** Whether an answer is that to whoever is signed in; null where it says nothing of who asks. */
export const judged = (
  exchange: HttpExchange,
  { path, text, status }: Proof,
): { readonly isSignedIn: boolean | null; readonly why: string } => {
  const location = headerOf(exchange, 'location')
  const to = location === null ? '' : ` and leads to ${location.split(/[?#]/)[0]}`
  const answered = `${path} answered ${exchange.status}${to}`
  if (status !== undefined && exchange.status !== status) {
    // Overloaded, or broken: whoever asks gets that.
    const saysNothing = exchange.status === 429 || exchange.status >= 500
    return { isSignedIn: saysNothing ? null : false, why: `${answered}, not ${status}` }
  }
  if (text === undefined || (textOf(exchange) || exchange.body.toString('utf8')).includes(text))
    return { isSignedIn: true, why: '' }
  const saysNothing = exchange.status === 429 || exchange.status >= 500
  const hint = isDrawnByScripts(textOf(exchange)) ? `; ${DRAWN}` : ''
  return { isSignedIn: saysNothing ? null : false, why: `${answered}, without “${text}”${hint}` }
}

/** Characters of a page before its scripts have drawn it: a title, and a word to whom has none. */
const SHELL = 200
const DRAWN = 'scripts draw that page in a browser: name an address that answers with the data of the account'
const isDrawnByScripts = (html: string): boolean => /<script\b/i.test(html) && visibleText(html).trim().length < SHELL

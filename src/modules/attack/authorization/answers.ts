/** What an answer says to who asked: granted or refused, and the values in it by which the answers of two people are told apart. */

import type { CellState } from '../../../contract/matrix.ts'
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { withoutEntities } from '../../../page/entities.ts'
import { headerOf } from '../../../page/exchange.ts'
import { readHtml } from '../../../page/html.ts'
import { jsonTreeOf } from '../../../page/json.ts'
import { isHtml, mediaTypeOf, textOf } from '../../../page/text.ts'
import { toldRedirect } from '../../../page/told-redirect.ts'
import { withoutHidden } from '../../../page/visible.ts'

export interface Leaf {
  /** Of the member that holds it, in small letters; '' of text. */
  readonly name: string
  readonly value: string
}

export interface Answer {
  readonly exchange: HttpExchange
  readonly state: Exclude<CellState, 'left'>
  readonly why: string
  readonly text: string
  readonly leaves: readonly Leaf[]
  /** Values of the leaves. */
  readonly values: ReadonlySet<string>
}

const MOST_LEAVES = 5_000
const LONGEST = 300
const DEEPEST = 12
/** Refused as such, or hidden from who may not see it. 419 and 440 are what frameworks say of nobody's session. */
const REFUSING: ReadonlySet<number> = new Set([401, 403, 404, 407, 410, 419, 440])

export const readAnswer = (exchange: HttpExchange): Answer => {
  const text = textOf(exchange)
  const leaves = leavesOf(exchange, text)
  const { state, why } = judged(exchange, text, leaves)
  return { exchange, state, why, text, leaves, values: new Set(leaves.map(({ value }) => value)) }
}

const judged = (exchange: HttpExchange, text: string, leaves: readonly Leaf[]): Pick<Answer, 'state' | 'why'> => {
  const { status } = exchange
  if (REFUSING.has(status)) return { state: 'refused', why: '' }
  if (status >= 300 && status < 400) {
    const to = (headerOf(exchange, 'location') ?? '').split(/[?#]/)[0] ?? ''
    return isShownAllTheSame(exchange, text, leaves)
      ? { state: 'granted', why: `leads to ${to.slice(0, 100)}, and shows the page all the same` }
      : { state: 'refused', why: `leads to ${to.slice(0, 100)}` }
  }
  if (status < 200 || status > 299) return { state: 'failed', why: '' }
  const soft = softRefusal(exchange, text)
  if (soft !== null) return { state: 'refused', why: soft }
  return leaves.every(({ name }) => COUNTS.test(name)) && exchange.body.length < 300
    ? { state: 'empty', why: 'the answer is empty' }
    : { state: 'granted', why: '' }
}
/** A program that goes on after it has led elsewhere: a browser follows, and whoever does not reads on (CWE-698). */
const isShownAllTheSame = (exchange: HttpExchange, text: string, leaves: readonly Leaf[]): boolean => {
  if (leaves.length < FEWEST_SHOWN) return false
  const json = jsonTreeOf(text)
  if (json !== undefined) return refusalIn(json) === null
  if (!isHtml(mediaTypeOf(exchange), text) || asksToSignIn(exchange, text)) return false
  return /<(?:table|form|main|article|li)\b/i.test(text)
}
/** What says that one is led elsewhere is shorter. */
const FEWEST_SHOWN = 6

/** All that is left of a list without entries. */
const COUNTS = /^(?:total|count|page|pages|limit|offset|size|per_?page|total_?\w+|next|previous)$/

const DENIES =
  /\b(?:access (?:is )?denied|permission denied|not authori[sz]ed|unauthori[sz]ed|unauthenticated|not authenticated|forbidden|insufficient (?:permissions?|privileges|rights|scope)|not (?:allowed|permitted|yours)|(?:do|does) not have (?:access|permission)|no permission|must be (?:logged|signed) in|(?:please )?(?:log|sign) in (?:first|to|again)|login required|authentication required|not found|no such|does not exist|zugriff verweigert|keine berechtigung|accès refusé|acceso denegado)\b/i
/** What stands below what everybody reads, for those who would add to it: "Log in to reply", "You must be logged in to post a comment". */
const INVITES =
  /\b(?:log(?:ged)?|sign(?:ed)?) in (?:or (?:register|sign up|join) )?to (?:be able to )?(?:(?:leave|add|write|post|submit|make|give|cast|send|place) )?(?:an? |your |the )?(?:own )?(?:comment|repl(?:y|ie)|respond|answer|review|rat(?:e|ing)|vote|like|follow|react|discuss|participate|contribute|message|bid|subscribe)s?\b/gi
/** Longer texts speak of other things too. */
const SHORT = 1_500

/** A refusal with a status of success; null where it is none. */
const softRefusal = (exchange: HttpExchange, text: string): string | null => {
  const json = jsonTreeOf(text)
  if (json !== undefined) return refusalIn(json)
  if (isHtml(mediaTypeOf(exchange), text)) {
    if (asksToSignIn(exchange, text)) return 'asks to sign in'
    const said = leavesOfHtml(withoutHidden(text))
      .map(({ value }) => value)
      .join(' ')
      .replace(INVITES, ' ')
    return said.length < SHORT && DENIES.test(said) ? 'says that access is denied' : null
  }
  return text.length < SHORT && DENIES.test(text) ? 'says that access is denied' : null
}

/** A password is also asked for where one is set, of oneself or of an account: twice, as a new one, or beside more than a name. */
const asksToSignIn = ({ request: { url } }: HttpExchange, text: string): boolean => {
  if (!/<input[^>]+type\s*=\s*["']?password/i.test(text)) return false
  const { forms, looseInputs } = readHtml(text, url)
  return [...forms.map(({ inputs }) => inputs), looseInputs].some((inputs) => {
    const passwords = inputs.filter(({ type }) => type === 'password')
    const [only] = passwords
    if (only === undefined || passwords.length > 1 || only.autocomplete === 'new-password') return false
    const beside = inputs.filter(({ tag, type }) => tag !== 'button' && FILLED.has(type))
    return beside.length <= MOST_BESIDE && beside.filter(({ value }) => value.trim() !== '').length <= MOST_GIVEN
  })
}
/** Types of what a person fills; '' of a list and of a text of several lines. */
const FILLED: ReadonlySet<string> = new Set(['', 'text', 'email', 'tel', 'url', 'number', 'date'])
/** A name, and perhaps whose customer it is or what a picture shows. */
const MOST_BESIDE = 3
/** The name may be remembered. */
const MOST_GIVEN = 1

const refusalIn = (json: unknown): string | null => {
  if (!isObject(json)) return null
  const to = toldRedirect(json)
  if (to !== null) return `leads to ${(to.split(/[?#]/)[0] ?? '').slice(0, 100)}`
  const { data, errors } = json
  if (Array.isArray(errors) && errors.length > 0 && isVoid(data)) return said(errors[0]) ?? 'answers with errors'
  const holds = Object.entries(json).some(
    ([key, value]) => typeof value === 'object' && !isVoid(value) && !ABOUT.test(key),
  )
  if (holds) return null
  const tells = json.success === false || json.ok === false || json.authenticated === false || json.loggedIn === false
  const named = ['error', 'message', 'detail', 'reason', 'title', 'code', 'status', 'msg']
    .map((key) => said(json[key]))
    .filter((one) => one !== null)
  const refuses = named.find((one) => DENIES.test(one.replaceAll('_', ' ')) || /^(?:401|403|404)$/.test(one))
  if (refuses !== undefined && (Object.keys(json).length <= 5 || 'error' in json))
    return `says “${refuses.slice(0, 60)}”`
  if (tells) return 'says that it did not succeed'
  return 'error' in json && !isVoid(json.error) && Object.keys(json).length <= 4 ? 'says that there is an error' : null
}
const ABOUT = /^(?:error|errors|meta|links|_links|debug)$/i

const said = (value: unknown): string | null => {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return isObject(value) ? (said(value.message) ?? said(value.code)) : null
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Nothing but nulls and empty lists. */
const isVoid = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every(isVoid))

const leavesOf = (exchange: HttpExchange, text: string): readonly Leaf[] => {
  if (text === '') return bytesOf(exchange)
  const json = jsonTreeOf(text)
  if (json !== undefined) return leavesOfJson(json)
  if (isHtml(mediaTypeOf(exchange), text)) return leavesOfHtml(text)
  return text
    .split(/[\n\r,;\t|]+|"\s*,?/)
    .slice(0, MOST_LEAVES)
    .flatMap((part) => leaf('', part))
}

/** Of what is no text, the whole of it is one value. */
const bytesOf = ({ body }: HttpExchange): readonly Leaf[] =>
  body.length === 0 ? [] : [{ name: '', value: `${body.length} bytes, ${body.toString('latin1').slice(-64)}` }]

const leaf = (name: string, text: string): readonly Leaf[] => {
  const value = text.replace(/\s+/g, ' ').trim()
  return value === '' ? [] : [{ name: name.toLowerCase(), value: value.slice(0, LONGEST) }]
}

const leavesOfHtml = (html: string): readonly Leaf[] => {
  const shown = html.replace(/<(script|style|noscript)\b[^>]*>[\s\S]{0,100000}?<\/\1>|<!--[\s\S]{0,20000}?-->/gi, ' ')
  const texts = shown.split(/<[^<>]*>/).flatMap((part) => leaf('', withoutEntities(part)))
  const values = [...shown.matchAll(/\bvalue\s*=\s*"([^"]{1,300})"/gi)].flatMap(([, value = '']) =>
    leaf('', withoutEntities(value)),
  )
  return [...texts, ...values].slice(0, MOST_LEAVES)
}

const leavesOfJson = (root: unknown): readonly Leaf[] => {
  const found: Leaf[] = []
  const walk = (value: unknown, name: string, depth: number): void => {
    if (found.length >= MOST_LEAVES || depth > DEEPEST) return
    if (typeof value === 'string') found.push(...leaf(name, value))
    else if (typeof value === 'number') found.push({ name: name.toLowerCase(), value: String(value) })
    else if (Array.isArray(value)) for (const one of value) walk(one, name, depth + 1)
    else if (isObject(value)) for (const [key, one] of Object.entries(value)) walk(one, key, depth + 1)
  }
  walk(root, '', 0)
  return found
}

/**
 * What an application says in place of a result under a status that promises one (RFC 9110, 15.3): interfaces that answer 200 to everything, pages
 * that show a message, forms that lead back to themselves with one.
 */
import { jsonTreeOf } from './json.ts'
import { visibleText } from './visible.ts'

/**
 * `gate`: nobody has looked at the values, for want of a right, a token or a captcha. `value`: something was wrong with one of them. Null where nothing is
 * refused, and where what was asked for is not there or a password is wrong: that was looked up.
 */
export type Refusal = 'gate' | 'value' | null

/** Characters of what is seen of a page that says nothing else. */
const SHORT = 1_500
/** Characters of a page that are looked at, and of a message. */
const MOST = 100_000
const MESSAGE = 2_000

export const refusalIn = (answer: {
  readonly status: number
  readonly text: string
  readonly contentType: string
  readonly location: string
}): Refusal => {
  if (answer.status >= 300 && answer.status < 400) return BACK.test(answer.location) ? 'value' : null
  if (answer.status < 200 || answer.status > 299) return null
  const tree = jsonTreeOf(answer.text.slice(0, MOST))
  if (typeof tree === 'object' && tree !== null) return Array.isArray(tree) ? null : refusalOf(tree)
  const seen = visibleText(answer.text.slice(0, MOST))
  if (UNPROVEN.test(seen)) return 'gate'
  return seen.trim().length <= SHORT && FORBIDDEN.test(seen) ? 'gate' : null
}

/** Where a form leads back with a message. */
const BACK = /[?&#](?:err(?:or)?s?|fail(?:ed|ure)?|denied|invalid|expired|captcha)(?:[=&]|$)/i

/** A captcha or a token against forged requests. */
const UNPROVEN = new RegExp(
  [
    String.raw`\b(?:captcha|security code|sicherheitscode)\b[^.!?\n]{0,40}\b(?:wrong|incorrect|invalid|failed|missing|required|expired|not (?:valid|correct)|does(?:n't| not) match|falsch|ungültig|incorrecte?)\b`,
    String.raw`\b(?:wrong|incorrect|invalid|missing) (?:re)?captcha\b`,
    String.raw`\b(?:invalid|missing|expired|bad|incorrect|wrong|no) (?:csrf|xsrf|anti-?forgery|form|security|session)[ -]?token\b`,
    String.raw`\b(?:csrf|xsrf|anti-?forgery)\b[^.!?\n]{0,30}\b(?:failed|mismatch|invalid|missing|required|expired|not valid)\b`,
    String.raw`\b(?:session|form|page|request|link)(?: you followed)? (?:has |is )?expired\b|\bsitzung (?:ist )?abgelaufen\b|\bsession expirée\b`,
  ].join('|'),
  'i',
)

/** A right, or somebody who has one. */
const FORBIDDEN =
  /\b(?:access|permission) (?:is |was )?denied\b|\b(?:not |un)authori[sz]ed\b|\bforbidden\b|\bnot (?:allowed|permitted)\b|\b(?:do not|don't|no) (?:have )?(?:the )?(?:permissions?|rights?)\b|\binsufficient (?:permission|privilege|right|scope)s?\b|\b(?:must|need to|have to|please) (?:be (?:logged|signed) in|log ?in|sign in|authenticate)\b|\bauthentication (?:is )?required\b|\bzugriff verweigert\b|\bkeine berechtigung\b|\bnicht (?:berechtigt|angemeldet)\b|\baccès (?:refusé|interdit)\b/i

/** It was looked up. */
const LOOKED_UP =
  /\bnot found\b|\bno (?:such|match|matching|results?|records?|entr(?:y|ies)|data)\b|\bdoes(?:n't| not) exist\b|\bunknown\b|\bnicht gefunden\b|\bintrouvable\b|\bpassword|\bcredentials?\b|\bpasswort/i

const FAILED: ReadonlySet<unknown> = new Set(['error', 'fail', 'failed', 'failure', 'denied', 'ko', 'nok'])
const STATES = ['success', 'ok', 'succeeded', 'valid', 'authenticated', 'authorized'] as const
const RESULTS = ['data', 'result', 'results', 'items'] as const
const ERRORS = ['error', 'errors'] as const
const WORDS = [...ERRORS, 'message', 'msg', 'detail', 'details', 'reason'] as const
const MESSAGES = [...WORDS, 'status', 'code'] as const

/** By JSend's `status`, by the `errors` of GraphQL (7.1 of its specification) beside no data, and by what most others call it. */
const refusalOf = (tree: object): Refusal => {
  const body = new Map(Object.entries(tree))
  const brings = RESULTS.some((name) => isThere(body.get(name)))
  const failed =
    STATES.some((name) => body.get(name) === false) ||
    ['status', 'state', 'result'].some((name) => FAILED.has(lower(body.get(name)))) ||
    // A number alone may be that of a product, or of an area.
    (WORDS.some((name) => isThere(body.get(name))) &&
      ['status', 'code', 'statusCode'].some((name) => isFailure(body.get(name)))) ||
    (!brings && ERRORS.some((name) => isThere(body.get(name))))
  if (!failed) return null
  const told = MESSAGES.map((name) => JSON.stringify(body.get(name)) ?? '')
    .join(' ')
    .slice(0, MESSAGE)
  if (UNPROVEN.test(told) || FORBIDDEN.test(told) || GATES.test(told)) return 'gate'
  return LOOKED_UP.test(told) ? null : 'value'
}

/** As codes, in words of GraphQL's servers and as numbers. */
const GATES = /\b(?:UNAUTHENTICATED|UNAUTHORIZED|FORBIDDEN|ACCESS_DENIED|40[135])\b/i

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

const isFailure = (value: unknown): boolean => /^4\d\d$/.test(String(value)) && Number(value) !== 404

/** Something, and not a record of nothing. */
const isThere = (value: unknown): boolean => {
  if (value === null || value === undefined || value === false || value === '' || value === 0) return false
  return typeof value !== 'object' || Object.values(value).some((one) => one !== null)
}

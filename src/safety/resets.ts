/** What is reset: a password, of whoever asks or of another, or the application, told by what else stands in the request. */
import { OF_APPLICATION } from './deeds.ts'
import { DOES, SECRET_WORD } from './form-effect.ts'
import { harmOfAddress } from './safety.ts'
import { wordsOf } from './words.ts'

/** `/partner/reset`, or `?page=reset`, with an address of mail and nothing else asks for a new password of that account. */
export const asksForReset = (url: string, sent: readonly string[]): boolean => {
  const chosen = isPageOfReset(url) ? [...new URL(url).searchParams.keys()] : []
  const names = sent.filter((name) => name !== 'body' && !chosen.includes(name))
  const last = new URL(url).pathname.split('/').findLast((segment) => segment !== '') ?? ''
  const isCalled = chosen.length > 0 || /^reset(?:\.\w{1,5})?$/i.test(last)
  return isCalled && names.length > 0 && names.every((name) => OF_AN_ACCOUNT.test(name))
}
const OF_AN_ACCOUNT =
  /^(?:e-?mail(?:_?address)?|user(?:_?name)?|login|account|phone|captcha\w*|.*(?:csrf|xsrf|token).*)$/i

/**
 * `index.php?page=reset`, `?option=com_users&view=reset`: a page that a front controller shows, which is that of a forgotten password. With a
 * number, a word of the application or of its administration, or where more is bid, it may be another reset.
 */
export const isPageOfReset = (address: string): boolean => {
  const url = new URL(address)
  const pages = [...url.searchParams].filter(([name, value]) => SHOWS.test(name) && /^reset$/i.test(value))
  const [first] = pages
  if (first === undefined || pages.length > 1) return false
  url.searchParams.delete(first[0])
  const beside = [...url.searchParams.values()]
  const words = [url.pathname, ...url.searchParams.keys(), ...beside].flatMap(wordsOf)
  return (
    beside.every((value) => /^[a-z_]{1,40}$/i.test(value)) &&
    !words.some((word) => OF_APPLICATION.has(word) || OF_STAFF.test(word)) &&
    harmOfAddress(url.href) === null
  )
}
const SHOWS = /^(?:page|view|section|site)$/i
const OF_STAFF = /^(?:w?p?admin\w*|backend|backoffice|manage\w*|staff|console|verwaltung)$/

/**
 * `/users/3/reset-password`, `?action=resetpassword&users=2`: what an administration does to an account that it names by its number. Whoever
 * has forgotten a password names the account by what they sign in by.
 */
export const resetsPasswordOfOther = (
  address: string,
  parameters: readonly (readonly [name: string, value: string])[],
): boolean => {
  const url = new URL(address)
  const segments = url.pathname.split('/').filter(Boolean)
  const given = [...url.searchParams, ...parameters]
  // What is looked for, or written, bids nothing.
  const bidden = given.flatMap(([name, value]) => (DOES.test(name) ? [name, value] : [name]))
  const isSaid = [...segments, segments.slice(-2).join(' '), ...bidden].some(
    (text) => text.length <= LONGEST_NAME && RESETS.test(wordsOf(text.replace(/\.\w{1,5}$/, '')).join(' ')),
  )
  return isSaid && (segments.some(isNumber) || given.some(([name, value]) => ACCOUNTS.test(name) && isNumber(value)))
}
const LONGEST_NAME = 60
const RESETS = new RegExp(
  `^(?:(?:send|force|bulk|admin) )?(?:reset|regenerate|renew|expire|zurücksetzen) ?(?:(?:user|users|the|their|account) )?${SECRET_WORD}s?(?: (?:link|e ?mail|mail))?$|^(?:(?:send|force|user|users) )?${SECRET_WORD}s? ?(?:reset|regenerate|expire|zurücksetzen)(?: (?:link|e ?mail|mail))?$`,
  'u',
)
const ACCOUNTS =
  /^(?:users?|accounts?|members?|customers?|persons?|people|uid|ids?|checked|items?)(?:_?ids?)?(?:\[\d*\])?$/i
const isNumber = (text: string): boolean => /^\d{1,18}$|^[\da-f]{8}-[\da-f-]{27}$|^[\da-f]{24}$/i.test(text)

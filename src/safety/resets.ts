/** Where a bare "reset" is that of a password, told by what else stands in the request; else it is that of the application. */
import { OF_APPLICATION } from './deeds.ts'
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

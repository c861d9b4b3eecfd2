/** What deleting would take away, told by where it is done. */
import { DELETES, DELETES_ACCOUNTS, KEPT_ANYWHERE } from './deeds.ts'
import { wordsOf } from './words.ts'

/** `/help/tickets/3/delete` is no topic: a thing with a number is what the deed is done to. */
export const isNumber = (segment: string): boolean =>
  /^(?:\d+|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/i.test(segment)

/** What deleting at an address would take away: it may be named anywhere in it. */
export const deletedAt = (address: string): string => {
  const { pathname, searchParams } = new URL(address)
  return deletedOf([pathname, ...searchParams.keys()])
}

/** What a button of the page at an address would take away that says no more than that it deletes: the page is called after its records. */
export const deletedOn = (address: string): string => {
  const page = new URL(address).pathname.split('/').findLast((segment) => segment !== '' && !isNumber(segment)) ?? ''
  const words = wordsOf(page.replace(/\.\w{1,5}$/, ''))
  return words.some((word) => KEPT_ANYWHERE.has(word) && !OF_ANY_PAGE.has(word)) ? DELETES_ACCOUNTS : DELETES
}
const OF_ANY_PAGE: ReadonlySet<string> = new Set([
  'index',
  'data',
  'all',
  'everything',
  'site',
  'admin',
  'table',
  'tables',
])

export const deletedOf = (texts: readonly string[]): string =>
  texts.flatMap(wordsOf).some((word) => KEPT_ANYWHERE.has(word)) ? DELETES_ACCOUNTS : DELETES

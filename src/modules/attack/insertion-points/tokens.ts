/** Fields against forged requests: minted for one form, and another value has the application refuse whatever stands beside it. */
import { ownName } from '../../../page/names.ts'
import { isStateField } from '../../../page/postbacks.ts'
import { hasOwnWord } from '../../own-words.ts'
import { leavesWithin } from './packed.ts'
import { isSerialized } from './serialized.ts'

const NAMED =
  /^_?(?:wp_?)?nonce$|csrf|xsrf|authenticity_?token|^_?(?:form_?|request_?|security_?|anti_?forgery_?)?token$|requestverificationtoken|^sectok$|^form_?key$|^__(?:viewstate|eventvalidation)/i

/** What holds a token by its name, wherever it stands: the head of a page, a cookie, an answer. */
export const isTokenName = (name: string): boolean =>
  /csrf|xsrf|forgery|verification_?token/i.test(name) || (NAMED.test(ownName(name)) && !name.startsWith('__'))

/** Of a form, or a member of its body by its pointer (RFC 6901): what is written there is compared, and nothing else. */
export const isTokenField = (name: string): boolean => {
  const own = ownName(name)
  return NAMED.test(own) || isTokenName(own) || isStateField(name)
}

/** By its name, or by a value that only a machine makes and nobody reads; what the run has sent itself, and a form hands on, is none. */
export const isToken = (name: string, value: string): boolean =>
  NAMED.test(ownName(name)) ||
  isStateField(name) ||
  (!hasOwnWord(value) &&
    /^[\w+/=.-]{24,}$/.test(value) &&
    /\d/.test(value) &&
    /[a-z]/i.test(value) &&
    leavesWithin(value).length === 0 &&
    !isSerialized(value))

/** Of a field that nobody sees a shorter one will do, unless its name says that it is a thing's. */
export const isHiddenToken = (name: string, value: string, type: string): boolean =>
  type === 'hidden' &&
  !hasOwnWord(value) &&
  !isSerialized(value) &&
  /^(?=[^\d]*\d)(?=[^a-z]*[a-z])[\da-z]{12,}$/i.test(value) &&
  !/(?:^|[a-z_-])(?:id|uuid|guid|key|hash|file|image)$/i.test(name)

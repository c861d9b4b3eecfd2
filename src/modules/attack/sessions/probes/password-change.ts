/**
 * Whether an account sets its password without the one that it has (CWE-620; WSTG-ATHN-09): read off the forms and requests of the inventory, as none
 * that sets a password is ever sent.
 */
import { wordsApart } from '../../../../page/names.ts'
import { segmentShape } from '../../../../page/shape.ts'
import { isPassword, SETS_PASSWORD } from '../../../../safety/form-effect.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts, RequestTemplate } from '../../crawl/facts.ts'
import { leavesOf } from '../../insertion-points/points.ts'
import type { PasswordChangeSeen, Topic } from '../facts.ts'

/** The password that the account has, by the names that forms give it: in full, or beside the word itself. */
const PRESENT =
  /^(?:old|current|present|existing|previous)$|(?:^|[^a-z])(?:old|curr?ent|present|existing|previous|actual|aktuell\w*|bisherig\w*|alte?s?|ancien|antigu\w*|vecchi\w*)(?=$|[^a-z])/i
/** In one word with the other. */
const PRESENT_PASSWORD =
  /(?:old|curr?ent|present|existing|previous|prev|alt(?:es)?|ancien)(?:pass|pwd?|passwort|kennwort)|(?:pass(?:word|wd|wort)?|pwd?)(?:old|curr?ent|alt)(?=$|[^a-z])/i
/** What proves whose account it is otherwise: the password was forgotten. */
const PROOF = /token|code|answer|antwort|secret|^key$|signature|ticket|otp|^pin$/i
const FORGOTTEN = /forgot|reset|recover|remind|lost[-_]?pass|vergessen|activat|invit/i
/** Whose password it is, of a form for those who administer accounts. */
const OF_OTHERS = /(?:^|[-_[])(?:user|account|member|person|employee|customer)[-_]?(?:id|name)?\]?$|e-?mail|^id$/i

/** `signedIn`: the run looks as an account. */
export const passwordChanges = (
  { hasCredentials }: Pick<CollectContext, 'hasCredentials'>,
  { requests }: Pick<CrawlFacts, 'requests'>,
): Topic<PasswordChangeSeen> => {
  if (!hasCredentials)
    return { none: { state: 'not_tested', reason: 'nobody was signed in' }, known: 0, asked: 0, left: {}, seen: [] }
  const own = requests.filter((one) => one.harm === SETS_PASSWORD && isOfOwn(one))
  const seen = own.filter((one) => !asksForPresent(one)).map(seenOf)
  return { none: null, known: own.length, asked: own.length, left: {}, seen }
}

/** Of a form that is sent by GET they stand in its address. */
const namesOf = ({ method, url, fields, body, encoding }: RequestTemplate): readonly string[] =>
  encoding === 'json'
    ? leavesOf(body ?? '').map(([at]) => at.slice(at.lastIndexOf('/') + 1))
    : [...fields.map(({ name }) => name), ...(method === 'GET' ? new URL(url).searchParams.keys() : [])]

/** By its name, or as the page draws it. */
const passwordsOf = (request: RequestTemplate): readonly string[] => {
  const typed = new Set(request.fields.filter(({ type }) => type === 'password').map(({ name }) => name))
  return namesOf(request).filter((name) => typed.has(name) || isPassword(name))
}

/** Of the account that looks, which is signed in. */
const isOfOwn = (request: RequestTemplate): boolean => {
  const { pathname, search } = new URL(request.url)
  const names = namesOf(request)
  const filled = request.fields.filter(({ type }) => type !== 'hidden').map(({ name }) => name)
  return (
    passwordsOf(request).length > 0 &&
    ![pathname, search, ...request.seenOn].some((text) => FORGOTTEN.test(text)) &&
    !pathname.split('/').some((segment) => /^\{(?:n|id)\}$/.test(segmentShape(segment))) &&
    !names.some((name) => PROOF.test(name) && !isPassword(name) && !isGuard(request, name)) &&
    !(request.encoding === 'json' || request.method === 'GET' ? names : filled).some((name) => OF_OTHERS.test(name))
  )
}

/** A token against forged requests proves nothing of who it is. */
const isGuard = ({ method, source, fields }: RequestTemplate, name: string): boolean =>
  (method === 'GET' && source === 'form') || fields.some((one) => one.name === name && one.type === 'hidden')

/** Also one of three that tell nothing by their names: the one there is, the new one and the same again. */
const asksForPresent = (request: RequestTemplate): boolean => {
  const typed = request.fields.filter(({ type }) => type === 'password')
  const isPresent = (name: string): boolean => PRESENT.test(wordsApart(name)) || PRESENT_PASSWORD.test(name)
  return namesOf(request).some(isPresent) || typed.length > 2
}

const seenOf = (request: RequestTemplate): PasswordChangeSeen => {
  const names = passwordsOf(request)
  const [page = request.url] = request.seenOn
  return {
    ...{ method: request.method, url: request.url, page, names },
    excerpt: `${request.method} ${new URL(request.url).pathname}\n${names.join(', ')}`,
    ...{
      mark: names[0] ?? null,
      replay: `curl -s '${page.replaceAll("'", '%27')}' -H '<the credentials of an account>'`,
    },
  }
}

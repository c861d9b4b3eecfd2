/** Requests by which people sign in: what they look a person up by reads, whatever its method. */
import { controlName, PASSWORD_NAME, wordsApart } from '../../../page/names.ts'
import { isSafe } from '../../../safety/effect.ts'
import { setsAccount } from '../../../safety/storing.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import type { ProbeRequest } from './inventory.ts'
import { leavesOf } from './points.ts'
import { procedureOf } from './procedure.ts'

/**
 * Whether what matches may be more than before: by a safe method, or where a sign-in has shown to read and may be sent freely.
 * Behind others each record that matches may be changed.
 */
export const mayWiden = ({
  method,
  effect,
  bound,
  signsIn = false,
}: Pick<ProbeRequest, 'method' | 'effect' | 'bound' | 'signsIn'>): boolean =>
  isSafe(method) || (signsIn && effect === 'reads' && bound === undefined)

/**
 * One password alone, as two would set one, and no word that tells of an account that is made, changed or won back: where
 * `UPDATE … WHERE name = …` stands behind a form, a condition that holds for everybody changes everybody.
 */
export const isSignIn = (
  template: Pick<RequestTemplate, 'method' | 'url' | 'fields' | 'encoding' | 'body' | 'seenOn'>,
): boolean => {
  const names = filledIn(template)
  const secrets = names.filter((name) => PASSWORD_NAME.test(name)).length
  // One address answers for all of GraphQL: its field says what it is.
  const field = fieldOf(template)
  if (field !== null) return secrets === 1 && names.length <= MOST_FIELDS && FIELD.test(field)
  const isOne = secrets === 1 || (secrets === 0 && names.length === 2 && isNamedSignIn(template.url))
  return isOne && !setsAccount(template) && !makesAccount(template)
}

/** What is posted to a collection of people is one more of them (RFC 9110, 9.3.3), as interfaces are written. */
const makesAccount = ({ url, encoding }: Pick<RequestTemplate, 'url' | 'encoding'>): boolean =>
  encoding === 'json' && PEOPLE.test(new URL(url).pathname)
const PEOPLE = /\/(?:users|accounts|members|customers|clients|people|persons|employees|students|patients)\/?$/i

/** What stands in a secret's place has any name: two texts at an address that is called after what it is for. */
const isNamedSignIn = (url: string): boolean =>
  SIGN_IN.test(new URL(url).pathname.split('/').findLast((segment) => segment !== '') ?? '')
const SIGN_IN = /^(?:log-?_?in|sign-?_?in|sessions?|authenticate|auth)(?:\.\w{1,5})?$/i

const FIELD =
  /^(?:log_?in|sign_?in|authenticate|auth|token_?(?:auth|create)|(?:create|begin|obtain)_?(?:session|token))(?:_?(?:user|account|customer|with\w*|by\w*))?$/i

/** Of GraphQL the field of its mutation; null of all else. */
const fieldOf = (template: Pick<RequestTemplate, 'fields' | 'encoding' | 'body'>): string | null => {
  const [said] = procedureOf(template)
  return said?.at === '/query' ? (/^mutation (\w+)$/.exec(said.words)?.[1] ?? null) : null
}

/** The arguments that its variables are given to, whatever these are called. */
const argumentsIn = (body: string): readonly string[] => {
  const names = new Map(
    [...body.matchAll(/(\w{1,60})\s*:\s*\$(\w{1,60})/g)].map(([, name = '', of = '']) => [of, name]),
  )
  return leavesOf(body).flatMap(([pointer]) => {
    const [, variable = ''] = /^\/variables\/(?:\w+\/)*(\w+)$/.exec(pointer) ?? []
    return variable === '' ? [] : [names.get(variable) ?? variable]
  })
}

/** Names of what a person fills in; of JSON those of its own members. */
const filledIn = ({
  fields,
  encoding,
  body,
}: Pick<RequestTemplate, 'fields' | 'encoding' | 'body'>): readonly string[] =>
  encoding === 'json'
    ? fieldOf({ fields, encoding, body }) === null
      ? namesIn(body ?? '')
      : argumentsIn(body ?? '')
    : fields.flatMap(({ name, type }) => (type === 'password' ? [`password ${name}`] : isFilledIn(type) ? [name] : []))

/** A sign-in that says what it is, or asks for a name beside the password, and for little else: what confirms a deed of somebody signed in does not. */
export const isForStrangers = (template: RequestTemplate): boolean => {
  const names = filledIn(template)
  const named = names.filter((name) => identifiesIn(name) && !PASSWORD_NAME.test(name))
  const isTold = named.length === 1 || isNamedSignIn(template.url)
  return isSignIn(template) && template.antiForgery === undefined && isTold && names.length <= MOST_FIELDS
}
const MOST_FIELDS = 4
const isFilledIn = (type: string): boolean => !/^(?:hidden|submit|button|image)$/.test(type)
/** A name of what says who signs in; of JSON a pointer. */
export const identifiesIn = (name: string): boolean => IDENTIFIES.test(wordsApart(controlName(name)))
const IDENTIFIES =
  /(?:^|[^a-z])(?:e?-?mail|log[io]n|log|user(?:_?name|_?id)?|uname|usr|account|identifier|id|name|nick|phone|handle)(?:$|[^a-z])/i

/** Names of what a body sends; of JSON the pointers of its own members. */
export const namesIn = (body: string): readonly string[] =>
  /^\s*\{/.test(body)
    ? leavesOf(body).flatMap(([pointer]) => (pointer.split('/').length === 2 ? [pointer] : []))
    : [...new URLSearchParams(body).keys()]

/** Of them, those that ask for a password. */
export const secretsIn = (body: string): readonly string[] => namesIn(body).filter((name) => PASSWORD_NAME.test(name))

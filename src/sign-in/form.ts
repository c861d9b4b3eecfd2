/** The request by which an identity signs in, as a form of the site would send it: for questions to the sign-in about people who do not exist. */
import type { SignIn } from '../contract/identity.ts'
import type { SignInRequest } from '../contract/sign-in.ts'
import { PASSWORD_NAME, passwordFieldOf } from '../page/names.ts'
import { accountOf } from './account.ts'

export interface SignInForm {
  readonly url: string
  readonly encoding: 'json' | 'urlencoded'
  readonly fields: readonly { readonly name: string; readonly value: string; readonly type: string }[]
  readonly body: string | null
  readonly page: string | null
}

/** Null where nothing in it is a password, it goes elsewhere, or it has to hold what only the answers before it give. */
export const signInFormOf = (how: SignIn, origin: string): SignInForm | null => {
  const requests = how.request?.requests ?? []
  const at = requests.findIndex(({ form, json }) => passwordFieldOf(namesIn(form ?? json)) !== undefined)
  const one = requests[at]
  const url = one === undefined ? null : URL.parse(one.url, origin)
  if (one === undefined || url === null || url.origin !== origin || (one.method ?? 'POST') !== 'POST') return null
  const given = [one.url, ...Object.values(one.headers ?? {})]
  if (given.some(isFilled)) return null
  const account = accountOf(how)
  const short = passwordFieldOf(namesIn(one.form ?? one.json))
  const isPassword = (name: string): boolean => name === short || PASSWORD_NAME.test(name)
  const plain = (name: string, value: string): string =>
    isPassword(name) ? '' : value === account ? (value.includes('@') ? NOBODY : 'sonde') : value
  if (one.form === undefined) return asJson(url.href, one.json, plain)
  const page = requests.slice(0, at).findLast(isPage)
  const from = page === undefined || isFilled(page.url) ? null : (URL.parse(page.url, origin)?.href ?? null)
  const fields = Object.entries(one.form).map(([name, value]) => ({
    name,
    value: isFilled(value) ? '' : plain(name, value),
    type: isPassword(name) ? 'password' : value === account ? 'text' : 'hidden',
  }))
  // A value that was read stands in the page before it, or nowhere.
  if (from === null && Object.values(one.form).some(isFilled)) return null
  return { url: url.href, encoding: 'urlencoded', fields, body: null, page: from }
}

/** Whom RFC 2606 lets nobody be. */
const NOBODY = 'sonde@sonde.invalid'

const isFilled = (text: string): boolean => text.includes('{{')

const isPage = ({ method = 'GET', form, json }: SignInRequest): boolean =>
  method === 'GET' && form === undefined && json === undefined

const asJson = (url: string, json: unknown, plain: (name: string, value: string) => string): SignInForm | null => {
  const filled = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return plain(name, value)
    if (Array.isArray(value)) return value.map((inner) => filled(inner, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, key)]))
  }
  const body = JSON.stringify(filled(json, ''))
  return isFilled(body) ? null : { url, encoding: 'json', fields: [], body, page: null }
}

const namesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
    : []

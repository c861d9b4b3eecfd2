/**
 * The run's own sign-in once more with something of our choice in it: an address in a parameter that leads on (CWE-601), headers that an
 * application may keep with whoever signed in (CWE-79). The account has the right password, so nothing is guessed. Nobody is signed in by it
 * afterwards.
 */
import type { SignIn } from '../contract/identity.ts'
import type { HeaderPairs, HttpExchange, HttpRequest } from '../egress/door/egress.ts'
import { redirectTarget } from '../egress/http/redirects.ts'
import { PASSWORD_NAME } from '../page/names.ts'
import { accountOf } from './account.ts'
import { SignInFailed } from './failure.ts'
import { proven } from './proof.ts'
import { type Credentials, createSignIn, type SignInPorts } from './sign-in.ts'
import { carrying } from './spare.ts'

export interface Leading {
  /** Paths of the domain that the sign-in asks. */
  readonly paths: ReadonlySet<string>
  /** Address of the request that gives the password; absent where it is none of the domain. */
  readonly at?: string
  /** Where it leads, of that host, a name that nobody has, or below it; null where it leads nowhere near it, false where nobody is signed in by it. */
  readonly to: (given: Given, host: string) => Promise<string | null | false>
  /** Whether the sign-in was taken with these headers in place of its own of the same names. */
  readonly saying: (headers: HeaderPairs) => Promise<boolean>
  /** Fields in which it gives who signs in and the password; of JSON members of the whole. */
  readonly fields: readonly string[]
  /** Whether the account is signed in, by its proof, with this text behind the value of that field. */
  readonly behind: (field: string, text: string) => Promise<boolean>
  /** Likewise with an object of these members in place of that value; in a form as most frameworks read one, `field[member]`. */
  readonly instead: (field: string, members: Members) => Promise<boolean>
}

/** Parameters with the address in each. */
export type Given = readonly (readonly [parameter: string, address: string])[]

type Members = Readonly<Record<string, string | readonly string[]>>

/** Null where it is no sign-in by requests: a browser's steps and tokens have no such parameter in their hands. */
export const leadingOf = (how: SignIn, origin: string, ports: SignInPorts): Leading | null => {
  if (how.request === undefined) return null
  const own = how.request.requests
    .flatMap(({ url }) => (url.startsWith('{{') ? [] : (URL.parse(url, origin) ?? [])))
    .filter((url) => url.host === new URL(origin).host)
  const paths = new Set(own.map(({ pathname }) => pathname))
  /** False where it does not succeed: that it leads to a host of no use to it is one way. */
  const signIn = async (
    change: Change,
    seen: (exchange: HttpExchange) => void = () => undefined,
  ): Promise<Credentials | null> => {
    const http: SignInPorts['egress']['http'] = async (request) => {
      const url = new URL(request.url)
      const asked = url.origin === origin && paths.has(url.pathname)
      const exchange = await ports.egress.http(asked ? change(request) : request)
      seen(exchange)
      return exchange
    }
    try {
      return await createSignIn(how, { ...ports, egress: { http }, told: () => undefined })()
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error
      return null
    }
  }
  /** A site may answer who is refused with success, and a session of nobody's. */
  const isProven = async (session: Credentials | null): Promise<boolean> => {
    if (session === null || how.proof === undefined) return false
    const http = (request: HttpRequest) => ports.egress.http(carrying(request, session))
    return (await proven({ http }, origin, how.proof)).isSignedIn === true
  }
  const at = passwordAt(how, origin)
  return {
    paths,
    ...(at === null ? {} : { at }),
    to: async (given, host) => {
      let led: string | null = null
      const session = await signIn(
        (request) => given.reduce((one, [name, address]) => withParameter(one, name, address), request),
        (exchange) => {
          const target = redirectTarget(exchange)
          if (target?.hostname === host || target?.hostname.endsWith(`.${host}`)) led ??= target.href
        },
      )
      return led ?? (session === null ? false : null)
    },
    saying: async (headers) => (await signIn((request) => withHeaders(request, headers))) !== null,
    fields: how.proof === undefined ? [] : fieldsOf(how),
    behind: async (field, text) => isProven(await signIn((request) => withBehind(request, field, text))),
    instead: async (field, members) => isProven(await signIn((request) => withMembers(request, field, members))),
  }
}

const passwordAt = (how: SignIn, origin: string): string | null => {
  const giving = how.request?.requests.findLast(({ form, json }) =>
    Object.keys(form ?? json ?? {}).some((name) => PASSWORD_NAME.test(name)),
  )
  const url = giving && !giving.url.includes('{{') ? URL.parse(giving.url, origin) : null
  return url?.origin === origin ? url.href : null
}

const fieldsOf = (how: SignIn): readonly string[] => {
  const account = accountOf(how)
  const given = (how.request?.requests ?? []).flatMap(({ form, json }) => Object.entries(form ?? json ?? {}))
  const own = given.filter(([name, value]) => value === account || PASSWORD_NAME.test(name))
  return [...new Set(own.flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [name] : [])))]
}

type Change = (request: HttpRequest) => HttpRequest

const withHeaders = (request: HttpRequest, headers: HeaderPairs): HttpRequest => {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const others = (request.headers ?? []).filter(([name]) => !names.has(name.toLowerCase()))
  return { ...request, headers: [...others, ...headers] }
}

/** In the address, where its page and its form have it, and among the fields of a form. */
const withParameter = (request: HttpRequest, name: string, value: string): HttpRequest => {
  const url = new URL(request.url)
  url.searchParams.set(name, value)
  const isForm = request.headers?.some(
    ([one, type]) => one.toLowerCase() === 'content-type' && /urlencoded/i.test(type),
  )
  if (!isForm || typeof request.body !== 'string') return { ...request, url: url.href }
  const fields = new URLSearchParams(request.body)
  fields.set(name, value)
  return { ...request, url: url.href, body: fields.toString() }
}

/** In the body that has the field, whichever of the requests that is. */
const withBehind = (request: HttpRequest, field: string, text: string): HttpRequest => {
  const { body } = request
  if (typeof body !== 'string') return request
  if (/^\s*\{/.test(body)) {
    const members = JSON.parse(body) as Record<string, unknown>
    const own = members[field]
    return typeof own === 'string'
      ? { ...request, body: JSON.stringify({ ...members, [field]: `${own}${text}` }) }
      : request
  }
  const fields = new URLSearchParams(body)
  const own = fields.get(field)
  if (own === null) return request
  fields.set(field, `${own}${text}`)
  return { ...request, body: fields.toString() }
}

/** In the body that has the field, whichever of the requests that is. */
const withMembers = (request: HttpRequest, field: string, members: Members): HttpRequest => {
  const { body } = request
  if (typeof body !== 'string') return request
  if (/^\s*\{/.test(body)) {
    const own = JSON.parse(body) as Record<string, unknown>
    return typeof own[field] === 'string' ? { ...request, body: JSON.stringify({ ...own, [field]: members }) } : request
  }
  const fields = new URLSearchParams(body)
  if (!fields.has(field)) return request
  fields.delete(field)
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === 'string') fields.append(`${field}[${name}]`, value)
    else for (const one of value) fields.append(`${field}[${name}][]`, one)
  }
  return { ...request, body: fields.toString() }
}

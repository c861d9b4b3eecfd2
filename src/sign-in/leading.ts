/**
 * Where a sign-in that succeeds leads on to, with an address of our choice in a parameter that leads on (CWE-601): the run's own account
 * has the right password, so nothing is guessed. Nobody is signed in by it afterwards.
 */
import type { SignIn } from '../contract/identity.ts'
import type { HttpRequest } from '../egress/door/egress.ts'
import { redirectTarget } from '../egress/http/redirects.ts'
import { SignInFailed } from './failure.ts'
import { createSignIn, type SignInPorts } from './sign-in.ts'

export interface Leading {
  /** Paths of the domain that the sign-in asks. */
  readonly paths: ReadonlySet<string>
  /** The value of Location that leads to that host, a name that nobody has; null where the sign-in leads nowhere near it. */
  readonly to: (parameter: string, address: string, host: string) => Promise<string | null>
}

/** Null where it is no sign-in by requests: a browser's steps and tokens have no such parameter in their hands. */
export const leadingOf = (how: SignIn, origin: string, ports: SignInPorts): Leading | null => {
  if (how.request === undefined) return null
  const own = how.request.requests
    .flatMap(({ url }) => URL.parse(url, origin) ?? [])
    .filter((url) => url.host === new URL(origin).host)
  const paths = new Set(own.map(({ pathname }) => pathname))
  return {
    paths,
    to: async (parameter, address, host) => {
      let led: string | null = null
      const http: SignInPorts['egress']['http'] = async (request) => {
        const url = new URL(request.url)
        const asked = url.origin === origin && paths.has(url.pathname)
        const exchange = await ports.egress.http(asked ? withParameter(request, parameter, address) : request)
        const target = redirectTarget(exchange)
        if (target?.hostname === host || target?.hostname.endsWith(`.${host}`)) led ??= target.href
        return exchange
      }
      try {
        await createSignIn(how, { ...ports, egress: { http }, told: () => undefined })()
      } catch (error) {
        // That it leads to a host of no use to it is what was looked for; any other end says nothing.
        if (!(error instanceof SignInFailed)) throw error
      }
      return led
    },
  }
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

/**
 * Sessions beside the run's own, each by signing in once more: for what becomes of a session, of which the run's own and those of the people
 * who have the account are no part. Nothing of them is told to anybody.
 */
import type { SignIn } from '../contract/identity.ts'
import type { HttpExchange, HttpRequest } from '../egress/door/egress.ts'
import { parseSetCookie, type SameSite } from '../page/cookies/set-cookie.ts'
import { PASSWORD_NAME } from '../page/names.ts'
import { SignInFailed } from './failure.ts'
import { proven } from './proof.ts'
import { type Credentials, createSignIn, type SignInPorts } from './sign-in.ts'

export interface SpareSession {
  /** Cookies that its first request with a body brought, as in a header of that name: what was there before anybody was signed in; null for none. */
  readonly before: string | null
  /** What it is carried by. */
  readonly after: Credentials
  /** By name of a cookie, what its last line says of requests that other sites make. */
  readonly sameSite: ReadonlyMap<string, SameSite['kind']>
  /** A request as whoever carries that. @throws EgressError `excluded` where the policy keeps it from leaving */
  readonly send: (request: HttpRequest, carried?: Credentials) => Promise<HttpExchange>
}

/** What a sign-in brings beside what it always does. */
export interface Besides {
  /** Cookies, from the first request on. */
  readonly planted?: string
  /** Fields of the form that gives the password, as of a box that is ticked. */
  readonly ticked?: readonly (readonly [name: string, value: string])[]
}

export interface Spare {
  /** Signs in once more. Null where nobody is signed in by it. */
  readonly begin: (besides?: Besides) => Promise<SpareSession | null>
  /** Whether who carries that is answered as the account; null where the answer says nothing of it. */
  readonly isSignedIn: (carried: Credentials) => Promise<boolean | null>
}

export const NOTHING_CARRIED: Credentials = { cookie: null, header: null }

export interface SparePorts extends SignInPorts {
  /** Before anything of it can be written down. */
  readonly hide: (credentials: Credentials) => void
  /** @throws EgressError where it must not leave */
  readonly admit: (request: HttpRequest) => void
}

/** Null where a sign-in is none by requests, or its session stands in bodies. */
export const spareOf = (how: SignIn, origin: string, proof: NonNullable<SignIn['proof']>, ports: SparePorts) => {
  if (how.request === undefined || how.request.member !== undefined) return null
  return createSpare(how, origin, proof, ports)
}

const createSpare = (how: SignIn, origin: string, proof: NonNullable<SignIn['proof']>, ports: SparePorts): Spare => {
  const asWho = (carried: Credentials) => (request: HttpRequest) => ports.egress.http(carrying(request, carried))
  return {
    isSignedIn: async (carried) => (await proven({ http: asWho(carried) }, origin, proof)).isSignedIn,
    begin: async ({ planted, ticked = [] } = {}) => {
      let before: string | null | undefined
      const sameSite = new Map<string, SameSite['kind']>()
      const http: SignInPorts['egress']['http'] = async (request) => {
        const isOwn = new URL(request.url).origin === origin
        const brought = isOwn && planted !== undefined ? withPlanted(request, planted) : request
        const sent = isOwn ? withTicked(brought, ticked) : brought
        if (isOwn && before === undefined && request.body !== undefined) before = cookieOf(sent)
        const exchange = await ports.egress.http(sent)
        for (const [name, line] of exchange.headers) {
          const cookie = name.toLowerCase() === 'set-cookie' ? parseSetCookie(line) : null
          if (cookie !== null && isOwn) sameSite.set(cookie.name, cookie.sameSite.kind)
        }
        return exchange
      }
      try {
        const session = await createSignIn(how, { ...ports, egress: { http }, told: () => undefined })()
        ports.hide(session)
        const after = { cookie: session.cookie, header: session.header }
        const send: SpareSession['send'] = async (request, carried = after) => {
          ports.admit(request)
          return asWho(carried)(request)
        }
        return { before: before ?? null, after, sameSite, send }
      } catch (error) {
        if (!(error instanceof SignInFailed)) throw error
        return null
      }
    },
  }
}

const cookieOf = ({ headers = [] }: HttpRequest): string | null =>
  headers.find(([name]) => name.toLowerCase() === 'cookie')?.[1] ?? null

/** What the site has set meanwhile takes its place, as in a browser. */
const withPlanted = (request: HttpRequest, planted: string): HttpRequest => {
  const others = (request.headers ?? []).filter(([name]) => name.toLowerCase() !== 'cookie')
  return { ...request, headers: [...others, ['Cookie', withOwn(planted, cookieOf(request))]] }
}

/** In a form that gives a password. */
const withTicked = (request: HttpRequest, ticked: NonNullable<Besides['ticked']>): HttpRequest => {
  const isForm = request.headers?.some(([name, type]) => /^content-type$/i.test(name) && /urlencoded/i.test(type))
  if (ticked.length === 0 || !isForm || typeof request.body !== 'string') return request
  const fields = new URLSearchParams(request.body)
  if (![...fields.keys()].some((name) => PASSWORD_NAME.test(name))) return request
  for (const [name, value] of ticked) fields.set(name, value)
  return { ...request, body: fields.toString() }
}

/** Those of the same name take the place of what was planted. */
const withOwn = (planted: string, own: string | null): string => {
  const names = new Set((own ?? '').split(';').map((pair) => pair.split('=')[0]?.trim()))
  const left = planted.split(';').filter((pair) => !names.has(pair.split('=')[0]?.trim()))
  return [...left.map((pair) => pair.trim()), ...(own === null ? [] : [own])].join('; ')
}

/** A request as whoever carries that, and nobody else. */
export const carrying = (request: HttpRequest, carried: Credentials): HttpRequest => ({
  ...{ ...request, authenticated: false, headers: headersOf(request, carried) },
})

const headersOf = ({ headers = [] }: HttpRequest, { cookie, header }: Credentials) => {
  const colon = header?.indexOf(':') ?? -1
  return [
    ...headers,
    ...(cookie === null ? [] : [['Cookie', cookie] as const]),
    ...(header === null || colon < 1 ? [] : [[header.slice(0, colon).trim(), header.slice(colon + 1).trim()] as const]),
  ]
}

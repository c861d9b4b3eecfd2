/** The cookie of a browser that is signed in: RFC 6265bis. */
import type { FastifyRequest } from 'fastify'
import type { Services } from './services.ts'

type Where = Pick<Services, 'baseUrl'>

/** The prefix makes browsers insist on Secure, on the whole host and on no other host; it needs https. */
const cookieName = (services: Where): string => (isSecure(services) ? '__Host-sonde' : 'sonde_session')
const isSecure = ({ baseUrl }: Where): boolean => baseUrl().startsWith('https:')

export const sessionCookie = (services: Where, token: string, expiresAt: Date): string =>
  setCookie(services, token, `Expires=${expiresAt.toUTCString()}`)

export const clearedCookie = (services: Where): string => setCookie(services, '', 'Max-Age=0')

/** Strict: not even a link from another site arrives signed in; the page then asks by itself, from our own site. */
const setCookie = (services: Where, value: string, until: string): string =>
  [
    `${cookieName(services)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    until,
    ...(isSecure(services) ? ['Secure'] : []),
  ].join('; ')

/** Null without one, or with what no token of ours looks like. */
export const sessionToken = (request: FastifyRequest, services: Where): string | null => {
  const value = cookieOf(request, cookieName(services))
  return value !== null && /^[\w-]{43}$/.test(value) ? value : null
}

export const cookieOf = (request: FastifyRequest, name: string): string | null => {
  const pair = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
  return pair === undefined ? null : pair.slice(name.length + 1)
}

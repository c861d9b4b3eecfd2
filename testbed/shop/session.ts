import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { HeaderPairs } from '../headers.ts'
import type { Ask } from './route.ts'

const CSRF_KEY = randomBytes(32)
const USER = { email: 'robin@northfold.test', password: 'correct horse battery staple' }
const signedIn = new Set<string>()
const MOST_SIGNED_IN = 1000

const cookieName = (ask: Ask): string => (ask.shop.fixed ? '__Host-session' : 'SESSID')

export const readSession = (ask: Ask): string | null => {
  const value = ask.cookie(cookieName(ask))
  return value !== null && /^[0-9a-f]{32}$/.test(value) ? value : null
}

/** A session and the header that starts it, or no header when the visitor already has one. */
export const ensureSession = (ask: Ask): { readonly session: string; readonly headers: HeaderPairs } => {
  const present = readSession(ask)
  if (present !== null) return { session: present, headers: [] }
  const session = randomBytes(16).toString('hex')
  const flags = ask.shop.fixed ? '; Path=/; Secure; HttpOnly; SameSite=Lax' : '; Path=/'
  return { session, headers: [['Set-Cookie', `${cookieName(ask)}=${session}${flags}`]] }
}

export const isSignedIn = (ask: Ask): boolean => {
  const session = readSession(ask)
  return session !== null && signedIn.has(session)
}

/** True when the credentials are those of the one customer, who is signed in by it. */
export const signIn = (session: string, email: string, password: string): boolean => {
  if (email !== USER.email || password !== USER.password) return false
  if (signedIn.size >= MOST_SIGNED_IN) signedIn.clear()
  signedIn.add(session)
  return true
}

export const signOut = (session: string): void => {
  signedIn.delete(session)
}

/** Bound to the session, so it cannot be used from another one. */
export const csrfToken = (session: string): string =>
  createHmac('sha256', CSRF_KEY).update(session).digest('base64url').slice(0, 32)

/** The flawed shop asks for no token. */
export const isForged = (ask: Ask): boolean => {
  if (!ask.shop.fixed) return false
  const session = readSession(ask)
  const given = Buffer.from(ask.form.get('token') ?? '')
  const wanted = session === null ? Buffer.alloc(0) : Buffer.from(csrfToken(session))
  return wanted.length === 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)
}

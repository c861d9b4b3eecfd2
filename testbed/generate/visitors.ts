/** Who visits: cookies and tokens of forms that they were given, and how often they come. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Planted } from './plan.ts'
import { type Asked, cookieOf, fieldOf } from './request.ts'
import { PACKED, packedWith } from './sent.ts'

export interface Visitors {
  /** Cookies for who comes to the page of the place without them. */
  readonly greet: (place: Planted, request: IncomingMessage) => readonly string[]
  /** For a form on that page. */
  readonly token: (place: Planted, request: IncomingMessage) => string
  /** Null where the request is answered. */
  readonly refuses: (
    place: Planted,
    asked: Asked,
  ) => { readonly status: number; readonly why: string; readonly headers?: Readonly<Record<string, string>> } | null
}

/** Of a second, on a place that limits. */
const MOST_A_SECOND = 20
/** Tokens that hold once and were not used: the oldest ends. */
const MOST_TOKENS = 1_000
const VISITOR = 'basket'

export const createVisitors = (): Visitors => {
  const key = randomBytes(16)
  const greeted = new WeakMap<IncomingMessage, string>()
  const once = new Set<string>()
  const seconds = new Map<Planted, { second: number; count: number }>()

  const visitorOf = (request: IncomingMessage): string | null => greeted.get(request) ?? cookieOf(request, VISITOR)
  const held = (visitor: string): string => createHmac('sha256', key).update(visitor).digest('hex').slice(0, 32)
  const isLimited = (place: Planted): boolean => {
    const second = Math.floor(Date.now() / 1_000)
    const before = seconds.get(place)
    const count = before?.second === second ? before.count + 1 : 1
    seconds.set(place, { second, count })
    return place.answers === 'limited' && count > MOST_A_SECOND
  }

  return {
    greet: (place, request) => {
      const cookies: string[] = []
      const give = (name: string, value: string): void => {
        if (cookieOf(request, name) === null) cookies.push(`${name}=${encodeURIComponent(value)}; Path=/`)
      }
      if (place.way === 'token' && visitorOf(request) === null) {
        greeted.set(request, randomUUID())
        give(VISITOR, greeted.get(request) ?? '')
      }
      if (place.spot === 'cookie') give(place.input, place.sink.value)
      if (place.spot === 'cookie-packed') give(PACKED, packedWith(place.input, place.sink.value))
      return cookies
    },
    token: (place, request) => {
      if (place.way === 'token') return held(visitorOf(request) ?? '')
      const token = randomUUID().replaceAll('-', '')
      if (place.way !== 'token-once') return token
      once.add(token)
      for (const oldest of once) if (once.size > MOST_TOKENS) once.delete(oldest)
      return token
    },
    refuses: (place, { request, body }) => {
      if (isLimited(place)) return { status: 429, why: 'Slow down, please', headers: { 'Retry-After': '1' } }
      if (place.way !== 'token' && place.way !== 'token-once') return null
      const given = fieldOf(place, body, 'csrf_token') ?? ''
      const visitor = visitorOf(request)
      const holds = place.way === 'token' ? visitor !== null && given === held(visitor) : once.delete(given)
      return holds ? null : { status: 403, why: 'The form has expired' }
    },
  }
}

import type { Carts } from './route.ts'

const MOST_SESSIONS = 1000
const MOST_GOODS = 50

/** Carts in memory; the oldest makes room when too many come. */
export const memoryCarts = (): Carts => {
  const sessions = new Map<string, Map<string, number>>()
  return {
    read: (session) => (session === null ? new Map() : (sessions.get(session) ?? new Map())),
    add: (session, slug) => {
      const cart = sessions.get(session) ?? new Map<string, number>()
      if (cart.size < MOST_GOODS) cart.set(slug, Math.min(99, (cart.get(slug) ?? 0) + 1))
      sessions.set(session, cart)
      const [oldest] = sessions.keys()
      if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest)
    },
    empty: (session) => {
      sessions.delete(session)
    },
  }
}

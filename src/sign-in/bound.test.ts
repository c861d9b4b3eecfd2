/** Sessions that servers bind to the browser they began in. */
import { expect, test } from 'vitest'
import type { HttpExchange } from '../egress/door/egress.ts'
import { createKeeper } from './keeper.ts'
import { NO_OFFERS } from './page-storage.ts'
import type { Session } from './sign-in.ts'

const ORIGIN = 'https://shop.test'
const SESSION: Session = {
  ...{ cookie: 'sid=1', header: null, origin: ORIGIN, expiresAt: null },
  storage: { items: [], offers: NO_OFFERS },
}
const never = new AbortController().signal

/** A server that ends the session where one of these headers says something else. */
const bindingTo = (...bound: readonly string[]) => {
  const seen = { alive: true, signIns: 0, told: [] as string[] }
  const hear = (names: Iterable<string>): void => {
    for (const name of names) if (bound.includes(name)) seen.alive = false
  }
  const keeper = createKeeper(SESSION, {
    signIn: async () => {
      seen.signIns += 1
      seen.alive = true
      return SESSION
    },
    prove: async () => ({ isSignedIn: seen.alive, why: 'it shows the form' }),
    become: () => undefined,
    ask: async (_url, headers = []) => {
      hear(headers.map(([name]) => name))
      return null
    },
    isSignIn: () => false,
    told: (event, detail) => void seen.told.push(`${event}: ${detail}`),
    clock: () => 0,
  })
  const ask = async (path: string, ...brings: readonly string[]): Promise<string | null> => {
    const url = new URL(path, ORIGIN)
    const ticket = await keeper.enter({ module: 'sqli', sets: new Set(brings), method: 'GET', url }, never)
    if ('code' in ticket) return `${ticket.code}: ${ticket.reason}`
    hear(brings)
    const exchange = { status: 200, headers: [], request: { method: 'GET', url: url.href } }
    await keeper.left(exchange as unknown as HttpExchange, ticket)
    return null
  }
  return { keeper, seen, ask }
}

test('end where a probe says another one, and are asked with another one no more', async () => {
  const { keeper, seen, ask } = bindingTo('user-agent')
  let refused = 0
  for (let n = 0; n < 2_000; n += 1)
    if ((await ask(`/${n}`, ...(n % 40 === 7 ? ['user-agent', 'x-forwarded-for'] : []))) !== null) refused += 1
  expect(keeper.lost()).toBeNull()
  expect(refused).toBeGreaterThan(45)
  expect(seen.signIns).toBe(2)
  expect(seen.told).toContain('session_ended_by: another user-agent')
  expect(await ask('/again', 'user-agent')).toBe(
    'excluded: the session of this run ends where another user-agent is said',
  )
  expect(await ask('/again', 'x-forwarded-for')).toBeNull()
})

test('that are bound to nothing cost no header its probes', async () => {
  const { seen, ask } = bindingTo()
  for (let n = 0; n < 60; n += 1) await ask(`/${n}`, 'user-agent')
  seen.alive = false
  for (let n = 0; n < 60; n += 1) expect(await ask(`/${n}`, 'user-agent')).toBeNull()
  expect(seen.told).toEqual(['session_renewed: it shows the form; 1 of 5'])
})

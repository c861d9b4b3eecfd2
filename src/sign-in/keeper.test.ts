import { describe, expect, test } from 'vitest'
import type { HttpExchange } from '../egress/door/egress.ts'
import { SignInFailed } from './failure.ts'
import { createKeeper, type KeeperPorts, MOST_RENEWALS } from './keeper.ts'
import { NO_OFFERS } from './page-storage.ts'
import type { Session } from './sign-in.ts'

const SESSION: Session = {
  cookie: 'sid=1; theme=dark',
  header: null,
  storage: { items: [], offers: NO_OFFERS },
  origin: 'https://shop.test',
  expiresAt: null,
}
const never = new AbortController().signal

const keeping = (change: Partial<KeeperPorts> & { readonly first?: Partial<Session> } = {}) => {
  const seen = { proofs: 0, signIns: 0, told: [] as string[], alive: true as boolean | null }
  const keeper = createKeeper(
    { ...SESSION, ...change.first },
    {
      signIn: async () => {
        seen.signIns += 1
        seen.alive = true
        return SESSION
      },
      prove: async () => {
        seen.proofs += 1
        return { isSignedIn: seen.alive, why: 'it shows the form' }
      },
      become: () => undefined,
      ask: async () => undefined,
      isSignIn: (url) => url.pathname === '/login',
      told: (event, detail) => void seen.told.push(`${event}: ${detail}`),
      clock: () => 0,
      ...change,
    },
  )
  const enter = (path = '/') => keeper.enter({ method: 'GET', url: new URL(path, SESSION.origin) }, never)
  const ask = async (answer: Partial<HttpExchange> = {}, path = '/', method = 'GET'): Promise<boolean> => {
    const url = new URL(path, SESSION.origin)
    const ticket = await keeper.enter({ method, url }, never)
    if ('code' in ticket) throw new Error(ticket.reason)
    const exchange = { status: 200, headers: [], request: { method, url: url.href }, ...answer }
    return keeper.left(exchange as unknown as HttpExchange, ticket)
  }
  return { keeper, seen, ask, enter }
}

describe('a session is proven', () => {
  test('every fifty requests', async () => {
    const { ask, seen } = keeping()
    for (let n = 0; n < 101; n += 1) expect(await ask()).toBe(false)
    expect(seen).toMatchObject({ proofs: 2, signIns: 0 })
  })

  test.each([
    ['a status that asks who one is', { status: 401 }],
    ['one that forbids', { status: 403 }],
    ['a way to the sign-in', { status: 302, headers: [['Location', '/login?next=/']] }],
    ['its cookie taken back', { headers: [['Set-Cookie', 'sid=; Path=/; Max-Age=0']] }],
    ['its cookie at its end', { headers: [['set-cookie', 'sid=x; expires=Thu, 01 Jan 1970 00:00:00 GMT']] }],
  ] as const)('after %s, once for each place that answers so', async (_name, answer) => {
    const { ask, seen } = keeping()
    await ask(answer as Partial<HttpExchange>, '/a')
    await ask(answer as Partial<HttpExchange>, '/a')
    expect(seen.proofs).toBe(1)
    await ask(answer as Partial<HttpExchange>, '/b')
    expect(seen).toMatchObject({ proofs: 2, signIns: 0 })
  })

  test.each([
    ['a page', {}],
    ['a way elsewhere on the site', { status: 302, headers: [['Location', '/orders']] }],
    ['a cookie of its own', { headers: [['Set-Cookie', 'other=; Max-Age=0']] }],
    ['its cookie given again', { headers: [['Set-Cookie', 'sid=2; Path=/']] }],
    ['an error', { status: 500 }],
  ] as const)('not after %s', async (_name, answer) => {
    const { ask, seen } = keeping()
    await ask(answer as Partial<HttpExchange>)
    expect(seen.proofs).toBe(0)
  })
})

describe('a session that is lost', () => {
  test('is begun anew once, however many find out at the same time, and they are sent again', async () => {
    const { keeper, ask, seen } = keeping()
    seen.alive = false
    const again = await Promise.all(['/a', '/b', '/c', '/d'].map((path) => ask({ status: 401 }, path)))
    expect(again).toEqual([true, true, true, true])
    expect([seen.signIns, keeper.session(), keeper.lost()]).toEqual([1, 1, null])
    expect(seen.told).toEqual(['session_renewed: it shows the form; 1 of 5'])
  })

  test.each([
    ['POST', 302, false],
    ['PUT', 403, false],
    ['POST', 401, true],
    ['GET', 302, true],
  ])('sends %s answered %d again: %s', async (method, status, expected) => {
    const { ask, seen } = keeping()
    seen.alive = false
    expect(await ask({ status, headers: [['Location', '/login']] }, '/a', method)).toBe(expected)
  })

  test('is begun anew five times, and then nothing is sent signed in', async () => {
    const { keeper, ask, enter, seen } = keeping()
    for (let n = 0; n < MOST_RENEWALS; n += 1) {
      seen.alive = false
      await ask({ status: 401 }, `/${n}`)
    }
    seen.alive = false
    expect(await ask({ status: 401 }, '/last')).toBe(false)
    expect(keeper.lost()).toContain('it was begun anew 5 times')
    expect(await enter()).toMatchObject({ code: 'auth_lost', reason: expect.stringContaining('it shows the form') })
    expect(await keeper.prove()).toBe(false)
    expect(seen.signIns).toBe(MOST_RENEWALS)
  })

  test('says why signing in failed', async () => {
    const { keeper, ask, seen } = keeping({
      signIn: async () => {
        throw new SignInFailed('POST https://shop.test/login answered 403')
      },
    })
    seen.alive = false
    await ask({ status: 401 })
    expect(keeper.lost()).toContain('signing in failed: POST https://shop.test/login answered 403')
  })

  test('is not, where the proof is not answered', async () => {
    const { keeper, ask, seen } = keeping()
    seen.alive = null
    expect(await ask({ status: 401 })).toBe(false)
    expect([keeper.lost(), seen.signIns]).toEqual([null, 0])
  })

  test('that nothing says how to begin stays lost', async () => {
    const { keeper, ask, seen } = keeping({ signIn: null })
    seen.alive = false
    await ask({ status: 401 })
    expect(keeper.lost()).toContain('nothing says how to begin it anew')
  })
})

test('a token is renewed before its end, which does not count', async () => {
  let now = 0
  const { keeper, ask, seen } = keeping({ first: { expiresAt: 60_000 }, clock: () => now })
  await ask()
  expect(seen.signIns).toBe(0)
  now = 55_000
  await ask()
  expect([seen.signIns, keeper.session()]).toEqual([1, 1])
})

describe('what ends a session', () => {
  test('is a sign-in that makes one somebody else; its page is still asked', async () => {
    const { ask, enter, keeper, seen } = keeping()
    seen.alive = false
    const answer = { status: 302, headers: [['Set-Cookie', 'sid=2; Path=/']] as [string, string][] }
    expect(await ask(answer, '/login', 'POST')).toBe(false)
    expect(seen.told).toEqual(['session_ended_by: POST /login', 'session_renewed: POST /login ended it'])
    const url = new URL('/login', SESSION.origin)
    expect(await keeper.enter({ method: 'POST', url }, never)).toMatchObject({ code: 'excluded' })
    expect(await enter('/login')).toEqual({ session: 1 })
  })

  test('is no sign-in that gave the cookie anew, and still one is who one was', async () => {
    const { ask, seen } = keeping()
    await ask({ headers: [['Set-Cookie', 'sid=2; Path=/']] }, '/login', 'POST')
    expect(seen).toMatchObject({ proofs: 1, signIns: 0, told: [] })
  })

  /** Asking for it ends the session, whoever asks. */
  const site = (ends: string) => {
    const made = keeping({
      ask: async (url) => {
        if (new URL(url).pathname === ends) made.seen.alive = false
      },
    })
    return made
  }
  const over = { status: 302, headers: [['Location', '/login']] } as unknown as Partial<HttpExchange>

  test('is asked once more to be sure, and left alone from then on', async () => {
    const { ask, enter, seen } = site('/bye')
    await ask({}, '/a')
    seen.alive = false
    await ask({}, '/bye')
    await ask(over, '/b')
    expect(seen.told).toContain('session_ended_by: GET /bye')
    expect(await enter('/bye?x=1')).toMatchObject({ code: 'excluded' })
    expect(await enter('/a')).not.toHaveProperty('code')
    // The trial cost a session, which is not one of the five.
    expect(seen.told.at(-1)).toBe('session_renewed: GET /bye ended it')
  })

  test('is no page that was asked when a session died of age', async () => {
    const { ask, enter, seen } = site('/nothing')
    seen.alive = false
    await ask({ headers: [['Set-Cookie', 'sid=; Max-Age=0']] as unknown as HttpExchange['headers'] }, '/orders')
    expect(seen.told.filter((line) => line.startsWith('session_ended_by'))).toEqual([])
    expect(await enter('/orders')).not.toHaveProperty('code')
  })
})

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
const BY = { module: 'xss', sets: new Set<string>() }
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
      ask: async () => null,
      isSignIn: (url) => url.pathname === '/login',
      told: (event, detail) => void seen.told.push(`${event}: ${detail}`),
      clock: () => 0,
      ...change,
    },
  )
  const enter = (path = '/') => keeper.enter({ ...BY, method: 'GET', url: new URL(path, SESSION.origin) }, never)
  const ask = async (answer: Partial<HttpExchange> = {}, path = '/', method = 'GET'): Promise<boolean> => {
    const url = new URL(path, SESSION.origin)
    const ticket = await keeper.enter({ ...BY, method, url }, never)
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
    expect(await keeper.enter({ ...BY, method: 'POST', url }, never)).toMatchObject({ code: 'excluded' })
    expect(await enter('/login')).toMatchObject({ session: 1 })
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
        return null
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

  test('leaves the five to what nothing explains, and what lies behind the name of its program is the same', async () => {
    const { ask, enter, seen } = site('/login.php')
    for (let n = 0; n <= MOST_RENEWALS; n += 1) {
      await ask({}, `/a${n}`)
      seen.alive = false
      await ask(n === 0 ? {} : over, n === 0 ? '/login.php' : `/b${n}`)
      if (n === 0) await ask(over, '/b')
    }
    expect(seen.told.filter((line) => line.startsWith('session_ended_by'))).toEqual([
      'session_ended_by: GET /login.php',
    ])
    expect(seen.told.at(-1)).toContain(`${MOST_RENEWALS} of ${MOST_RENEWALS}`)
    expect(seen.told.join()).not.toContain('session_lost')
    expect(await enter('/login.php/notes.txt')).toMatchObject({ code: 'excluded' })
    expect(await enter('/login.phpx')).not.toHaveProperty('code')
  })

  test('is known to all who look', async () => {
    const ending = [{ method: 'GET', href: 'https://shop.test/start' }]
    const { enter } = keeping({ ending })
    expect(await enter('/start')).toMatchObject({ code: 'excluded' })
    expect(await enter('/start/more')).not.toHaveProperty('code')
  })

  test('is no page that was asked when a session died of age', async () => {
    const { ask, enter, seen } = site('/nothing')
    seen.alive = false
    await ask({ headers: [['Set-Cookie', 'sid=; Max-Age=0']] as unknown as HttpExchange['headers'] }, '/orders')
    expect(seen.told.filter((line) => line.startsWith('session_ended_by'))).toEqual([])
    expect(await enter('/orders')).not.toHaveProperty('code')
  })
})

describe('what no proof has followed', () => {
  test('is told by module where the session is lost for good, and what was refused since', async () => {
    const { keeper, ask, enter, seen } = keeping({ signIn: null })
    await ask({}, '/a')
    await keeper.prove()
    await ask({}, '/b')
    expect(keeper.unproven('xss')).toEqual({ answered: 1, refused: 0 })
    expect(keeper.doubtful()).toEqual([])
    seen.alive = false
    await ask({ status: 401 }, '/c')
    await enter('/d')
    expect(keeper.unproven('xss')).toEqual({ answered: 2, refused: 1 })
    expect(keeper.unproven('sqli')).toEqual({ answered: 0, refused: 0 })
    expect(keeper.doubtful().map(({ href }) => new URL(href).pathname)).toEqual(['/b', '/c'])
  })

  test('is nothing once another session was begun', async () => {
    const { keeper, ask, seen } = keeping()
    await ask({}, '/a')
    seen.alive = false
    await ask({ status: 401 }, '/b')
    expect(keeper.unproven('xss')).toEqual({ answered: 0, refused: 0 })
  })
})

describe('a session that ends of age', () => {
  /** Time in seconds; a session lasts `lasts` of them. */
  const aging = (lasts: number) => {
    let now = 0
    let begun = 0
    const made = keeping({
      clock: () => now * 1_000,
      signIn: async () => {
        made.seen.signIns += 1
        begun = now
        return SESSION
      },
      prove: async () => ({ isSignedIn: now - begun < lasts, why: 'it shows the form' }),
    })
    const pass = async (seconds: number): Promise<void> => {
      for (let n = 0; n < seconds; n += 1) {
        now += 1
        await made.ask(now - begun < lasts ? {} : { status: 401 }, `/${now}`)
      }
    }
    return { ...made, pass }
  }

  test('is begun anew before, once two have shown how long they last: it may do so as often as it wants', async () => {
    const { keeper, pass, seen } = aging(60)
    await pass(1_800)
    expect(keeper.lost()).toBeNull()
    expect(seen.signIns).toBeGreaterThan(25)
    expect(seen.told.filter((line) => / of 5$/.test(line))).toHaveLength(2)
  })

  test('in no time is not waited for', async () => {
    const { keeper, pass } = aging(4)
    await expect(pass(200)).rejects.toThrow('it was begun anew 5 times')
    expect(keeper.lost()).toContain('it was begun anew 5 times')
  })

  test('before the sign-in is over ends no request in a circle', async () => {
    let now = 0
    const { ask, seen } = keeping({
      first: { expiresAt: 1_000 },
      clock: () => now,
      signIn: async () => {
        seen.signIns += 1
        now += 5_000
        return { ...SESSION, expiresAt: now - 1 }
      },
    })
    now = 900
    await ask()
    expect(seen.signIns).toBe(2)
  })
})

describe('a session that goes on under other values', () => {
  /** A server that knows one value, or the last two, and gives the next with each answer. */
  const rotating = (kept: number) => {
    let carried = SESSION.cookie ?? ''
    const good = ['1']
    const sidOf = (cookie: string): string => /sid=(\w+)/.exec(cookie)?.[1] ?? ''
    const next = (sid: string): Partial<HttpExchange> => {
      if (!good.slice(-kept).includes(sid)) return { status: 401, headers: [['Set-Cookie', 'sid=nobody; Path=/']] }
      good.push(`${good.length + 1}`)
      return { headers: [['Set-Cookie', `sid=${good.at(-1)}; Path=/; HttpOnly`]] }
    }
    const made = keeping({
      become: ({ cookie }) => {
        carried = cookie ?? ''
      },
      prove: async () => {
        made.seen.proofs += 1
        const answer = { status: 200, ...next(sidOf(carried)) } as HttpExchange
        return {
          isSignedIn: answer.status === 200,
          why: 'it asks who it is',
          answer: { ...answer, headers: answer.headers ?? [] },
        }
      },
    })
    /** Sent again where the keeper says so. */
    const send = async (path: string, sets: readonly string[] = []): Promise<number> => {
      for (let again = 0; ; again += 1) {
        const url = new URL(path, SESSION.origin)
        const ticket = await made.keeper.enter({ module: 'xss', sets: new Set(sets), method: 'GET', url }, never)
        if ('code' in ticket) throw new Error(ticket.reason)
        const sid = sets.includes('sid') ? 'forged' : sidOf(carried)
        const answer = { status: 200, headers: [], request: { method: 'GET', url: url.href }, ...next(sid) } as unknown
        await Promise.resolve()
        const exchange = answer as HttpExchange
        if (!(await made.keeper.left(exchange, ticket)) || again >= 2) return exchange.status
      }
    }
    return { ...made, send, current: () => sidOf(carried) }
  }

  test('takes the newest at the next proof, where the former is taken for a while', async () => {
    const { send, seen, keeper, current } = rotating(40)
    for (let n = 0; n < 400; n += 1) expect(await send(`/${n}`)).toBe(200)
    expect([seen.signIns, keeper.session(), keeper.lost()]).toEqual([0, 0, null])
    expect(Number(current())).toBeGreaterThan(100)
  })

  test('takes each at once, one request after the other, where the former is taken no more', async () => {
    const { send, seen, keeper } = rotating(1)
    const statuses = await Promise.all(Array.from({ length: 120 }, (_, n) => send(`/${n}`)))
    expect(statuses.slice(8).every((status) => status === 200)).toBe(true)
    expect([seen.signIns, keeper.session()]).toEqual([0, 0])
  })

  test('tells what a cookie holds for one page to the proof alone', async () => {
    let carried = 'sid=mia'
    const given = (cookie: string) => [['Set-Cookie', `${cookie}; Path=/`]] as const
    const { ask } = keeping({
      become: ({ cookie }) => {
        carried = cookie ?? ''
      },
      // The page shows the message, and gives the cookie without it.
      prove: async () => ({
        ...{ isSignedIn: true, why: 'it shows a name' },
        answer: { status: 200, headers: carried.includes('saved') ? given('sid=mia') : [] } as unknown as HttpExchange,
      }),
      first: { cookie: 'sid=mia' },
    })
    for (let n = 0; n < 51; n += 1) await ask({ status: 302, headers: given('sid=mia.saved') }, `/${n}`, 'POST')
    expect(carried).toBe('sid=mia')
  })

  test('takes nothing that was given for another value', async () => {
    const { send, current, keeper, seen } = rotating(1_000)
    expect(await send('/a', ['sid'])).toBe(401)
    expect([current(), seen.signIns, keeper.lost()]).toEqual(['1', 0, null])
  })
})

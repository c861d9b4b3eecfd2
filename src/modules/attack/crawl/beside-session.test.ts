import { expect, it } from 'vitest'
import { cookiesBesideSession } from './beside-session.ts'

/** `opens`: whether a session is signed in by these cookies. */
const besides = async (cookie: string, opens: (cookies: ReadonlyMap<string, string>) => boolean | null) => {
  let proofs = 0
  const spare = {
    begin: async () => ({
      before: null,
      after: { cookie, header: null },
      sameSite: new Map(),
      send: async () => undefined,
    }),
    isSignedIn: async ({ cookie: given }: { readonly cookie: string | null }) => {
      proofs += 1
      return opens(new Map((given ?? '').split('; ').map((pair) => pair.split('=') as [string, string])))
    },
  }
  const found = await cookiesBesideSession({ session: { spare }, signal: new AbortController().signal } as never)
  return { found: Object.fromEntries(found), proofs }
}

it('a cookie without which, and with another value in which, the account is signed in stands beside the session', async () => {
  const { found } = await besides('sid=a1; state=bG9naW4; csrf=t', (cookies) => cookies.get('sid') === 'a1')
  expect(found).toEqual({ state: 'bG9naW4', csrf: 't' })
})

it('one that is held against the session belongs to it', async () => {
  const { found } = await besides(
    'sid=a1; sig=b2',
    (cookies) => cookies.get('sid') === 'a1' && (cookies.get('sig') ?? 'b2') === 'b2',
  )
  expect(found).toEqual({})
})

it('where the proof says nothing, or there is one cookie alone, there is none', async () => {
  expect((await besides('sid=a1; state=b', () => null)).found).toEqual({})
  expect(await besides('sid=a1', () => true)).toEqual({ found: {}, proofs: 0 })
  expect((await cookiesBesideSession({ signal: new AbortController().signal })).size).toBe(0)
})

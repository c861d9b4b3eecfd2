/** What an answer to a sign-out says, and what is told of it: sessions of tokens, and pages that ask before. */
import { expect, test } from 'vitest'
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { ENDS_SESSION } from '../../../../safety/deeds.ts'
import type { Carried, CollectContext, SpareSessions } from '../../../module.ts'
import { caseAnswer } from '../../../testing/answers.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { template } from '../testing/asked.ts'
import type { OwnSession } from './own-session.ts'
import { askSignOut } from './sign-out.ts'

const OUT = template('POST', '/api/logout', [], { harm: ENDS_SESSION, encoding: 'none' })
const ctx = (environment: 'test' | 'production') =>
  ({
    ...{ target: { environment }, progress: () => undefined, signal: new AbortController().signal },
    fault: () => 'none',
  }) as unknown as CollectContext

/** `isAlive`: by what is carried, once the sign-out was answered. */
const look = async (
  after: Carried,
  answer: { readonly status: number; readonly headers?: readonly (readonly [string, string])[] },
  isAlive: (carried: Carried) => boolean,
  environment: 'test' | 'production' = 'test',
  way: RequestTemplate = OUT,
) => {
  const sent: HttpRequest[] = []
  const spare: SpareSessions = {
    begin: async () => ({
      ...{ before: null, after, sameSite: new Map() },
      send: async (request) => {
        sent.push(request)
        return caseAnswer({ path: '/api/logout', body: '', ...answer })
      },
    }),
    isSignedIn: async (carried) => sent.length === 0 || isAlive(carried),
  }
  const own = { spare } as unknown as OwnSession
  const { seen, left, none } = await askSignOut(ctx(environment), { requests: [way] }, own, performance.now() + 9_000)
  return { seen: seen.map(({ carriedBy, isSeen }) => `${carriedBy} ${isSeen}`), left: Object.keys(left), none, sent }
}

const TOKEN: Carried = { cookie: null, header: 'Authorization: Bearer a.b.c' }
const COOKIE: Carried = { cookie: 'sid=1; lang=de', header: null }
const REMOVED = [['Set-Cookie', 'sid=; Max-Age=0']] as const
const isSid = ({ cookie }: Carried): boolean => cookie?.includes('sid=1') ?? false

test.each([
  ['a token that is let in after it', TOKEN, { status: 204 }, () => true, ['header false'], []],
  ['a token that is over', TOKEN, { status: 204 }, () => false, [], []],
  ['a token, where the sign-out is refused', TOKEN, { status: 400 }, () => true, [], ['whose answer signs nobody out']],
  ['a cookie that is let in after it', COOKIE, { status: 302, headers: REMOVED }, isSid, ['cookie true'], []],
  ['a cookie that is over', COOKIE, { status: 302, headers: REMOVED }, () => false, [], []],
  ['a page that asks before', COOKIE, { status: 200 }, isSid, [], ['whose answer signs nobody out']],
  [
    'another cookie that lets in, too',
    COOKIE,
    { status: 302, headers: REMOVED },
    () => true,
    [],
    ['whose answer signs nobody out'],
  ],
] as const)('%s', async (_name, after, answer, isAlive, seen, left) => {
  expect(await look(after, answer, isAlive)).toMatchObject({ seen, left, none: null })
})

test.each([
  ['{"greeting":"See you"}', ['that sends more than a sign-out does'], 0],
  ['{"refresh_token":"a.b.c","everywhere":true}', [], 1],
] as const)('that is no sign-out which sends %s', async (body, left, asked) => {
  const way = { ...OUT, encoding: 'json', body } as const
  const found = await look(TOKEN, { status: 200 }, () => true, 'test', way)
  expect([found.left, found.sent.length]).toEqual([left, asked])
})

test('on what its owner uses nobody is signed out', async () => {
  const { none, sent } = await look(TOKEN, { status: 204 }, () => true, 'production')
  expect([none?.state, sent]).toEqual(['not_tested', []])
})

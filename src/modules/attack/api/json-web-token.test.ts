import { expect, test } from 'vitest'
import type { Finding } from '../../module.ts'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import type { ApiFacts, Forgery, SeenToken } from './facts.ts'
import { jsonWebToken } from './json-web-token.ts'
import { caseApi, nothing, shown } from './testing/api-facts.ts'

const token: SeenToken = {
  ...{ where: 'header Authorization', url: 'https://shop.test/', algorithm: 'HS256', lifetime: 3_600, expires: true },
  ...{ personal: [], secret: null, placed: true },
}
const facts = (change: Partial<ApiFacts['tokens']> = {}) =>
  caseApi({ tokens: { ...nothing, known: 1, asked: 1, seen: [token], listened: true, ...change } })
const hit = (kind: Forgery) => ({ ...shown, kind, variant: 'alg none', where: 'header Authorization' })

const KINDS: readonly Forgery[] = [
  ...(['signature', 'none', 'weak-secret', 'confusion', 'key-id', 'embedded-key', 'key-address'] as const),
  ...(['expired', 'audience'] as const),
]
for (const [at, check] of jsonWebToken.slice(0, KINDS.length).entries()) {
  const kind = KINDS[at] ?? 'none'
  const clean = { secret: 'secret', placed: true }
  judgeCases(check, [
    { name: 'no token', facts: caseApi(), expect: [], unjudged: 'not_applicable' },
    { name: 'taken', facts: facts({ hits: [hit(kind)] }), expect: check.findings.map(({ id }) => id) },
    { name: 'refused', facts: facts({ seen: [{ ...token, ...clean }] }), expect: [] },
    ...(kind === 'weak-secret'
      ? [
          {
            name: 'guessed wherever it is taken',
            facts: facts({ asked: 0, left: { 'without an answer': 1 } }),
            expect: [],
          },
        ]
      : [
          {
            name: 'no address that tells tokens apart',
            facts: facts({ asked: 0, left: { 'for which no address was found': 1 }, seen: [{ ...token, ...clean }] }),
            ...{ expect: [], unjudged: 'not_tested' as const },
          },
        ]),
    ...(kind === 'expired' || kind === 'audience'
      ? [{ name: 'tokens that nobody can make', facts: facts(), expect: [], unjudged: 'not_tested' as const }]
      : []),
    ...(kind === 'expired'
      ? [{ name: 'one of before that has ended', facts: facts({ seen: [{ ...token, ended: true }] }), expect: [] }]
      : []),
    ...(kind === 'confusion'
      ? [
          {
            name: 'no key is known',
            facts: facts({ keys: 0, seen: [{ ...token, algorithm: 'RS256' }] }),
            ...{ expect: [], unjudged: 'not_tested' as const },
          },
          { name: 'a key is known', facts: facts({ keys: 1, seen: [{ ...token, algorithm: 'RS256' }] }), expect: [] },
          { name: 'there is none to know', facts: facts({ keys: 0 }), expect: [] },
        ]
      : []),
    ...(['none', 'confusion', 'key-id', 'embedded-key', 'key-address'].includes(kind)
      ? [
          {
            name: 'nothing is verified where it was asked',
            facts: facts({ hits: [hit('signature')] }),
            ...{ expect: [], unjudged: 'inconclusive' as const },
          },
        ]
      : []),
    ...(kind === 'key-address'
      ? [{ name: 'nobody listens', facts: facts({ listened: false }), expect: [], unjudged: 'not_tested' as const }]
      : []),
  ])
}

test.each([
  ['header Authorization', 1],
  ['cookie session', 1],
  ['answer of GET /account', 1],
  ['token', 2],
])('one flaw in the token of %s, taken by two operations, is told %d times', (where, told) => {
  const [check] = jsonWebToken.slice(1)
  const hits = ['/me', '/orders'].map((path) => ({ ...hit('none'), where, url: `https://shop.test${path}` }))
  const judged = check?.judge(facts({ hits }), {}, caseContext())
  const findings = Array.isArray(judged) ? judged : judged !== undefined && 'findings' in judged ? judged.findings : []
  expect(findings).toHaveLength(2)
  const keys = (findings as readonly Finding[]).map(({ cause, at }) => cause ?? at.url)
  expect(new Set(keys).size).toBe(told)
})

const [claims] = jsonWebToken.slice(-1)
if (claims)
  judgeCases(claims, [
    { name: 'no token', facts: caseApi(), expect: [], unjudged: 'not_applicable' },
    { name: 'an hour', facts: facts(), expect: [] },
    {
      name: 'no end',
      facts: facts({ seen: [{ ...token, expires: false, lifetime: null }] }),
      expect: ['api/jwt-no-expiry'],
    },
    { name: 'years', facts: facts({ seen: [{ ...token, lifetime: 9e7 }] }), expect: ['api/jwt-long-life'] },
    {
      name: 'a person',
      facts: facts({ seen: [{ ...token, personal: ['email'] }] }),
      expect: ['api/jwt-personal-data'],
    },
    {
      name: 'a person, and the hash of their password',
      facts: facts({ seen: [{ ...token, personal: ['data.email', 'data.password'] }] }),
      expect: ['api/jwt-personal-data', 'api/jwt-secret'],
    },
    {
      name: 'the number of a passport',
      facts: facts({ seen: [{ ...token, personal: ['passport'] }] }),
      expect: ['api/jwt-personal-data'],
    },
    {
      name: 'a cookie of an answer, judged with the cookies',
      facts: facts({ seen: [{ ...token, where: 'cookie sid of an answer', expires: false, lifetime: null }] }),
      ...{ expect: [], unjudged: 'not_applicable' },
    },
  ])

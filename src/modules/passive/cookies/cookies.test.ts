import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PageKind } from '../../../page/page.ts'
import { CASE_TIME, judgeCases } from '../../testing/judge-cases.ts'
import { casePage, caseSite } from '../../testing/site-facts.ts'
import { observeCookies } from './collect.ts'
import type { CookiesFacts } from './facts.ts'
import { flags } from './flags.ts'
import { form } from './form.ts'
import { lifetime } from './lifetime.ts'
import { cookies } from './module.ts'
import { scope } from './scope.ts'
import { tokens } from './tokens.ts'

const site = caseSite()
const set = (
  line: string,
  kind: PageKind = 'plain',
  url = 'https://shop.test/',
): { facts: CookiesFacts; known: { site: typeof site } } => ({
  facts: { observations: [{ url, line, kind, evidence: null }], answers: 1 },
  known: { site },
})
const none = { facts: { observations: [], answers: 3 }, known: { site } }
const unjudged = [
  { name: 'no cookie', ...none, expect: [], unjudged: 'not_applicable' },
  { name: 'no answer', facts: { observations: [], answers: 0 }, known: { site }, expect: [], unjudged: 'not_tested' },
] as const
const GOOD = 'PHPSESSID=8f7e6d5c4b3a2910; Path=/; Secure; HttpOnly; SameSite=Lax'

judgeCases(flags, [
  ...unjudged,
  { name: 'session with all flags', ...set(GOOD), expect: [] },
  {
    name: 'session without Secure',
    ...set('PHPSESSID=8f7e; HttpOnly; SameSite=Lax'),
    expect: ['cookies/session-secure-missing'],
  },
  {
    name: 'session that scripts can read',
    ...set('PHPSESSID=8f7e; Secure; SameSite=Lax'),
    expect: ['cookies/session-httponly-missing'],
  },
  {
    name: 'session without SameSite',
    ...set('PHPSESSID=8f7e; Secure; HttpOnly'),
    expect: ['cookies/session-samesite-missing'],
  },
  {
    name: 'session known by its value on a sign-in page',
    ...set('k9=f3a8c1e07b5d42966fe01c3b7a9d5824; Secure; SameSite=Lax', 'login'),
    expect: ['cookies/session-httponly-missing'],
  },
  {
    name: 'a session known by its value on one page is one on all that set it',
    facts: {
      observations: (['plain', 'login'] as const).map((kind) => ({
        ...{ url: `https://shop.test/${kind}`, line: 'k9=f3a8c1e07b5d42966fe01c3b7a9d5824; HttpOnly; SameSite=Lax' },
        ...{ kind, evidence: null },
      })),
      answers: 2,
    },
    known: { site },
    expect: ['cookies/session-secure-missing'],
  },
  {
    name: 'None without Secure is said once',
    ...set('a=1; HttpOnly; SameSite=None'),
    expect: ['cookies/samesite-none-insecure'],
  },
  {
    name: 'SameSite that nobody knows',
    ...set('a=1; Secure; HttpOnly; SameSite=Sure'),
    expect: ['cookies/samesite-invalid'],
  },
  { name: 'ordinary without Secure', ...set('basket=1; HttpOnly'), expect: ['cookies/secure-missing'] },
  { name: 'ordinary without HttpOnly', ...set('basket=1; Secure'), expect: ['cookies/httponly-missing'] },
  { name: 'token that scripts have to read', ...set('XSRF-TOKEN=1; Secure'), expect: [] },
  ...(['club_dash', 'basket'] as const).map((name) => {
    const given = set(`club_dash=s%3A1g3Yu7ivvUWh2cyOfD5AnfWge6KXHcPo.qcDOldunFhFgX; HttpOnly; SameSite=Lax`)
    return {
      ...given,
      name: `what the run’s sign-in was given: ${name}`,
      facts: { ...given.facts, ofSignIn: [name] },
      expect: [name === 'club_dash' ? 'cookies/session-secure-missing' : 'cookies/secure-missing'],
    }
  }),
  {
    name: 'signed messages for the next page, which a sign-in sets',
    ...set(
      'messages=.eJyLjlaKj88qzs-Lz00tLk5MT1XSUTLQiY4FADd8Bq8:1vOzQd:w0c9Zb1yX3vQm7JkT5nR2sUa8fLh4Pg6; HttpOnly; SameSite=Lax',
      'login',
    ),
    expect: ['cookies/secure-missing'],
  },
  { name: 'language that scripts may read', ...set('lang=de; Secure'), expect: [] },
  { name: 'deletion needs no flags', ...set('PHPSESSID=; Max-Age=0'), expect: [], unjudged: 'not_applicable' },
  {
    name: 'deletion by a date',
    ...set('PHPSESSID=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT'),
    expect: [],
    unjudged: 'not_applicable',
  },
])

judgeCases(scope, [
  ...unjudged,
  { name: '__Host- as it has to be', ...set('__Host-session=1; Path=/; Secure'), expect: [] },
  {
    name: '__host- in lower case with a Domain',
    ...set('__host-session=1; Path=/; Secure; Domain=shop.test'),
    expect: ['cookies/prefix-broken', 'cookies/session-domain-wide'],
  },
  { name: '__Host- without Path', ...set('__Host-a=1; Secure'), expect: ['cookies/prefix-broken'] },
  { name: '__Secure- without Secure', ...set('__Secure-a=1'), expect: ['cookies/prefix-broken'] },
  {
    name: '__Secure- over http',
    ...set('__Secure-a=1; Secure', 'plain', 'http://shop.test/'),
    expect: ['cookies/prefix-broken'],
  },
  { name: 'nameless that imitates a prefix', ...set('=__Host-a=1; Secure; Path=/'), expect: ['cookies/prefix-broken'] },
  {
    name: 'a hoster as Domain',
    ...set('a=1; Domain=github.io', 'plain', 'https://shop.github.io/'),
    expect: ['cookies/domain-public-suffix'],
  },
  {
    name: 'a top-level domain as Domain',
    ...set('a=1; Domain=.co.uk', 'plain', 'https://shop.co.uk/'),
    expect: ['cookies/domain-public-suffix'],
  },
  { name: 'somebody else as Domain', ...set('a=1; Domain=other.test'), expect: ['cookies/domain-mismatch'] },
  { name: 'a suffix that is no parent', ...set('a=1; Domain=op.test'), expect: ['cookies/domain-mismatch'] },
  {
    name: 'session for the whole domain',
    ...set('PHPSESSID=1; Domain=shop.test', 'plain', 'https://www.shop.test/'),
    expect: ['cookies/session-domain-wide'],
  },
  {
    name: 'preference for the whole domain',
    ...set('lang=de; Domain=shop.test', 'plain', 'https://www.shop.test/'),
    expect: [],
  },
])

const inDays = (days: number) => new Date(CASE_TIME + days * 86_400_000).toUTCString()
judgeCases(lifetime, [
  ...unjudged,
  { name: 'ends with the browser', ...set(GOOD), expect: [] },
  { name: 'session for 31 days', ...set('PHPSESSID=1; Max-Age=2678400'), expect: ['cookies/session-lifetime'] },
  { name: 'session by a date', ...set(`PHPSESSID=1; Expires=${inDays(60)}`), expect: ['cookies/session-lifetime'] },
  { name: 'short Max-Age overrides a far date', ...set(`PHPSESSID=1; Max-Age=60; Expires=${inDays(900)}`), expect: [] },
  { name: 'a preference for ten years', ...set('lang=de; Max-Age=315360000'), expect: ['cookies/lifetime-capped'] },
  { name: 'a preference for a year', ...set('lang=de; Max-Age=31536000'), expect: [] },
])

judgeCases(form, [
  ...unjudged,
  { name: 'well formed', ...set(GOOD), expect: [] },
  { name: 'above 4096 bytes', ...set(`a=${'x'.repeat(4_100)}`), expect: ['cookies/too-large'] },
  { name: 'control character', ...set('a=b\u0007'), expect: ['cookies/control-character'] },
  { name: 'no name', ...set('just-a-value; Secure'), expect: ['cookies/nameless'] },
  { name: 'partitioned in clear', ...set('a=1; Partitioned'), expect: ['cookies/partitioned-insecure'] },
])

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (header: object, claims: object, key: string | null): string => {
  const signed = `${part(header)}.${part(claims)}`
  return `${signed}.${key === null ? '' : createHmac('sha256', key).update(signed).digest('base64url')}`
}
const HS256 = { alg: 'HS256', typ: 'JWT' }
const STRONG = 'b7c1d0e7-6f0a-4a3e-9a55-1f3b8d2c9e10'
const link = (href: string) => ({
  facts: none.facts,
  known: { site: caseSite({ page: { body: `<a href="${href}">x</a>` } }) },
})

judgeCases(tokens, [
  { name: 'no answer', facts: { observations: [], answers: 0 }, known: { site }, expect: [], unjudged: 'not_tested' },
  { name: 'opaque value', ...set(GOOD), expect: [] },
  { name: 'strong key, expires', ...set(`token=${jwt(HS256, { sub: '7', exp: 1 }, STRONG)}`), expect: [] },
  {
    name: 'algorithm nOnE',
    ...set(`token=${jwt({ alg: 'nOnE' }, { sub: '7', exp: 1 }, null)}`),
    expect: ['cookies/jwt-unsigned'],
  },
  {
    name: 'key from a tutorial',
    ...set(`token=${jwt(HS256, { sub: '7', exp: 1 }, 'secret')}`),
    expect: ['cookies/jwt-weak-key'],
  },
  { name: 'empty key', ...set(`token=${jwt(HS256, { sub: '7', exp: 1 }, '')}`), expect: ['cookies/jwt-weak-key'] },
  { name: 'no exp', ...set(`token=${jwt(HS256, { sub: '7' }, STRONG)}`), expect: ['cookies/jwt-no-expiry'] },
  { name: 'no exp in a preference', ...set(`lang=${jwt(HS256, { lang: 'de' }, STRONG)}`), expect: [] },
  {
    name: 'address of a person',
    ...set(`token=${jwt(HS256, { sub: 'a@b.example', exp: 1 }, STRONG)}`),
    expect: ['cookies/jwt-personal-data'],
  },
  { name: 'three parts that are no token', ...set('v=eyJhbGciOi.abcdefgh.ijklmnop'), expect: [] },
  {
    name: 'token in a link',
    ...link(`/me?t=${jwt(HS256, { sub: '7', exp: 1 }, STRONG)}`),
    expect: ['cookies/token-in-url'],
  },
  {
    name: 'session in a link',
    ...link('/me;jsessionid=0123456789ABCDEF0123456789ABCDEF'),
    expect: ['cookies/token-in-url'],
  },
  { name: 'short sid is no session', ...link('/list?sid=42'), expect: [] },
  {
    name: 'connection of a library that carries messages',
    ...link('/socket.io/?EIO=4&transport=polling&sid=xK2mQ9vLr4TnB7wZAAAC'),
    expect: [],
  },
  {
    name: 'token of who is signed in, on such a connection',
    ...link(`/socket.io/?EIO=4&transport=polling&token=${jwt(HS256, { sub: '7', exp: 1 }, STRONG)}`),
    expect: ['cookies/token-in-url'],
  },
])

describe('the module', () => {
  it('gathers cookies of redirects, pages and reloads, each line once', () => {
    const page = casePage({
      headers: [
        ['Set-Cookie', 'sid=1; Secure'],
        ['set-cookie', 'lang=de'],
      ],
    })
    const again = casePage({ headers: [['Set-Cookie', 'sid=2; Secure']] })
    const facts = observeCookies(
      caseSite({
        pages: [page],
        reloads: [again],
        http: {
          ...site.http,
          hops: [{ url: 'http://shop.test/', status: 301, location: '/', headers: [['Set-Cookie', 'a=1']] }],
        },
      }),
    )
    expect(facts.observations.map(({ line }) => line)).toEqual(['sid=1; Secure', 'lang=de', 'a=1'])
  })

  it('prints no value of a cookie, in findings or table', () => {
    const { facts } = set('PHPSESSID=8f7e6d5c4b3a2910')
    const found = JSON.stringify([flags.judge(facts, { site }, { now: CASE_TIME } as never), cookies.tables?.(facts)])
    expect(found).toContain('PHPSESSID')
    expect(found).not.toContain('8f7e6d5c4b3a2910')
  })

  it('tells of cookies that a number alone tells apart once', () => {
    const lines = ['list-2=a; HttpOnly', 'list-31=b; HttpOnly', 'lists=c; HttpOnly']
    const observations = lines.map((line) => ({
      ...{ url: 'https://shop.test/', line, kind: 'plain' as const, evidence: null },
    }))
    const judged = flags.judge({ observations, answers: 1 }, { site }, { now: CASE_TIME } as never)
    expect(Array.isArray(judged) && judged.map(({ detail }) => detail)).toEqual([
      'The cookie list-2 of https://shop.test/ lacks Secure. The same holds for list-31.',
      'The cookie lists of https://shop.test/ lacks Secure.',
    ])
  })

  it('lists each cookie once', () => {
    const rows = cookies.tables?.({
      observations: [...set(GOOD).facts.observations, ...set(GOOD).facts.observations],
      answers: 2,
    })
    expect(rows?.[0]?.rows).toEqual([
      ['PHPSESSID', 'yes', 'yes', 'lax', '(host only)', '/', 'browser session', 'https://shop.test/'],
    ])
    expect(cookies.tables?.(none.facts)).toEqual([])
  })

  it('never shows the signature of a token', () => {
    const text = jwt(HS256, { sub: '7' }, 'secret')
    const { facts, known } = set(`token=${text}`)
    expect(JSON.stringify(tokens.judge(facts, known, { now: CASE_TIME } as never))).not.toContain(text.split('.')[2])
  })
})

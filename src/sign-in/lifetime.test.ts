import { expect, test } from 'vitest'
import { lastsAsSaid, renewedAt } from './lifetime.ts'

const NOW = Date.UTC(2026, 0, 1)
const seconds = NOW / 1_000
const part = (claims: object): string => Buffer.from(JSON.stringify(claims)).toString('base64url')
const jwt = (claims: object): string => `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`

test.each([
  ['seconds beside the token', { access_token: 'a', expires_in: 60 }, 60],
  ['seconds as a text', { token: 'a', expiresIn: '90' }, 90],
  ['a time', { token: 'a', expires_at: '2026-01-01T00:02:00Z' }, 120],
  ['milliseconds since the epoch', { token: 'a', expires: NOW + 30_000 }, 30],
  ['seconds since the epoch', { token: 'a', exp: seconds + 45 }, 45],
  ['the end of another token', { token: 'a', refresh_expires_in: 60 }, null],
  ['a time that has been', { token: 'a', expires_at: '2025-01-01T00:00:00Z' }, null],
  ['nothing', { token: 'a' }, null],
] as const)('a session lasts as its answer says: %s', (_name, holder, lasts) => {
  const found = lastsAsSaid({ cookie: null, header: 'Authorization: Bearer a' }, JSON.stringify(holder), NOW)
  expect(found === null ? null : Math.round(found / 1_000)).toBe(lasts)
})

test.each([
  ['by the clock of who made it', { iat: seconds - 400, exp: seconds - 340 }, 60],
  ['by ours, where it does not say when it was made', { exp: seconds + 60 }, 60],
  ['and no more than a quarter of a year', { exp: seconds + 1e9 }, null],
] as const)('a session lasts as its token says, %s', (_name, claims, lasts) => {
  const of = (cookie: string | null, header: string | null) => lastsAsSaid({ cookie, header }, null, NOW)
  expect(of(null, `Authorization: Bearer ${jwt(claims)}`)).toBe(lasts === null ? null : lasts * 1_000)
  expect(of(`theme=dark; session=${jwt(claims)}`, null)).toBe(lasts === null ? null : lasts * 1_000)
})

test('a session lasts no longer than its token, whatever is said beside it', () => {
  const header = `Authorization: Bearer ${jwt({ iat: seconds, exp: seconds + 900 })}`
  const lasts = (holder: object) => lastsAsSaid({ cookie: null, header }, JSON.stringify(holder), NOW)
  expect(lasts({ access_token: 'a', expires: 900_000 })).toBe(900_000)
  expect(lasts({ access_token: 'a', expires_in: 60 })).toBe(60_000)
})

test('a short one is renewed at three quarters of it, a long one ten seconds before its end', () => {
  expect([renewedAt(4_000), renewedAt(60_000)]).toEqual([3_000, 50_000])
})

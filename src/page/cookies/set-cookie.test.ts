import { describe, expect, it } from 'vitest'
import fc from '../../../tests/support/properties.ts'
import { anyText } from '../../../tests/support/texts.ts'
import { parseJwt, tokensIn } from '../jwt.ts'
import { bitsOf, isSessionCookie, secretBitsOf } from './session.ts'
import { isRemoval, lifetimeOf, parseCookieDate, parseSetCookie } from './set-cookie.ts'

describe('Set-Cookie', () => {
  it.each([
    ['plain', 'a=b', { name: 'a', value: 'b', secure: false, httpOnly: false }],
    ['white space around', ' a = b ; secure ; HTTPONLY', { name: 'a', value: 'b', secure: true, httpOnly: true }],
    ['equals in the value', 'a=b=c', { name: 'a', value: 'b=c' }],
    ['quotes belong to the value', 'a="b;c"', { value: '"b' }],
    ['no equals: a value without name', 'abc', { name: '', value: 'abc' }],
    ['empty name', '=abc', { name: '', value: 'abc' }],
    ['flag with a value', 'a=b; Secure=false', { secure: true }],
    ['SameSite in any case', 'a=b; samesite=LAX', { sameSite: { kind: 'lax' } }],
    ['SameSite unknown', 'a=b; SameSite=Sure', { sameSite: { kind: 'unknown', value: 'Sure' } }],
    ['the last SameSite counts', 'a=b; SameSite=None; SameSite=Strict', { sameSite: { kind: 'strict' } }],
    ['leading dot of Domain', 'a=b; Domain=.Shop.Test', { domain: 'shop.test' }],
    ['empty Domain', 'a=b; Domain=', { domain: null }],
    ['relative Path', 'a=b; Path=x', { path: null }],
    ['Max-Age unreadable', 'a=b; Max-Age=1h', { maxAge: null }],
    ['a later unreadable Max-Age does not undo', 'a=b; Max-Age=60; Max-Age=x', { maxAge: 60 }],
    ['attribute above 1024 bytes is skipped', `a=b; Domain=${'x'.repeat(1_025)}`, { domain: null }],
    ['too large', `a=${'x'.repeat(4_096)}`, { rejected: 'too-large' }],
    ['control character', 'a=b\u0001', { rejected: 'control-character' }],
    ['a tab is white space', 'a=b;\tSecure', { secure: true, rejected: null }],
  ])('%s', (_name, line, expected) => {
    expect(parseSetCookie(line)).toMatchObject(expected)
  })

  it('is nothing without name and value', () => {
    expect([parseSetCookie(''), parseSetCookie('='), parseSetCookie(' ; Secure')]).toEqual([null, null, null])
  })

  it('Max-Age takes precedence over Expires', () => {
    const cookie = parseSetCookie('a=b; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT')
    expect(cookie && lifetimeOf(cookie, 0)).toBe(60)
    expect(cookie && isRemoval(cookie, 0)).toBe(false)
  })

  it.each([
    ['Wed, 21 Oct 2026 07:28:00 GMT', Date.UTC(2026, 9, 21, 7, 28)],
    ['Wed, 21-Oct-26 07:28:00 GMT', Date.UTC(2026, 9, 21, 7, 28)],
    ['Wed Oct 21 07:28:00 2026', Date.UTC(2026, 9, 21, 7, 28)],
    ['21 oct 99 7:8:9', Date.UTC(1999, 9, 21, 7, 8, 9)],
    ['31 Feb 2026 00:00:00', null],
    ['21 Oct 1600 00:00:00', null],
    ['21 Oct 2026', null],
    ['tomorrow', null],
  ])('date %s', (text, expected) => {
    expect(parseCookieDate(text)).toBe(expected)
  })

  it('never throws, in bounded time', () => {
    fc.assert(
      fc.property(anyText(), (line) => {
        const cookie = parseSetCookie(`${line}; Expires=${line}`)
        if (cookie) {
          expect(Number.isNaN(lifetimeOf(cookie, 0) ?? 0)).toBe(false)
          expect(typeof isSessionCookie(cookie, 'login')).toBe('boolean')
        }
        expect(tokensIn(line)).toBeInstanceOf(Array)
        expect(() => parseJwt(line)).not.toThrow()
      }),
    )
    const begun = process.cpuUsage()
    parseSetCookie(`a=b${'; Max-Age=1'.repeat(6_000)}`)
    tokensIn('eyJ'.repeat(30_000))
    tokensIn(`eyJ${'a'.repeat(3_000)}.${'b'.repeat(3_000)}.`.repeat(10))
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(2_000)
  })
})

describe('session cookies', () => {
  const kind = (line: string, page: 'plain' | 'login' = 'plain') => {
    const cookie = parseSetCookie(line)
    return cookie !== null && isSessionCookie(cookie, page)
  }
  it.each([
    ['PHPSESSID=1', true],
    ['__Host-session=1', true],
    ['connect.sid=s%3A1', true],
    ['office.sid=1', true],
    ['desk=s%3As4NIqnFf9vq8uyOKE_k1N2J0K8teKWtc.1RmOinpu7aHR3WueZT3A9KVQPhTbYlI8pLi406%2F936Q', true],
    ['sidebar=open', false],
    ['size=s:12.5', false],
    ['laravel_session=x', true],
    ['ASP.NET_SessionId=x', true],
    ['.AspNetCore.Identity.Application=x', true],
    ['wordpress_logged_in_0123456789abcdef0123456789abcdef=x', true],
    ['access_token=x', true],
    ['auth=x', true],
    ['XSRF-TOKEN=x', false],
    ['csrf_session=x', false],
    ['_ga=GA1.2.1', false],
    ['theme=dark', false],
    ['heroku-session-affinity=x', false],
    ['cookieconsent_status=x', false],
    ['author=x', false],
    ['frontend=x', true],
    ['frontend_theme=x', false],
  ])('%s', (line, expected) => {
    expect(kind(line)).toBe(expected)
  })

  it('counts an unguessable value on a sign-in page alone', () => {
    expect(kind('k9=f3a8c1e07b5d42966fe01c3b7a9d5824', 'login')).toBe(true)
    expect(kind('k9=f3a8c1e07b5d42966fe01c3b7a9d5824')).toBe(false)
    expect(kind('k9=on', 'login')).toBe(false)
    expect(bitsOf('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')).toBe(0)
  })

  const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64')
  const drawn = 'f3a8c1e07b5d42966fe01c3b7a9d5824'
  it.each([
    [
      'settings as JSON',
      encodeURIComponent('{"columns":["name","berth","since"],"order":"since","pageSize":25}'),
      false,
    ],
    ['the same in Base64', base64('{"columns":["name","berth","since"],"order":"since","pageSize":25}'), false],
    ['serialised by Ruby', base64('\x04\b{\b:\nthemeI"\tdark\x06:\x06ET:\flanguageI"\tfr-FR\x06;\x06T'), false],
    ['serialised by PHP', encodeURIComponent('a:2:{s:8:"language";s:5:"fr-FR";s:7:"columns";i:12;}'), false],
    ['a list of words', 'berths|boats|invoices|members|statistics', false],
    ['a token', drawn, true],
    ['bytes of a token', Buffer.from(drawn, 'hex').toString('base64'), true],
    ['a token in JSON', encodeURIComponent(`{"user":"ada","key":"${drawn}"}`), true],
    ['the same in Base64', base64(`{"user":"ada","key":"${drawn}"}`), true],
    ['a token behind a number', `7|${drawn}`, true],
    ['signed', `${base64('{"user":7}')}--${drawn}`, true],
  ])('of %s', (_, value, expected) => {
    expect(secretBitsOf(value) >= 64).toBe(expected)
    expect(kind(`k9=${value}`, 'login')).toBe(expected)
  })
  it('holds what is called settings for settings', () => {
    expect(kind(`prefs=${drawn}`, 'login')).toBe(false)
    expect(kind(`user_settings=${drawn}`, 'login')).toBe(false)
    expect(kind(`prefs_session=${drawn}`)).toBe(true)
  })
})

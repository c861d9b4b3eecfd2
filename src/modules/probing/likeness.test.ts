import { describe, expect, it } from 'vitest'
import { likeness, withoutEcho } from './likeness.ts'
import type { Reply } from './prober.ts'

const reply = (text: string, change: Partial<Reply> = {}): Reply => ({
  value: '',
  status: 200,
  text,
  contentType: 'text/html',
  location: '',
  headers: [],
  ms: 1,
  replay: '',
  ...change,
})

describe('likeness', () => {
  it.each([
    ['time of day', 'Served 10:15:01 today', 'Served 10:15:44 today'],
    ['date and time', 'at 2026-05-04T12:00:00.000Z.', 'at 2026-05-04T12:00:09.131Z.'],
    ['token', 'csrf 9f86d081884c7d659a2feaa0c55ad015', 'csrf 60303ae22b998861bce3b28f33eec1be'],
    ['white space', '<p>a</p>\n', '<p>a</p>   '],
  ])('is whole but for %s', (_name, a, b) => expect(likeness(reply(a), reply(b))).toBe(1))

  it.each([
    ['another status', reply('a'), reply('a', { status: 500 })],
    ['another target of a redirect', reply('', { location: '/in' }), reply('', { location: '/out' })],
    ['another order', reply('one two three'), reply('three two one')],
    ['one row more in a long page', reply('row '.repeat(500)), reply(`${'row '.repeat(500)}extra`)],
  ])('is less for %s', (_name, a, b) => expect(likeness(a, b)).toBeLessThan(0.9995))

  it.each([
    ['raw', `x a'b"<c> y`],
    ['entities', 'x a&#39;b&quot;&lt;c&gt; y'],
    ['other entities', 'x a&#x27;b&quot;&lt;c&gt; y'],
    ['percent', 'x a%27b%22%3Cc%3E y'],
    ['backslashes', `x a\\'b\\"<c> y`],
    ['JSON', `x a'b\\"<c> y`],
  ])('the echo is left out: %s', (_name, text) => expect(withoutEcho(text, `a'b"<c>`)).toBe('x #echo y'))
})

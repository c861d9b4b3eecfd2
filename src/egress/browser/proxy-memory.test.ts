import { describe, expect, it } from 'vitest'
import type { HeaderPairs, HttpExchange } from '../door/egress.ts'
import { createProxyMemory, freshness } from './proxy-memory.ts'

const NOW = Date.parse('2026-05-01T12:00:00Z')
const DATE = ['Date', 'Fri, 01 May 2026 12:00:00 GMT'] as const
const answer = (headers: HeaderPairs, change: Partial<HttpExchange> = {}): HttpExchange =>
  ({
    status: 200,
    truncated: false,
    headers: [DATE, ...headers],
    body: Buffer.from('work()'),
    ...change,
  }) as HttpExchange
const script = (url = 'https://a.test/a.js', headers: HeaderPairs = []) => ({
  method: 'GET',
  url,
  headers: [['Sec-Fetch-Dest', 'script'], ...headers] as HeaderPairs,
})

it.each([
  ['an age', answer([['Cache-Control', 'public, max-age=900']]), 900],
  ['a date', answer([['Expires', 'Fri, 01 May 2026 12:15:00 GMT']]), 900],
  ['a date that is none', answer([['Expires', '0']]), 600],
  ['a file of ten minutes ago', answer([['Last-Modified', 'Fri, 01 May 2026 11:50:00 GMT']]), 600],
  ['a file of last year', answer([['Last-Modified', 'Thu, 01 May 2025 12:00:00 GMT']]), 3_600],
  [
    'an age before a date',
    answer([
      ['Cache-Control', 'max-age=0'],
      ['Expires', 'Fri, 01 May 2026 12:01:00 GMT'],
    ]),
    600,
  ],
  ['nothing is said', answer([]), 600],
  ['not to be kept', answer([['Cache-Control', 'no-store, max-age=60']]), 0],
  [
    'to be asked for again',
    answer([
      ['Cache-Control', 'No-Cache'],
      ['ETag', '"a"'],
    ]),
    600,
  ],
  ['made anew each time', answer([['Cache-Control', 'no-cache, private']]), 0],
  [
    'another one for each language',
    answer([
      ['Vary', 'Accept-Language'],
      ['Cache-Control', 'max-age=60'],
    ]),
    60,
  ],
  ['another one for each visitor, and nothing is said', answer([['Vary', 'Accept-Encoding, Cookie']]), 0],
  [
    'another one whatever is asked',
    answer([
      ['Vary', '*'],
      ['Cache-Control', 'max-age=60'],
    ]),
    0,
  ],
  [
    'compressed or not',
    answer([
      ['Vary', 'Accept-Encoding, Origin'],
      ['Cache-Control', 'max-age=900'],
    ]),
    900,
  ],
  [
    'with a cookie',
    answer([
      ['Set-Cookie', 'a=1'],
      ['Cache-Control', 'max-age=60'],
    ]),
    0,
  ],
  ['an error', answer([['Cache-Control', 'max-age=60']], { status: 404 }), 0],
  ['cut off', answer([['Cache-Control', 'max-age=60']], { truncated: true }), 0],
])('freshness: %s', (_name, exchange, expected) => {
  expect(freshness(exchange, NOW)).toBe(expected)
})

describe('memory', () => {
  const fresh = answer([['Cache-Control', 'max-age=60']])

  it('gives back what is fresh, and no longer', () => {
    const memory = createProxyMemory()
    memory.keep(script(), fresh, NOW)
    expect(memory.recall(script(), NOW + 599_000)).toBe(fresh)
    expect(memory.recall(script('https://a.test/a.js?v=2'), NOW)).toBeNull()
    expect(memory.recall(script(), NOW + 600_000)).toBeNull()
  })

  it.each([
    ['a page', { ...script(), headers: [['Sec-Fetch-Dest', 'document']] as HeaderPairs }],
    ['what a script asks for', { ...script(), headers: [['Sec-Fetch-Dest', 'empty']] as HeaderPairs }],
    ['a part', script(undefined, [['Range', 'bytes=0-1']])],
    ['a question with a key', script(undefined, [['Authorization', 'x']])],
    ['another method', { ...script(), method: 'POST' }],
  ])('never holds %s', (_name, asked) => {
    const memory = createProxyMemory()
    memory.keep(asked, fresh, NOW)
    memory.keep(script(), fresh, NOW)
    expect(memory.recall(asked, NOW)).toBeNull()
  })

  it('gives what is another one for each visitor to who brings the same cookies alone', () => {
    const memory = createProxyMemory()
    const own = answer([
      ['Vary', 'Cookie'],
      ['Cache-Control', 'public, max-age=3600'],
    ])
    const by = (cookie: string) => script(undefined, cookie === '' ? [] : [['Cookie', cookie]])
    memory.keep(by('sid=1'), own, NOW)
    expect([by('sid=1'), by('sid=2'), by('')].map((asked) => memory.recall(asked, NOW) === own)).toEqual([
      true,
      false,
      false,
    ])
  })

  it('of a plain http site, to which no browser says what it asks for, keeps what the answer says it is', () => {
    const memory = createProxyMemory()
    const plain = (path: string, accept = '*/*') => ({
      method: 'GET',
      url: `http://a.test${path}`,
      headers: [['Accept', accept]] as HeaderPairs,
    })
    const typed = (type: string) => answer([['Content-Type', type]])
    const kept = (path: string, type: string, accept = '*/*'): boolean => {
      memory.keep(plain(path, accept), typed(type), NOW)
      return memory.recall(plain(path, accept), NOW) !== null
    }
    expect(kept('/a.js', 'text/javascript; charset=utf-8')).toBe(true)
    expect(kept('/b.js', 'application/x-javascript')).toBe(true)
    expect(kept('/c.css', 'text/css', 'text/css,*/*;q=0.1')).toBe(true)
    expect(kept('/d.png', 'image/png', 'image/avif,*/*')).toBe(true)
    expect(kept('/e', 'application/json')).toBe(false)
    expect(kept('/f', 'text/html')).toBe(false)
    expect(kept('/g', '')).toBe(false)
    // A page that shows a picture by itself is a visit.
    expect(kept('/h.png', 'image/png', 'text/html,application/xhtml+xml,image/avif,*/*;q=0.8')).toBe(false)
    expect(memory.recall({ ...plain('/a.js'), method: 'POST' }, NOW)).toBeNull()
  })

  it('is bounded: what was not asked for the longest goes first, what is too large never comes', () => {
    const memory = createProxyMemory(1_000)
    const of = (bytes: number) => answer([['Cache-Control', 'max-age=60']], { body: Buffer.alloc(bytes) })
    const url = (index: number) => script(`https://a.test/${index}.js`)
    for (let index = 0; index < 6; index += 1) memory.keep(url(index), of(250), NOW)
    expect([0, 1, 2, 5].map((index) => memory.recall(url(index), NOW) !== null)).toEqual([false, false, true, true])
    // 2 was asked for just now, 3 longest ago.
    memory.keep(url(6), of(250), NOW)
    expect([2, 3].map((index) => memory.recall(url(index), NOW) !== null)).toEqual([true, false])
    memory.keep(url(9), of(300), NOW)
    expect(memory.recall(url(9), NOW)).toBeNull()
  })
})

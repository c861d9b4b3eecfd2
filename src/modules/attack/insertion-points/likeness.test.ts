import { describe, expect, it } from 'vitest'
import { likeness, moves, withoutEcho } from './likeness.ts'
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
    [
      'the state of a page',
      `<input type="hidden" name="__VIEWSTATE" value="/wEP${'Ab3/+'.repeat(20)}==" />`,
      `<input type="hidden" name="__VIEWSTATE" value="/wEP${'xY4'.repeat(40)}" />`,
    ],
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
    ['an address', `x a'b%22%3Cc%3E y`],
    ['capitals', `x A'B"<C> y`],
    ['numbers of scripts', String.raw`x a\u0027b\u0022\u003Cc\u003e y`],
    ['short numbers of scripts', String.raw`x a\x27b\x22\x3cc\x3E y`],
  ])('the echo is left out: %s', (_name, text) => expect(withoutEcho(text, `a'b"<c>`)).toBe('x #echo y'))

  it.each([
    ['brackets', `x tent'b"=c y`],
    ['quotes', 'x tentb<=c> y'],
    ['both', 'x tentb=c y'],
  ])('and where %s are taken out', (_name, text) => expect(withoutEcho(text, `tent'b"<=c>`)).toBe('x #echo y'))

  it('a word that is left where its signs are taken out is the page’s own', () =>
    expect(withoutEcho('x tent y', `tent'"`)).toBe('x tent y'))
  it('a word of ours is like no other, in whatever letters', () =>
    expect(withoutEcho('x TENTQZVKX y TENT', 'tentqzvkx')).toBe('x #echo y TENT'))
})

describe('a value that means nothing', () => {
  const page = (shown: string, more = ''): string => `<meta content="a"><p>Results for ${shown}.</p><p>${more}</p>`
  const usual = [reply(page('tent')), reply(page('tent'))] as const
  it.each([
    ['is shown in place of the other', 'tentqx', page('tentqx'), false],
    ['brings another page', 'tentqx', page('tentqx', 'Nothing found'), true],
  ])('%s', (_name, value, text, expected) => expect(moves(reply(text, { value }), usual, ['tent'])).toBe(expected))

  it('is not taken for the words of the page that hold the value that stood there', () =>
    expect(moves(reply(page('tentqx'), { value: 'tentqx' }), usual, ['tent'])).toBe(false))

  it('a value of one letter that comes back is not moved by', () => {
    const pair = [reply('[{"id":"1"}]'), reply('[{"id":"1"}]')] as const
    expect(moves(reply('[{"id":"-198765"}]', { value: '-198765' }), pair, ['1'])).toBe(false)
    expect(moves(reply('[]', { value: '-198765' }), pair, ['1'])).toBe(true)
  })

  it('not by another field that holds the same word, as forms are filled', () => {
    const page = (author: string, found = 'Nothing found') =>
      `<input name=q value=test><input name=author value="${author}"><p>${found}</p>`
    const pair = [reply(page('test')), reply(page('test'))] as const
    expect(moves(reply(page('testqx'), { value: 'testqx' }), pair, ['test'])).toBe(false)
    expect(moves(reply(page('testqx', 'Three threads'), { value: 'testqx' }), pair, ['test'])).toBe(true)
  })

  it.each(['%27%22%5C%29', '%27%22%5C%29%20x', '%27%22%5C%29+x'])('is left out of the page’s own address: %s', (sent) =>
    expect(withoutEcho(`<a href="/?q=tent${sent}">`, `tent'"\\)${/x$/.test(sent) ? ' x' : ''}`)).toBe(
      '<a href="/?q=#echo">',
    ),
  )

  it('is left out where a page takes its signs out, long and with numbers', () =>
    expect(withoutEcho('x tentand8732619and y', "tent'and(873*2619)and'")).toBe('x #echo y'))
})

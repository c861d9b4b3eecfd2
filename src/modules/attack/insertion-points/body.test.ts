import { describe, expect, it } from 'vitest'
import { encodeValue, formWith, jsonWith, multipartWith, xmlWith } from './body.ts'
import { compose } from './compose.ts'

const HARD = `a'"\\)<&>;%00 +é`

describe('a value in its place', () => {
  it.each([
    ['each of the name', 'q=1&q=2&x=3', 'q=v&q=v&x=3'],
    ['the first of a list', 'q[]=1&q[]=2', 'q%5B%5D=v&q[]=2', 'q[]'],
    ['name in percent encoding', 'a%5Bb%5D=1', 'a%5Bb%5D=v', 'a[b]'],
    ['not there yet', 'x=1', 'x=1&q=v'],
    ['empty body', '', 'q=v'],
  ])('form: %s', (_name, body, expected, name = 'q') => expect(formWith(body, name, 'v')).toBe(expected))

  it.each([
    ['behind its own value', "safe'--", "q=safe'--&q=foo'--&x=3"],
    ['before its own value', '-1*safe', 'q=-1*safe&q=-1*foo&x=3'],
    ['in place of it', 'word', 'q=word&q=word&x=3'],
    ['as it is', 'safe', 'q=safe&q=foo&x=3'],
  ])('fields of one name: what is asked stands in each %s', (_name, value, expected) => {
    const sent = formWith('q=safe&q=foo&x=3', 'q', value, 'safe')
    expect(new URLSearchParams(sent).toString()).toBe(new URLSearchParams(expected).toString())
    const part = (name: string, text: string): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
    const parts = (pairs: string): string =>
      `${[...new URLSearchParams(pairs)].map(([name, text]) => part(name, text)).join('')}--b--\r\n`
    const whole = parts('q=safe&q=foo&x=3')
    expect(multipartWith(whole, 'multipart/form-data; boundary=b', 'q', value, 'safe')).toBe(parts(expected))
  })

  it('a made-up word that ends as a short value does stays whole in each field of the name', () => {
    expect(formWith('q=0&q=1', 'q', 'qx9f30', '0')).toBe('q=qx9f30&q=qx9f30')
    expect(formWith('q=0&q=1', 'q', '0-2', '0')).toBe('q=0-2&q=1-2')
  })

  it('form: arrives as it was meant', () => {
    expect(new URLSearchParams(formWith('q=1&x=2', 'q', HARD)).get('q')).toBe(HARD)
    expect(encodeValue("'()*!")).toBe('%27%28%29%2A%21')
  })

  it.each([
    ['leaf in an object in a list', '{"a":[{"b":1}]}', '/a/0/b', '{"a":[{"b":"v"}]}'],
    ['escaped pointer', '{"a/b":{"c~d":1}}', '/a~1b/c~0d', '{"a/b":{"c~d":"v"}}'],
    ['gone', '{"a":1}', '/b/c', null],
    ['no JSON', '{', '/a', null],
    ['prototype is no member', '{}', '/__proto__/x', null],
  ])('json: %s', (_name, body, pointer, expected) => expect(jsonWith(body, pointer, 'v')).toBe(expected))

  it.each([
    ['second of the name', '<o><i>1</i><i>2</i></o>', '/o[1]/i[2]', '<o><i>1</i><i>a&lt;b</i></o>'],
    ['attribute', `<o><i id='1' k="2">x</i></o>`, '/o[1]/i[1]/@k', `<o><i id='1' k="a&lt;b">x</i></o>`],
    [
      'comment that looks like one',
      '<o><!-- <i>no</i> --><i>1</i></o>',
      '/o[1]/i[1]',
      '<o><!-- <i>no</i> --><i>a&lt;b</i></o>',
    ],
    [
      'behind a declaration and a doctype',
      '<?xml version="1.0"?><!DOCTYPE o><o>1</o>',
      '/o[1]',
      '<?xml version="1.0"?><!DOCTYPE o><o>a&lt;b</o>',
    ],
    ['empty element', '<o><i/></o>', '/o[1]/i[1]', null],
    ['by its name alone', '<o><i k="1">1</i><i>2</i></o>', 'i', '<o><i k="1">a&lt;b</i><i>2</i></o>'],
    ['never closed', '<o><i>', '/o[1]/i[1]', null],
  ])('xml: %s', (_name, body, path, expected) => expect(xmlWith(body, path, 'a<b')).toBe(expected))

  it('multipart: keeps the headers of the part', () => {
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const body = `${part('a', '1')}${part('b', '2')}--x--\r\n`
    expect(multipartWith(body, 'multipart/form-data; boundary=x', 'b', 'v')).toBe(
      `${part('a', '1')}${part('b', 'v')}--x--\r\n`,
    )
    expect(multipartWith(body, 'multipart/form-data', 'b', 'v')).toBeNull()
  })

  const request = {
    id: 'r',
    method: 'GET',
    url: 'http://shop.test/a/b?x=1',
    headers: [['Cookie', 'a=1; q=2']] as const,
    body: null,
    effect: 'reads' as const,
    seenOn: [],
  }
  it.each([
    ['path segment of dots', { place: 'path', name: '1' }, '..', 'url', 'http://shop.test/a/%2E%2E?x=1'],
    ['path segment with a slash', { place: 'path', name: '1' }, '/x', 'url', 'http://shop.test/a/%2Fx?x=1'],
    ['cookie among others', { place: 'cookie', name: 'q' }, "'<x> ;%", 'headers', [['Cookie', "a=1; q='<x> %3B%25"]]],
    [
      'header',
      { place: 'header', name: 'Referer' },
      "'",
      'headers',
      [
        ['Cookie', 'a=1; q=2'],
        ['Referer', "'"],
      ],
    ],
  ] as const)('%s', (_name, point, value, part, expected) =>
    expect(compose({ ...point, request, value: '' }, value)?.[part]).toEqual(expected),
  )

  it('what stood in quotes goes in quotes', () => {
    const quoted = compose({ place: 'cookie', name: 'q', request, value: 'a+b', quoted: true }, `a+b"'`)
    expect(quoted?.headers?.find(([name]) => name === 'Cookie')?.[1]).toMatch(/\bq="a\+b\\042'"$/)
  })

  it('a cookie that its page has encoded is encoded whole, as what reads it decodes it', () => {
    const encoded = { ...request, headers: [['Cookie', 'a=1; q=120%20*%203']] as const }
    const changed = compose({ place: 'cookie', name: 'q', request: encoded, value: '120 * 3' }, "' or (1)")
    expect(changed?.headers).toEqual([['Cookie', 'a=1; q=%27%20or%20%281%29']])
  })

  it('a header cannot hold a line break', () => {
    expect(compose({ place: 'header', name: 'X', request, value: '' }, 'a\r\nb')).toBeNull()
  })
})

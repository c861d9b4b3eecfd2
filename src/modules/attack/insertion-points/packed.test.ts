/** Values within values, and what stands beside a request without being part of it. */
import { describe, expect, it } from 'vitest'
import type { RequestTemplate } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { compose } from './compose.ts'
import { grouped } from './groups.ts'
import { inventoryOf, type ProbePoint } from './inventory.ts'
import { leavesWithin, numberOf, packed } from './packed.ts'
import { pointsOf } from './points.ts'
import { idOf, placeOf } from './records.ts'
import { isToken } from './tokens.ts'
import { parameterOf } from './verdict.ts'

const HARD = `a'"\\)<&>;%00 +é`
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const kinds = (value: string): readonly string[] =>
  leavesWithin(value).map((leaf) => `${leaf.steps.join(' ')}=${leaf.value}`)

describe('what is packed in a value', () => {
  it.each([
    ['members of JSON', '{"a":{"b":[1,null]},"c":"x"}', ['/a/b/0=1', '/a/b/1=', '/c=x']],
    ['JSON in base64', base64({ to: '/home' }), ['base64 /to=/home']],
    ['JSON in base64 for addresses, unpadded', 'eyJhIjoiPz8_In0', ['base64 /a=???']],
    ['text in base64', 'aGFuZGJvb2sudHh0', ['base64=handbook.txt']],
    ['short text in base64, by its padding', 'aGVsbG8=', ['base64=hello']],
    ['JSON in JSON', '{"q":"{\\"place\\":\\"Skye\\"}","n":1}', ['/q /place=Skye', '/n=1']],
    ['a short name in base64', 'bm90ZXMudHh0', ['base64=notes.txt']],
    ['two letters in base64, by its padding', 'ZTE=', ['base64=e1']],
    ['a short key', 'k3JdE93kdKDk', []],
    ['a name with capitals', 'Part2Section', []],
    [
      'parameters in base64',
      Buffer.from('user=anna&account=7001').toString('base64'),
      ['base64=user=anna&account=7001', 'base64 &user=anna', 'base64 &account=7001'],
    ],
    ['an address with a query', '/list?a=1&b=2', []],
    ['encoded once more', 'K%C3%B6ln', ['url=Köln']],
    ['JSON, encoded once more', '%7B%22k%22%3A%22v%22%7D', ['url /k=v']],
    ['a word', 'stonebowls12', []],
    ['a number', '20261123', []],
    ['a key of hexadecimal digits', 'd2f0a1b4c8e97731d2f0a1b4c8e97731', []],
    ['a signed token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', []],
    ['a percent sign', '50% off', []],
    ['a number of JSON', '12', []],
    ['broken JSON', '{"a":', []],
  ])('%s', (_name, value, expected) => expect(kinds(value)).toEqual(expected))

  it('is packed again as it was found, and arrives as it was meant', () => {
    const arrives = (whole: string, read: (text: string) => unknown): unknown => {
      const [leaf] = leavesWithin(whole)
      return read(packed({ steps: leaf?.steps ?? [], whole }, HARD) ?? '')
    }
    const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString()
    expect(arrives('{"k":"v","n":2}', (text) => JSON.parse(text))).toEqual({ k: HARD, n: 2 })
    expect(arrives(base64({ k: 'v' }), (text) => JSON.parse(fromBase64(text)))).toEqual({ k: HARD })
    expect(arrives('aGVsbG8=', fromBase64)).toBe(HARD)
    expect(arrives('K%C3%B6ln', decodeURIComponent)).toBe(HARD)
    expect(arrives('{"q":"{\\"p\\":1}"}', (text) => JSON.parse(JSON.parse(text).q).p)).toBe(HARD)
    expect(packed({ steps: ['/gone'], whole: '{"k":1}' }, 'v')).toBeNull()
    const kept = Buffer.from('user=anna&account=7001').toString('base64')
    const changed = fromBase64(packed({ steps: ['base64', '&account'], whole: kept }, HARD) ?? '')
    expect([...new URLSearchParams(changed)]).toEqual([
      ['user', 'anna'],
      ['account', HARD],
    ])
  })

  it('is no token against forged requests, unless it is called so', () => {
    const value = base64({ title: 'spade', page: 1 })
    expect([isToken('q', value), isToken('csrf_token', value), isToken('q', 'k3JdE93kdKDkd93kdkdWQ99dkf')]).toEqual([
      false,
      true,
      true,
    ])
  })
})

const request = (change: Partial<RequestTemplate>): RequestTemplate =>
  caseRequest({ id: 'r', url: 'https://shop.test/list', shape: '/list', ...change })

const pointsAt = (template: RequestTemplate, cookies = new Map<string, string>()): readonly ProbePoint[] =>
  inventoryOf({ ...caseCrawl(), requests: [template], points: pointsOf([template], cookies) })

const within = (points: readonly ProbePoint[]): readonly ProbePoint[] => points.filter((point) => point.within)

describe('places within a value', () => {
  const filter = { kind: 'tools', max: 50 }
  const url = `https://shop.test/list?filter=${encodeURIComponent(JSON.stringify(filter))}`

  it('stand beside the value itself, each under its own name', () => {
    const points = pointsAt(request({ url })).filter(({ name }) => name === 'filter')
    expect(points.map((point) => parameterOf(placeOf(point)))).toEqual([
      'filter',
      'filter (JSON /kind)',
      'filter (JSON /max)',
    ])
    expect(new Set(points.map(idOf)).size).toBe(3)
  })

  it('of a query change that member alone, also together', () => {
    const [kind] = within(pointsAt(request({ url })))
    const sent = (point: ProbePoint | undefined, value: string): unknown =>
      JSON.parse(new URL(point ? (compose(point, value)?.url ?? '') : '').searchParams.get('filter') ?? '')
    expect(sent(kind, HARD)).toEqual({ kind: HARD, max: 50 })
    const [both] = grouped(within(pointsAt(request({ url }))))
    expect(sent(both, `${both?.value}'`)).toEqual({ kind: "tools'", max: "50'" })
  })

  it('of a cookie are written as the site wrote it', () => {
    const cookies = new Map([['board', encodeURIComponent(JSON.stringify({ kind: 'plants', rows: 5 }))]])
    const points = pointsAt(request({ method: 'GET', sent: true }), cookies).filter(({ name }) => name === 'board')
    const header = (point: ProbePoint | undefined, value: string): string =>
      (point && compose(point, value)?.headers?.find(([name]) => name === 'Cookie')?.[1]) ?? ''
    expect(points.map(({ value }) => value)).toEqual(['{"kind":"plants","rows":5}', 'plants', '5'])
    expect(JSON.parse(decodeURIComponent(header(points[1], "x'").slice('board='.length)))).toEqual({
      kind: "x'",
      rows: 5,
    })
  })

  it('of a body: a field of a form, a leaf of JSON', () => {
    const fields = [{ name: 'job', value: '{"label":"Bowl"}', type: 'hidden' }]
    const [field] = within(pointsAt(request({ method: 'POST', encoding: 'urlencoded', fields })))
    expect(field && String(compose(field, 'x;')?.body)).toBe(`job=${encodeURIComponent('{"label":"x;"}')}`)
    const body = JSON.stringify({ page: 1, query: '{"place":"Skye"}' })
    const [leaf] = within(pointsAt(request({ method: 'POST', encoding: 'json', body })))
    expect(leaf && JSON.parse(JSON.parse(String(compose(leaf, "x'")?.body)).query)).toEqual({ place: "x'" })
  })
})

describe('who asks', () => {
  const sent = (scheme: 'Basic' | 'Bearer', at: number, value: string): string => {
    const point = within(pointsAt(request({ scheme })))[at]
    return (point && compose(point, value)?.headers?.find(([name]) => name === 'Authorization')?.[1]) ?? ''
  }
  const plain = (header: string): string => Buffer.from(header.slice('Basic '.length), 'base64').toString()

  it('is told in the scheme that was asked for, each part alone', () => {
    expect(plain(sent('Basic', 0, HARD))).toBe(`${HARD}:qzv-held`)
    expect(plain(sent('Basic', 1, HARD))).toBe(`qzv-held:${HARD}`)
    expect(sent('Bearer', 0, "x'")).toBe("Bearer x'")
  })

  it('is named as a person reads it', () =>
    expect(within(pointsAt(request({ scheme: 'Basic' }))).map((point) => parameterOf(placeOf(point)))).toEqual([
      'header Authorization (Basic, base64, user)',
      'header Authorization (Basic, base64, password)',
    ]))

  it('and a cookie that nobody knows stands for the whole header', () => {
    const points = pointsAt(request({ sent: true })).filter(({ place }) => place === 'cookie')
    expect(points.map((point) => parameterOf(placeOf(point)))).toEqual(['header Cookie'])
  })
})

it.each([
  ['part-12.html', "12'", "part-12'.html"],
  ['list_3.php', '$1', 'list_$1.php'],
  ['a1-b2.json', '9', 'a1-b9.json'],
])('the number of a name with an ending: %s', (whole, leaf, changed) => {
  expect(packed({ steps: ['number'], whole }, leaf)).toBe(changed)
})

it.each(['part-12', '12.html', 'part.html', 'v2.min.js'])('no number of a name: %s', (name) => {
  expect(numberOf(name)).toBeNull()
})

it('a word that ends a path is a place by what is packed in it, too', () => {
  const url = 'https://shop.test/users/Mw%3D%3D'
  const paths = pointsAt(request({ url, shape: url, sent: true })).filter(({ place }) => place === 'path')
  expect(paths.map(({ name, value, guessed }) => [name, value, guessed])).toEqual([
    ['1', 'Mw==', true],
    ['1', '3', true],
  ])
})

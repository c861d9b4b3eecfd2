import { describe, expect, it } from 'vitest'
import type { Location } from '../contract/finding.ts'
import { fingerprintOf, identityKey, pathShape } from './identity.ts'

const key = (location: Location, subject: string | null = null) =>
  identityKey({ checkId: 'demo/thing', location, subject })

describe('one problem', () => {
  it.each<[string, Location, Location]>([
    ['another page of the host', { url: 'https://shop.test/a' }, { url: 'https://shop.test/b' }],
    ['http and https', { url: 'http://shop.test/' }, { url: 'https://shop.test/' }],
    ['default port written out', { url: 'https://shop.test:443/' }, { url: 'https://shop.test/' }],
    ['host in capitals', { url: 'https://SHOP.test/' }, { host: 'shop.test' }],
    [
      'query values of the same parameter',
      { url: 'https://shop.test/s?q=1', parameter: 'q' },
      { url: 'https://shop.test/s?q=2&x=3', parameter: 'q' },
    ],
    [
      'another record of the same address',
      { url: 'https://shop.test/order/17', parameter: 'q' },
      { url: 'https://shop.test/order/18', parameter: 'q' },
    ],
    [
      'session in the path',
      { url: 'https://shop.test/a;jsessionid=1A2B', parameter: 'q' },
      { url: 'https://shop.test/a', parameter: 'q' },
    ],
    [
      'another row of a list',
      { url: 'https://shop.test/s', parameter: 'order[items_attributes][0][sku]' },
      { url: 'https://shop.test/s', parameter: 'order[items_attributes][12][sku]' },
    ],
    [
      'another row of a list in a document',
      { url: 'https://shop.test/s', parameter: '/items/0/parts/3/sku' },
      { url: 'https://shop.test/s', parameter: '/items/1/parts/0/sku' },
    ],
    [
      'get written out',
      { url: 'https://shop.test/s', parameter: 'q', method: 'get' },
      { url: 'https://shop.test/s', parameter: 'q' },
    ],
  ])('%s', (_name, one, other) => {
    expect(key(one)).toBe(key(other))
  })
})

describe('two problems', () => {
  it.each<[string, Location, Location]>([
    ['another host', { url: 'https://shop.test/' }, { url: 'https://cdn.test/' }],
    ['another port', { host: 'shop.test', port: 22 }, { host: 'shop.test', port: 23 }],
    [
      'another parameter',
      { url: 'https://shop.test/s', parameter: 'q' },
      { url: 'https://shop.test/s', parameter: 'p' },
    ],
    [
      'another argument by its place',
      { url: 'https://shop.test/s', parameter: '/params/0' },
      { url: 'https://shop.test/s', parameter: '/params/1' },
    ],
    [
      'another member of a row',
      { url: 'https://shop.test/s', parameter: 'items[0][sku]' },
      { url: 'https://shop.test/s', parameter: 'items[0][note]' },
    ],
    [
      'same parameter elsewhere',
      { url: 'https://shop.test/s', parameter: 'q' },
      { url: 'https://shop.test/t', parameter: 'q' },
    ],
    [
      'another method',
      { url: 'https://shop.test/s', parameter: 'q', method: 'POST' },
      { url: 'https://shop.test/s', parameter: 'q' },
    ],
  ])('%s', (_name, one, other) => {
    expect(key(one)).not.toBe(key(other))
  })

  it('another subject', () => {
    expect(key({ host: 'shop.test' }, 'sid')).not.toBe(key({ host: 'shop.test' }, 'lang'))
  })
})

it('one cause is one problem, wherever it was seen, and another is another', () => {
  const of = (cause: string, location: Location) =>
    identityKey({ checkId: 'demo/thing', location, subject: null, cause })
  const here: Location = { url: 'https://shop.test/s', parameter: 'q' }
  expect(of('a', here)).toBe(of('a', { url: 'https://shop.test/t', method: 'POST', parameter: 'p' }))
  expect(of('a', here)).not.toBe(of('b', here))
  expect(of('a', here)).not.toBe(of('a', { url: 'https://cdn.test/s', parameter: 'q' }))
  expect(of('a', here)).not.toBe(key(here))
})

it.each([
  ['numbers', '/order/17/items/3', '/order/{n}/items/{n}'],
  ['uuid', '/o/0b9d3c9e-3f0e-4a57-9f0e-2f6f1f3a9a11', '/o/{id}'],
  ['hash', '/f/9f86d081884c7d65', '/f/{id}'],
  ['token', '/t/Zx81kfOQ0a8Jd7Qm2LpV', '/t/{id}'],
  ['readable slug stays', '/blog/how-to-build-a-shelter-2024', '/blog/how-to-build-a-shelter-2024'],
  ['word of hex letters stays', '/facade/deadbeef', '/facade/deadbeef'],
])('path shape: %s', (_name, path, shape) => {
  expect(pathShape(`https://shop.test${path}`)).toBe(shape)
})

it('is the SHA-256 that earlier runs stored', () => {
  // Changing this line makes every stored finding of every customer look new once.
  expect(fingerprintOf({ checkId: 'demo/thing', location: { url: 'https://shop.test/' }, subject: null })).toBe(
    'fa385ee155a0594990b51f4b4aacd035308d0682b4d04887c57141625938bf31',
  )
})

import { describe, expect, it } from 'vitest'
import fc from '../../../tests/support/properties.ts'
import { anyText } from '../../../tests/support/texts.ts'
import { matchesSource } from './match.ts'
import { parseSource } from './source.ts'

describe('source expressions', () => {
  it.each([
    ["'SELF'", { kind: 'keyword', keyword: 'self' }],
    ["'nonce-AbC+/_-=='", { kind: 'nonce', value: 'AbC+/_-==' }],
    ["'nonce-with space'", { kind: 'invalid' }],
    ["'nonce-'", { kind: 'invalid' }],
    ["'sha256-AAAA'", { kind: 'hash', algorithm: 'sha256', value: 'AAAA' }],
    ["'md5-AAAA'", { kind: 'invalid' }],
    ['data:', { kind: 'scheme', scheme: 'data' }],
    ['*', { kind: 'host', host: '*', scheme: null }],
    ['https://*.a.test:*/x/', { kind: 'host', scheme: 'https', host: '*.a.test', port: '*', path: '/x/' }],
    ['a.*.test', { kind: 'invalid' }],
    ['self', { kind: 'host', host: 'self' }],
    ['[2001:db8::1]', { kind: 'host', host: '[2001:db8::1]' }],
    ["'unsafe'", { kind: 'invalid' }],
    ['a.test?x', { kind: 'invalid' }],
  ])('%s', (token, expected) => {
    expect(parseSource(token)).toMatchObject(expected)
  })

  it('never throws, in bounded time', () => {
    fc.assert(
      fc.property(anyText(), (token) => {
        expect(parseSource(token).kind).toBeTruthy()
      }),
    )
    const begun = process.cpuUsage()
    parseSource(`${'a-.'.repeat(100_000)}!`)
    parseSource(`'${'nonce-'.repeat(100_000)}`)
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(500)
  })
})

describe('matching an address', () => {
  const self = 'https://shop.test/page'
  it.each([
    ['any network scheme', '*', 'https://x.test/', self, true],
    ['star does not cover data', '*', 'data:text/plain,1', self, false],
    ['http allows its secure form', 'http:', 'https://x.test/', self, true],
    ['https does not allow http', 'https:', 'http://x.test/', self, false],
    ['exact host', 'cdn.test', 'https://cdn.test/x.js', self, true],
    ['host without scheme follows the page', 'cdn.test', 'http://cdn.test/x.js', self, false],
    ['host without scheme on an http page', 'cdn.test', 'https://cdn.test/', 'http://shop.test/', true],
    ['wildcard needs a label', '*.cdn.test', 'https://cdn.test/', self, false],
    ['wildcard covers any depth', '*.cdn.test', 'https://a.b.cdn.test/', self, true],
    ['suffix is not enough', 'cdn.test', 'https://evilcdn.test/', self, false],
    ['other port', 'cdn.test', 'https://cdn.test:8443/', self, false],
    ['any port', 'cdn.test:*', 'https://cdn.test:8443/', self, true],
    ['port 80 allows 443', 'http://cdn.test:80', 'https://cdn.test/', self, true],
    ['path is exact', 'cdn.test/x.js', 'https://cdn.test/x.js2', self, false],
    ['path with a slash is a prefix', 'cdn.test/lib/', 'https://cdn.test/lib/x.js', self, true],
    ['path is compared decoded', 'cdn.test/a%20b', 'https://cdn.test/a b', self, true],
    ['self', "'self'", 'https://shop.test/x.js', self, true],
    ['self upgrades', "'self'", 'https://shop.test/x.js', 'http://shop.test/', true],
    ['self does not downgrade', "'self'", 'http://shop.test/x.js', self, false],
    ['self with another port', "'self'", 'https://shop.test:8443/', self, false],
    ['a nonce matches no address', "'nonce-AAAA'", 'https://shop.test/', self, false],
  ])('%s', (_name, token, url, page, expected) => {
    expect(matchesSource(parseSource(token), new URL(url), new URL(page))).toBe(expected)
  })
})

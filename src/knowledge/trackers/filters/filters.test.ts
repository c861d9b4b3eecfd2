import { describe, expect, it } from 'vitest'
import { openFilters } from './list.ts'

const listed = (rules: string, url: string, change: { readonly page?: string; readonly type?: string } = {}) =>
  openFilters([{ name: 'list', text: rules }])({
    url,
    page: change.page ?? 'https://shop.test/',
    type: change.type ?? 'script',
  })

describe('a rule', () => {
  it.each([
    ['domain', '||tracker.test^', 'https://tracker.test/a.js'],
    ['subdomain', '||tracker.test^', 'https://cdn.tracker.test/a.js'],
    ['domain with a port', '||tracker.test^', 'https://tracker.test:8443/a.js'],
    ['domain and path', '||tracker.test/pixel/', 'https://x.tracker.test/pixel/1.gif'],
    ['part of a path', '/collect/track.', 'https://shop.test/collect/track.gif'],
    ['star in the middle', '||a.test/*/beacon', 'https://a.test/v2/beacon'],
    ['start of the address', '|https://a.test/x', 'https://a.test/x1'],
    ['end of the address', '/track.gif|', 'https://a.test/track.gif'],
    ['upper case', '||TRACKER.test^', 'https://tracker.TEST/A.js'],
    ['separator at the end', '||a.test/hit^', 'https://a.test/hit'],
    ['a word that goes on', '-analytics', 'https://a.test/my-analyticsserver.js'],
    ['third party', '||tracker.test^$third-party', 'https://tracker.test/a.js'],
    ['type', '||tracker.test^$script,image', 'https://tracker.test/a.js'],
    ['not a type', '||tracker.test^$~image', 'https://tracker.test/a.js'],
    ['on a site', '/stats.js$domain=shop.test|other.test', 'https://a.test/stats.js'],
    ['on a site of any ending', '/stats.js$domain=shop.*', 'https://a.test/stats.js'],
    ['no pattern, but type and party', '$script,third-party', 'https://a.test/x.js'],
    ['exception of another place', '||tracker.test^\n@@||tracker.test/help^', 'https://tracker.test/a.js'],
  ])('%s: %s', (_name, rules, url) => {
    expect(listed(rules, url)).toBe('list')
  })

  it.each([
    ['a name that ends alike', '||tracker.test^', 'https://nottracker.test/a.js'],
    ['a name in a path', '||tracker.test^', 'https://a.test/tracker.test/a.js'],
    ['another ending', '||tracker.test^', 'https://tracker.test.evil.example/'],
    ['exception', '||tracker.test^\n@@||tracker.test/fonts/', 'https://tracker.test/fonts/a.woff2'],
    ['exception on this site', '||tracker.test^\n@@||tracker.test^$domain=shop.test', 'https://tracker.test/a.js'],
    ['first party', '||shop.test/stats^$third-party', 'https://cdn.shop.test/stats/'],
    ['another type', '||tracker.test^$image', 'https://tracker.test/a.js'],
    ['another site', '/stats.js$domain=other.test', 'https://a.test/stats.js'],
    ['not on this site', '/stats.js$domain=~shop.test', 'https://a.test/stats.js'],
    ['comment', '! ||tracker.test^', 'https://tracker.test/a.js'],
    ['header', '[Adblock Plus 2.0]', 'https://a.test/Adblock'],
    ['element', 'tracker.test##.ad', 'https://tracker.test/.ad'],
    ['option that is not known', '||tracker.test^$redirect=noop.js', 'https://tracker.test/a.js'],
    ['expression', '/track(er)+/', 'https://a.test/tracker'],
    ['everything', '*', 'https://a.test/'],
  ])('%s does not: %s', (_name, rules, url) => {
    expect(listed(rules, url)).toBeNull()
  })
})

it('names the list, and an exception holds in its own list alone', () => {
  const asked = openFilters([
    { name: 'lenient', text: '||tracker.test^\n@@||tracker.test^' },
    { name: 'strict', text: '||strict.test^' },
  ])
  expect(asked({ url: 'https://strict.test/', page: 'https://shop.test/', type: 'image' })).toBe('strict')
  expect(asked({ url: 'https://tracker.test/', page: 'https://shop.test/', type: 'image' })).toBeNull()
})

it('60,000 rules answer within a fraction of a millisecond', () => {
  const text = Array.from({ length: 60_000 }, (_, i) => `||t${i}.tracker${i % 977}.test^$third-party`).join('\n')
  const asked = openFilters([{ name: 'big', text }])
  // Time of the processor, whatever else the machine does.
  const before = process.cpuUsage()
  for (let i = 0; i < 1_000; i += 1)
    expect(
      asked({ url: `https://t${i}.tracker${i % 977}.test/a/b?c=${i}`, page: 'https://shop.test/', type: 'image' }),
    ).toBe('big')
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(2_000)
})

import { describe, expect, it } from 'vitest'
import { cycleOf, embeddedCycles } from './cycles.ts'

describe('release lines', () => {
  it.each([
    ['the line of two numbers', 'PHP', '7.4.3', '7.4', '2022-11-28'],
    ['not of a longer number', 'PHP', '7.40.3', null, null],
    ['the line of one number', 'jQuery', '1.12.4', '1', '2021-03-02'],
    ['the longest line', 'Apache Tomcat', '10.1.20', '10.1', null],
    ['a letter', 'OpenSSL', '1.0.2k', '1.0.2', '2019-12-31'],
    ['a line that nobody lists', 'PHP', '4.4.9', null, null],
  ])('%s', (_trick, product, version, cycle, end) => {
    const found = cycleOf(version, embeddedCycles(product) ?? [])
    expect([found?.cycle ?? null, found?.end ?? null]).toEqual([cycle, end])
  })

  it('of an unknown product are none', () => {
    expect(embeddedCycles('Trailcart')).toBeNull()
  })
})

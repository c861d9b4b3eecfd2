import { describe, expect, it } from 'vitest'
import { keysOf } from '../../modules/passive/cve/look-up.ts'
import { allProducts } from '../fingerprints/products.ts'
import { builtIn, readBuiltIn } from './built-in.ts'
import { readLibraries } from './libraries.ts'

const idsOf = (name: string, version: string): readonly string[] => {
  const product = allProducts().find((one) => one.name === name)
  if (product === undefined) throw new Error(`${name} is not recognised`)
  return keysOf(product).flatMap((key) =>
    builtIn()
      .find(key, version)
      .map(({ id }) => id),
  )
}

describe('libraries of pages, without a feed', () => {
  it.each([
    ['jQuery UI', '1.12.1', 'CVE-2022-31160', '1.13.2'],
    ['Handlebars', '4.0.11', 'CVE-2019-19919', '4.7.9'],
    ['Underscore', '1.8.3', 'CVE-2021-23358', '1.13.8'],
    ['DOMPurify', '2.0.8', 'CVE-2024-47875', '3.4.13'],
    ['Axios', '0.21.0', 'CVE-2021-3749', '1.18.0'],
    ['Vue.js', '2.6.14', 'CVE-2024-9506', '3.4.0'],
    ['Moment.js', '2.18.1', 'CVE-2017-18214', '2.30.1'],
    ['React', '16.4.1', 'CVE-2018-6341', '16.4.2'],
    ['PDF.js', '2.6.347', 'CVE-2024-4367', '6.2.108'],
    ['TinyMCE', '5.0.0', 'CVE-2024-38356', '8.5.1'],
    ['Angular', '11.0.4', 'CVE-2021-4231', '22.0.1'],
    ['prettyPhoto', '3.1.4', 'CVE-2013-6837', '3.1.6'],
    ['JSZip', '3.1.5', 'CVE-2022-48285', '3.10.1'],
    ['UAParser.js', '0.7.21', 'CVE-2020-7793', '2.0.0'],
    ['Next.js', '14.1.0', 'CVE-2024-34351', '16.2.5'],
  ])('%s %s has %s, and %s has nothing', (name, version, id, fixed) => {
    expect(idsOf(name, version)).toContain(id)
    expect(idsOf(name, fixed)).toEqual([])
  })

  it('between two ranges nothing is said', () => {
    expect(idsOf('React', '16.3.3')).toEqual([])
    expect(idsOf('TinyMCE', '5.10.10')).not.toContain('CVE-2026-47759')
  })

  it('each number stands once, and each range has an end', () => {
    const records = readBuiltIn()
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
    expect(readLibraries().length).toBeGreaterThan(140)
    for (const { affected } of readLibraries()) for (const { range } of affected) expect(range.end).not.toBeNull()
  })

  it.each([
    ['a product that is not recognised', 'No such library', /libraries\.ranges:1: “No such library” is no product/],
    ['a row before any product', 'CVE-2020-1 | ..1 | - | 79 | What it is in short.', /is no product/],
    [
      'a range without an end',
      'jQuery UI\nCVE-2020-12345 | 1.0.. | - | 79 | What it is in short.',
      /:2: .* is no product/,
    ],
  ])('%s is refused with its line', (_name, text, message) => {
    expect(() => readLibraries(text)).toThrow(message)
  })
})

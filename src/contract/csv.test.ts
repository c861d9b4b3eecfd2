import { expect, test } from 'vitest'
import fc from '../../tests/support/properties.ts'
import { CsvError, csvLine, csvRows } from './csv.ts'
import { domainTable, MAX_DOMAINS, namesIn } from './domain-table.ts'

const rows = (text: string) => [...csvRows(text)]

test.each([
  [
    'both ends of lines, and none at the end',
    'a,b\r\nc,d\ne,f',
    [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ],
  ],
  [
    'quotes, separators and lines within quotes',
    '"a,1","b""2"\n"c\n3",d\n',
    [
      ['a,1', 'b"2'],
      ['c\n3', 'd'],
    ],
  ],
  [
    'semicolons',
    'a;b,1\nc;d\n',
    [
      ['a', 'b,1'],
      ['c', 'd'],
    ],
  ],
  ['tabs', 'a\tb\n', [['a', 'b']]],
  [
    'a byte order mark, empty lines, empty cells',
    '\uFEFFa,b\n\n,\n',
    [
      ['a', 'b'],
      ['', ''],
    ],
  ],
  ['nothing', '', []],
])('%s', (_name, text, expected) => {
  expect(rows(text)).toEqual(expected)
})

test.each([
  ['"a', 'line 1 has a quote that is not closed'],
  ['a\n"b"c\n', 'line 2 has text behind a closing quote'],
  [`a\n${'x'.repeat(5_000)}`, 'line 2 has a cell of over 4096 characters'],
  [`"${'x\n'.repeat(3_000)}"`, 'line 1 has a quote that is not closed'],
  [','.repeat(500), 'line 1 has more than 200 columns'],
])('%j is refused with its line', (text, message) => {
  expect(() => rows(text)).toThrow(new CsvError(Number(/\d+/.exec(message)?.[0]), message.replace(/^line \d+ /, '')))
})

test('what was written is read again', () => {
  const cell = fc.string({ maxLength: 20 }).map((text) => `x${text.trim()}`)
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (table) => {
      // The first line says what separates cells; of ours it is the comma.
      const text = csvLine(['first', 'line']) + table.map(csvLine).join('')
      expect(rows(text).slice(1)).toEqual(table)
    }),
  )
})

test('a cell that a spreadsheet would run is quoted', () => {
  expect(csvLine(['=1+1', '@x', 'a"b', 'plain'])).toBe(`'=1+1,'@x,"a""b",plain\r\n`)
})

test('a list stops one past its bound', () => {
  const text = 'a.example.com\n'.repeat(MAX_DOMAINS + 50)
  expect(namesIn(text)).toHaveLength(MAX_DOMAINS + 1)
  expect(domainTable(`domain\n${text}`)).toHaveLength(MAX_DOMAINS + 1)
})

test('a table without the column is none', () => {
  expect(() => domainTable('name\na.example.com\n')).toThrow('line 1 has no column called "domain"')
  expect(() => domainTable('')).toThrow('no column')
})

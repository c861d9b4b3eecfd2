import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { inAscii } from './one-byte.ts'

const made = (code: string): string => inAscii(code, parseAst(code))
const resultOf = (code: string): unknown => new Function(`return ${code}`)()

test.each([
  ['a string', `'é “x” 😀 \\\\é'`],
  ['one with an escaped character', `'\\é'`],
  ['a template', `\`é \${"ü"} 😀\n—\``],
  ['the key of an object', `{ 'ö': 'ä' }['ö']`],
  ['a list', `['é', ['“']]`],
])('%s says the same', (_, code) => {
  const ascii = made(`(${code})`)
  expect(ascii).toMatch(/^[\0-\x7f]*$/)
  expect(resultOf(ascii)).toEqual(resultOf(`(${code})`))
  expect(ascii.split('\n')).toHaveLength(code.split('\n').length)
})

test.each([
  ['a pattern', '/é+[ä-ü]/', 'éé', 'e'],
  ['one with an escaped character', '/\\é/', 'é', '\\u00e9'],
  ['one of whole characters', '/^[😀-😂]$/u', '😁', '😄'],
  ['one of sets', '/^[é--[e]]$/v', 'é', 'e'],
  ['one of halves', '/^😀$/', '😀', '😁'],
])('%s matches the same', (_, code, matches, other) => {
  const pattern = resultOf(made(code)) as RegExp
  expect(pattern.source).toMatch(/^[\0-\x7f]*$/)
  expect([pattern.test(matches), pattern.test(other)]).toEqual([true, false])
})

test('raw texts, names and comments stay', () => {
  const code = `const é = String.raw\`é\${1}\` // ö`
  expect(made(code)).toBe(code)
})

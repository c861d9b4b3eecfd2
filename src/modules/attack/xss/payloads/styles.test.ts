import { expect, test } from 'vitest'
import { declarationBehind, ruleBehind } from './styles.ts'

const ADDRESS = '//h.example/'
const RULE = `*{background:url(${ADDRESS})}`

test('a rule ends what is open before it', () => {
  const ruleOf = (before: string): string => ruleBehind(before, ADDRESS)
  expect(ruleOf('')).toBe(`x{}${RULE}`)
  expect(ruleOf('body { color: red }\n.')).toBe(`x{}${RULE}`)
  expect(ruleOf('div[')).toBe(`x]{}${RULE}`)
  expect(ruleOf('a { color: ')).toBe(`x}${RULE}`)
  expect(ruleOf('@media screen { a { font: "')).toBe(`x"}}${RULE}`)
  expect(ruleOf('a { background: url(')).toBe(`x)}${RULE}`)
  expect(ruleOf('/* theme: ')).toBe(`x*/{}${RULE}`)
  expect(ruleOf(String.raw`a { content: "it\"s `)).toBe(`x"}${RULE}`)
})

test('a declaration stays within its attribute', () => {
  expect(declarationBehind('color: ', ADDRESS)).toBe(`x;background:url(${ADDRESS});`)
  expect(declarationBehind('background: url(', ADDRESS)).toBe(`x);background:url(${ADDRESS});`)
})

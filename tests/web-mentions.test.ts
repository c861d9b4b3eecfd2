/** Naming somebody in a comment of the web application, against what the service takes for a name. */
import { describe, expect, test } from 'vitest'
import { mentionedIn } from '../src/store/mentions.ts'
import { mentionAt, piecesOf, suggested, withMention } from '../web/src/mention.ts'

const NAMES = ['Ada Lovelace', 'Adam Kern', 'M. Otto', 'Zoë Ñandú']

describe('the name that is begun', () => {
  test.each([
    ['a first letter', 'see @A', { from: 4, words: 'A' }],
    ['nothing yet', '@', { from: 0, words: '' }],
    ['a second word', 'hi @Ada Lo', { from: 3, words: 'Ada Lo' }],
    ['letters of others', '(@Zoë Ñ', { from: 1, words: 'Zoë Ñ' }],
    ['an address in the text', 'ada@example', null],
    ['a third word', '@Ada Lovelace said', null],
    ['a line below', '@Ada\nsaid', null],
  ])('%s', (_, text, expected) => {
    expect(mentionAt(text, text.length)).toEqual(expected)
  })
  test('what stands behind the caret is no part of it', () => {
    expect(mentionAt('@Ad and more', 3)).toEqual({ from: 0, words: 'Ad' })
  })
})

test.each([
  ['', NAMES],
  ['a', ['Ada Lovelace', 'Adam Kern']],
  ['love', ['Ada Lovelace']],
  ['Ada L', ['Ada Lovelace']],
  ['Ada Lovelace', []],
  ['x', []],
])('"%s" may mean %j', (words, expected) => {
  expect(suggested(NAMES, words)).toEqual(expected)
})

test('what is chosen stands in the text as the service reads it, with the caret behind it', () => {
  const text = 'Look, @lov please'
  const begun = mentionAt(text, 10)
  expect(begun).not.toBeNull()
  const { text: next, caret } = withMention(text, 10, begun ?? { from: 0, words: '' }, 'Ada Lovelace')
  expect([next, caret]).toEqual(['Look, @Ada Lovelace please', 19])
  expect(withMention('@', 1, { from: 0, words: '' }, 'M. Otto')).toEqual({ text: '@M. Otto ', caret: 9 })
  const members = NAMES.map((name) => ({ organisation_id: '', name, email: null }))
  expect(mentionedIn(next, members).map(({ name }) => name)).toEqual(['Ada Lovelace'])
})

test('names stand apart in a comment, and nothing is lost of it', () => {
  const text = 'For @Ada Lovelace and @adam kern, not @Adamant.'
  const pieces = piecesOf(text, ['Ada Lovelace', 'Adam Kern'])
  expect(pieces.filter(({ isName }) => isName).map((one) => one.text)).toEqual(['@Ada Lovelace', '@adam kern'])
  expect(pieces.map((one) => one.text).join('')).toBe(text)
})

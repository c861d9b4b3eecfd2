/** A value with one of its letters written otherwise must not read like something that no probe may hold. */
import { expect, it } from 'vitest'
import { harmOf } from '../../../safety/harmless.ts'
import { QUESTIONERS } from './questions.ts'

const numbered = QUESTIONERS.find(({ flavour }) => flavour.startsWith('filter, letters'))
const WORDS = ['q', 'qx', 'qxx', 'qxxx', 'qxxxx', 'qxxxxx', 'qxxxxxx', 'qxxxxxxx']

it.each(['curly', 'drops', 'my-copy', 'update1', 'tent'])('%s', (value) => {
  expect(numbered?.fits?.('name', value)).toBe(true)
  for (const word of WORDS)
    for (const truth of [true, false]) {
      const asked = numbered?.ask(truth, word, value) ?? ''
      expect(asked).toMatch(/\\[0-9a-f]{2}/)
      expect(harmOf(asked, { effect: 'reads' }), asked).toBeNull()
    }
})

it('what reads so whichever letter is written otherwise is not asked', () => {
  expect(numbered?.fits?.('name', 'drop or update')).toBe(false)
})

it('what stands within quotes of XPath needs no spaces, with which some servers drop a cookie', () => {
  const quoted = QUESTIONERS.filter(({ kind, flavour }) => kind === 'xpath' && !flavour.includes('function'))
  expect(quoted).toHaveLength(4)
  for (const one of quoted)
    for (const truth of [true, false]) expect(one.with('tent', one.ask(truth, 'qxxxx', 'tent'))).not.toContain(' ')
})

it('every question holds a word of its own, whatever its answer', () => {
  for (const one of QUESTIONERS.filter((each) => each !== numbered))
    for (const word of WORDS.slice(4))
      for (const truth of [true, false]) expect(one.ask(truth, `${word}yz`, 'v'), one.flavour).toContain(`${word}yz`)
})

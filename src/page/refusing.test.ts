import { expect, test } from 'vitest'
import { refusalIn } from './refusing.ts'

const page = (words: string) => ({
  status: 200,
  text: `<nav>${'<a href=/a>Menu</a> '.repeat(400)}</nav><h1>Diagnostics</h1><p>${words}</p>`,
  contentType: 'text/html',
  location: '',
})

test.each([
  ['a token that is none', 'The link you followed has expired.', 'gate'],
  ['a form that was open too long', 'This form has expired, please try again.', 'gate'],
  ['a request of yesterday', 'Your request is expired', 'gate'],
  ['nothing', 'Offers that expired last week', null],
] as const)('a page refuses in words under a status of success: %s', (_name, words, refusal) => {
  expect(refusalIn(page(words))).toBe(refusal)
})

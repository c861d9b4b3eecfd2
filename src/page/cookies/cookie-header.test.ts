import { expect, it } from 'vitest'
import { quotedCookie, readsOctalDigits, unquotedCookie } from './cookie-header.ts'

it('what is written in quotes is read out of them, and holds nothing that would end a cookie', () => {
  for (const value of ['light', `a'"b\\c;d, e=1`, '{"room": "A1", "week": 3}', 'gASV+/==', '\u0000\n']) {
    const quoted = quotedCookie(value)
    expect(quoted.slice(1, -1), value).not.toMatch(/[";,]|[^\x20-\x7e]/)
    expect(unquotedCookie(quoted), value).toBe(value)
  }
})

it('writes signs as http.cookies of Python does', () => {
  expect(quotedCookie('a"b; ä')).toBe(String.raw`"a\042b\073 \303\244"`)
})

it.each([
  ['an object of Python', '"gASVDgAAAA=="', true],
  ['JSON of Python', String.raw`"{\"room\": 1\054 \"week\": 3}"`, true],
  ['a list of Go', '"tents,stoves"', false],
  ['a name of Go', '"Ada Lovelace"', false],
  ['one without quotes', 'light', false],
])('%s says whether octal digits are read: %s', (_what, value, expected) => {
  expect(readsOctalDigits(value)).toBe(expected)
})

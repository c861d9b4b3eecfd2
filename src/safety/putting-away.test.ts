import { expect, it } from 'vitest'
import { putsAway } from './putting-away.ts'

it.each([
  ['a project by its name', 'POST', '/projects/north/archive', 0, true],
  ['one of many by its number', 'PUT', '/api/tickets/3/close', 0, true],
  ['in another language', 'POST', '/konten/7/schlie%C3%9Fen', 0, true],
  ['with what somebody types', 'POST', '/tickets/3/close', 1, false],
  ['which is shown', 'GET', '/projects/north/archive', 0, false],
  ['no thing', 'POST', '/close', 0, false],
  ['opened again', 'POST', '/projects/north/reopen', 0, false],
  ['no word', 'POST', '/projects/%E0%A4%A/%E0%A4%A', 0, false],
] as const)('a thing is put away: %s', (_name, method, path, typed, expected) => {
  expect(putsAway(method, `https://shop.test${path}`, typed)).toBe(expected)
})

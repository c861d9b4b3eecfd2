import { describe, expect, it } from 'vitest'
import { responseTable } from '../passive/headers/response-table.ts'
import { NO_FACTS } from '../passive/headers/testing/cases.ts'
import { casePage } from '../testing/site-facts.ts'
import { headerProof, maskCookie, weightiest } from './pages.ts'

describe('the proof of a header', () => {
  const page = casePage({ headers: { 'X-A': 'one', 'Set-Cookie': 'sid=0123456789abcdef; Secure' } })

  it('shows the deciding lines and marks what decides', () => {
    expect(headerProof(page, ['x-a'], 'one')).toEqual({
      excerpt: 'HTTP 200 https://shop.test/\nX-A: one',
      mark: 'one',
      replay: "curl -sS -o /dev/null -D - 'https://shop.test/'",
    })
  })

  it('shows every line where the deciding one is absent, and no value of a cookie', () => {
    const { excerpt, mark } = headerProof(page, ['x-b'], 'absent')
    expect(excerpt).toContain('X-A: one')
    expect(excerpt).toContain('Set-Cookie: sid=0123…(16 characters); Secure')
    expect(mark).toBeNull()
  })

  it('quotes an address for the shell', () => {
    expect(headerProof({ ...page, url: "https://shop.test/?a='b" }, [], null).replay).toContain(
      `'https://shop.test/?a='\\''b'`,
    )
  })
})

it.each([
  ['a=0123456789abcdef; Path=/', 'a=0123…(16 characters); Path=/'],
  ['0123456789abcdef', '0123…(16 characters)'],
  ['a=on', 'a=on'],
  ['a=12345678=9; x', 'a=12…(10 characters); x'],
])('masks %s', (line, expected) => {
  expect(maskCookie(line)).toBe(expected)
})

it('lets the page that weighs most speak', () => {
  expect(weightiest(['plain', 'login', undefined])).toBe('login')
  expect(weightiest([])).toBe('plain')
})

it('prints the answer of the start page, where there is one', () => {
  expect(responseTable(NO_FACTS)).toEqual([])
  const response = { url: 'https://shop.test/', status: 200, headers: [['X-A', 'one'] as const] }
  expect(responseTable({ ...NO_FACTS, response })[0]?.rows).toEqual([['X-A', 'one']])
})

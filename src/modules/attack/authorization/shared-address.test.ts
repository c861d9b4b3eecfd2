import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { readAnswer } from './answers.ts'
import { isListOf } from './shared-address.ts'

const asked = { asked: { request: { url: 'https://shop.test/desk/payslip?id=501' } } }
const QUERY = { place: 'query', at: 'id' } as const

it.each([
  ['a menu', QUERY, '<a href=/desk/payslips>Payslips</a> <a href="/desk/tasks?state=open">Tasks</a>', false],
  ['a list', QUERY, '<a href=/desk/payslip?id=7>October</a>', true],
  ['a list without a number', QUERY, '<a href="/desk/payslip?month=10">October</a>', false],
  ['a folder', { place: 'path', at: '2' } as const, '<a href=/desk/payslips>Payslips</a>', true],
  ['data', QUERY, '[{"month":"October"}]', true],
])('the page above what is asked is its collection, or not: %s', (_name, slot, body, expected) => {
  const page = readAnswer(
    caseAnswer({ path: '/desk', body, type: body.startsWith('[') ? 'application/json' : 'text/html' }),
  )
  expect(isListOf(page, asked, slot)).toBe(expected)
})

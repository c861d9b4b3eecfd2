import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { readAnswer } from './answers.ts'
import { stableLeaves } from './telling.ts'

const AGENT = 'Mozilla/5.0 (compatible; Sonde/1.0; run 7; +ops@example.org)'

const told = (body: string) => {
  const exchange = caseAnswer({ path: '/admin/info', body })
  const answer = readAnswer({
    ...exchange,
    request: { ...exchange.request, headers: [...exchange.request.headers, ['User-Agent', AGENT]] },
  })
  return stableLeaves(answer, answer).map(({ value }) => value)
}

it('what a page repeats of how a run introduces itself is no value of anybody', () => {
  expect(
    told(`<table><tr><td>Agent</td><td>${AGENT}</td></tr><tr><td>ada.lovelace@shop.test</td></tr></table>`),
  ).toEqual(['ada.lovelace@shop.test'])
})

it('nor is what a form asks for, and the page shows again', () => {
  const exchange = caseAnswer({
    path: '/admin/audit',
    body: '<p>Nothing was found for lamp 4711 b.</p><ul><li>lamp 4711 b</li><li>ada.lovelace@shop.test</li></ul>',
  })
  const request = { ...exchange.request, method: 'POST', body: 'q=lamp+4711+b&go=Find' }
  const answer = readAnswer({ ...exchange, request })
  expect(stableLeaves(answer, answer).map(({ value }) => value)).not.toContain('lamp 4711 b')
})

import { afterEach, expect, test } from 'vitest'
import * as example from '../contract/examples.ts'
import { hypothesis, refuted } from '../contract/hypothesis-examples.ts'
import { type FakeService, fakeService } from './testing/fake-service.ts'
import { runWords } from './testing/run-words.ts'

let service: FakeService | null = null
afterEach(async () => {
  await service?.close()
  service = null
})

const run = async (ended: object, ...more: readonly string[]) => {
  service = await fakeService(() => ({
    'GET /v1/domains': { json: { items: [example.domain], next_cursor: null } },
    [`POST /v1/domains/${example.domain.id}/hypotheses`]: { status: 202, json: hypothesis },
    [`GET /v1/scans/${hypothesis.id}/hypothesis`]: { json: { ...refuted, ...ended } },
  }))
  const words = ['hypothesis', example.domain.domain, 'sqli', '/search?q=lamp', 'query:q', ...more]
  return runWords(words, { env: { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_key' } })
}
const sent = () => service?.seen.find(({ method }) => method === 'POST')?.body

test.each([
  ['refuted', {}, 0, /^Refuted: SQL injection\. SQL injection was asked for in full/],
  [
    'confirmed',
    { verdict: 'confirmed', finding: example.finding },
    1,
    /^Confirmed: SQL injection[\s\S]*Strict-Transport/,
  ],
  [
    'not asked',
    { verdict: 'not_asked', reason: 'Left alone: it deletes.' },
    2,
    /^Not asked: SQL injection\. Left alone/,
  ],
  ['without a verdict', { status: 'canceled', verdict: null, reason: null }, 2, /^No verdict/],
] as const)('a hypothesis that ends %s', async (_name, ended, code, text) => {
  const result = await run(ended)
  expect([result.code, result.err]).toEqual([code, ''])
  expect(result.out).toMatch(text)
})

test('the request is sent as it was written down', async () => {
  await run(
    {},
    '--method',
    'POST',
    '--field',
    'a=b=c',
    '--field',
    'd=',
    '--header',
    'X-Shop: two',
    '--seen-on',
    '/form',
  )
  expect(sent()).toEqual({
    ...{ weakness: 'sqli', point: { in: 'query', name: 'q' }, seen_on: '/form' },
    request: {
      ...{ method: 'POST', url: '/search?q=lamp', headers: [{ name: 'X-Shop', value: 'two' }] },
      form: [
        { name: 'a', value: 'b=c' },
        { name: 'd', value: '' },
      ],
    },
  })
})

test.each([
  [['--field', 'nothing'], /an equals sign/],
  [['--method', 'BREW'], /one of GET, POST/],
  [['--body', '{}', '--field', 'a=b'], /exclude each other/],
])('%j is refused before anything is asked', async (more, message) => {
  const result = await run({}, ...more)
  expect([result.code, result.err]).toEqual([3, expect.stringMatching(message)])
  expect(sent()).toBeUndefined()
})

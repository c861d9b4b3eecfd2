import { expect, it } from 'vitest'
import { replayOf } from './replay.ts'

const request = { method: 'PUT', url: 'https://shop.test/notes/7', body: '{"text":"it\'s"}' }
const antiForgery = {
  headers: ['X-XSRF-TOKEN'],
  token: { page: request.url, kind: 'cookie', name: 'XSRF-TOKEN' },
} as const

it('names whose session it carries, and that the token against forged requests is of the same', () => {
  expect(replayOf(request, { name: 'ben', isNobody: false }, { antiForgery })).toBe(
    `curl -si -X PUT 'https://shop.test/notes/7' -H 'Cookie or Authorization: the session of ben' -H 'X-XSRF-TOKEN: the token of that session' --data-binary '{"text":"it'\\''s"}'`,
  )
})

it('nobody has neither', () => {
  expect(replayOf({ url: request.url }, { name: '', isNobody: true }, { antiForgery })).toBe(
    "curl -si 'https://shop.test/notes/7'",
  )
})

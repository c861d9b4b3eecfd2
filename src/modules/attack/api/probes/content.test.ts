import { expect, it } from 'vitest'
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import type { CollectContext } from '../../../module.ts'
import { caseAnswer } from '../../../testing/answers.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { isJsonRequest, plainJsonWork } from './content.ts'

const NOTE = {
  ...{ method: 'POST', url: 'https://shop.test/notes', encoding: 'json' as const, body: '{"text":"call back"}' },
}

it.each<[string, object, boolean]>([
  ['what may write', {}, true],
  ['what was seen to write', { effect: 'writes' }, true],
  ['what was seen to read', { effect: 'reads' }, false],
  ['what has a method of its own', { method: 'PUT' }, false],
  ['what sends a header of its own', { headers: [['X-Requested-With', 'fetch']] }, false],
  ['a query', { body: '{"query":"{ notes { text } }"}' }, false],
])('what a page of another site could send as text: %s', (_name, change, expected) => {
  expect(isJsonRequest(caseRequest({ ...NOTE, ...change }))).toBe(expected)
})

/** Who reads JSON under any type, asked by a page of another site: with the session, and with no token that pages say beside it. */
const asText = async (
  refuses: (headers: Headers) => boolean,
  session: readonly (readonly [name: string, value: string])[] = [],
) => {
  const found: unknown[] = []
  const http = async ({ headers = [], body, authenticated = true }: HttpRequest) => {
    const given = new Headers(headers.map(([name, value]): [string, string] => [name, value]))
    const isRefused = !(authenticated || given.has('cookie')) || refuses(given)
    const isRead = String(body).includes('"text"')
    return caseAnswer({
      ...{ path: '/notes', type: 'application/json', status: isRefused ? 401 : isRead ? 201 : 400 },
      body: isRefused ? '{"error":"sign in"}' : isRead ? '{"id":7,"text":"call back"}' : '{"error":"text missing"}',
    })
  }
  const ctx = {
    egress: { http, credentialsFor: async () => session },
    hasCredentials: true,
    signal: new AbortController().signal,
  } as unknown as CollectContext
  const target = { request: caseRequest(NOTE) } as Parameters<ReturnType<typeof plainJsonWork>>[0]
  await plainJsonWork(ctx)(target, (hit) => found.push(hit))
  return found
}

it('what reads text as JSON is told', async () => {
  expect(await asText(() => false)).toMatchObject([{ kind: 'plain-json' }])
})

it.each([
  ['looks where the request comes from', (headers: Headers) => headers.has('origin')],
  ['takes JSON by its type alone', (headers: Headers) => headers.get('content-type') === 'text/plain'],
])('what %s is not', async (_what, refuses) => {
  expect(await asText(refuses)).toEqual([])
})

it.each([
  ['by a cookie', [['Cookie', 'sid=1']], 1],
  ['by a token that scripts alone send', [['Authorization', 'Bearer a.b.c']], 0],
  [
    'by a cookie beside a token that it does without',
    [
      ['Cookie', 'sid=1'],
      ['Authorization', 'Bearer a.b.c'],
    ],
    1,
  ],
] as const)('is told where somebody is signed in %s', async (_how, session, count) => {
  expect(await asText(() => false, session)).toHaveLength(count)
})

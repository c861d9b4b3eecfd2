/** What is refused as its own page makes it was not asked, and what an application says of a value was. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { TURNED_AWAY } from './facts.ts'
import { reachPartOf } from './reach-part.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'
import { judgeProbed } from './verdict.ts'

afterEach(closeProbed)

type Serve = (values: URLSearchParams) => {
  readonly status: number
  readonly body?: string
  /** Sent as JSON. */
  readonly json?: unknown
  readonly location?: string
}

const asked = async (names: readonly string[], serve: Serve, path = '/find') => {
  const request = caseRequest({
    ...{ id: 'form', method: 'POST', url: `http://shop.test${path}`, encoding: 'urlencoded', effect: 'reads' },
    fields: names.map((name) => ({ name, value: 'tents', type: name === 'password' ? 'password' : 'text' })),
  })
  const points = names.map((name) => pointOf('form', 'form', name, 'tents'))
  const crawl = crawlOf([...points, pointOf('form', 'header', 'User-Agent', 'x')], { requests: [request] })
  const { facts } = await probed(async (request: IncomingMessage, response: ServerResponse) => {
    const { status, body = '', json, location } = serve(new URLSearchParams(await text(request)))
    response.writeHead(status, {
      'Content-Type': json === undefined ? 'text/html' : 'application/json',
      ...(location === undefined ? {} : { Location: location }),
    })
    response.end(json === undefined ? html(body) : JSON.stringify(json))
  }, crawl)
  const left = facts.points.filter(({ leftWays = [] }) => leftWays.some(({ reason }) => reason === TURNED_AWAY))
  const judged = judgeProbed(facts, () => [])
  const { entries } = reachPartOf(facts, crawl)
  return {
    left: left.map(({ at }) => at.name),
    state: 'state' in judged ? judged.state : 'pass',
    fates: entries.filter(({ fate }) => fate === 'left_out').map(({ parameter }) => parameter),
  }
}

const known: ReadonlySet<string> = new Set(['tents'])

it.each<readonly [string, readonly string[], Serve, readonly string[]]>([
  ['refused for want of a right', ['q', 'page'], () => ({ status: 403 }), ['q', 'page']],
  ['refused for want of a token', ['q'], () => ({ status: 419, body: 'Page expired.' }), ['q']],
  ['refused by its method', ['q'], () => ({ status: 405 }), ['q']],
  ['a missing token that is told as a bad request', ['q'], () => ({ status: 400, body: 'No CSRF token.' }), ['q']],
  [
    'refused for a neighbour',
    ['q', 'day'],
    (values) => (/^\d/.test(values.get('day') ?? '') ? { status: 200 } : { status: 422, body: 'The day is none.' }),
    ['q', 'day'],
  ],
  [
    'an error only broken signs bring about',
    ['q'],
    (values) => (/['"]/.test(values.get('q') ?? '') ? { status: 500, body: 'Oops' } : { status: 403 }),
    [],
  ],
  ['a record that is not there', ['q'], () => ({ status: 404, body: 'None such.' }), []],
  [
    'a record that is for others',
    ['q', 'page'],
    (values) => (known.has(values.get('q') ?? '') ? { status: 403 } : { status: 404 }),
    ['page'],
  ],
  [
    'a code that holds nowhere',
    ['code'],
    (values) => ({ status: 400, body: values.get('code') ? 'This code does not hold.' : 'A code is needed.' }),
    [],
  ],
  [
    'a value that the answer speaks of',
    ['q'],
    (values) => ({ status: 422, body: `No ${values.get('q')?.length}.` }),
    [],
  ],
  ['a wrong password', ['mail', 'password'], () => ({ status: 401, body: 'Wrong.' }), []],
  [
    'refused for want of a right, under 200',
    ['q'],
    () => ({ status: 200, json: { success: false, message: 'Access denied' } }),
    ['q'],
  ],
  [
    'refused for want of a session by GraphQL',
    ['q'],
    () => ({
      status: 200,
      json: { errors: [{ message: 'Sign in.', extensions: { code: 'UNAUTHENTICATED' } }], data: { orders: null } },
    }),
    ['q'],
  ],
  [
    'refused for want of a captcha, under 200',
    ['q'],
    () => ({ status: 200, body: 'The captcha is incorrect. <form></form>' }),
    ['q'],
  ],
  [
    'refused for a neighbour, under 200',
    ['q', 'day'],
    (values) =>
      /^\d/.test(values.get('day') ?? '')
        ? { status: 200 }
        : { status: 200, json: { status: 'error', message: 'The day is none.' } },
    ['q', 'day'],
  ],
  ['led back with an error', ['q', 'day'], () => ({ status: 302, location: '/find?error=day' }), ['q', 'day']],
  [
    'a record that is not there, under 200',
    ['q'],
    () => ({ status: 200, json: { success: false, error: 'No such tent.' } }),
    [],
  ],
  [
    'a wrong password, under 200',
    ['mail', 'password'],
    () => ({ status: 200, json: { ok: false, message: 'Wrong.' } }),
    [],
  ],
  [
    'a sign-in without its captcha, under 200',
    ['mail', 'password'],
    () => ({ status: 200, json: { ok: false, message: 'The captcha is missing.' } }),
    ['mail', 'password'],
  ],
  [
    'a partial answer of GraphQL',
    ['q'],
    () => ({ status: 200, json: { errors: [{ message: 'Slow.' }], data: { orders: [1] } } }),
    [],
  ],
  [
    'a page that speaks of rights',
    ['q'],
    () => ({ status: 200, body: `Access denied is what strangers see. ${'Tents. '.repeat(400)}` }),
    [],
  ],
  ['a record with a number like a status', ['q'], () => ({ status: 200, json: { code: 415, city: 'Bay' } }), []],
  ['a status that the body alone says', ['q'], () => ({ status: 200, json: { code: 401, msg: 'Log in.' } }), ['q']],
  ['what is taken', ['q'], () => ({ status: 200 }), []],
])('%s', async (_name, names, serve, left) => {
  const seen = await asked(names, serve)
  expect(seen.left).toEqual(left)
  expect(seen.fates).toEqual(left)
  expect(seen.state).toBe(left.length > 0 ? 'inconclusive' : 'pass')
})

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

type Serve = (values: URLSearchParams) => { readonly status: number; readonly body?: string }

const asked = async (names: readonly string[], serve: Serve, path = '/find') => {
  const request = caseRequest({
    ...{ id: 'form', method: 'POST', url: `http://shop.test${path}`, encoding: 'urlencoded', effect: 'reads' },
    fields: names.map((name) => ({ name, value: 'tents', type: name === 'password' ? 'password' : 'text' })),
  })
  const points = names.map((name) => pointOf('form', 'form', name, 'tents'))
  const crawl = crawlOf([...points, pointOf('form', 'header', 'User-Agent', 'x')], { requests: [request] })
  const { facts } = await probed(async (request: IncomingMessage, response: ServerResponse) => {
    const { status, body = '' } = serve(new URLSearchParams(await text(request)))
    response.writeHead(status, { 'Content-Type': 'text/html' }).end(html(body))
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
  ['what is taken', ['q'], () => ({ status: 200 }), []],
])('%s', async (_name, names, serve, left) => {
  const seen = await asked(names, serve)
  expect(seen.left).toEqual(left)
  expect(seen.fates).toEqual(left)
  expect(seen.state).toBe(left.length > 0 ? 'inconclusive' : 'pass')
})

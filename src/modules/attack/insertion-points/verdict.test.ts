import { expect, test } from 'vitest'
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import { type CrawlFacts, PRESSED_IN_PART, type ReachCount, type RequestTemplate } from '../crawl/facts.ts'
import { caseCrawl } from '../crawl/testing/crawl-facts.ts'
import type { ProbingFacts } from './facts.ts'
import { leftAloneOf } from './inventory.ts'
import { casePoint } from './testing/probed-facts.ts'
import { unreadOf } from './unread.ts'
import { findingAt, judgeProbed } from './verdict.ts'

const facts = (change: Partial<ProbingFacts<never>>): ProbingFacts<never> => ({
  ...{ points: [casePoint([])], left: 0, sessionLost: false },
  ...change,
})
const judged = (change: Partial<ProbingFacts<never>>, ways: readonly string[] = []) =>
  judgeProbed(facts(change), () => [], ways)
const LEFT_WAY = { leftWays: [{ way: 'boolean', reason: 'of unknown effect' }] }

test('everything asked and everything read is a pass', () => {
  expect(judged({})).toEqual([])
})

test('a place where a way was left is no pass for the checks that rest on it, and one for the others', () => {
  const points = [casePoint<never>([]), casePoint<never>([], LEFT_WAY)]
  expect(judged({ points }, ['union'])).toEqual([])
  expect(judged({ points }, ['boolean', 'union'])).toMatchObject({
    state: 'inconclusive',
    reason: 'of 2 places: 1 of unknown effect',
    reached: { asked: 1, known: 2, reasons: [{ reason: 'of unknown effect', count: 1 }] },
  })
})

test('what the crawl did not read is no pass, and without any place it is no answer', () => {
  const unread = [{ reason: 'not read: one of many alike', count: 40 }]
  const reached = { asked: 1, known: 41, reasons: unread }
  expect(judged({ unread })).toMatchObject({ state: 'inconclusive', reached })
  expect(judged({ points: [], unread })).toMatchObject({ state: 'not_tested', reached: { asked: 0, known: 40 } })
  expect(judged({ points: [] })).toMatchObject({ state: 'not_applicable' })
})

test('places that were all blocked beside pages that were not read are not the whole site', () => {
  const points = [casePoint<never>([], { end: 'blocked' })]
  expect(judged({ points })).toMatchObject({ state: 'blocked' })
  expect(judged({ points, unread: [{ reason: 'not read', count: 1 }] })).toMatchObject({ state: 'inconclusive' })
})

test('the three largest reasons are named, the others counted', () => {
  const judgement = judged({
    left: 5,
    cut: 'the time for it was over',
    leftAlone: { 'it deletes': 2, 'it pays': 1 },
    unread: [{ reason: 'not read: deep', count: 9 }],
  })
  expect(judgement).toMatchObject({
    reason:
      'of 18 places: 9 not read: deep, 5 not reached, as the time for it was over, 2 left alone: it deletes, 1 for another reason',
    reached: { asked: 1, known: 18 },
  })
})

const count = (change: Partial<ReachCount>): ReachCount => ({
  ...{ kind: 'address', fate: 'left_out', reason: 'one of many alike', holds: true, count: 1 },
  ...change,
})
const form: RequestTemplate = {
  ...{ id: 'r', method: 'POST', url: 'http://shop.test/order', shape: '', encoding: 'urlencoded', fields: [] },
  ...{ body: null, source: 'form', seenOn: [], sent: false, harm: null },
}

test.each<[string, Partial<CrawlFacts>, readonly (readonly [string, number])[]]>([
  ['nothing', {}, []],
  [
    'kinds, apart from what was asked or merged, and from what holds nothing',
    {
      reach: {
        rows: [],
        counts: [
          count({ count: 7 }),
          count({ kind: 'operation', count: 2 }),
          count({ kind: 'browser_page', fate: 'cut_off', reason: 'the time was over', count: 3 }),
          count({ kind: 'browser_page', fate: 'cut_off', reason: PRESSED_IN_PART, count: 4 }),
          count({ fate: 'merged' }),
          count({ fate: 'asked', reason: null }),
          count({ holds: false }),
        ],
      },
    },
    [
      ['not read: one of many alike', 7],
      ['things to press beyond what is done on one page', 4],
      ['not opened in the browser: the time was over', 3],
      ['an operation not listed: one of many alike', 2],
    ],
  ],
  [
    'a form that was not sent but has places of its own is counted by these',
    {
      requests: [form],
      points: [{ id: 'r:form:a', request: 'r', place: 'form', name: 'a', example: '' }],
      reach: {
        rows: [
          { kind: 'form', method: 'POST', url: form.url, fate: 'left_out', reason: 'it may store', holds: true },
          { kind: 'form', method: 'POST', url: '/other', fate: 'left_out', reason: 'it may store', holds: true },
        ],
        counts: [count({ kind: 'form', reason: 'it may store', count: 2 })],
      },
    },
    [['a form not sent: it may store', 1]],
  ],
  [
    'a crawl without rows, by its counts',
    {
      leftOut: { 'deeper than 5 links': 4, 'a file that is no page': 9, [ENDS_SESSION]: 1, 'it deletes': 2 },
      requests: [{ ...form, harm: 'it deletes' }],
      cut: 'its share of the time was used up',
    },
    [
      ['not read: deeper than 5 links', 4],
      ['not read: its share of the time was used up', 1],
    ],
  ],
  [
    'pages that run scripts, where there was no browser',
    {
      scripted: [{ url: '/', code: 'a' }],
      browser: { ...caseCrawl().browser, version: null, reason: 'no browser is installed' },
    },
    [['read without a browser: no browser is installed', 1]],
  ],
])('unread: %s', (_name, change, expected) => {
  expect(unreadOf({ ...caseCrawl(), ...change }).map((one) => [one.reason, one.count])).toEqual(expected)
})

test('what ends the session is left alone where it takes something, and is no place where it tells by words and brings a token', () => {
  const url = 'http://shop.test/index.php?action=logout&_token=3f9ac81d04be77'
  const out = (id: string, more: string): RequestTemplate => ({
    ...{
      id,
      method: 'GET',
      url: `${url}${more}`,
      shape: url,
      encoding: 'none',
      fields: [],
      body: null,
      source: 'link',
    },
    ...{ seenOn: [], sent: false, harm: ENDS_SESSION },
  })
  const at = (request: string, name: string, example: string) => ({
    ...{ id: `${request} ${name}`, request, place: 'query' as const, name, example },
  })
  const of = (id: string) => [at(id, 'action', 'logout'), at(id, '_token', '3f9ac81d04be77')]
  const crawl = { ...caseCrawl(), requests: [out('a', ''), out('b', '&next=/home')] }
  expect(leftAloneOf({ ...crawl, points: of('a') }, () => true)).toEqual({})
  expect(leftAloneOf({ ...crawl, points: [...of('b'), at('b', 'next', '/home')] }, () => true)).toEqual({
    [ENDS_SESSION]: 1,
  })
})

/** Method and address of each finding, with those of its other places. */
type Asked = readonly [method: string, path: string, place?: 'query' | 'form', route?: string]
const told = (places: readonly Asked[]) => {
  const points = places.map(([method, path, place = 'query', route]) =>
    casePoint<number>([1], {
      at: { url: `http://shop.test${path}`, method, place, name: 'id', ...(route === undefined ? {} : { route }) },
    }),
  )
  const definition = {
    id: 'sqli/error',
    title: '',
    severity: 'high',
    cwe: 89,
    why: '',
    remediation: '',
    references: [],
  }
  const judgement = judgeProbed({ points, left: 0, sessionLost: false }, (point) => [
    findingAt(point, definition as never, { confidence: 'confirmed', detail: '' }),
  ])
  return 'state' in judgement
    ? judgement.state
    : judgement.map(({ at, places: others = [] }) => [at, ...others].map(({ method }) => method).join(' '))
}

test.each<[string, readonly Asked[], readonly string[]]>([
  [
    'one program by both methods',
    [
      ['POST', '/index.php?page=a&id=3', 'query', 'page=a'],
      ['GET', '/index.php?page=a&id=4', 'query', 'page=a'],
    ],
    ['GET POST'],
  ],
  [
    'the start by both',
    [
      ['GET', '/?id=3'],
      ['POST', '/?id=3'],
    ],
    ['GET POST'],
  ],
  [
    'two pages of one program',
    [
      ['POST', '/index.php?page=a&id=3', 'query', 'page=a'],
      ['GET', '/index.php?page=b&id=4', 'query', 'page=b'],
    ],
    ['POST', 'GET'],
  ],
  [
    'a field of a form beside the address',
    [
      ['POST', '/index.php?id=3', 'form'],
      ['GET', '/index.php?id=3'],
    ],
    ['POST', 'GET'],
  ],
  [
    'a path that has a function for each method',
    [
      ['POST', '/orders?id=3'],
      ['GET', '/orders?id=3'],
    ],
    ['POST', 'GET'],
  ],
  [
    'no GET',
    [
      ['POST', '/a.php?id=3'],
      ['PUT', '/a.php?id=3'],
    ],
    ['POST', 'PUT'],
  ],
])('a flaw of an address: %s', (_name, places, expected) => {
  expect(told(places)).toEqual(expected)
})

import { judgeCases } from '../../testing/judge-cases.ts'
import { CASE_CRAWL, caseProbed } from '../insertion-points/testing/probed-facts.ts'
import { boolean } from './boolean.ts'
import { databaseError } from './database-error.ts'
import { error } from './error.ts'
import type { BooleanHit, Computed, ErrorHit, MessageHit, SqliHit, TimeHit, UnionHit } from './facts.ts'
import { stacked, time } from './time.ts'
import { union } from './union.ts'

const known = CASE_CRAWL
const facts = (...hits: SqliHit[]) => caseProbed<SqliHit>(hits)

const computed = (change: Partial<Computed> = {}): Computed => ({
  payload: '1-(extractvalue(1,concat(0x7e,2000*3000)))',
  expected: '6000000',
  seen: true,
  excerpt: "XPATH syntax error: '~6000000'",
  replay: 'curl -isk https://shop.test/',
  ...change,
})
const second = computed({
  payload: '1-(extractvalue(1,concat(0x7e,2000*3001)))',
  expected: '6002000',
  excerpt: "'~6002000'",
})

const errorHit = (...list: Computed[]): ErrorHit => ({ technique: 'error', dbms: 'MySQL', computed: list })
const message = (change: Partial<MessageHit> = {}): MessageHit => ({
  technique: 'message',
  dbms: 'SQLite',
  payload: "1'",
  excerpt: 'SQLITE_ERROR: unrecognized token: "\'"',
  mark: 'SQLITE_ERROR',
  toggles: true,
  replay: 'curl',
  ...change,
})
const booleanHit = (change: Partial<BooleanHit> = {}): BooleanHit => ({
  technique: 'boolean',
  boundary: 'number',
  apart: 0.3,
  noise: 0,
  trials: Array.from({ length: 12 }, (_, index) => ({
    predicate: `${index}=3`,
    truth: index % 2 === 0,
    answer: index % 2 === 0 ? 'true' : 'false',
  })),
  malformed: 'neither',
  truePayload: '1 And(2*2=4)',
  falsePayload: '1 And(2*2=5)',
  trueExcerpt: 'one row',
  falseExcerpt: 'no row',
  replay: 'curl',
  ...change,
})
const waited = (technique: TimeHit['technique'], change: Partial<TimeHit> = {}): TimeHit => ({
  technique,
  dbms: 'PostgreSQL',
  payload: '1-(Select 0 From pg_sleep(1.4))',
  baseline: [20, 21, 20, 22, 20, 19, 21, 20],
  trials: [1.4, 0, 2.6, 0.8, 0, 3, 1.9].map((delay) => ({ delay, ms: delay * 1_000 + 20 })),
  replay: 'curl',
  ...change,
})
const unionHit = (...list: Computed[]): UnionHit => ({ technique: 'union', columns: 4, computed: list })

const ID = 'sqli/error'
judgeCases(error, [
  { name: 'two products worked out', known, facts: facts(message(), errorHit(computed(), second)), expect: [ID] },
  { name: 'one product only', known, facts: facts(errorHit(computed())), expect: [] },
  { name: 'the same product twice: a cached page', known, facts: facts(errorHit(computed(), computed())), expect: [] },
  {
    name: 'the number was in the payload',
    known,
    facts: facts(errorHit(second, computed({ payload: '6000000' }))),
    expect: [],
  },
  { name: 'a quote breaks, two do not', known, facts: facts(message()), expect: [ID] },
  { name: 'a quote breaks, and it is proven otherwise', known, facts: facts(message(), booleanHit()), expect: [] },
  { name: 'quotes break however many', known, facts: facts(message({ toggles: false })), expect: [] },
  {
    name: 'no place',
    known,
    facts: { points: [], left: 0, sessionLost: false },
    expect: [],
    unjudged: 'not_applicable',
  },
  { name: 'kept out', known, facts: caseProbed<SqliHit>([], { end: 'blocked' }), expect: [], unjudged: 'blocked' },
  { name: 'not reached', known, facts: caseProbed<SqliHit>([], { left: 3 }), expect: [], unjudged: 'inconclusive' },
  {
    name: 'left alone',
    known,
    facts: { ...caseProbed<SqliHit>([]), leftAlone: { 'it deletes': 2 } },
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'nothing but what was left alone',
    known,
    facts: { points: [], left: 0, leftAlone: { 'it deletes': 2 }, sessionLost: false },
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'signed out on the way',
    known,
    facts: caseProbed<SqliHit>([], { sessionLost: true }),
    expect: [],
    unjudged: 'not_tested',
  },
  {
    name: 'found, then kept out',
    known,
    facts: caseProbed<SqliHit>([message()], { end: 'unstable' }),
    expect: [ID],
    unjudged: 'inconclusive',
  },
])

judgeCases(databaseError, [
  {
    name: 'quotes break however many',
    known,
    facts: facts(message({ toggles: false })),
    expect: ['sqli/database-error'],
  },
  {
    name: 'the same, of a place that was asked anew',
    known,
    facts: facts(message({ toggles: false }), message({ toggles: false })),
    expect: ['sqli/database-error'],
  },
  { name: 'the injection speaks instead', known, facts: facts(message()), expect: [] },
  { name: 'proven otherwise', known, facts: facts(message({ toggles: false }), booleanHit()), expect: [] },
])

const wrong = booleanHit().trials.map((trial, index) => (index === 11 ? { ...trial, answer: 'true' as const } : trial))
judgeCases(boolean, [
  { name: 'twelve right answers', known, facts: facts(booleanHit()), expect: ['sqli/boolean'] },
  { name: 'one wrong answer in twelve', known, facts: facts(booleanHit({ trials: wrong })), expect: [] },
  { name: 'eleven answers', known, facts: facts(booleanHit({ trials: booleanHit().trials.slice(1) })), expect: [] },
  {
    name: 'eight right answers by errors, and an error for what is none',
    known,
    facts: facts(booleanHit({ byErrors: true, malformed: 'false', trials: booleanHit().trials.slice(4) })),
    expect: ['sqli/boolean'],
  },
  {
    name: 'seven right answers by errors',
    known,
    facts: facts(booleanHit({ byErrors: true, malformed: 'false', trials: booleanHit().trials.slice(5) })),
    expect: [],
  },
  {
    name: 'errors that what is none does not end in',
    known,
    facts: facts(booleanHit({ byErrors: true })),
    expect: [],
  },
  { name: 'what is no SQL is true too: a search', known, facts: facts(booleanHit({ malformed: 'true' })), expect: [] },
  { name: 'the page differs from itself as much', known, facts: facts(booleanHit({ noise: 0.2 })), expect: [] },
])

const loaded = { trials: waited('time').trials.map((one, index) => ({ ...one, ms: index * 700 })) }
judgeCases(time, [
  { name: 'waits as told', known, facts: facts(waited('time')), expect: ['sqli/time'] },
  { name: 'slower and slower by itself', known, facts: facts(waited('time', loaded)), expect: [] },
  { name: 'in a statement of its own', known, facts: facts(waited('stacked')), expect: [] },
])
judgeCases(stacked, [
  { name: 'waits in a statement of its own', known, facts: facts(waited('stacked')), expect: ['sqli/stacked'] },
  { name: 'waits in the statement', known, facts: facts(waited('time')), expect: [] },
])
judgeCases(union, [
  { name: 'both products are in the page', known, facts: facts(unionHit(computed(), second)), expect: ['sqli/union'] },
  { name: 'the second is not', known, facts: facts(unionHit(computed(), { ...second, seen: false })), expect: [] },
  {
    name: 'the page only repeats',
    known,
    facts: facts(unionHit(computed({ payload: 'x6000000' }), second)),
    expect: [],
  },
])

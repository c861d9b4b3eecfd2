import { expect, it } from 'vitest'
import { judgeCases } from '../../testing/judge-cases.ts'
import { functionLevel, missingAuthentication, objectLevel } from './checks.ts'
import type { AuthorizationFacts, Flaw, Person } from './facts.ts'

const person = (name: string, rank: number | null, left: string | null = null): Person => ({
  name,
  role: '',
  rank,
  left,
})
const ALL = { asked: 3, known: 3, reasons: [] }
const SOME = { asked: 1, known: 3, reasons: [{ reason: 'no object for it was seen', count: 2 }] }
const NONE = { asked: 0, known: 0, reasons: [] }
const FACTS: AuthorizationFacts = {
  ...{ people: [person('ada', 3), person('ben', 1), person('', null)], rows: [], flaws: [], requests: {} },
  ...{ objects: ALL, functions: ALL, authentication: ALL },
}
const flaw = (kind: Flaw['kind'], change: Partial<Flaw> = {}): Flaw => ({
  ...{ kind, writes: false, name: 'GET /api/orders/{}', method: 'GET', url: 'https://shop.test/api/orders/7' },
  ...{ parameter: 'orders', owner: 'ada', by: 'ben', byRole: '', confidence: 'confirmed', values: ['ada@shop.test'] },
  ...{ detail: 'ben is answered as ada is.', excerpt: 'HTTP 200\nada@shop.test', mark: 'ada@shop.test' },
  ...{ replay: "curl -si 'https://shop.test/api/orders/7'", evidence: [], ...change },
})
const cases = (kind: Flaw['kind'], id: string, part: 'objects' | 'functions' | 'authentication') => [
  { name: 'one that was seen', facts: { ...FACTS, flaws: [flaw(kind)] }, expect: [id] },
  { name: 'one without a parameter', facts: { ...FACTS, flaws: [flaw(kind, { parameter: null })] }, expect: [id] },
  { name: 'everybody asked about everything', facts: FACTS, expect: [] },
  { name: 'not asked in full', facts: { ...FACTS, [part]: SOME }, expect: [], unjudged: 'inconclusive' as const },
  {
    name: 'found, not asked in full',
    facts: { ...FACTS, [part]: SOME, flaws: [flaw(kind)] },
    expect: [id],
    unjudged: 'inconclusive' as const,
  },
  { name: 'nothing to ask', facts: { ...FACTS, [part]: NONE }, expect: [], unjudged: 'not_applicable' as const },
  {
    name: 'nobody signed in',
    facts: { ...FACTS, people: [person('ada', 3, 'its session was lost'), person('', null)] },
    ...{ expect: [], unjudged: 'not_tested' as const },
  },
]

judgeCases(objectLevel, [
  ...cases('object', 'authorization/object-level', 'objects'),
  {
    name: 'one identity',
    facts: { ...FACTS, people: [person('ada', 3), person('ben', 1, 'signing in failed'), person('', null)] },
    ...{ expect: [], unjudged: 'not_tested' },
  },
])
judgeCases(functionLevel, [
  ...cases('function', 'authorization/function-level', 'functions'),
  {
    name: 'two of one role',
    facts: { ...FACTS, people: [person('ada', 1), person('ben', 1), person('', null)] },
    ...{ expect: [], unjudged: 'not_tested' },
  },
])
judgeCases(missingAuthentication, [
  ...cases('authentication', 'authorization/missing-authentication', 'authentication'),
  { name: 'one identity is enough', facts: { ...FACTS, people: [person('ada', 3), person('', null)] }, expect: [] },
])

it('one page that is asked with a parameter more is one problem', () => {
  const flaws = ['GET /reports?since', 'GET /reports', 'GET /reports?page=all'].map((name) =>
    flaw('function', { name, url: `https://shop.test${name.slice(4)}`, parameter: null }),
  )
  const judgement = functionLevel.judge({ ...FACTS, flaws }, {} as never, {} as never)
  expect(Array.isArray(judgement) && judgement.map(({ subject }) => subject)).toEqual([
    'GET /reports',
    'GET /reports',
    'GET /reports?page=all',
  ])
})

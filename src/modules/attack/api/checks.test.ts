import { expect, test } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import { caseCrawl } from '../crawl/testing/crawl-facts.ts'
import { answeredData } from './answered-data.ts'
import { content } from './content.ts'
import type { ApiFacts, Asked } from './facts.ts'
import { graphql } from './graphql.ts'
import { massAssignment } from './mass-assignment.ts'
import { api } from './module.ts'
import { negativeQuantity } from './negative-quantity.ts'
import { oldVersion } from './old-version.ts'
import { priceAccepted } from './price-accepted.ts'
import { signInMissing } from './sign-in-missing.ts'
import { askedOf, caseApi, nothing, shown } from './testing/api-facts.ts'
import { unhandledInput } from './unhandled-input.ts'
import { userEnumeration } from './user-enumeration.ts'

type Topic = Exclude<keyof ApiFacts, 'careful' | 'tokens'>

/** Nothing there; asked and clean; a part left; nothing asked. */
const usual = (topic: Topic) => {
  const of = (asked: Asked<never>) => caseApi({ [topic]: asked })
  return [
    { name: 'nothing it applies to', facts: caseApi(), expect: [], unjudged: 'not_applicable' as const },
    { name: 'asked and clean', facts: of(askedOf<never>([])), expect: [] },
    {
      name: 'one left alone',
      facts: of({ ...nothing, known: 2, asked: 1, left: { 'left alone: it deletes': 1 } }),
      ...{ expect: [], unjudged: 'inconclusive' as const },
    },
    {
      name: 'none asked',
      facts: of({ ...nothing, known: 2, left: { 'without an answer': 2 } }),
      ...{ expect: [], unjudged: 'not_tested' as const },
    },
  ]
}

judgeCases(signInMissing, [
  ...usual('open'),
  {
    name: 'answered to nobody',
    facts: caseApi({ open: askedOf([{ ...shown, kind: 'open', status: 200, names: ['/id', '/total'] }]) }),
    expect: ['api/sign-in-missing'],
  },
  {
    name: 'the state of the service, answered to nobody',
    facts: caseApi({ open: askedOf([{ ...shown, kind: 'open', status: 200, names: ['/health'], plain: true }]) }),
    expect: ['api/sign-in-missing-state'],
  },
])

judgeCases(oldVersion, [
  ...usual('versions').slice(1),
  { name: 'facts of an older run', facts: caseApi(), ...{ expect: [], unjudged: 'not_tested' } },
  {
    name: 'nothing with a version',
    facts: caseApi({ versions: nothing }),
    ...{ expect: [], unjudged: 'not_applicable' },
  },
  {
    name: 'an older one that gives it to nobody',
    facts: caseApi({
      versions: askedOf([{ ...shown, kind: 'older', present: 'https://shop.test/v2/orders', names: ['/address'] }]),
    }),
    expect: ['api/old-version-open'],
  },
])

const data = { ...shown, mark: null, names: ['/*/password'], what: ['password hash (bcrypt)'], open: false }
judgeCases(answeredData, [
  ...usual('data'),
  {
    name: 'a hash, people and what nobody described',
    facts: caseApi({
      data: askedOf([
        { ...data, kind: 'secret' },
        { ...data, kind: 'personal', open: true, what: ['e-mail addresses', 'telephone numbers'] },
        { ...data, kind: 'undocumented', what: [] },
      ]),
    }),
    expect: ['api/secret-in-answer', 'api/personal-data', 'api/undocumented-property'],
  },
  {
    name: 'people of a field that is told of by its name',
    facts: caseApi({
      data: askedOf([{ ...data, kind: 'personal', open: true }]),
      graphql: askedOf([{ ...shown, kind: 'open-field', detail: 'users answers nobody.' }]),
    }),
    expect: [],
  },
])

test.each([
  ['of three records with names', ['oak', 'elm', 'ash'], '/*/password', 1],
  ['of two addresses', ['oak', 'elm'], '/*/password', 2],
])('what is shown alike %s', (_name, records, pointer, causes) => {
  const hits = records.map((name) => ({
    ...data,
    kind: 'secret' as const,
    url: `https://shop.test/v1/trees/${name}`,
    names: [pointer],
  }))
  const known = { crawl: caseCrawl({}) }
  const { findings } = judgeModule(api as never, caseApi({ data: askedOf(hits) }) as never, known, caseContext())
  const found = findings.filter(({ check_id }) => check_id === 'api/secret-in-answer')
  expect(found).toHaveLength(causes)
  expect(found.flatMap(({ places }) => places)).toHaveLength(records.length)
})

const less = { ...shown, kind: 'quantity', name: 'quantity', stays: false } as const
judgeCases(negativeQuantity, [
  ...usual('quantities').slice(1),
  { name: 'facts of an older run', facts: caseApi(), ...{ expect: [], unjudged: 'not_tested' } },
  {
    name: 'nothing with a quantity',
    facts: caseApi({ quantities: nothing }),
    ...{ expect: [], unjudged: 'not_applicable' },
  },
  { name: 'kept', facts: caseApi({ quantities: askedOf([less]) }), expect: ['api/negative-quantity'] },
  {
    name: 'production',
    facts: caseApi({ careful: true, quantities: { ...nothing, known: 3 } }),
    ...{ expect: [], unjudged: 'not_tested' },
  },
])

const price = { ...shown, kind: 'price', name: 'unit_price', stays: true } as const
judgeCases(priceAccepted, [
  ...usual('prices').slice(1),
  { name: 'facts of an older run', facts: caseApi(), ...{ expect: [], unjudged: 'not_tested' } },
  {
    name: 'nothing with a price',
    facts: caseApi({ prices: nothing }),
    ...{ expect: [], unjudged: 'not_applicable' },
  },
  { name: 'kept', facts: caseApi({ prices: askedOf([price]) }), expect: ['api/price-accepted'] },
  {
    name: 'production',
    facts: caseApi({ careful: true, prices: { ...nothing, known: 3 } }),
    ...{ expect: [], unjudged: 'not_tested' },
  },
])

const assigned = { ...shown, kind: 'assigned', name: 'role', by: 'read-only', stays: true } as const
judgeCases(massAssignment, [
  ...usual('assigned'),
  { name: 'it stays', facts: caseApi({ assigned: askedOf([assigned]) }), expect: ['api/mass-assignment'] },
  {
    name: 'on a production system',
    facts: caseApi({ careful: true, assigned: { ...nothing, known: 3 } }),
    ...{ expect: [], unjudged: 'not_tested' },
  },
])

test('a GraphQL interface that refuses nobody anything is not called guarded', () => {
  const verdict = graphql.judge(caseApi({ graphql: { ...askedOf([]), unguarded: 1 } }), {} as never, {} as never)
  expect(verdict).toMatchObject({ only: ['api/graphql-open-field'] })
})

const kinds = ['aliases', 'depth', 'get-mutation', 'form-type', 'trace', 'open-field'] as const
judgeCases(graphql, [
  ...usual('graphql'),
  {
    name: 'all of it',
    facts: caseApi({ graphql: askedOf(kinds.map((kind) => ({ ...shown, kind, detail: 'Seen.' }))) }),
    expect: [
      ...['api/graphql-aliases', 'api/graphql-depth', 'api/graphql-get-mutation', 'api/graphql-form-type'],
      ...['api/graphql-trace', 'api/graphql-open-field'],
    ],
  },
])

judgeCases(content, [
  ...usual('content'),
  {
    name: 'a header and a type',
    facts: caseApi({
      content: askedOf([
        { ...shown, kind: 'override', detail: 'A header decides.' },
        { ...shown, kind: 'plain-json', detail: 'Plain.' },
      ]),
    }),
    expect: ['api/method-override', 'api/json-as-text'],
  },
])

const failed = { ...shown, kind: 'unhandled', status: 500, input: 'half a document', parameter: 'the body' } as const
judgeCases(unhandledInput, [
  ...usual('failed'),
  { name: 'it fails', facts: caseApi({ failed: askedOf([failed]) }), expect: ['api/unhandled-input'] },
  {
    name: 'two of facts that name no handler',
    facts: caseApi({ failed: askedOf([{ ...failed }, { ...failed }]) }),
    expect: ['api/unhandled-input', 'api/unhandled-input'],
  },
  {
    name: 'three of which one handler answers two',
    facts: caseApi({
      failed: askedOf([
        { ...failed, handler: '500 application/json /error' },
        { ...failed, handler: '500 text/html html body' },
        { ...failed, url: 'https://shop.test/v1/tags', handler: '500 application/json /error' },
      ]),
    }),
    expect: ['api/unhandled-input', 'api/unhandled-input'],
  },
])

judgeCases(userEnumeration, [
  ...usual('accounts'),
  {
    name: 'by words and by time',
    facts: caseApi({
      accounts: askedOf([
        { ...shown, kind: 'answer', detail: 'Other words.' },
        { ...shown, kind: 'time', detail: 'Longer.' },
      ]),
    }),
    expect: ['api/user-enumeration', 'api/user-enumeration-time'],
  },
  {
    name: 'by words, and times that would not tell',
    facts: caseApi({
      accounts: askedOf([
        { ...shown, kind: 'answer', detail: 'Other words.' },
        { ...shown, kind: 'unsure', detail: 'Longer.' },
      ]),
    }),
    ...{ expect: ['api/user-enumeration'], unjudged: 'inconclusive' as const },
  },
])

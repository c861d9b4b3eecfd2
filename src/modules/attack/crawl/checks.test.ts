import { expect, it } from 'vitest'
import { judgeCases } from '../../testing/judge-cases.ts'
import { apiDescription } from './api-description.ts'
import { graphqlIntrospection } from './graphql-introspection.ts'
import { passwordInAddress } from './password-in-address.ts'
import { sessionAccepted } from './session-accepted.ts'
import { crawlTables } from './tables.ts'
import { caseCrawl, caseRequest } from './testing/crawl-facts.ts'

const session = (state: 'live' | 'lost' | 'unproven') =>
  caseCrawl({
    session: {
      state,
      canary: 'https://shop.test/account',
      withThem: 'status 200',
      withoutThem: 'status 303',
      proofs: 2,
      doubtful: [],
    },
  })

judgeCases(sessionAccepted, [
  { name: 'nothing differs', facts: session('unproven'), expect: ['crawl/session-not-accepted'] },
  { name: 'proven', facts: session('live'), expect: [] },
  { name: 'lost on the way', facts: session('lost'), expect: [], unjudged: 'not_tested' },
  { name: 'no credentials', facts: caseCrawl(), expect: [], unjudged: 'not_applicable' },
])

const graphql = {
  url: 'https://shop.test/graphql',
  introspection: false,
  suggestion: null,
  types: 0,
  queries: [],
  mutations: [],
  excerpt: '{"errors":[{"message":"Did you mean \\"__typename\\"?"}]}',
}

judgeCases(graphqlIntrospection, [
  {
    name: 'schema given',
    facts: caseCrawl({ graphql: [{ ...graphql, introspection: true, types: 4 }] }),
    expect: ['crawl/graphql-introspection'],
  },
  {
    name: 'names suggested',
    facts: caseCrawl({ graphql: [{ ...graphql, suggestion: 'Did you mean "__typename"?' }] }),
    expect: ['crawl/graphql-suggestions'],
  },
  { name: 'tells nothing', facts: caseCrawl({ graphql: [graphql] }), expect: [] },
  { name: 'no GraphQL', facts: caseCrawl(), expect: [], unjudged: 'not_applicable' },
])

judgeCases(apiDescription, [
  {
    name: 'public document',
    facts: caseCrawl({
      apis: [
        {
          url: 'https://shop.test/openapi.json',
          kind: 'OpenAPI 3.0.3',
          title: 'Shop',
          operations: 3,
          excerpt: '{"openapi":"3.0.3"',
        },
      ],
    }),
    expect: ['crawl/api-description'],
  },
  { name: 'none', facts: caseCrawl(), expect: [] },
])

it('tables say how far the crawl came and what takes values', () => {
  const request = caseRequest({ shape: 'https://shop.test/s?q', sent: false, harm: null })
  const [reach, requests] = crawlTables(
    caseCrawl({
      requests: [request],
      points: [{ id: 'a', request: request.id, place: 'query', name: 'q', example: '1' }],
      leftOut: { 'it deletes': 2 },
      cut: 'its share of the time was used up',
    }),
  )
  expect(reach?.rows).toContainEqual(['Left out: it deletes', '2'])
  expect(reach?.rows).toContainEqual(['Ended early', 'its share of the time was used up'])
  expect(requests?.rows).toEqual([['GET', 'https://shop.test/s?q', 'q', 'no']])
})

const asking = (path: string, change: Partial<Parameters<typeof caseRequest>[0]> = {}) =>
  caseCrawl({ requests: [caseRequest({ url: `https://shop.test${path}`, source: 'script', ...change })] })

judgeCases(passwordInAddress, [
  { name: 'no script asks for anything', facts: caseCrawl(), ...{ expect: [], unjudged: 'not_applicable' } },
  {
    name: 'named',
    facts: asking('/rest/login?email=a&password=test'),
    expect: ['crawl/password-in-address'],
  },
  {
    name: 'its path says what is changed',
    facts: asking('/user/change-password?current=&new=&repeat=', { harm: 'it sets a password', sent: false }),
    expect: ['crawl/password-in-address'],
  },
  { name: 'in a body', facts: asking('/rest/login', { method: 'POST', body: '{"password":"test"}' }), expect: [] },
  {
    name: 'a form, which another check is about',
    facts: caseCrawl({
      requests: [
        caseRequest({ url: 'https://shop.test/x?q=a', source: 'script' }),
        caseRequest({ url: 'https://shop.test/login?password=a', source: 'form' }),
      ],
    }),
    expect: [],
  },
  {
    name: 'a form that a script has drawn, and nobody sent',
    facts: caseCrawl({
      requests: [
        caseRequest({ url: 'https://shop.test/x?q=a', source: 'browser', sent: true }),
        caseRequest({ url: 'https://shop.test/login?password=a', source: 'browser', sent: false }),
      ],
    }),
    expect: [],
  },
  {
    name: 'a page has sent it',
    facts: asking('/login?password=a', { source: 'browser', sent: true }),
    expect: ['crawl/password-in-address'],
  },
  { name: 'words that mean something else', facts: asking('/products?new=1&current=2&passage=3'), expect: [] },
  {
    name: 'the crawl ended early',
    facts: { ...asking('/x?q=a'), cut: 'time' },
    ...{ expect: [], unjudged: 'inconclusive' },
  },
])

import { expect, it } from 'vitest'
import { judgeCases } from '../../testing/judge-cases.ts'
import { apiDescription } from './api-description.ts'
import { graphqlIntrospection } from './graphql-introspection.ts'
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

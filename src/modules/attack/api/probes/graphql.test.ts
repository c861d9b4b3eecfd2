import { afterEach, describe, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import type { GraphqlFacts } from '../../crawl/facts.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import type { GraphqlHit } from '../facts.ts'
import type { Target } from '../operations.ts'
import { graphqlWork } from './graphql.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const named = (name: string, kind = 'OBJECT') => ({ kind, name })
const SCHEMA = {
  __schema: {
    queryType: { name: 'Query' },
    types: [
      { ...named('Query'), fields: [{ name: 'users', args: [], type: { kind: 'LIST', ofType: named('User') } }] },
      {
        ...named('User'),
        fields: [
          { name: 'name', args: [], type: named('String', 'SCALAR') },
          { name: 'friend', args: [], type: named('User') },
        ],
      },
      named('String', 'SCALAR'),
    ],
  },
}
const REFUSED = { errors: [{ message: 'not allowed' }] }

interface Manner {
  readonly careful: boolean
}
/** A server as far as it is asked; a careful one bounds, and takes what it should alone. */
const answerTo = (
  { careful }: Manner,
  method: string,
  type: string,
  query: string,
  known: boolean,
  found: boolean,
): object => {
  if (careful && (method !== 'POST' || type !== 'application/json')) return REFUSED
  if (query.includes('__schema')) return careful ? REFUSED : { data: SCHEMA }
  if (query.includes('@include')) return careful ? REFUSED : { data: {} }
  const aliases = [...query.matchAll(/(a\d+):__typename/g)].map(([, name = '']) => [name, 'Query'])
  if (aliases.length > 0) return careful ? REFUSED : { data: Object.fromEntries(aliases) }
  if (query === 'mutation{__typename}') return { data: { __typename: 'Mutation' } }
  if (query === '{__typename}') return { data: { __typename: 'Query' } }
  if (query.includes('me')) return known ? { data: { me: { name: 'Nora' } } } : { data: { me: null }, ...REFUSED }
  if (query.includes('guests')) return { data: { guests: found ? [] : [{ email: 'ida.berg@post.example' }] } }
  if (query.includes('users'))
    return known || !careful
      ? { data: { users: [{ email: 'ida.berg@post.example' }] } }
      : { data: { users: null }, ...REFUSED }
  return {
    errors: [careful ? { message: 'invalid' } : { message: 'no', extensions: { exception: { stacktrace: ['at x'] } } }],
  }
}

let last = 60
const ask = async (
  manner: Manner,
  introspection = true,
  who: Parameters<typeof collectContext>[1] = { cookie: 'session=1' },
  fields = ['me', 'users'],
  unguarded: (url: string) => void = () => undefined,
): Promise<readonly GraphqlHit[]> => {
  last += 1
  const site = await serveCase(last, {
    http: async (request, response) => {
      const url = new URL(request.url ?? '/', 'http://shop.test')
      const type = request.headers['content-type'] ?? ''
      let body = ''
      for await (const chunk of request) body += chunk
      const sent = type.includes('urlencoded')
        ? new URLSearchParams(body).get('query')
        : /"query":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1]
      const query = url.searchParams.get('query') ?? sent ?? ''
      const known = /session=1/.test(`${request.headers.cookie} ${request.headers.authorization}`)
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(
          JSON.stringify(answerTo(manner, request.method ?? '', type, query, known, /"variables":\{"city"/.test(body))),
        )
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', ...who })
  cleanups.push(close)
  const url = 'http://shop.test/graphql'
  const targets = fields.map(
    (name): Target => ({
      request: caseRequest({
        id: name,
        method: 'POST',
        url,
        encoding: 'json',
        body: JSON.stringify(
          name === 'guests'
            ? { query: 'query ($city: String) { guests(city: $city) { email } }', variables: { city: 'test' } }
            : { query: `query { ${name} { email } }` },
        ),
      }),
      operation: { method: 'POST', path: '/graphql', name: `query.${name}`, request: name, status: 200 },
    }),
  )
  const facts: GraphqlFacts = {
    ...{ url, introspection, suggestion: null, types: 2, queries: ['me', 'users'], mutations: ['rename'], excerpt: '' },
  }
  const found: GraphqlHit[] = []
  await graphqlWork(ctx, targets, { flat: () => undefined, unguarded })(facts, (hit) => void found.push(hit))
  return found
}

describe('a GraphQL interface', () => {
  it('without bounds is told of in each way', async () => {
    const found = await ask({ careful: false })
    expect(found.map(({ kind }) => kind)).toEqual([
      ...['aliases', 'depth', 'get-mutation', 'form-type', 'trace', 'open-field'],
    ])
    const [, depth] = found
    expect(depth?.excerpt).toContain('users @include(if: false) { friend { friend {')
    expect(found.at(-1)?.detail).toBe('users answers nobody with e-mail addresses, while me asks who it is.')
    expect(JSON.stringify(found)).not.toContain('ida.berg')
    for (const { excerpt, mark } of found) if (mark !== null) expect(excerpt).toContain(mark)
  })

  it('whose session is in a header is sent nothing in a visitor’s name by a form', async () => {
    const found = await ask({ careful: false }, true, { header: 'Authorization: session=1' })
    expect(found.map(({ kind }) => kind)).toEqual(['aliases', 'depth', 'get-mutation', 'trace', 'open-field'])
  })

  it.each([
    ['people, and refuses nobody anything', ['users'], 1],
    ['people, whom a value that was made up does not find', ['guests'], 1],
    ['people, and asks who it is elsewhere', ['me', 'users'], 0],
    ['nothing', ['me'], 0],
  ])('whose fields answer nobody with %s is told of', async (_name, fields, count) => {
    const told: string[] = []
    await ask({ careful: false }, true, { cookie: 'session=1' }, fields, (url) => void told.push(url))
    expect(told).toHaveLength(count)
  })

  it('that bounds what it takes is silent', async () => {
    expect(await ask({ careful: true })).toEqual([])
  })
})

/** A GraphQL interface that does not describe itself, and the scripts of its client. */
import { afterEach, expect, it } from 'vitest'
import { type Answer, closeCrawled, crawl, json, type Pages } from './testing/crawling.ts'

afterEach(closeCrawled)

const script = (body: string): Answer => ({ type: 'text/javascript', body })
const refusal = (...messages: readonly string[]): Answer => json({ errors: messages.map((message) => ({ message })) })

/** As graphql-js words it. */
const answered = (body: string): Answer => {
  if (body === '') return { status: 405 }
  const { query = '', variables = {} } = JSON.parse(body) as { query?: string; variables?: Record<string, unknown> }
  if (query.includes('__schema')) return refusal('GraphQL introspection has been disabled')
  if (query === '{__typename}') return json({ data: { __typename: 'Query' } })
  if (query.includes('stray')) return refusal('Cannot query field "stray" on type "Query".')
  if (query.includes('addNote')) {
    const input = variables.input as Record<string, unknown>
    if (typeof input.item !== 'number')
      return refusal(
        'Variable "$input" got invalid value "1" at "input.item"; Int cannot represent non-integer value: "1"',
      )
    if (input.kind === undefined)
      return refusal(
        'Variable "$input" got invalid value { item: 1 }; Field "kind" of required type "String!" was not provided.',
      )
  }
  return query.includes('@skip') ? json({ data: {} }) : json({ data: { items: [{ id: 'i7', name: 'lamp' }] } })
}

const site = (sent: string[]): Pages => ({
  '/': '<script type=module src=/main.js></script>',
  '/main.js': script(
    `import{A as q,B as m}from"./documents.js";c.request(q,{term:t,first:10});const s=async e=>{await c.request(m,{input:{item:p.id,text:e}})};const z=g\`query Stray { stray { id } }\``,
  ),
  '/documents.js': script(
    'const f=g`fragment Row on Item { id name }`,A=g`query Find($term: String!, $first: Int, $open: Boolean) { items(term: $term, first: $first) { ...Row } } $' +
      '{f}`,B=g`mutation Add($input: NoteInput!) { addNote(input: $input) { id } }`;export{A,B}',
  ),
  '/graphql': (_request, body) => {
    sent.push(body)
    return answered(body)
  },
})

const documentsOf = (facts: Awaited<ReturnType<typeof crawl>>['facts']) =>
  facts.requests.flatMap(({ body }) => {
    const { operationName, variables } = JSON.parse(body ?? '{}') as { operationName?: string; variables?: unknown }
    return operationName === undefined ? [] : [[operationName, variables]]
  })

it('asks what its documents name, with the variables that it takes', async () => {
  const sent: string[] = []
  const { facts } = await crawl(site(sent), {}, 'test')
  expect(documentsOf(facts)).toEqual([
    ['Find', { term: expect.anything(), first: 10 }],
    ['Add', { input: { item: 1, text: expect.anything(), kind: expect.anything() } }],
  ])
  const places = facts.points.filter(({ place }) => place === 'json').map(({ name }) => name)
  expect(places).toEqual(expect.arrayContaining(['/variables/term', '/variables/input/text', '/variables/input/kind']))
  expect(sent.some((body) => body.includes('fragment Row on Item'))).toBe(true)
})

it('does not even say to skip what the policy never sends', async () => {
  const sent: string[] = []
  const pages = {
    ...site(sent),
    '/documents.js': script(
      'const D=g`mutation Leave { deleteAccount { id } }`,A=g`query All { items { id } }`;export{D,A}',
    ),
  }
  const { facts } = await crawl(pages, {}, 'test')
  expect(sent.some((body) => body.includes('query All'))).toBe(true)
  expect(sent.filter((body) => body.includes('deleteAccount'))).toEqual([])
  expect(facts.requests.map(({ body, harm }) => [body?.includes('deleteAccount'), harm])).toContainEqual([
    true,
    expect.any(String),
  ])
})

it('lists mutations of a production system, and sends none', async () => {
  const sent: string[] = []
  const { facts } = await crawl(site(sent))
  expect(documentsOf(facts).map(([name]) => name)).toContain('Find')
  expect(sent.filter((body) => body.includes('addNote'))).toEqual([])
})

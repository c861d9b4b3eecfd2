import { expect, it } from 'vitest'
import { definitionsIn, literalsIn, withFieldsSkipped, withLiteral } from './document.ts'
import { textOfType } from './schema.ts'

it.each([
  [
    'query Find($term: String!, $ids: [ID!]! = ["a"], $by: Order = {field: "x"}) { find(term: $term) { ...Card ... on Node { id } } }',
    ['query', 'Find', ['term: String!', 'ids: [ID!]! =', 'by: Order ='], ['Card']],
  ],
  ['{ shop { name } }', ['query', '', [], []]],
  ['# of the shop\nmutation($a: Int) { set(a: $a, note: "}") { id } }', ['mutation', '', ['a: Int'], []]],
  ['fragment Card on Product { id maker { ...Maker } }', ['fragment', 'Card', [], ['Maker']]],
])('reads %s', (text, expected) => {
  const [one] = definitionsIn(text)
  const variables = one?.variables.map(({ name, type, given }) => `${name}: ${textOfType(type)}${given ? ' =' : ''}`)
  expect([one?.kind, one?.name, variables, one?.spreads]).toEqual(expected)
})

it('takes several definitions of one text apart', () => {
  const found = definitionsIn('query A { a { ...F } } fragment F on T { x }')
  expect(found.map(({ text }) => text)).toEqual(['query A { a { ...F } }', 'fragment F on T { x }'])
})

it.each(['query of the user', 'query A { a', 'SELECT {', '{"query": "x"}', '{ color: red; }', 'fragment shader; {'])(
  'takes %s for no document',
  (text) => {
    expect(definitionsIn(text)).toEqual([])
  },
)

const TOP =
  'query T($n: Int = 3) @cache(key: "k") { best: top(by: "price", limit: 4, of: {shop: {city: "x"}, tags: ["a", "b"]}) @skip(if: false) { id } two: top(by: """name""") { id(as: "z") } }'

it('finds the values that stand in a document, and none of variables and directives', () => {
  expect(literalsIn(TOP).map(({ path, value }) => [path, value])).toEqual([
    ['top.by', 'price'],
    ['top.limit', '4'],
    ['top.of.shop.city', 'x'],
    ['top.of.tags', 'a'],
    ['top.of.tags#2', 'b'],
    ['top.by#2', 'name'],
    ['id.as', 'z'],
  ])
})

it('puts another value there', () => {
  expect(withLiteral(TOP, 'top.by', `it's "so" \\`)).toContain(String.raw`top(by: "it's \"so\" \\", limit: 4`)
  expect(withLiteral(TOP, 'top.limit', '12')).toContain('limit: 12,')
  expect(withLiteral(TOP, 'top.limit', "4' or 1")).toContain(`limit: "4' or 1",`)
  expect(withLiteral(TOP, 'top.by#2', 'x')).toContain('two: top(by: "x")')
  expect(withLiteral(TOP, 'top.none', 'x')).toBeNull()
})

it.each([
  [
    'mutation Add($i: In!) { add(input: $i) { id } }',
    'mutation Add($i: In!) { add(input: $i) @skip(if: true) { id } }',
  ],
  [
    'query { me { id } best: top(n: 1) @include(if: $all) { id } count }',
    'query { me @skip(if: true) { id } best: top(n: 1) @skip(if: true) @include(if: $all) { id } count @skip(if: true) }',
  ],
  ['query { ...Root } fragment Root on Query { me { id } }', null],
])('skips what %s asks for', (text, expected) => {
  expect(withFieldsSkipped(text)).toBe(expected)
})

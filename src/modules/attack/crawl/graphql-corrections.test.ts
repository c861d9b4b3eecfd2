import { expect, it } from 'vitest'
import { corrected } from './graphql-corrections.ts'

it.each<[string, object, string, object | null]>([
  [
    'a number',
    { first: 'ten' },
    'Variable "$first" got invalid value "ten"; Int cannot represent non-integer value: "ten"',
    { first: 1 },
  ],
  [
    'a member that is missing',
    { input: { a: 1 } },
    'Variable "$input" got invalid value {}; Field "kind" of required type "String!" was not provided.',
    { input: { a: 1, kind: 'test' } },
  ],
  ['nothing that is understood', { a: 1 }, 'No such luck', null],
  [
    'a place that is none',
    { tags: ['a'] },
    'Variable "$tags" got invalid value 1 at "tags[999999]"; Int cannot represent it',
    { tags: ['a'] },
  ],
  [
    'what belongs to every object',
    { input: {} },
    'Variable "$input" got invalid value 1 at "input.__proto__.polluted"; Int cannot represent it',
    { input: JSON.parse('{"__proto__": {"polluted": 1}}') },
  ],
])('follows %s', (_name, variables, message, expected) => {
  expect(corrected({ ...variables }, [message])).toEqual(expected)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

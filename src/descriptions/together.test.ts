import { expect, it } from 'vitest'
import { readDescriptions } from './read.ts'
import { together } from './together.ts'

const OPTIONS = { path: null, host: null, foundAt: null }

it('several documents are one, and what is too much of them is refused', () => {
  const note = 'x'.repeat(19_000)
  const post = { requestBody: { content: { 'text/plain': { example: note } } } }
  const paths = Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`/p${at}`, { $ref: '#/components/x' }]))
  const large = { openapi: '3.0.0', info: { title: 'Large' }, paths, components: { x: { post } } }
  const small = { swagger: '2.0', paths: { '/a': { get: {} } } }
  const files = [large, small].map((one, at) => ({ name: `${at}.json`, text: JSON.stringify(one) }))
  const found = together(readDescriptions(files, OPTIONS))
  expect(found).toMatchObject({ kind: 'OpenAPI 3.0.0, Swagger 2.0', title: 'Large', described: 1_201 })
  expect(found.operations.length + found.refused.length).toBe(1_201)
  expect(found.refused.at(-1)).toEqual({
    ...{ where: 'GET /a', line: null, reason: 'its requests are larger than 20 MiB together' },
  })
})

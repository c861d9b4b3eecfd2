import { expect, it } from 'vitest'
import type { Context } from '../facts.ts'
import { payloadsFor } from './storage.ts'

const first = (context: Partial<Context>, isDrawn = false): readonly string[] =>
  payloadsFor({ kind: 'text', tag: 'p', attribute: null, quote: '', ...context }, 123_456, isDrawn)
    .slice(0, 2)
    .map(({ payload }) => payload)

it('stores first what encoded markup does not stop', () => {
  const [address, element] = first({ kind: 'url', tag: 'a', attribute: 'href', quote: '"' })
  expect(address).toMatch(/^javascript:/)
  expect(element).toMatch(/^"></)
  expect(first({ kind: 'script', tag: 'script', quote: "'" })[0]).not.toContain('<')
  expect(first({})[0]).toMatch(/^</)
  expect(first({}, true)[0]).toMatch(/^<img/)
})

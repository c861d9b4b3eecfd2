import { expect, test } from 'vitest'
import { BUNDLED } from './bundled.ts'

test('every feed has a version that a person can look up', () => {
  expect(BUNDLED).toEqual({
    'root certificates': expect.stringMatching(/^Mozilla store of Node \d+\.\d+\.\d+$/),
    'public suffix list': expect.stringMatching(/^tldts \d+\.\d+\.\d+$/),
    'CSP bypasses': expect.stringMatching(/^csp_evaluator \d+\.\d+\.\d+$/),
  })
})

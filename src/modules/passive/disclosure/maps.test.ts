import { expect, it } from 'vitest'
import { parseMap } from './maps.ts'

it('keeps sources of the site before those of its libraries', () => {
  const library = 'l'.repeat(200_000)
  const map = {
    version: 3,
    sources: ['../node_modules/vue/index.js', '../node_modules/router/index.js', '../src/api.js', '../src/none.js'],
    sourcesContent: [library, library, 'export const own = 1', null],
  }
  const read = parseMap(JSON.stringify(map), 'http://shop.test/a.js', 'http://shop.test/a.js.map')
  expect(read?.sources[0]).toBe('../src/api.js')
  expect(read?.withContent).toBe(3)
  expect(read?.text.slice(0, 20)).toBe('export const own = 1')
})

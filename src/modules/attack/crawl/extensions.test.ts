import { expect, it } from 'vitest'
import { createFrontier } from './frontier.ts'
import { scopeOf } from './scope.ts'

const ORIGIN = 'https://shop.test'

it('what an extension has files for comes before what lies as near', () => {
  const frontier = createFrontier(scopeOf({ host: 'shop.test', port: null }))
  const add = (path: string, depth: number) => frontier.add(`${ORIGIN}${path}`, depth, 'link', null)
  for (const path of ['/desk/posts', '/desk/tools?page=seat-plan-lists', '/desk/users']) add(path, 2)
  frontier.sawFolder(`${ORIGIN}/content/plugins/seat-plan/js/`)
  add('/desk/tools?page=seat-plan', 3)
  add('/news', 1)
  expect(Array.from({ length: 5 }, () => frontier.next()?.url.slice(ORIGIN.length))).toEqual([
    '/desk/tools?page=seat-plan-lists',
    '/news',
    '/desk/tools?page=seat-plan',
    '/desk/posts',
    '/desk/users',
  ])
})

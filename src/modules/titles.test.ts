import { expect, it } from 'vitest'
import { MODULES } from './index.ts'
import { MODULE_TITLES } from './titles.ts'

it('titles are those of the modules', () => {
  expect(MODULE_TITLES).toEqual(Object.fromEntries(MODULES.map(({ id, title }) => [id, title])))
})

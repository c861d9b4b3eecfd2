/** In which order `./test` asks its files. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { HOME } from './support/imports.ts'
import { LONGEST, LongestFirst } from './support/sequence.ts'

test('what the list names is there', () => {
  expect(LONGEST.filter((file) => !existsSync(join(HOME, file)))).toEqual([])
})

test('whole runs come before what only reckons, and the longest of either first', async () => {
  const [longest = '', second = '', third = ''] = LONGEST
  const file = (project: string, path: string) =>
    ({
      project: { name: project, config: { isolate: project === 'alone', sequence: { groupOrder: 0 } } },
      moduleId: join(HOME, path),
    }) as unknown as TestSpecification
  const files = [
    file('shared', 'src/a.test.ts'),
    file('shared', third),
    file('whole', second),
    file('whole', 'tests/a.test.ts'),
    file('whole', longest),
    file('alone', 'src/b.test.ts'),
  ]
  const vitest = { config: { root: join(HOME, '.') }, cache: { getTestSpecificationResult: () => undefined } }
  const sorted = await new LongestFirst(vitest as unknown as Vitest).sort(files)
  expect(sorted.map(({ moduleId }) => moduleId.slice(HOME.length))).toEqual([
    'src/b.test.ts',
    longest,
    second,
    'tests/a.test.ts',
    third,
    'src/a.test.ts',
  ])
})

/** In which order `./test` asks its files. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { HOME } from './support/imports.ts'
import { LONGEST, LongestFirst, WAITING } from './support/sequence.ts'

test('what the list names is there', () => {
  expect([...LONGEST, ...WAITING].filter((file) => !existsSync(join(HOME, file)))).toEqual([])
})

const file = (project: string, path: string) =>
  ({
    project: { name: project, config: { isolate: project === 'alone', sequence: { groupOrder: 0 } } },
    moduleId: join(HOME, path),
  }) as unknown as TestSpecification

const sort = async (files: TestSpecification[]): Promise<readonly string[]> => {
  const vitest = { config: { root: join(HOME, '.') }, cache: { getTestSpecificationResult: () => undefined } }
  const sorted = await new LongestFirst(vitest as unknown as Vitest).sort(files)
  return sorted.map(({ moduleId }) => moduleId.slice(HOME.length))
}

test('whole runs come before what only reckons, and the longest of either first', async () => {
  const [longest = '', second = '', third = ''] = LONGEST
  const files = [
    file('shared', 'src/a.test.ts'),
    file('shared', third),
    file('whole', second),
    file('whole', 'tests/a.test.ts'),
    file('whole', longest),
    file('alone', 'src/b.test.ts'),
  ]
  expect(await sort(files)).toEqual(['src/b.test.ts', longest, second, 'tests/a.test.ts', third, 'src/a.test.ts'])
})

test('of what waits two begin, and each other one has files beside it that do not', async () => {
  const [first = '', second = '', third = '', fourth = ''] = WAITING
  const others = Array.from({ length: 12 }, (_, index) => `src/${String(index).padStart(2, '0')}.test.ts`)
  const files = [...others, fourth, third, second, first].map((path) => file('shared', path))
  expect(await sort([file('whole', 'tests/a.test.ts'), ...files])).toEqual([
    'tests/a.test.ts',
    first,
    second,
    ...others.slice(0, 10),
    third,
    ...others.slice(10),
    fourth,
  ])
})

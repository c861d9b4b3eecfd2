import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VARIABLES } from './config.ts'
import { HOME } from './version.ts'

test('docs/operations.md lists exactly the settings that there are', () => {
  const text = readFileSync(new URL('docs/operations.md', HOME), 'utf8')
  const listed = [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1])
  expect(listed).toEqual(Object.keys(VARIABLES))
})

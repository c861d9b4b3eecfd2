/** The index of decisions by theme names each of them once. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOLDER = new URL('../docs/decisions/', import.meta.url)

test('every decision stands in the index once', () => {
  const files = readdirSync(FOLDER).filter((name) => /^\d{4}-/.test(name))
  const index = readFileSync(new URL('README.md', FOLDER), 'utf8')
  const named = [...index.matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(files.toSorted())
  expect(files.length).toBeGreaterThan(100)
})

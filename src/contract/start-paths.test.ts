import { expect, test } from 'vitest'
import { MOST_START_PATHS, StartPath, StartPaths } from './start-paths.ts'

test.each([
  ['a folder', '/wiki/', true],
  ['a page with a query', '/index.php?page=home', true],
  ['a percent-encoded name', '/b%C3%BCcher/', true],
  ['the start page, which is looked at anyway', '/', false],
  ['a path without its slash', 'wiki/', false],
  ['another host', '//other.example/wiki', false],
  ['another host, as browsers read it', '/\\other.example/wiki', false],
  ['an address', 'https://shop.example/wiki/', false],
  ['a way up', '/wiki/../admin/', false],
  ['a way up, encoded', '/wiki/%2e%2e/admin/', false],
  ['a fragment', '/wiki/#top', false],
  ['a space', '/my wiki/', false],
  ['a line end', '/wiki/\r\nHost:x', false],
  ['more than 500 characters', `/${'a'.repeat(500)}`, false],
])('of start paths, %s is one: %s %s', (_what, path, isOne) => {
  expect(StartPath.safeParse(path).success).toBe(isOne)
})

test('of them there are few', () => {
  const many = Array.from({ length: MOST_START_PATHS + 1 }, (_, n) => `/${n}/`)
  expect(StartPaths.safeParse(many).success).toBe(false)
  expect(StartPaths.safeParse(many.slice(1)).success).toBe(true)
})

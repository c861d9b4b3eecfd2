import { expect, test } from 'vitest'
import { isFailing } from './asking.ts'

test.each([
  ['errors alone, where there were answers', [200], [500, 500], true, true],
  ['silence of a site that answers nobody any more', [200], [0], false, true],
  ['silence of one that answers others, as where the session has ended', [200, 200], [0, 0], true, false],
  ['errors that were there before', [500], [500], true, false],
  ['an answer beside an error', [200, 200], [500, 404], true, false],
] as const)('a site that a property broke is told by %s', async (_name, before, after, alive, failing) => {
  const statuses = (all: readonly number[]) => all.map((status) => ({ status }))
  expect(await isFailing(statuses(before), statuses(after), async () => alive)).toBe(failing)
})

import { expect, it } from 'vitest'
import { RunFailed, tellFailure } from './failures.ts'

it.each([
  ['target_unresolvable', 'info'],
  ['auth_rejected', 'info'],
  ['storage_failed', 'error'],
  ['internal', 'error'],
] as const)('a run that ends as %s is told in the log as %s', (kind, expected) => {
  const told: (readonly [string, object])[] = []
  const logger = {
    info: (about: object) => told.push(['info', about]),
    error: (about: object) => told.push(['error', about]),
  }
  const cause = new Error('why')
  tellFailure(logger, 'run', new RunFailed(kind, 'In words.', { cause }), cause)
  expect(told).toEqual([[expected, expect.objectContaining({ run: 'run', kind })]])
  // Where it was noticed helps whoever mends a fault of ours, and nobody else.
  expect('err' in (told[0]?.[1] ?? {})).toBe(expected === 'error')
})

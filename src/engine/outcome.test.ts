import { expect, test } from 'vitest'
import { EgressError } from '../egress/door/egress.ts'
import { ModuleEnding } from '../modules/endings.ts'
import { headers } from '../modules/passive/headers/module.ts'
import { coverageWithoutFacts } from './coverage.ts'
import { endingOf, skippedFor } from './outcome.ts'

const spent = { duration_ms: 0, requests: 0 }
const became = (error: unknown) => {
  const lines = coverageWithoutFacts(headers, { ...endingOf(error, undefined), ...spent })
  return [...new Set(lines.map(({ state, reason }) => `${state}: ${reason}`))]
}

test.each([
  [
    'descriptors ran out',
    new EgressError('exhausted', 'no descriptors left'),
    'inconclusive: the module failed: no descriptors left',
  ],
  ['the target did not answer', new EgressError('timeout', 'no answer'), 'not_tested: the module failed: no answer'],
  ['the target keeps it out', new ModuleEnding('blocked', 'a wall'), 'blocked: a wall'],
])('%s', (_trick, error, expected) => {
  expect(became(error)).toEqual([expected])
})

const skipped = (id: string, reason: string) => ({ id, outcome: { state: 'skipped' as const, reason, ...spent } })

test('one reason for all that it builds on is its own reason', () => {
  expect(skippedFor([skipped('crawl', 'no website'), skipped('waf', 'no website')]).reason).toBe('no website')
  expect(skippedFor([skipped('crawl', 'no website'), skipped('waf', 'another')]).reason).toMatch(/^it builds on crawl/)
  const failed = { id: 'dns', outcome: { state: 'failed' as const, reason: 'no website', ...spent } }
  expect(skippedFor([skipped('crawl', 'no website'), failed]).reason).toMatch(/dns, which failed$/)
})

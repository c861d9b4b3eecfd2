/** What tells of a run at work is gathered; what it comes to is kept at once, and in its order. */
import { expect, test } from 'vitest'
import { silentLogger } from '../../tests/support/worker.ts'
import type { Phase } from '../contract/run.ts'
import { createInbox, type Sink } from './inbox.ts'

const keeping = () => {
  const kept: string[] = []
  const sink: Sink = {
    progress: async ({ phase, progress }) => void kept.push(`${phase} ${progress}`),
    audit: async (entries) => void kept.push(`${entries.length} lines`),
    evidence: async ({ id }) => void kept.push(id),
    found: async ({ module }) => void kept.push(`${module} so far`),
    module: async ({ module }) => void kept.push(module),
    token: async () => void kept.push('token'),
    fault: async () => void kept.push('fault'),
  }
  return { kept, inbox: createInbox('r', sink, (error) => expect.fail(String(error)), silentLogger()) }
}
const progress = (phase: Phase, at: number) => ({ ...{ type: 'progress' as const, detail: '' }, phase, progress: at })
const line = { type: 'audit' as const, entries: [{ ts: '2026-11-25T12:00:00.000Z', module: 'site', event: 'request' }] }
const site = {
  ...{ type: 'module' as const, module: 'site', facts: {}, findings: [], coverage: [] },
  outcome: { state: 'completed' as const, reason: null, duration_ms: 1, requests: 1 },
}

test('steps and lines that come together are kept together: the last step, and all lines', async () => {
  const { kept, inbox } = keeping()
  for (let at = 1; at <= 5; at += 1) {
    inbox.push(progress('passive', at))
    inbox.push(line)
  }
  expect(kept).toEqual([])
  await inbox.settled()
  expect(kept).toEqual(['passive 5', '5 lines'])
})

test('each phase is told of, however short it was', async () => {
  const { kept, inbox } = keeping()
  inbox.push(progress('discover', 2))
  inbox.push(line)
  inbox.push(progress('passive', 4))
  inbox.push(line)
  inbox.push(progress('passive', 5))
  await inbox.settled()
  expect(kept.filter((one) => !one.endsWith('lines'))).toEqual(['discover 2', 'passive 5'])
})

test('what a module comes to is waited for by nobody, and keeps its place', async () => {
  const { kept, inbox } = keeping()
  inbox.push(line)
  inbox.push(site)
  inbox.push(line)
  inbox.push(progress('active', 9))
  await inbox.settled()
  expect(kept).toEqual(['1 lines', 'site', '1 lines', 'active 9'])
})

test('what nothing follows is kept by itself', async () => {
  const { kept, inbox } = keeping()
  inbox.push(line)
  await expect.poll(() => kept).toEqual(['1 lines'])
})

/** What tells of a run at work is gathered; what it comes to is kept at once, and in its order. */
import { expect, test } from 'vitest'
import { silentLogger } from '../../tests/support/worker.ts'
import type { Phase } from '../contract/run.ts'
import { Unstorable } from './failures.ts'
import { createInbox, type Sink } from './inbox.ts'

const keeping = (more: (kept: string[], one: Sink) => Partial<Sink> = () => ({})) => {
  const kept: string[] = []
  const one: Sink = {
    progress: async ({ phase, progress }) => void kept.push(`${phase} ${progress}`),
    audit: async (entries) => void kept.push(`${entries.length} lines`),
    evidence: async (files) => void kept.push(files.map(({ id }) => id).join(' and ')),
    found: async ({ module }) => void kept.push(`${module} so far`),
    module: async ({ module }) => void kept.push(module),
    token: async () => void kept.push('token'),
    fault: async () => void kept.push('fault'),
  }
  const sink = { ...one, ...more(kept, one) }
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

test('what a module comes to keeps its place behind the lines of before', async () => {
  const { kept, inbox } = keeping()
  inbox.push(line)
  inbox.push(site)
  inbox.push(line)
  inbox.push(progress('active', 9))
  await inbox.settled()
  expect(kept).toEqual(['2 lines', 'site', 'active 9'])
})

test('what nothing follows is kept by itself', async () => {
  const { kept, inbox } = keeping()
  inbox.push(line)
  await expect.poll(() => kept).toEqual(['1 lines'])
})

const file = { type: 'evidence' as const, id: 'file', module: 'site', filename: 'a.txt', contentType: 'text/plain' }

test('what comes within a moment is kept at once; files as they come, before what names them', async () => {
  const { kept, inbox } = keeping((said, one) => ({
    together: async (work) => {
      said.push('begin')
      await work(one)
      said.push('commit')
    },
  }))
  inbox.push(line)
  inbox.push({ ...file, body: Buffer.from('seen') })
  inbox.push(site)
  inbox.push(progress('active', 9))
  await inbox.settled()
  expect(kept).toEqual(['file', 'begin', '1 lines', 'site', 'active 9', 'commit'])
})

test('where one cannot be kept, none is, and then each by itself', async () => {
  const { kept, inbox } = keeping((said, one) => {
    const refusing: Sink = {
      ...one,
      module: async ({ module, facts }) => {
        if (facts !== null) throw new Unstorable({ cause: new Error('a character') })
        said.push(`${module} failed`)
      },
    }
    return {
      ...refusing,
      together: async (work) => {
        const before = said.length
        await work(refusing).finally(() => said.splice(before))
      },
    }
  })
  inbox.push(line)
  inbox.push(site)
  inbox.push(progress('active', 9))
  await inbox.settled()
  expect(kept).toEqual(['1 lines', 'fault', 'site failed', 'active 9'])
})

test('files that come together are kept together, and no more than twenty', async () => {
  const { kept, inbox } = keeping()
  const ids = Array.from({ length: 23 }, (_, at) => `file-${at}`)
  for (const id of ids) inbox.push({ ...file, id, body: Buffer.from('seen') })
  expect(kept).toEqual([])
  await inbox.settled()
  expect(kept).toEqual([ids.slice(0, 20).join(' and '), ids.slice(20).join(' and ')])
})

test('a file that nothing follows is kept by itself, and a large one waits for none', async () => {
  const { kept, inbox } = keeping()
  inbox.push({ ...file, body: Buffer.from('seen') })
  await expect.poll(() => kept).toEqual(['file'])
  inbox.push({ ...file, id: 'large', body: Buffer.alloc(2 * 1024 * 1024) })
  expect(kept).toEqual(['file', 'large'])
})

test('what is gathered still is kept, also where a file that was waited for has been kept meanwhile', async () => {
  const gate = Promise.withResolvers<void>()
  const { kept, inbox } = keeping((_, one) => ({
    evidence: async (files) => {
      await gate.promise
      await one.evidence(files)
    },
  }))
  inbox.push({ ...file, id: 'large', body: Buffer.alloc(2 * 1024 * 1024) })
  inbox.push({ ...file, body: Buffer.from('seen') })
  gate.resolve()
  await expect.poll(() => kept).toEqual(['large', 'file'])
  inbox.push(line)
  await expect.poll(() => kept).toEqual(['large', 'file', '1 lines'])
  await inbox.settled()
})

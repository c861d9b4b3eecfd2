import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLogger } from '../../tests/support/worker.ts'
import { createInbox, type Sink } from '../worker/inbox.ts'
import type { ChildMessage } from '../worker/supervise.ts'
import { openSpool } from './spool.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-spool-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const evidence = (id: string, body: string): ChildMessage => ({
  ...{ type: 'evidence', id, module: 'site', filename: `${id}.txt`, contentType: 'text/plain' },
  body: Buffer.from(body),
})

test('what is put is given back as it was, once, and its file goes', () => {
  const spool = openSpool(folder)
  const put = spool.put(evidence('a', '\u0000\u00ff bytes'))
  expect(readdirSync(folder)).toHaveLength(1)
  expect(statSync(join(folder, readdirSync(folder)[0] ?? '')).mode & 0o777).toBe(0o600)
  const taken = put?.take()
  expect(taken).toMatchObject({ type: 'evidence', id: 'a' })
  expect(taken?.type === 'evidence' && Buffer.from(taken.body).toString()).toBe('\u0000\u00ff bytes')
  expect(readdirSync(folder)).toEqual([])
  expect(() => put?.take()).toThrow(/ENOENT/)
})

test('it is bounded, and what was taken makes room', () => {
  const spool = openSpool(folder, 3_000)
  const first = spool.put(evidence('a', 'x'.repeat(2_000)))
  expect(first).not.toBeNull()
  expect(spool.put(evidence('b', 'x'.repeat(2_000)))).toBeNull()
  first?.take()
  expect(spool.put(evidence('b', 'x'.repeat(2_000)))).not.toBeNull()
})

test('of what waits, facts and files are on the disk, files first; a secret never is', async () => {
  const gate = Promise.withResolvers<void>()
  const kept: string[] = []
  const sink: Sink = {
    progress: async () => undefined,
    audit: async () => void kept.push('audit'),
    evidence: async (files) => {
      await gate.promise
      kept.push(...files.map(({ id }) => id))
    },
    found: async ({ module }) => void kept.push(`${module} so far`),
    module: async ({ module }) => void kept.push(module),
    token: async ({ token }) => void kept.push(token),
    fault: async () => void kept.push('fault'),
  }
  const inbox = createInbox('r', sink, () => undefined, silentLogger(), openSpool(folder))
  inbox.push(evidence('a', 'x'))
  inbox.push({ type: 'token_replaced', lineage: 'l', token: 'secret-canary' })
  inbox.push({ type: 'found', module: 'site', findings: [] })
  inbox.push({ type: 'found', module: 'site', findings: [] })
  inbox.push({
    ...{ type: 'module', module: 'site', facts: { seen: 1 }, findings: [], coverage: [] },
    outcome: { state: 'completed', reason: null, duration_ms: 1, requests: 1 },
  })
  inbox.push(evidence('b', 'x'))
  expect(readdirSync(folder)).toHaveLength(4)
  gate.resolve()
  await inbox.settled()
  expect(kept).toEqual(['a', 'b', 'secret-canary', 'site so far', 'site so far', 'site'])
  expect(readdirSync(folder)).toEqual([])
})

import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Operator, OperatorError } from '../contract/operator.ts'
import { connectControl, serveControl } from './control-socket.ts'

const SERVICE = { version: '1', pid: 1, base_url: null, database: 'embedded', storage: 'fs' } as const
const PLAN = { id: 'one', runs_per_month: 3, concurrent_runs: 1, retention_days: 1, watermark: true }

const operator = (answers: Record<string, (input: unknown) => unknown>): Operator => ({
  call: async (verb, input) => (verb === 'service' ? SERVICE : answers[verb]?.(input)) as never,
  close: async () => undefined,
})

let folder = ''
let close: (() => Promise<void>) | null = null
const faults: unknown[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-control-'))
  faults.length = 0
})
afterEach(async () => {
  await close?.()
  close = null
  rmSync(folder, { recursive: true })
})
const serve = async (answers: Record<string, (input: unknown) => unknown> = {}, at = folder) => {
  const control = await serveControl(at, operator(answers), (error) => faults.push(error))
  close = control.close
}
const connected = async (at = folder): Promise<Operator> => {
  const client = await connectControl(at)
  if (client === null) throw new Error('nobody listens')
  return client
}

describe('the control socket', () => {
  test('carries a verb there and its answer back', async () => {
    const seen: unknown[] = []
    await serve({
      plan_list: (input) => {
        seen.push(input)
        return [PLAN]
      },
    })
    expect(await (await connected()).call('plan_list', {})).toEqual([PLAN])
    expect(seen).toEqual([{}])
  })

  test('is for its owner alone', async () => {
    await serve()
    expect(statSync(join(folder, 'control.sock')).mode & 0o777).toBe(0o600)
  })

  test('works in a folder whose path is longer than a socket may have', async () => {
    const deep = join(folder, 'd'.repeat(100), 'e'.repeat(100))
    mkdirSync(deep, { recursive: true })
    await serve({}, deep)
    expect(await (await connected(deep)).call('service', {})).toEqual(SERVICE)
  })

  test('nobody there: null', async () => {
    expect(await connectControl(folder)).toBeNull()
  })

  test('left over from a killed process: null, and a new service takes its place', async () => {
    const path = join(folder, 'control.sock')
    const dead = createServer().listen(path)
    await new Promise((resolve) => dead.once('listening', resolve))
    // Closing removes the file; a kill would not.
    dead.unref()
    await serve()
    expect(await (await connected()).call('service', {})).toEqual(SERVICE)
    await new Promise((resolve) => dead.close(resolve))
  })

  test('a refusal arrives as a refusal, with its sentence', async () => {
    await serve({
      org_list: () => {
        throw new OperatorError('There is no such organisation')
      },
    })
    const call = (await connected()).call('org_list', {})
    await expect(call).rejects.toThrow(new OperatorError('There is no such organisation'))
    expect(faults).toEqual([])
  })

  test('a fault of ours is logged and says nothing of the inside', async () => {
    await serve({
      org_list: () => {
        throw new Error('password is hunter2')
      },
    })
    await expect((await connected()).call('org_list', {})).rejects.toThrow(/its log says why/)
    expect(String(faults[0])).toContain('hunter2')
  })

  test.each([
    ['a bad field', 'key_revoke', { id: 'x' }, /id/],
    ['an unknown field', 'plan_list', { x: 1 }, /x/],
    ['an unknown verb', 'toString', {}, /no verb/],
  ])('%s is refused before the verb runs', async (_trick, verb, input, message) => {
    await serve({ key_revoke: () => expect.unreachable(), plan_list: () => expect.unreachable() })
    await expect((await connected()).call(verb as 'plan_list', input as never)).rejects.toThrow(message)
    expect(faults).toEqual([])
  })

  test('closing removes the file', async () => {
    await serve()
    await close?.()
    close = null
    expect(await connectControl(folder)).toBeNull()
  })
})

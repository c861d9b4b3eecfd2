import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunningShop } from './server.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const PLACES = ['--flawed', 'shop.test=127.0.93.1:0:0', '--fixed', 'shop-fixed.test=127.0.93.2:0:0']
const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

interface Ready {
  readonly flawed: RunningShop
  readonly fixed: RunningShop
  readonly authority: string
}

const firstLine = async (output: Readable): Promise<string> => {
  for await (const line of createInterface(output)) return line
  throw new Error('ended without a line')
}

const start = async (command: string, args: readonly string[]): Promise<{ child: ChildProcess; ready: Ready }> => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  return { child, ready: JSON.parse(await firstLine(child.stdout)) as Ready }
}

const answers = (shop: RunningShop): Promise<boolean> =>
  fetch(`http://${shop.address}:${shop.http}/robots.txt`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(5000),
  }).then(
    ({ status }) => status < 400,
    () => false,
  )

describe('testbed as a process', () => {
  it('says where the shops are, and ends on SIGTERM', async () => {
    const { child, ready } = await start(process.execPath, [MAIN, ...PLACES])
    expect(ready.authority).toContain('BEGIN CERTIFICATE')
    expect(await answers(ready.flawed)).toBe(true)
    expect(await answers(ready.fixed)).toBe(true)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('ends with its parent, though the parent is killed', async () => {
    const { child, ready } = await start('/bin/sh', ['-c', '"$0" "$@" & wait', process.execPath, MAIN, ...PLACES])
    child.kill('SIGKILL')
    await expect.poll(() => answers(ready.flawed), { timeout: 10_000, interval: 100 }).toBe(false)
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { memoryOf } from './memory.ts'

const MEBIBYTE = 1024 * 1024
/** Says when it has taken so many MiB. */
const taking = (mebibytes: number, then = ''): string =>
  `globalThis.kept = Buffer.alloc(${mebibytes} * ${MEBIBYTE}, 1); ${then} console.log('taken'); setInterval(() => undefined, 1e6)`

test('counts a process and what it started, and nothing of one that has ended', async () => {
  const inner = JSON.stringify(taking(100))
  const started = `require('node:child_process').spawn(process.execPath, ['-e', ${inner}], { stdio: ['ignore', 'inherit', 'ignore'] });`
  const child = spawn(process.execPath, ['-e', taking(50, started)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  try {
    let said = ''
    child.stdout.setEncoding('utf8')
    while (said.split('taken').length < 3) said += (await once(child.stdout, 'data'))[0]
    const all = memoryOf(child.pid ?? 0)
    expect(all).toBeGreaterThan(150 * MEBIBYTE)
    expect(all).toBeLessThan(400 * MEBIBYTE)
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await once(child, 'exit')
  }
  expect(memoryOf(child.pid ?? 0)).toBe(0)
})

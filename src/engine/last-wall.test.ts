import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('what strays ends the work it comes from, and neither other work nor the process', async () => {
  const script = fileURLToPath(new URL('testing/stray-work.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 90_000 })
  const { became, told } = JSON.parse(stdout)
  expect(became).toEqual({
    healthy: 'done',
    timer: 'stray: timer',
    forgotten: 'stray: forgotten',
    socket: expect.stringMatching(/^stray: .*ECONNRESET/),
    callback: 'stray: callback',
    text: 'stray: text',
    'after its end': 'done',
    rejecting: 'rejected: in the open',
  })
  expect(told).toEqual(['after its end', 'callback', 'forgotten', 'null', 'socket', 'text', 'timer'])
}, 100_000)

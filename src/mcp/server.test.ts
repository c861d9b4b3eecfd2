import { expect, test } from 'vitest'
import type { Client } from '../contract/client-core.ts'
import { runState } from '../contract/examples.ts'
import { fenced, visible } from './answer.ts'
import { answerMessage } from './server.ts'

test('who goes away while a tool waits is waited for by nobody', async () => {
  const gone = new AbortController()
  const looked = Promise.withResolvers<AbortSignal>()
  let looks = 0
  const client = {
    readScan: async ({ signal }: { signal: AbortSignal }) => {
      looks += 1
      looked.resolve(signal)
      return runState
    },
  } as unknown as Client
  const faults: unknown[] = []
  const parts = {
    version: '1',
    client,
    file: () => Promise.reject(new Error('no file')),
    fault: (error: unknown) => faults.push(error),
  }
  const params = { name: 'watch_scan', arguments: { scan_id: runState.id, wait_seconds: 300 } }
  const request = new Request('http://sonde.invalid/v1/mcp', {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
  })
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const response = await answerMessage(parts, request, message, gone.signal)
  const signal = await looked.promise
  expect(signal.aborted).toBe(false)
  gone.abort()
  // The stream ends, and the wait with it.
  expect(await response.text()).not.toContain('"result"')
  expect([signal.aborted, looks, faults]).toEqual([true, 1, []])
})

test.each([
  ['line breaks and tabs stay', 'a\n\tb', 'a\n\tb'],
  ['marks of direction are seen', 'a\u202Eb\u2066c', 'a�b�c'],
  ['tags and zero width are seen', 'a\u{E0041}\u200Bb\uFE0F', 'a��b�'],
  ['escapes of a terminal are seen', '\u001b[31mred', '�[31mred'],
  ['half a pair is no text', 'a\ud800', 'a�'],
])('%s', (_name, text, seen) => {
  expect(visible(text)).toBe(seen)
})

test('what is cut says so, and no text is longer than it may be', () => {
  expect(visible('x'.repeat(600), 500)).toBe(`${'x'.repeat(500)} … (100 more characters)`)
  expect(fenced('y'.repeat(50_000)).length).toBeLessThan(6_200)
})

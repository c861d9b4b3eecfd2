import { expect, test } from 'vitest'
import type { Client } from '../contract/client-core.ts'
import type { RunCoverage } from '../contract/overview.ts'
import { answerMessage } from './server.ts'

const RUN = '00000000-0000-4000-8000-000000000001'
const COVERAGE: RunCoverage = { status: 'done', modules: [], items: [], grade: null, resolved: [] }

/** What `read_coverage` says of it. */
const told = async (coverage: Partial<RunCoverage>) => {
  const client = { readCoverage: async () => ({ ...COVERAGE, ...coverage }) } as unknown as Client
  const file = () => Promise.reject(new Error('no file'))
  const parts = { version: '1', client, file, fault: () => undefined }
  const request = new Request('http://sonde.invalid/v1/mcp', {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
  })
  const params = { name: 'read_coverage', arguments: { scan_id: RUN } }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const answer = await answerMessage(parts, request, message, new AbortController().signal)
  const data = /\{.*\}/s.exec(await answer.text())?.[0] ?? ''
  return JSON.parse(data).result.structuredContent
}

const planned = (path: string, decision: 'send' | 'never', reason: string | null) => ({
  ...{ method: 'POST', url: `http://shop.test${path}`, places: 2, decision, most: null, reason },
})

test('of a dry run tells what would be sent, what is left alone first, with what the site wrote apart', async () => {
  const requests = [planned('/find\u202E', 'send', null), planned('/pay', 'never', 'it buys or pays')]
  const { would_send } = await told({ sending: { planned: requests, marker: null, written: [] } })
  expect(would_send).toEqual({
    known: 2,
    requests: [
      {
        ...{ decision: 'never', places: 2, most: null, reason: 'it buys or pays' },
        from_target: { method: 'POST', url: 'http://shop.test/pay' },
      },
      {
        ...{ decision: 'send', places: 2, most: null, reason: null },
        from_target: { method: 'POST', url: 'http://shop.test/find�' },
      },
    ],
  })
})

test('says how far the run came, and what there is to clean up', async () => {
  const tally = { kind: 'insertion_point' as const, known: 412, asked: 388, merged: 0, left_out: 20, cut_off: 4 }
  const written = [{ method: 'POST', url: 'http://shop.test/note', fields: ['text'], times: 7 }]
  expect(
    await told({ reach: { kinds: [tally], reasons: [] }, sending: { marker: 'sonde0a1b2c3d', written } }),
  ).toMatchObject({
    reach: ['412 insertion points known, 388 asked, 24 left out'],
    would_send: null,
    may_have_written: { forms: 1, requests: 7, marker: 'sonde0a1b2c3d' },
  })
})

test('of a passive run there is nothing to say of either', async () => {
  expect(await told({ reach: null })).toMatchObject({ reach: [], would_send: null, may_have_written: null })
})

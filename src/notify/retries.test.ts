import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { nextAttempt } from './deliver.ts'
import { signedHeaders } from './webhook.ts'

test('eight attempts within 24 hours and half an hour, never all at once', () => {
  const start = new Date('2026-11-20T00:00:00Z')
  let now = start
  let attempts = 1
  for (;;) {
    const next = nextAttempt(attempts, now, 0)
    if (next === null) break
    expect(next.getTime()).toBeGreaterThan(now.getTime())
    now = next
    attempts += 1
  }
  expect(attempts).toBe(8)
  const hours = (now.getTime() - start.getTime()) / 3_600_000
  expect(hours).toBeGreaterThan(23)
  expect(hours).toBeLessThan(24.5)
})

test('signed as the specification says: id, time and the very bytes', () => {
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
  const headers = Object.fromEntries(signedHeaders(secret, 'msg_1', 1_700_000_000_999, '{"a":1}'))
  const wanted = createHmac('sha256', Buffer.alloc(24, 1)).update('msg_1.1700000000.{"a":1}').digest('base64')
  expect(headers).toEqual({
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': `v1,${wanted}`,
  })
})

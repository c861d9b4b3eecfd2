/** Examples of hypotheses; see examples.ts. */
import { ids } from './examples.ts'
import type { Hypothesis } from './hypothesis.ts'

export const startHypothesis = {
  weakness: 'sqli',
  request: { url: '/search?q=lamp' },
  point: { in: 'query', name: 'q' },
} as const

export const hypothesis: Hypothesis = {
  id: ids.run,
  domain: 'shop.example.com',
  weakness: 'sqli',
  request: { method: 'GET', url: '/search?q=lamp', headers: [], cookies: [], multipart: false },
  point: { in: 'query', name: 'q' },
  seen_on: null,
  status: 'queued',
  verdict: null,
  reason: null,
  finding: null,
  requests: 0,
  left_out: [],
  created_at: '2026-11-20T09:00:00.000Z',
  finished_at: null,
}

export const refuted: Hypothesis = {
  ...hypothesis,
  status: 'done',
  verdict: 'refuted',
  reason: 'SQL injection was asked for in full at query parameter q, with 148 requests, and nothing proved it.',
  requests: 148,
  finished_at: '2026-11-20T09:01:12.000Z',
}

/** Examples of batches and of domains in bulk; see examples.ts. */
import type { z } from 'zod'
import type { Batch, BatchResult, CreateBatch } from './batch.ts'
import type { ImportAnswer, ImportDomains } from './domain-import.ts'
import { ids } from './examples.ts'

export const createBatch: z.input<typeof CreateBatch> = {
  domains: ['shop.example.com', 'blog.example.com'],
  options: { survey: true },
}
export const batchTable = 'domain\r\nshop.example.com\r\nblog.example.com\r\n'

export const batch: Batch = {
  id: '5c1d9e3a-7b2f-4c86-9d15-2e8a4f6b0c77',
  state: 'running',
  counts: { total: 2, waiting: 1, running: 1, done: 0, failed: 0, canceled: 0, refused: 0 },
  options: {
    ...{ active: false, privacy: false, make_pdf: false, cve_include_possible: false, template_full: false },
    ...{ survey: true, context: null, exclude: [] },
  },
  created_at: '2026-11-20T09:00:00.000Z',
  finished_at: null,
}

export const batchResult: BatchResult = {
  domain: 'shop.example.com',
  scan_id: ids.run,
  status: 'done',
  grade: 'B',
  counts: { critical: 0, high: 1, medium: 3, low: 4, info: 2 },
  error_kind: null,
  error_detail: null,
  finished_at: '2026-11-20T09:00:04.000Z',
}

export const importDomains: z.input<typeof ImportDomains> = {
  domains: [{ domain: 'shop.example.com', context: 'shop' }, { domain: 'blog.example.com' }, { domain: 'com' }],
}
export const importTable =
  'domain,context,environment\r\nshop.example.com,shop,production\r\nblog.example.com,,test\r\n'

export const importAnswer: ImportAnswer = {
  counts: { added: 1, exists: 1, refused: 1 },
  items: [
    { domain: 'shop.example.com', id: ids.domain, outcome: 'exists', reason: null },
    { domain: 'blog.example.com', id: 'e2b7c4d1-9a3f-4e58-8c06-1d5f7a9b3c28', outcome: 'added', reason: null },
    {
      ...{ domain: 'com', id: null, outcome: 'refused' },
      reason: 'is a public suffix, under which others register their names',
    },
  ],
}

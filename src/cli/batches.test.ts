import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { batch, importAnswer } from '../contract/batch-examples.ts'
import { type FakeService, fakeService, problem } from './testing/fake-service.ts'
import { runWords } from './testing/run-words.ts'

const PATH = `/v1/batches/${batch.id}`
const ENDED = { ...batch, state: 'done', finished_at: '2026-11-20T10:00:00.000Z' }
let service: FakeService
let folder = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-batch-'))
  service = await fakeService(() => ({
    'POST /v1/batches': ({ body }) =>
      JSON.stringify(body).includes('com"')
        ? { status: 202, json: batch }
        : {
            ...problem(400, 'validation_failed', '1 of 2 names cannot be registered.'),
            json: {
              ...{ type: 'about:blank', title: 'x', status: 400, detail: '1 of 2 names cannot be registered.' },
              ...{
                code: 'validation_failed',
                request_id: 'r',
                errors: [{ path: 'domains.1', message: 'has no public suffix' }],
              },
            },
          },
    'GET /v1/batches': { json: { items: [batch, ENDED], next_cursor: null } },
    [`GET ${PATH}`]: { json: batch },
    [`POST ${PATH}/pause`]: { json: { ...batch, state: 'paused' } },
    [`POST ${PATH}/resume`]: { json: batch },
    [`POST ${PATH}/cancel`]: problem(409, 'batch_has_ended', 'The batch has ended already.'),
    [`GET ${PATH}/results`]: ({ query }) =>
      query.format === 'csv'
        ? { text: 'domain,scan_id\r\na.example.com,\r\n', type: 'text/csv' }
        : { text: '{"domain":"a.example.com"}\n', type: 'application/x-ndjson' },
    'POST /v1/domains/import': { json: importAnswer },
  }))
})
afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})
const run = (...words: readonly string[]) =>
  runWords(words, { env: { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_key' } })
const file = (text: string): string => {
  const path = join(folder, 'domains')
  writeFileSync(path, text)
  return path
}
const sent = (path: string) => service.seen.find((seen) => seen.path === path && seen.method === 'POST')?.body

test.each([
  ['lines', '# ours\nhttps://a.example.com/cart\n\n b.example.com \n'],
  ['a table', '\uFEFFrank,Domain\r\n1,a.example.com\r\n2,"b.example.com"\r\n'],
  ['a table of a spreadsheet in German', 'Domain;Abteilung\na.example.com;"Einkauf; Lager"\nb.example.com;\n'],
])('a batch is started from %s', async (_name, text) => {
  const started = await run('batch', 'start', file(text), '--survey', '--exclude', '/admin')
  expect(started).toMatchObject({ code: 0, err: '' })
  expect(started.out).toMatch(new RegExp(`^${batch.id} +survey +running +0 % of 2: 1 waiting, 1 running\\n$`))
  expect(sent('/v1/batches')).toMatchObject({
    domains: ['a.example.com', 'b.example.com'],
    options: { survey: true, active: false, exclude: ['/admin'] },
  })
})

test.each([
  ['bad names, by themselves', 'a.invalid\nb.invalid\n', /1 of 2 names cannot.*\n {2}b\.invalid: has no public suffix/],
  ['nothing', '# nothing\n', /names no domain/],
  ['a table that is broken', 'domain\n"a.example.com\n', /line 2 has a quote that is not closed/],
])('refused: %s', async (_name, text, says) => {
  const result = await run('batch', 'start', file(text))
  expect([result.code, result.out]).toEqual([3, ''])
  expect(result.err).toMatch(says)
})

test('a file that is not there is named', async () => {
  expect(await run('batch', 'start', join(folder, 'none'))).toMatchObject({
    code: 3,
    err: expect.stringContaining('there is no such file or folder'),
  })
})

test('batches are listed, shown, paused and resumed; one that has ended says so', async () => {
  expect((await run('batch', 'list')).out).toMatch(new RegExp(`${batch.id} +running +2 +0 +0 +survey`))
  expect(JSON.parse((await run('batch', 'show', batch.id, '--json')).out)).toEqual(batch)
  expect((await run('batch', 'pause', batch.id)).out).toContain('paused')
  expect((await run('batch', 'resume', batch.id)).out).toContain('running')
  expect(await run('batch', 'cancel', batch.id)).toMatchObject({ code: 3, err: expect.stringContaining('has ended') })
  expect((await run('batch', 'show', 'x')).code).toBe(3)
})

test('results are printed as they come', async () => {
  expect((await run('batch', 'results', batch.id)).out).toBe('{"domain":"a.example.com"}\n')
  expect((await run('batch', 'results', batch.id, '--csv')).out).toBe('domain,scan_id\r\na.example.com,\r\n')
})

test('domains are imported; a row that is refused is told and is no success', async () => {
  const result = await run('domain', 'import', file('domain,context\nshop.example.com,shop\nblog.example.com,\ncom,\n'))
  expect([result.code, result.out]).toEqual([
    1,
    'com: is a public suffix, under which others register their names\n1 added, 1 there already, 1 refused\n',
  ])
  expect(sent('/v1/domains/import')).toEqual({
    domains: [{ domain: 'shop.example.com', context: 'shop' }, { domain: 'blog.example.com' }, { domain: 'com' }],
  })
})

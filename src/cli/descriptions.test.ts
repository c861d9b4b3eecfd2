import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as example from '../contract/examples.ts'
import { type FakeService, fakeService, problem } from './testing/fake-service.ts'
import { runWords } from './testing/run-words.ts'

const DOMAIN = example.domain.id
const { id } = example.description
let folder = ''
let service: FakeService
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-cli-'))
  service = await fakeService(() => ({
    'POST /v1/domains': problem(409, 'domain_exists', 'Registered already'),
    'GET /v1/domains': { json: { items: [{ ...example.domain, domain: 'shop.example' }], next_cursor: null } },
    [`POST /v1/domains/${DOMAIN}/descriptions`]: { status: 201, json: example.description },
    [`GET /v1/domains/${DOMAIN}/descriptions`]: { json: { items: [example.description] } },
    [`DELETE /v1/domains/${DOMAIN}/descriptions/${id}`]: { status: 204, type: 'text/plain', text: '' },
  }))
})
afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

const run = (...words: readonly string[]) =>
  runWords(['domain', ...words], { env: { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_key' } })

test('a file is brought, and what was refused is said', async () => {
  const file = join(folder, 'shop.json')
  writeFileSync(file, '{"openapi":"3.0.3"}')
  const result = await run('describe', 'shop.example', file, '--path', '/api')
  expect(result.code).toBe(0)
  expect(result.out).toContain('2 of 3 operations are taken')
  expect(result.out).toContain('refused: GET /reports (line 41): it refers to another address')
  expect(result.out).toContain('left out: header X-Api-Key of GET /orders')
  const sent = service.seen.find(({ method, path }) => method === 'POST' && path.endsWith('/descriptions'))
  expect(sent).toMatchObject({ query: { name: 'shop.json', path: '/api' }, body: { openapi: '3.0.3' } })
})

test('descriptions are listed and removed, of a domain that is registered', async () => {
  expect((await run('descriptions', 'shop.example')).out).toMatch(/openapi\.yaml +OpenAPI 3\.0\.3 +2 +1/)
  expect((await run('forget', 'shop.example', id)).out).toBe('Removed.\n')
  expect(await run('descriptions', 'other.example')).toMatchObject({
    code: 3,
    err: 'other.example is not registered\n',
  })
  expect(service.seen.filter(({ method, path }) => method === 'POST' && path === '/v1/domains')).toEqual([])
})

test('a file that is not there is said before anything is sent', async () => {
  const result = await run('describe', 'shop.example', join(folder, 'none.json'))
  expect([result.code, result.err]).toEqual([
    3,
    expect.stringContaining('none.json: there is no such file or folder (ENOENT)'),
  ])
})

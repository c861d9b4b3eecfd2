import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { keyWith, openApi, type TestApi } from '../../tests/support/api.ts'
import { createKey } from '../store/api-keys.ts'
import { interfacesOf } from '../store/descriptions.ts'

let api: TestApi
let path: string
beforeAll(async () => {
  api = await openApi()
  path = `/v1/domains/${api.mine.domainId}/descriptions`
})
afterAll(() => api.close())

const JSON_DOCUMENT = JSON.stringify(
  {
    openapi: '3.0.3',
    info: { title: 'Shop\0' },
    servers: [{ url: 'http://localhost:3000/api' }],
    paths: {
      '/orders/{id}': {
        get: {
          parameters: [{ name: 'X-Api-Key', in: 'header', schema: { type: 'string', example: 'kanarie-vogel' } }],
        },
      },
      '/a': { get: { parameters: [{ $ref: 'https://example.org/x.json#/a' }] } },
    },
  },
  null,
  1,
)
const LINE = JSON_DOCUMENT.split('\n').findIndex((line) => line.includes('"/a"')) + 2
const bring = (payload: string | Buffer, type = 'application/json', query = '') =>
  api.send('POST', `${path}${query}`, { payload, headers: { 'content-type': type } })
const zipped = async (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream)
}

test('what is taken and refused is said at once, listed, read, asked by runs, and removed', async () => {
  const made = await bring(JSON_DOCUMENT, 'application/json', '?name=shop.json')
  expect(made.statusCode).toBe(201)
  const description = made.json()
  expect(made.headers.location).toBe(`${path}/${description.id}`)
  expect(description).toMatchObject({
    ...{ name: 'shop.json', kind: 'OpenAPI 3.0.3', described: 2, operations: 1, created_by: 'test' },
    refused: [{ where: 'GET /a', line: LINE, reason: 'it refers to another address, and none is fetched' }],
    left_out: [{ where: 'header X-Api-Key of GET /orders/{id}' }],
  })
  expect((await api.send('GET', path)).json()).toEqual({ items: [description] })
  expect((await api.send('GET', `${path}/${description.id}`)).json()).toEqual({
    ...description,
    taken: [{ method: 'GET', path: '/api/orders/{id}', name: '' }],
  })
  const stored = await interfacesOf(api.db, api.mine.domainId)
  expect(stored).toMatchObject([{ operations: [{ path: '/api/orders/{id}' }], refused: [{ where: 'GET /a' }] }])
  expect(JSON.stringify(stored)).not.toContain('kanarie')
  expect((await api.send('DELETE', `${path}/${description.id}`)).statusCode).toBe(204)
  expect((await api.send('DELETE', `${path}/${description.id}`)).json().code).toBe('description_not_found')
  expect((await api.send('GET', '/v1/activity')).json().items.slice(0, 2)).toMatchObject([
    { action: 'deleteDescription', subject: 'mine.example.com: shop.json' },
    { action: 'createDescription', subject: 'mine.example.com: shop.json' },
  ])
})

const FILES = {
  'api/main.yaml': 'openapi: 3.1.0\npaths:\n  /b:\n    $ref: parts/b.json\n',
  'api/parts/b.json': '{"get":{},"post":{}}',
}

test('several files come as an archive or as a form', async () => {
  const archive = await bring(await zipped(FILES), 'application/zip')
  expect(archive.json()).toMatchObject({ name: 'api/main.yaml, api/parts/b.json', operations: 2, refused: [] })
  const parts = Object.entries(FILES).map(
    ([name, text]) => `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${text}\r\n`,
  )
  const form = await bring(`${parts.join('')}--x--\r\n`, 'multipart/form-data; boundary=x')
  expect(form.json()).toMatchObject({ operations: 2, refused: [] })
})

test.each<[string, () => Promise<string | Buffer>, string, RegExp]>([
  ['nothing', async () => '', 'application/json', /empty/],
  ['a text of another kind', async () => 'hello', 'text/plain', /no description of a format/],
  ['bytes', async () => Buffer.from([0xff, 0x00, 0x80]), 'application/octet-stream', /no text in UTF-8/],
  ['a broken archive', async () => Buffer.from('PK\x03\x04nothing'), 'application/zip', /archive cannot be read/],
  ['a broken form', async () => '--y', 'multipart/form-data; boundary=x', /no valid multipart form/],
  ['a bomb', async () => zipped({ 'a.json': ' '.repeat(21 * 1024 * 1024) }), 'application/zip', /at most 20 MiB/],
])('%s is refused in a sentence', async (_name, body, type, reason) => {
  const answer = await bring(await body(), type)
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'description_unreadable'])
  expect(answer.json().detail).toMatch(reason)
})

test('more than 21 MiB are not read', async () => {
  const answer = await bring(Buffer.alloc(22 * 1024 * 1024), 'application/json')
  expect(answer.json().code).toBe('payload_too_large')
})

test('needs a key that may change the domain, and there is a bound', async () => {
  const { secret } = await createKey(api.db, keyWith(api.mine.organisationId, ['domains:read']))
  const headers = { 'content-type': 'application/json' }
  expect((await api.send('POST', path, { secret, headers, payload: JSON_DOCUMENT })).json().code).toBe(
    'api_key_scope_insufficient',
  )
  await api.db.query(
    `insert into domain_descriptions
       (domain_id, name, kind, title, described, operation_count, operations, refused, left_out, created_by)
     select $1, 'x', 'x', '', 0, 0, '[]', '[]', '[]', 'x' from generate_series(1, 20)`,
    [api.mine.domainId],
  )
  expect((await bring(JSON_DOCUMENT)).json().code).toBe('too_many_descriptions')
})

import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApi, type TestApi } from '../../tests/support/api.ts'
import { Problem } from '../contract/problem.ts'
import { DatabaseError } from '../store/database.ts'

let api: TestApi
let base: URL
beforeAll(async () => {
  api = await openApi({ limits: { ...(await import('../../tests/support/api.ts')).UNLIMITED, body: 1024 } })
  base = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }))
})
afterAll(() => api.close())

const JSON_TYPE = { 'content-type': 'application/json' }

describe('every refusal is a problem document', () => {
  type Sent = Parameters<TestApi['send']>
  const cases: readonly [trick: string, sent: Sent, status: number, code: string][] = [
    ['no key', ['GET', '/v1/scans', { secret: null }], 401, 'unauthenticated'],
    [
      'key without Bearer',
      ['GET', '/v1/scans', { secret: null, headers: { authorization: 'sonde_x' } }],
      401,
      'unauthenticated',
    ],
    ['mistyped key', ['GET', '/v1/scans', { secret: `sonde_${'a'.repeat(40)}` }], 401, 'unauthenticated'],
    ['key of a megabyte', ['GET', '/v1/scans', { secret: 'a'.repeat(10_000) }], 401, 'unauthenticated'],
    [
      'no key before a bad body',
      ['POST', '/v1/scans', { secret: null, payload: '{', headers: JSON_TYPE }],
      401,
      'unauthenticated',
    ],
    ['unknown path', ['GET', '/v1/nothing'], 404, 'not_found'],
    ['unknown path without a key', ['GET', '/wp-login.php', { secret: null }], 404, 'not_found'],
    ['empty id', ['GET', '/v1/scans/'], 404, 'scan_not_found'],
    ['slash at the end', ['GET', '/v1/scans/x/artifacts/'], 404, 'not_found'],
    ['other method', ['PUT', '/v1/scans'], 405, 'method_not_allowed'],
    ['other method on a page', ['POST', '/docs'], 405, 'method_not_allowed'],
    ['HEAD on a stream', ['HEAD', '/v1/scans/x/stream'], 405, 'method_not_allowed'],
    ['OPTIONS', ['OPTIONS', '/v1/domains'], 405, 'method_not_allowed'],
    ['Accept of a page', ['GET', '/v1/scans', { headers: { accept: 'text/html' } }], 406, 'not_acceptable'],
    [
      'Accept with q=0',
      ['GET', '/v1/scans', { headers: { accept: 'application/json;q=0, text/*' } }],
      406,
      'not_acceptable',
    ],
    [
      'stream as JSON',
      ['GET', '/v1/scans/x/stream', { headers: { accept: 'application/json' } }],
      406,
      'not_acceptable',
    ],
    [
      'body too large',
      ['POST', '/v1/scans', { payload: `"${'a'.repeat(2000)}"`, headers: JSON_TYPE }],
      413,
      'payload_too_large',
    ],
    [
      'form',
      ['POST', '/v1/scans', { payload: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
      415,
      'unsupported_media_type',
    ],
    [
      'text',
      ['POST', '/v1/scans', { payload: '{}', headers: { 'content-type': 'text/plain' } }],
      415,
      'unsupported_media_type',
    ],
    ['not JSON', ['POST', '/v1/scans', { payload: '{"a":', headers: JSON_TYPE }], 400, 'validation_failed'],
    [
      'not UTF-8',
      ['POST', '/v1/scans', { payload: Buffer.from([0x22, 0xff, 0x22]), headers: JSON_TYPE }],
      400,
      'validation_failed',
    ],
    [
      'UTF-16',
      ['POST', '/v1/scans', { payload: Buffer.from('{}', 'utf16le'), headers: JSON_TYPE }],
      400,
      'validation_failed',
    ],
    ['array', ['POST', '/v1/scans', { payload: '[]', headers: JSON_TYPE }], 400, 'validation_failed'],
    ['null', ['POST', '/v1/scans', { payload: 'null', headers: JSON_TYPE }], 400, 'validation_failed'],
    ['number', ['POST', '/v1/scans', { payload: '7', headers: JSON_TYPE }], 400, 'validation_failed'],
    [
      'deep nesting',
      ['POST', '/v1/scans', { payload: '['.repeat(1000), headers: JSON_TYPE }],
      400,
      'validation_failed',
    ],
    ['no body', ['POST', '/v1/scans'], 400, 'validation_failed'],
    ['body where none is taken', ['POST', '/v1/domains/x/verify', { body: { now: true } }], 400, 'validation_failed'],
    ['query where none is taken', ['GET', '/v1/scans/x?verbose=1'], 400, 'validation_failed'],
    ['bad percent-encoding', ['GET', '/v1/scans/%ff'], 400, 'validation_failed'],
    ['path parameter of 2,000 characters', ['GET', `/v1/scans/${'a'.repeat(2000)}`], 404, 'scan_not_found'],
  ]
  test.each(cases)('%s', async (_, sent, status, code) => {
    const response = await api.send(...sent)
    expect(response.statusCode).toBe(status)
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers.ratelimit).toMatch(/^"[a-z-]+";r=\d+;t=\d+/)
    expect(response.headers['ratelimit-policy']).toMatch(/^"[a-z-]+";q=\d+;w=\d+/)
    if (sent[0] === 'HEAD') return
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    const problem = Problem.parse(response.json())
    expect(problem).toMatchObject({ status, code, type: `http://sonde.test/docs/problems#${code}` })
    expect(problem.request_id).toBe(response.headers['x-request-id'])
    expect(problem.errors !== undefined).toBe(code === 'validation_failed')
  })

  test('413 says how much is', async () => {
    const sent = async (url: string, size: number) =>
      (await api.send('POST', url, { payload: `"${'a'.repeat(size)}"`, headers: JSON_TYPE })).json().detail
    expect(await sent('/v1/scans', 2_000)).toBe('The body is larger than 1 KiB.')
    expect(await sent('/v1/domains/x/descriptions', 22 * 1024 * 1024)).toBe('The body is larger than 21 MiB.')
  })

  test('405 says what is allowed', async () => {
    const allow = async (url: string) => (await api.send('PUT', url)).headers.allow
    expect(await allow('/v1/scans')).toBe('GET, HEAD, POST')
    expect(await allow('/v1/domains/x?y=1')).toBe('GET, HEAD, PATCH, DELETE')
    expect(await allow('/v1/scans/x/stream')).toBe('GET')
    expect(await allow('/files/a/b/c.pdf')).toBe('GET, HEAD')
  })
  test.each(['*/*', 'application/*', 'text/html, application/json;q=0.1', ''])(
    'Accept %j is served',
    async (accept) => {
      expect((await api.send('GET', '/v1/scans', { headers: { accept } })).statusCode).toBe(200)
    },
  )
  test('a charset in Content-Type is fine', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const response = await api.send('POST', '/v1/domains', { payload: '{"domain":"a.example.com"}', headers })
    expect(response.statusCode).toBe(201)
  })
})

describe('faults of ours', () => {
  const broken = async (error: Error) => {
    const query = api.db.query
    const fail = { query: () => Promise.reject(error) }
    Object.assign(api.db, fail)
    try {
      return await api.send('GET', '/v1/scans')
    } finally {
      Object.assign(api.db, { query })
    }
  }
  test('say nothing but the request id', async () => {
    const response = await broken(new Error('select secret from /var/lib'))
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toMatch(/secret|var/)
    expect(response.json()).toMatchObject({ code: 'internal', request_id: response.headers['x-request-id'] })
  })
  test.each([
    ['refused connection', Object.assign(new Error('x'), { code: 'ECONNREFUSED' })],
    ['database shutting down', new DatabaseError('57P01', 'terminating connection')],
    ['too many connections', new DatabaseError('53300', 'too many')],
  ])('503 with Retry-After: %s', async (_, error) => {
    const response = await broken(error)
    expect([response.statusCode, response.json().code, response.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '5',
    ])
  })
})

describe('bytes that are no request', () => {
  const raw = async (bytes: string): Promise<string> => {
    const socket = connect(Number(base.port), base.hostname)
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')))
    socket.write(bytes)
    return text(socket)
  }
  const cases: readonly [trick: string, bytes: string, status: number, code: string][] = [
    ['unknown method', 'FOO /v1/scans HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'validation_failed'],
    ['TLS on the plain port', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03', 400, 'validation_failed'],
    ['header name with a space', 'GET / HTTP/1.1\r\nHost: a\r\nA B: c\r\n\r\n', 400, 'validation_failed'],
    [
      'two lengths',
      'POST /v1/scans HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
      400,
      'validation_failed',
    ],
    [
      'headers of 20 KiB',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'header_fields_too_large',
    ],
  ]
  test.each(cases)('%s', async (_, bytes, status, code) => {
    const [head = '', body = ''] = (await raw(bytes)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head.toLowerCase()).toContain('x-request-id: ')
    expect(head).toContain('Connection: close')
    expect(Problem.parse(JSON.parse(body)).code).toBe(code)
  })
  test('a method that HTTP knows and we do not is 405', async () => {
    const status = await new Promise((resolve, reject) => {
      httpRequest(new URL('/v1/scans', base), { method: 'PROPFIND' }, ({ statusCode }) => resolve(statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(405)
  })
  test('HTTP/1.0 without Host is served', async () => {
    expect(await raw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })
})

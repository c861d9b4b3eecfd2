/** The edge of the service, asked over raw sockets: whatever is sent, the answer is a problem that the document names. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Endpoint, problemsOf } from '../src/contract/endpoint.ts'
import { ENDPOINTS } from '../src/contract/endpoints.ts'
import { ids } from '../src/contract/examples.ts'
import { openApi as openApiDocument } from '../src/contract/openapi.ts'
import { Problem } from '../src/contract/problem.ts'
import { openApi, type TestApi } from './support/api.ts'
import { answersIn, exchange, type RawAnswer } from './support/raw-http.ts'

let api: TestApi
let base: URL
let agentToken: string
beforeAll(async () => {
  api = await openApi({ mail: true })
  base = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }))
  agentToken = (await api.send('POST', '/v1/agents', { body: { name: 'edge' } })).json().token
})
afterAll(() => api.close())

const ROWS: readonly (readonly [string, Endpoint])[] = Object.entries(ENDPOINTS)

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly lines?: readonly string[]
  readonly body?: string
  readonly version?: string
}

/** What agents call takes their token in place of a key. */
const credentialFor = (path: string): string => (path.startsWith('/v1/agent/') ? agentToken : api.mine.secret)

/** One request on a connection of its own; `Host` and the key are added unless `lines` says otherwise. */
const ask = async (sent: Sent): Promise<RawAnswer> => {
  const [first, ...more] = answersIn(await exchange(base, requestText(sent)))
  if (first === undefined || more.length > 0) throw new Error(`${more.length + 1} answers`)
  return first
}

const requestText = ({ method = 'GET', path = '/v1/scans', lines, body, version = '1.1' }: Sent): string => {
  const head = [
    `${method} ${path} HTTP/${version}`,
    ...(lines ?? [`Host: ${base.host}`, `Authorization: Bearer ${credentialFor(path)}`]),
    'Connection: close',
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`
}

const problemOf = ({ status, headers, body }: RawAnswer): Problem => {
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
  const problem = Problem.parse(JSON.parse(body))
  expect(problem.status).toBe(status)
  expect(headers['x-request-id']).toBe(problem.request_id)
  return problem
}

/** A path with something in the place of every parameter. */
const pathWith = (row: Endpoint, value: (name: string) => string): string =>
  row.path.replace(/\{(\w+)\}/g, (_, name: string) => value(name))
const idFor = (name: string): string => (name === 'kind' ? 'report_pdf' : ids.run)

describe('bodies', () => {
  const BODIES = ROWS.filter(([, { method, rawBody }]) => method !== 'GET' && rawBody === undefined)
  const deep = (levels: number, open: string, close: string): string => open.repeat(levels) + close.repeat(levels)
  const texts: readonly (readonly [string, string])[] = [
    ['40 kB of [', '['.repeat(40_000)],
    ['arrays that end', deep(20_000, '[', ']')],
    ['objects that end', `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`],
    ['both, below a known field', `{"domain":${deep(6_000, '[{"a":', '}]').replace('}', '1}')}}`],
    ['65 levels', deep(65, '[', ']')],
    ['64 levels', deep(64, '[', ']')],
    [
      'thousands of unknown fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [n, n]))),
    ],
    ['thousands of bad items', `{"scopes":[${'1,'.repeat(20_000)}1],"events":[${'1,'.repeat(5_000)}1]}`],
  ]
  test.each(BODIES)('%s takes none of them, and says so', async (_, row) => {
    for (const [trick, body] of texts) {
      const answer = await ask({ method: row.method, path: pathWith(row, idFor), body })
      expect({ trick, status: answer.status }).toEqual({ trick, status: 400 })
      expect(problemOf(answer).code).toBe('validation_failed')
      expect(answer.body.length).toBeLessThan(40_000)
    }
  })
  test('brackets in strings are no depth', async () => {
    const body = JSON.stringify({ domain: `\\"${'['.repeat(200)}`, context: null })
    const { errors } = problemOf(await ask({ method: 'POST', path: '/v1/domains', body }))
    expect(errors?.map(({ path }) => path)).toEqual(['domain'])
  })
})

describe('numbers, dates and choices in a query', () => {
  const bad: Readonly<Record<string, readonly string[]>> = {
    integer: [
      '1e1',
      '%2B5',
      '-1',
      '5.0',
      '0x10',
      '0b1',
      '05',
      '%205',
      '5%20',
      '',
      '٥',
      'NaN',
      'Infinity',
      '1_0',
      '9'.repeat(30),
    ],
    'date-time': [
      'yesterday',
      '2026-02-30T00:00:00Z',
      '2026-11-22',
      '1e12',
      '2026-11-22T00:00:00',
      '',
      '2026-11-22T25:00:00Z',
    ],
    uuid: ['1', '', `${ids.run}0`, `{${ids.run}}`, ids.run.replaceAll('-', '')],
    enum: ['', 'x', 'JSON', '%00'],
    boolean: ['', '1', 'yes', 'TRUE'],
  }
  const cases = Object.entries(openApiDocument('0.1.0').paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.parameters.flatMap(({ in: place, name, schema }) => {
        const kind = schema.enum === undefined ? String(schema.format ?? schema.type) : 'enum'
        return place === 'query' && bad[kind] !== undefined ? [{ method, path, name, kind }] : []
      }),
    ),
  )
  test('there are such parameters', () => {
    expect(cases.length).toBeGreaterThan(12)
  })
  test.each(cases)('$method $path: $name', async ({ method, path, name, kind }) => {
    const route = path.replace(/\{(\w+)\}/g, (_, parameter: string) => idFor(parameter))
    for (const text of bad[kind] ?? []) {
      const answer = await ask({ method: method.toUpperCase(), path: `${route}?${name}=${encodeURI(decodeURI(text))}` })
      expect({ text, status: answer.status }).toEqual({ text, status: 400 })
      expect(problemOf(answer).errors?.map(({ path: at }) => at)).toContain(name)
    }
    const twice = await ask({ method: method.toUpperCase(), path: `${route}?${name}=1&${name}=2` })
    expect(problemOf(twice).code).toBe('validation_failed')
  })
})

describe('path parameters', () => {
  const withParameters = ROWS.filter(([, row]) => row.path.includes('{'))
  const values: readonly (readonly [string, string])[] = [
    ['2,000 characters', 'a'.repeat(2_000)],
    ['12,000 characters', 'a'.repeat(12_000)],
    ['2,000 encoded characters', '%61'.repeat(2_000)],
    ['a NUL', '%00'],
    ['an encoded slash', '..%2f..%2fetc%2fpasswd'],
    ['a lone surrogate', '%ED%A0%80'],
  ]
  test.each(withParameters)('%s', async (_, row) => {
    const codes = problemsOf(row)
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    for (const [trick, value] of values) {
      for (const odd of names) {
        const path = pathWith(row, (name) => (name === odd ? value : idFor(name)))
        const problem = problemOf(
          await ask({ method: row.method, path, ...(row.method === 'GET' ? {} : { body: '{}' }) }),
        )
        expect(codes, `${trick}: ${problem.code}`).toContain(problem.code)
      }
    }
  })
})

describe('the Host header', () => {
  const key = (): string => `Authorization: Bearer ${api.mine.secret}`
  const bad: readonly (readonly [string, readonly string[]])[] = [
    ['missing', []],
    ['doubled', ['Host: a.example', 'Host: a.example']],
    ['doubled in two spellings', ['Host: a.example', 'hOST: b.example']],
    ['empty', ['Host:']],
    ['two in one', ['Host: a.example, b.example']],
    ['with a path', ['Host: a.example/x']],
    ['with a user', ['Host: me@a.example']],
    ['with a port that is none', ['Host: a.example:http']],
  ]
  test.each(bad)('%s: 400 everywhere', async (_, lines) => {
    for (const path of ['/v1/scans', '/healthz', '/docs', '/nothing/here']) {
      const problem = problemOf(await ask({ path, lines: [...lines, key()] }))
      expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path: 'Host' }] })
    }
  })
  test.each(['a.example', 'a.example:8080', '127.0.0.1:', '[::1]:443', 'xn--bcher-kva.example', 'b%C3%BCcher.example'])(
    '%s is fine',
    async (host) => {
      expect((await ask({ lines: [`Host: ${host}`, key()] })).status).toBe(200)
    },
  )
  test('HTTP/1.0 may do without', async () => {
    expect((await ask({ lines: [key()], version: '1.0' })).status).toBe(200)
    expect((await ask({ lines: ['Host: a', 'Host: b', key()], version: '1.0' })).status).toBe(400)
  })
})

describe('expectations and methods', () => {
  test.each(['200-ok', '100-continue, 200-ok', 'x'])('Expect: %s', async (expectation) => {
    const lines = [`Host: ${base.host}`, `Authorization: Bearer ${api.mine.secret}`, `Expect: ${expectation}`]
    for (const sent of [{}, { method: 'POST', path: '/v1/domains', body: '{}' }, { path: '/nothing' }]) {
      expect(problemOf(await ask({ ...sent, lines })).code).toBe('expectation_failed')
    }
  })
  test('100-continue is met', async () => {
    const lines = [`Host: ${base.host}`, `Authorization: Bearer ${api.mine.secret}`, 'Expect: 100-continue']
    const said = await exchange(base, requestText({ method: 'POST', path: '/v1/domains', lines, body: '{}' }))
    expect(said).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  })
  test('CONNECT is refused in words', async () => {
    const answer = await ask({ method: 'CONNECT', path: 'example.com:443' })
    expect(problemOf(answer).code).toBe('method_not_allowed')
  })
})

describe('a broken request on a kept connection', () => {
  const good = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: ${base.host}\r\nAuthorization: Bearer ${api.mine.secret}\r\n\r\n`
  const broken: readonly (readonly [string, string, number])[] = [
    ['no request at all', 'this is not HTTP\r\n\r\n', 400],
    ['a header with a space', `GET / HTTP/1.1\r\nHost: ${'a'}\r\nA B: c\r\n\r\n`, 400],
    ['headers of 20 KiB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ]
  test.each(broken)('%s, behind answered ones', async (_, bytes, status) => {
    const said = await exchange(base, good('/v1/scans'), good('/healthz'), bytes)
    const answers = answersIn(said)
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, status])
    const last = answers.at(-1) as RawAnswer
    expect(problemOf(last).status).toBe(status)
    expect(last.headers.connection).toBe('close')
  })
  test('a megabyte behind the mistake does not reset the answer away', async () => {
    const answers = answersIn(await exchange(base, 'broken\r\n\r\n', 'x'.repeat(1_000_000)))
    expect(answers.map((answer) => answer.status)).toEqual([400])
  })
})

test('the document names what the edge itself answers', () => {
  for (const [id, row] of ROWS) {
    for (const code of [
      'request_timeout',
      'expectation_failed',
      'header_fields_too_large',
      'validation_failed',
    ] as const)
      expect(problemsOf(row), id).toContain(code)
  }
})

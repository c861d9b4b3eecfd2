/**
 * An agent's program starts `sonde mcp`, as Claude, Cursor and others do: a real service, a site with a flaw beside its careful twin, and the
 * SDK's own client over stdio. One supposition from the agent to the worker and back; what agents.test.ts asks of the tools, and
 * hypothesis-places.test.ts of verdicts, is asked through all of it with SONDE_LONG=1.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Progress } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../src/contract/client.ts'
import { CHALLENGE_PATH } from '../src/contract/verification.ts'
import { type CaseServers, caseAddress, serveCase } from '../src/modules/testing/collecting.ts'
import { page } from '../testbed/web/case.ts'
import { serveCases } from '../testbed/web/server.ts'
import { DATABASES, type Sql } from '../testbed/web/sql.ts'
import { SQLI_CASES } from '../testbed/web/sqli-cases.ts'
import { XSS_CASES } from '../testbed/web/xss-cases.ts'
import { onPostgres } from './support/postgres.ts'
import { command, PROGRAM, type Serving, serve } from './support/sonde.ts'

const CASE = 'sqlite-text-hidden'
const XSS = XSS_CASES.find(({ id }) => id === 'xss-text')
/** Milliseconds: a run of one place takes a tenth of it. */
const LONG = 240_000

let sql: Sql
let site: CaseServers
let database: Awaited<ReturnType<typeof onPostgres>> | null = null
let service: Serving
let agent: Client
let folder = ''
let challenge = ''
let env: Record<string, string> = {}
const written: string[] = []
let hypotheses = 0

const withLong = test.runIf(process.env.SONDE_LONG)

const startAgent = async (key: string): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' })
  const [node = '', ...words] = PROGRAM
  const own = { SONDE_URL: service.ready.base_url, SONDE_API_KEY: key, PATH: process.env.PATH ?? '' }
  await client.connect(new StdioClientTransport({ command: node, args: [...words, 'mcp'], env: own }))
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: what tools answer is theirs to say, and looked at field by field here
const told = async (name: string, given: object, onprogress?: (progress: Progress) => void): Promise<any> => {
  if (name === 'test_hypothesis') hypotheses += 1
  const options = { timeout: LONG, ...(onprogress ? { onprogress } : {}) }
  const { isError, content, structuredContent } = await agent.callTool(
    { name, arguments: { ...given } },
    undefined,
    options,
  )
  expect(isError, JSON.stringify(content)).toBeFalsy()
  return structuredContent
}

beforeAll(async () => {
  sql = await DATABASES.sqlite()
  const cases = serveCases([...SQLI_CASES, ...XSS_CASES], { databases: { sqlite: sql }, folder: '/nowhere' })
  const listener: RequestListener = (request, response) => {
    if (request.url === CHALLENGE_PATH) return response.end(challenge)
    if (request.method !== 'GET') written.push(`${request.method} ${request.url}`)
    if (request.url !== '/') return cases(request, response)
    return response.writeHead(200, { 'Content-Type': 'text/html' }).end(page('<p>Lamps and tents.</p>'))
  }
  site = await serveCase(69, { http: listener })
  folder = mkdtempSync(join(tmpdir(), 'sonde-mcp-'))
  database = await onPostgres()
  const hosts = `shop.test=${caseAddress(69)},stranger.test=${caseAddress(69)}`
  env = {
    ...database.settings,
    SONDE_DATA: join(folder, 'data'),
    SONDE_HOSTS: hosts,
    SONDE_ALLOW_NETWORKS: '127.0.0.0/8',
  }
  service = await serve([], env)
  const client = createClient({ baseUrl: service.ready.base_url, apiKey: service.ready.api_key ?? '' })
  const made = await client.createDomain({ body: { domain: 'shop.test' } })
  await client.createDomain({ body: { domain: 'stranger.test' } })
  challenge = made.verification.http_file.content
  await client.verifyDomain({ params: { id: made.id } })
  agent = await startAgent(service.ready.api_key ?? '')
}, LONG)

afterAll(async () => {
  await agent?.close()
  await service?.end('SIGKILL')
  await database?.drop()
  await site?.close()
  await sql?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the domains are listed', async () => {
  const { items } = await told('list_domains', {})
  expect(items).toMatchObject([
    { domain: 'stranger.test', verified: false },
    { domain: 'shop.test', verified: true, environment: 'production' },
  ])
})

withLong('"scan shop.test and tell me the worst three with proofs"', { timeout: LONG }, async () => {
  const { scan_id } = await told('start_scan', { domain: 'shop.test' })
  const seen: Progress[] = []
  let scan = await told('watch_scan', { scan_id, wait_seconds: 200 }, (progress) => void seen.push(progress))
  if (scan.status !== 'done') scan = await told('watch_scan', { scan_id, wait_seconds: 200 })
  expect(scan).toMatchObject({ status: 'done', progress: 100, error: null })
  expect(seen.every(({ total, message }) => total === 100 && message !== undefined)).toBe(true)
  expect(seen.length).toBeGreaterThan(0)
  const worst = await told('list_findings', { scan_id, limit: 3, with_proof: true })
  expect(worst.items.length).toBe(3)
  expect(worst.items.every(({ from_target }: { from_target: object }) => 'proof' in from_target)).toBe(true)
  const evident = (await told('list_findings', { scan_id, limit: 50 })).items
  const whole = await Promise.all(
    evident.map(({ id }: { id: string }) => told('get_finding', { scan_id, finding_id: id })),
  )
  const [artifact_id] = whole.flatMap(({ evidence }) => evidence)
  if (artifact_id !== undefined)
    expect(await told('read_evidence', { scan_id, artifact_id })).toMatchObject({ notice: expect.any(String) })
  const { states, not_looked } = await told('read_coverage', { scan_id })
  expect([states.pass > 0, not_looked.length > 0]).toEqual([true, true])
  const { contents } = await agent.readResource({ uri: `sonde://scans/${scan_id}/report.md` })
  expect((contents[0] as { text: string }).text).toContain('shop.test')
})

describe('"is q really injectable?"', () => {
  const supposed = (url: string, change: object = {}) => ({
    ...{
      domain: 'shop.test',
      weakness: 'sqli',
      request: { url },
      point: { in: 'query', name: 'q' },
      wait_seconds: 200,
    },
    ...change,
  })

  test('it is, and the proof comes with it', { timeout: LONG }, async () => {
    const came = await told('test_hypothesis', supposed(`/careless/${CASE}?q=Ridge%20tent`))
    expect(came, JSON.stringify(came)).toMatchObject({
      ...{ status: 'done', verdict: 'confirmed', weakness: 'sqli' },
      finding: { severity: 'critical', confidence: 'confirmed', from_target: { parameter: 'q' } },
    })
    expect(came.finding.from_target.proof.replay).toContain('curl')
    const { items } = await told('list_problems', { domain: 'shop.test', severity: ['critical'] })
    expect(items.map(({ id }: { id: string }) => id)).toContain(came.finding.id)
  })

  withLong('its careful twin is not, and all was asked', { timeout: LONG }, async () => {
    const came = await told('test_hypothesis', supposed(`/careful/${CASE}?q=Ridge%20tent`))
    expect(came, JSON.stringify(came)).toMatchObject({ status: 'done', verdict: 'refuted', finding: null })
    expect(came.from_target.reason).toMatch(
      /^SQL injection was asked for in full at query parameter q, with \d+ requests/,
    )
    expect(came.requests).toBeGreaterThan(10)
    expect(await told('read_hypothesis', { scan_id: came.scan_id })).toEqual(came)
  })

  withLong('nor does what is no value of the page prove anything', { timeout: LONG }, async () => {
    const came = await told(
      'test_hypothesis',
      supposed(`/careless/${CASE}?q=Ridge%20tent`, { point: { in: 'query', name: 'unread' } }),
    )
    expect(came).toMatchObject({ verdict: 'refuted', finding: null })
    const nothing = await told('test_hypothesis', supposed('/nothing/here?q=1'))
    expect(nothing).toMatchObject({
      verdict: 'not_asked',
      from_target: { reason: expect.stringContaining('answers 404') },
    })
  })

  withLong('a script in a page is proven in a browser', { timeout: LONG }, async () => {
    const url = `${XSS?.id}?q=${encodeURIComponent(XSS?.value ?? '')}`
    const careless = await told('test_hypothesis', supposed(`/careless/${url}`, { weakness: 'xss' }))
    expect(careless, JSON.stringify(careless)).toMatchObject({
      verdict: 'confirmed',
      finding: { confidence: 'confirmed' },
    })
    const careful = await told('test_hypothesis', supposed(`/careful/${url}`, { weakness: 'xss' }))
    expect(careful, JSON.stringify(careful)).toMatchObject({ verdict: 'refuted', finding: null })
  })

  withLong('what the policy forbids is not asked, and nothing is sent there', { timeout: LONG }, async () => {
    const request = { method: 'POST', url: '/orders/pay?q=1', form: [{ name: 'card', value: '4' }] }
    const came = await told('test_hypothesis', supposed('', { request }))
    expect(came, JSON.stringify(came)).toMatchObject({
      status: 'done',
      verdict: 'not_asked',
      requests: 0,
      finding: null,
    })
    expect(came.from_target.reason).toMatch(/^Left alone: /)
    expect(written.filter((line) => line.includes('/orders'))).toEqual([])
  })

  test('nothing is asked of a domain that nobody has verified, or of another host', async () => {
    const refusal = async (given: object): Promise<string> => {
      const { isError, content } = await agent.callTool({ name: 'test_hypothesis', arguments: { ...given } })
      expect(isError).toBe(true)
      return (content as { text: string }[])[0]?.text ?? ''
    }
    expect(await refusal(supposed('/search?q=1', { domain: 'stranger.test' }))).toMatch(/domain_not_verified/)
    expect(await refusal(supposed('http://stranger.test/search?q=1'))).toMatch(
      /request\.url must be an address on shop\.test/,
    )
  })
})

test('a key without the scope is refused in a sentence, and the log has every call by its key', {
  timeout: LONG,
}, async () => {
  const { out } = await command(['key', 'create', 'agent', '--scope', 'scans:read', 'domains:read'], env)
  const reader = await startAgent(out.trim())
  try {
    const { isError, content } = await reader.callTool({ name: 'start_scan', arguments: { domain: 'shop.test' } })
    expect([isError, content]).toEqual([
      true,
      [{ type: 'text', text: 'This needs a key with the scope scans:write. (api_key_scope_insufficient)' }],
    ])
  } finally {
    await reader.close()
  }
  const owner = createClient({ baseUrl: service.ready.base_url, apiKey: service.ready.api_key ?? '' })
  const log = await owner.listActivity({ query: { limit: 100 } })
  const lines = log.items.map(({ action, subject, actor }) => `${actor.name}: ${action} ${subject}`)
  expect(lines[0]).toBe('agent: callMcp start_scan shop.test')
  expect(
    lines.filter((line: string) => line.includes('callMcp test_hypothesis shop.test')).length,
  ).toBeGreaterThanOrEqual(hypotheses)
  expect(hypotheses).toBeGreaterThan(0)
  expect(
    lines.some((line: string) => /startHypothesis shop\.test: SQL injection at query parameter q$/.test(line)),
  ).toBe(true)
})

test('a key that is wrong is said by the answer to the first message', { timeout: LONG }, async () => {
  await expect(startAgent('sonde_wrong')).rejects.toThrow(/The API key is mistyped, unknown, expired or revoked/)
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as agents from '../contract/agent-examples.ts'
import * as example from '../contract/examples.ts'
import { agentTokens } from '../contract/key-format.ts'
import { placeOf } from '../main/agent.ts'
import { readConfig } from '../main/config.ts'
import type { AgentCommand } from './deps.ts'
import { type FakeService, fakeService, problem } from './testing/fake-service.ts'
import { runWords } from './testing/run-words.ts'

const { agent } = agents
const DOMAIN = { ...example.domain, domain: 'wiki.corp' }
let registered = false
let service: FakeService
beforeEach(async () => {
  registered = false
  service = await fakeService(() => ({
    'GET /v1/agents': {
      json: { items: [{ ...agent, id: example.ids.run, name: 'office', revoked_at: agent.created_at }, agent] },
    },
    'POST /v1/agents': { status: 201, json: agents.agentCreated },
    [`POST /v1/agents/${agent.id}/revoke`]: { json: { ...agent, revoked_at: agent.created_at } },
    'GET /v1/domains': { json: { items: [DOMAIN], next_cursor: null } },
    'POST /v1/domains': () =>
      registered
        ? problem(409, 'domain_exists', 'It is registered')
        : { status: 201, json: { ...DOMAIN, agent_id: agent.id } },
    [`PATCH /v1/domains/${DOMAIN.id}`]: (seen) => ({ json: { ...DOMAIN, ...(seen.body as object) } }),
  }))
})
afterEach(() => service.close())
const run = (words: readonly string[], more: Parameters<typeof runWords>[1] = {}) =>
  runWords(['agent', ...words], { env: { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_key' }, ...more })

test('agents are listed, made and revoked by name', async () => {
  const list = await run(['list'])
  expect([list.code, list.err]).toEqual([0, ''])
  expect(list.out).toMatch(/warehouse +2026-11-25T09:30:00.000Z +1.0.0 +10.20.0.0\/16 +1/)
  expect(list.out).toMatch(/office +revoked/)
  expect((await run(['create', 'warehouse'])).out).toContain(agents.agentCreated.token)
  expect(await run(['revoke', 'warehouse'])).toMatchObject({ code: 0, out: 'Revoked warehouse.\n' })
  expect(await run(['revoke', 'office'])).toMatchObject({
    code: 3,
    err: expect.stringMatching(/^There is no agent office/),
  })
})

test('a domain is registered with its agent, or changed where it is there', async () => {
  expect((await run(['domain', 'wiki.corp', 'warehouse'])).out).toContain('agent: warehouse')
  expect(service.seen.at(-1)?.body).toEqual({ domain: 'wiki.corp', agent_id: agent.id })
  registered = true
  expect((await run(['domain', 'wiki.corp', 'warehouse'])).code).toBe(0)
  expect(service.seen.at(-1)).toMatchObject({ method: 'PATCH', body: { agent_id: agent.id } })
  expect((await run(['domain', 'wiki.corp', 'none'])).code).toBe(0)
  expect(service.seen.at(-1)).toMatchObject({ method: 'PATCH', body: { agent_id: null } })
})

describe('running one', () => {
  const given = async (
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<AgentCommand | null> => {
    let command: AgentCommand | null = null
    const said = await runWords(['agent', ...words], {
      env,
      agent: async (asked) => {
        command = asked
        return 0
      },
    })
    expect([said.code, said.err]).toEqual([0, ''])
    return command
  }

  test('takes its words, or the environment', async () => {
    expect(
      await given([
        '--url',
        'https://s.example',
        '--token-file',
        '/t',
        '--allow',
        '10.0.0.0/8',
        '--allow',
        '192.0.2.1',
      ]),
    ).toEqual({
      ...{ url: 'https://s.example', token: null, tokenFile: '/t', allow: ['10.0.0.0/8', '192.0.2.1'] },
    })
    expect(await given([], { SONDE_URL: 'https://s.example', SONDE_AGENT_TOKEN: 't' })).toEqual({
      ...{ url: 'https://s.example', token: 't', tokenFile: null, allow: [] },
    })
  })

  test('with --check says what it lacks, and exits 2 for what is bad', async () => {
    const checks = [
      { name: 'service', state: 'ok' as const, detail: 'answers', fix: null },
      { name: 'version', state: 'bad' as const, detail: '1, and the service is 2', fix: 'Install version 2.' },
    ]
    const said = await runWords(['agent', '--check'], { checkAgent: async () => checks })
    expect(said).toMatchObject({
      code: 2,
      out: expect.stringMatching(/ok +service: answers\nbad +version: 1.*\n +Install version 2\.\n/),
    })
  })

  test('the small program makes and lists agents, and is none', async () => {
    expect((await runWords(['agent', '--url', 'https://s.example'], { remote: true })).code).toBe(3)
    expect((await run(['list'], { remote: true })).code).toBe(0)
  })
})

describe('where it stands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-token-'))
  afterEach(() => rmSync(join(folder, 'token'), { force: true }))
  afterAll(() => rmSync(folder, { recursive: true }))
  const config = readConfig({ SONDE_ALLOW_NETWORKS: '192.0.2.0/24' }, '/')
  const token = agentTokens.make()
  const BASE: AgentCommand = { url: 'https://s.example', token, tokenFile: null, allow: [] }

  test('networks are those of the settings and of --allow, and nothing private without', () => {
    expect(placeOf(config, { ...BASE, allow: ['10.20.0.0/16'] }).config.allowNetworks).toEqual([
      '192.0.2.0/24',
      '10.20.0.0/16',
    ])
    expect(placeOf(readConfig({}, '/'), BASE).config.allowNetworks).toEqual([])
  })

  test.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])('%s is this machine', (url) => {
    expect(placeOf(config, { ...BASE, url }).url).toBe(url)
  })

  test('a token comes from a file, too', () => {
    writeFileSync(join(folder, 'token'), `${token}\n`)
    expect(placeOf(config, { ...BASE, token: null, tokenFile: join(folder, 'token') }).token).toBe(token)
  })

  test.each([
    ['no address', { url: null }, /Say which service/],
    ['an address of another kind', { url: 'ftp://s.example' }, /begin with https/],
    ['an address by which all would cross the network in clear', { url: 'http://s.example' }, /in clear/],
    ['a name that only begins as this machine', { url: 'http://localhost.s.example' }, /in clear/],
    ['no token', { token: null }, /Give the token/],
    ['an API key in its place', { token: `sonde_${'a'.repeat(40)}` }, /no token of an agent/],
    ['a typo in it', { token: `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}` }, /one of them is wrong/],
    ['a file that is not there', { token: null, tokenFile: '/nowhere/token' }, /cannot be read/],
    ['a network that is none', { allow: ['warehouse'] }, /--allow has "warehouse"/],
  ] as const)('%s: one sentence, without the token', (_name, change, sentence) => {
    const start = () => placeOf(config, { ...BASE, ...change })
    expect(start).toThrow(sentence)
    expect(start).not.toThrow(new RegExp(token))
  })
})

test('what only an agent asks for is scanned by its name, though it could not be registered without one', async () => {
  await service.close()
  const none = problem(400, 'validation_failed', 'One field is not valid.')
  service = await fakeService(() => ({
    'POST /v1/domains': none,
    'GET /v1/domains': ({ query }) => ({
      json: { items: query.domain === DOMAIN.domain ? [DOMAIN] : [], next_cursor: null },
    }),
    'POST /v1/scans': { status: 202, json: example.runCreated },
  }))
  const scan = (name: string) =>
    runWords(['scan', name], { env: { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_key' } })
  expect(await scan('wiki.corp')).toEqual({ code: 0, out: `${example.runCreated.id}\n`, err: '' })
  expect(await scan('other.corp')).toMatchObject({ code: 3, err: expect.stringContaining('One field is not valid.') })
})

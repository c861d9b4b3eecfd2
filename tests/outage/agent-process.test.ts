/**
 * `sonde serve` and `sonde agent` as processes of their own: a site that only the agent may reach, an agent that is killed,
 * and a connection that is cut. With `--long` both happen again and again.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient } from '../../src/contract/client.ts'
import { watchScan } from '../../src/contract/event-stream.ts'
import type { RunState } from '../../src/contract/run.ts'
import { CHALLENGE_PATH } from '../../src/contract/verification.ts'
import { type CaseServers, serveCase } from '../../src/modules/testing/collecting.ts'
import { copyTemplate } from '../support/databases.ts'
import { type Env, type Serving, serve, sonde, start } from '../support/sonde.ts'
import { until } from '../support/until.ts'
import { openRelay, type Relay } from './relay.ts'

const ROUNDS = process.env.SONDE_LONG ? 20 : 1
const TIME = 240_000 + ROUNDS * 60_000
/** Milliseconds for a program to start and do something, where much else runs. */
const START = 120_000
const NAME = 'wiki.corp'

let folder = ''
let site: CaseServers
let service: Serving
let relay: Relay
let client: Client
let env: Env = {}
let words: readonly string[] = []
let challenge = ''
/** What the start page waits for before it answers. */
let gate: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null
let asked = 0
const agents: ChildProcess[] = []
const said: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-agent-'))
  site = await serveCase(65, {
    http: async (request, response) => {
      if (request.url === CHALLENGE_PATH)
        return response.writeHead(200, { 'Content-Type': 'text/plain' }).end(challenge)
      asked += 1
      await gate?.promise
      return response
        .writeHead(200, { 'Content-Type': 'text/html', 'X-Powered-By': 'PHP/5.6.40' })
        .end('<!doctype html><html lang=en><title>Wiki</title><p>Only from inside')
    },
  })
  const data = join(folder, 'service')
  await copyTemplate(data)
  chmodSync(data, 0o700)
  // It knows no such name, and may go to no such address.
  service = await serve([], { SONDE_DATA: data, SONDE_RESOLVERS: `${site.address}:9` })
  relay = await openRelay({ port: Number(new URL(service.ready.base_url).port), host: '127.0.0.1' })
  client = createClient({ baseUrl: service.ready.base_url, apiKey: service.ready.api_key ?? '' })
  const { token } = await client.createAgent({ body: { name: 'warehouse' } })
  writeFileSync(join(folder, 'token'), `${token}\n`, { mode: 0o600 })
  env = {
    ...{ SONDE_DATA: join(folder, 'agent'), SONDE_HOSTS: `${NAME}=${site.address}` },
    SONDE_RESOLVERS: `${site.address}:9`,
  }
  words = [
    'agent',
    '--url',
    `http://127.0.0.1:${relay.port}`,
    '--token-file',
    join(folder, 'token'),
    '--allow',
    `${site.address}/32`,
  ]
}, 300_000)

afterAll(async () => {
  gate?.resolve()
  for (const agent of agents) await kill(agent, 'SIGTERM')
  await relay?.close()
  await service?.end('SIGTERM')
  await site?.close()
  rmSync(folder, { recursive: true, force: true })
})

const startAgentProcess = (): ChildProcess => {
  const child = start(words, env)
  child.stdout.resume()
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => said.push(chunk))
  agents.push(child)
  return child
}

const kill = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

const hold = (): void => {
  gate = Promise.withResolvers<void>()
}
const letThrough = (): void => {
  gate?.resolve()
  gate = null
}

/** Messages that wait on the disk of the agent. */
const waiting = (): number => {
  const parent = join(folder, 'agent', 'agent')
  if (!existsSync(parent)) return 0
  return readdirSync(parent).reduce((sum, name) => sum + readdirSync(join(parent, name)).length, 0)
}

const whole = async (id: string): Promise<void> => {
  let end: RunState | null = null
  for await (const event of watchScan(client, id, { signal: AbortSignal.timeout(START) }))
    if (event.type === 'done') end = event.data
  expect(end).toMatchObject({ status: 'done', error_detail: null })
  const { items: findings } = await client.listFindings({ params: { id }, query: { limit: 100 } })
  expect(findings.map(({ title }) => title).join()).toMatch(/Content-Security-Policy missing/)
  const { items: files } = await client.listArtifacts({ params: { id } })
  const evidence = new Set(files.map((file) => file.id))
  for (const finding of findings) for (const one of finding.evidence) expect(evidence).toContain(one)
  const kinds = new Set(files.map(({ kind }) => kind))
  for (const kind of ['findings_json', 'audit_log', 'evidence', 'report_html', 'signature'] as const)
    expect(kinds).toContain(kind)
}

test(
  'a run through an agent that is killed, and then cut off, ends with everything',
  async () => {
    const { agent_id, id: domain } = await registered()
    expect(agent_id).not.toBeNull()
    let agent = startAgentProcess()
    const verified = await client.verifyDomain({ params: { id: domain } })
    expect(verified.attempts.find(({ method }) => method === 'http_file')).toMatchObject({ ok: true })
    expect(verified.domain.verified_at).not.toBeNull()

    for (let round = 0; round < ROUNDS; round += 1) {
      hold()
      const before = asked
      const { id } = await client.startScan({ body: { domain_id: domain, survey: true, make_pdf: false } })
      await until(() => asked > before, START)
      await kill(agent, 'SIGKILL')
      const killedAt = asked
      agent = startAgentProcess()
      // Its run is taken back at once, and not after the quarter of an hour that its lease lasts.
      await until(() => asked > killedAt, START)
      await relay.refuse()
      letThrough()
      await until(() => waiting() > 0, START)
      await relay.restore()
      await whole(id)
    }
    await kill(agent, 'SIGTERM')
    expect(waiting()).toBe(0)
    expect(said.join('')).not.toMatch(/sonde_agent_/)
  },
  TIME,
)

const registered = async () => {
  const { items } = await client.listAgents()
  const agent_id = items[0]?.id ?? ''
  const domain = await client.createDomain({ body: { domain: NAME, agent_id } })
  challenge = domain.verification.http_file.content
  return domain
}

test('the self-check says what is there, and a wrong token in one sentence', async () => {
  const checked = await sonde([...words, '--check', '--json'], env)
  const checks: { name: string; state: string; detail: string }[] = JSON.parse(checked.out).checks
  const stateOf = (name: string) => checks.find((check) => check.name === name)?.state
  for (const name of ['service', 'token', 'version', 'clock', 'data folder', 'networks'])
    expect([name, stateOf(name)]).toEqual([name, 'ok'])
  expect(stateOf('tls')).toBe('missing')
  expect(checked.code).toBe(0)
  const wrong = await sonde(['agent', '--url', service.ready.base_url, '--token', `sonde_agent_${'a'.repeat(40)}`], env)
  expect(wrong).toMatchObject({ code: 3, err: expect.stringMatching(/^That is no token of an agent/) })
})

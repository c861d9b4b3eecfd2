import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTenant, openApi, type Tenant, type TestApi } from '../../tests/support/api.ts'
import { until } from '../../tests/support/until.ts'
import { LEASE_HEADER } from '../contract/agent.ts'
import * as example from '../contract/examples.ts'
import { BUILT_IN_PLANS } from '../contract/organisation.ts'
import { lease, reap } from '../store/lease.ts'
import { loadModules } from '../store/modules.ts'
import { getAnyRun } from '../store/runs.ts'

let api: TestApi
let tenant: Tenant
let count = 0
beforeAll(async () => {
  api = await openApi({ agentPatience: 2_000, trafficKey: (runId) => `key of ${runId}` })
})
afterAll(() => api.close())

interface Made {
  readonly id: string
  readonly token: string
}

const makeAgent = async (name: string, of: Tenant = tenant): Promise<Made> => {
  const made = await api.send('POST', '/v1/agents', { secret: of.secret, body: { name } })
  expect(made.statusCode).toBe(201)
  return { id: made.json().agent.id, token: made.json().token }
}
const domainOf = async (agent: Made, domain: string, of: Tenant = tenant): Promise<string> => {
  const body = { domain, agent_id: agent.id }
  return (await api.send('POST', '/v1/domains', { secret: of.secret, body })).json().id
}
const start = (domainId: string, more: object = {}) =>
  api.send('POST', '/v1/scans', { secret: tenant.secret, body: { domain_id: domainId, ...more } })

const INSTANCE = randomUUID()
const work = (agent: Made, more: object = {}) =>
  api.send('POST', '/v1/agent/work', {
    secret: agent.token,
    body: { version: '0.1.0', instance: INSTANCE, holding: [], place: true, networks: ['10.0.0.0/8'], ...more },
  })
const call = (agent: Made, run: { id: string; lease: string }, method: 'POST' | 'GET', path: string, body?: object) =>
  api.send(method, `/v1/agent/runs/${run.id}/${path}`, {
    ...{ secret: agent.token, headers: { [LEASE_HEADER]: run.lease } },
    ...(body === undefined ? {} : { body }),
  })
const tell = (agent: Made, run: { id: string; lease: string }, seq: number, message: object) =>
  call(agent, run, 'POST', 'messages', { seq, message })
const evidence = (agent: Made, run: { id: string; lease: string }, seq: number, id: string, payload: Buffer) =>
  api.send(
    'PUT',
    `/v1/agent/runs/${run.id}/evidence/${id}?seq=${seq}&module=site&filename=a.txt&content_type=text/plain`,
    {
      ...{ secret: agent.token, payload },
      headers: { [LEASE_HEADER]: run.lease, 'content-type': 'application/octet-stream' },
    },
  )
const { id: _id, status: _status, triage: _triage, ...finding } = example.finding
const moduleMessage = (more: object = {}) => ({
  ...{ type: 'module', module: 'headers', facts: { seen: 1 }, findings: [finding], coverage: [], evidence: [] },
  outcome: { state: 'completed', reason: null, duration_ms: 5, requests: 2 },
  ...more,
})

let agent: Made
beforeEach(async () => {
  count += 1
  tenant = await createTenant(api.db, `t${count}.example.com`)
  agent = await makeAgent('warehouse')
})

describe('an agent', () => {
  test('is made with a token that is shown once and is no key; a key is no token', async () => {
    expect(agent.token).toMatch(/^sonde_agent_[0-9A-Za-z]{40}$/)
    const list = await api.send('GET', '/v1/agents', { secret: tenant.secret })
    expect(list.json().items).toMatchObject([{ id: agent.id, name: 'warehouse', last_seen_at: null, domains: 0 }])
    expect(list.body).not.toContain(agent.token)
    expect((await api.send('GET', '/v1/scans', { secret: agent.token })).statusCode).toBe(401)
    expect((await api.send('GET', '/v1/agents', { secret: agent.token })).statusCode).toBe(401)
    expect((await api.send('GET', '/v1/agent', { secret: tenant.secret })).statusCode).toBe(401)
    expect((await api.send('GET', '/v1/agent', { secret: agent.token })).json()).toMatchObject({
      ...{ agent: { id: agent.id, name: 'warehouse' }, version: '0.1.0' },
    })
  })

  test('has a name of its own; once revoked the name is free', async () => {
    const again = () => api.send('POST', '/v1/agents', { secret: tenant.secret, body: { name: 'warehouse' } })
    expect((await again()).json().code).toBe('agent_exists')
    await api.send('POST', `/v1/agents/${agent.id}/revoke`, { secret: tenant.secret })
    expect((await again()).statusCode).toBe(201)
  })

  test("is not another organisation's to revoke or to name", async () => {
    const stranger = await createTenant(api.db, `s${count}.example.com`)
    const revoked = await api.send('POST', `/v1/agents/${agent.id}/revoke`, { secret: stranger.secret })
    expect(revoked.json().code).toBe('agent_not_found')
    const named = await api.send('PATCH', `/v1/domains/${stranger.domainId}`, {
      ...{ secret: stranger.secret, body: { agent_id: agent.id } },
    })
    expect(named.json().errors).toEqual([{ path: 'agent_id', message: 'is no agent of yours' }])
  })

  test('of another version gets one sentence and no run', async () => {
    await start(await domainOf(agent, 'wiki.corp'))
    const refused = await work(agent, { version: '0.2.0' })
    expect(refused.json()).toMatchObject({
      code: 'agent_version_wrong',
      detail: 'This service is version 0.1.0, and the agent is 0.2.0: install version 0.1.0 of it.',
    })
    const list = (await api.send('GET', '/v1/agents', { secret: tenant.secret })).json()
    expect(list.items).toMatchObject([{ version: '0.2.0', networks: ['10.0.0.0/8'], last_seen_at: expect.any(String) }])
  })

  test('that is revoked has no run and no token any more, and its domains start none', async () => {
    const domainId = await domainOf(agent, 'wiki.corp')
    const { id } = (await start(domainId)).json()
    const { run } = (await work(agent)).json()
    await api.send('POST', `/v1/agents/${agent.id}/revoke`, { secret: tenant.secret })
    expect((await call(agent, run, 'POST', 'heartbeat')).statusCode).toBe(401)
    expect(await getAnyRun(api.db, id)).toMatchObject({
      ...{ status: 'failed', error_kind: 'worker_lost', error_detail: 'The agent warehouse was revoked.' },
    })
    expect((await start(domainId)).json()).toMatchObject({ code: 'agent_revoked', status: 409 })
  })
})

describe('a domain that names an agent', () => {
  test('may have a private suffix, and not without it', async () => {
    const domainId = await domainOf(agent, 'wiki.corp')
    const change = (agent_id: string | null) =>
      api.send('PATCH', `/v1/domains/${domainId}`, { secret: tenant.secret, body: { agent_id } })
    expect((await change(null)).json().errors).toEqual([
      { path: 'domain', message: 'has no public suffix: .corp is none' },
    ])
    expect((await change(agent.id)).json().agent_id).toBe(agent.id)
  })

  test('loses its verification with its agent, and keeps both while a run goes on', async () => {
    const change = (agent_id: string | null) =>
      api.send('PATCH', `/v1/domains/${tenant.domainId}`, { secret: tenant.secret, body: { agent_id } })
    await api.send('POST', `/v1/domains/${tenant.domainId}/verify`, { secret: tenant.secret })
    const verified = async () =>
      (await api.send('GET', `/v1/domains/${tenant.domainId}`, { secret: tenant.secret })).json().verified_at
    expect(await verified()).not.toBeNull()
    const { id } = (await start(tenant.domainId)).json()
    expect((await change(agent.id)).json().code).toBe('domain_in_use')
    await api.send('POST', `/v1/scans/${id}/cancel`, { secret: tenant.secret })
    expect((await change(agent.id)).json()).toMatchObject({ agent_id: agent.id, verified_at: null })
    expect((await start(tenant.domainId, { active: true })).json().code).toBe('domain_not_verified')
  })

  test('is verified by what its agent sees, and by no other', async () => {
    const domainId = await domainOf(agent, 'wiki.corp')
    const stranger = await makeAgent('office')
    const asked = api.send('POST', `/v1/domains/${domainId}/verify`, { secret: tenant.secret })
    const checks = async (of: Made) => (await work(of, { place: false })).json().checks
    let check: { id: string; domain: string; token: string } | undefined
    await until(async () => {
      check ??= (await checks(agent))[0]
      return check !== undefined
    })
    expect(check).toMatchObject({ domain: 'wiki.corp', token: expect.any(String) })
    const answer = (of: Made, ok: boolean) =>
      api.send('PUT', `/v1/agent/checks/${check?.id}`, {
        ...{ secret: of.token, body: { attempts: [{ method: 'dns_txt', ok, seen: 'the record' }] } },
      })
    expect(await checks(stranger)).toEqual([])
    await answer(stranger, true)
    await answer(agent, true)
    expect((await asked).json()).toMatchObject({
      domain: { agent_id: agent.id, verified_at: expect.any(String) },
      attempts: [{ method: 'dns_txt', ok: true, seen: 'the record' }],
    })
  })

  test('whose agent does not answer is not verified, and a person is told so', async () => {
    const domainId = await domainOf(agent, 'wiki.corp')
    const never = await api.send('POST', `/v1/domains/${domainId}/verify`, { secret: tenant.secret })
    expect(never.json().attempts[0].seen).toMatch(/agent, warehouse, has never asked for work: start it/)
    await work(agent, { place: false })
    const asked = await api.send('POST', `/v1/domains/${domainId}/verify`, { secret: tenant.secret })
    expect(asked.json()).toMatchObject({ domain: { verified_at: null }, attempts: [{ ok: false }, {}, {}] })
    expect(asked.json().attempts[0].seen).toMatch(/agent has not answered/)
  })
})

describe('runs of an agent', () => {
  const leased = async (): Promise<{ id: string; lease: string }> => {
    const domainId = await domainOf(agent, 'wiki.corp')
    await start(domainId)
    const { run } = (await work(agent)).json()
    return run
  }

  test('wait for it, and no worker of the service takes them', async () => {
    const domainId = await domainOf(agent, 'wiki.corp')
    const { id } = (await start(domainId)).json()
    expect(await getAnyRun(api.db, id)).toMatchObject({ phase_detail: 'Waiting for the agent warehouse' })
    expect(await lease(api.db, { workerId: 'w', seconds: 30, plans: BUILT_IN_PLANS })).toBeNull()
    const office = await makeAgent('office')
    expect((await work(office)).json().run).toBeNull()
    expect((await work(agent, { place: false })).json().run).toBeNull()
    const [one, two] = await Promise.all([work(agent, { instance: randomUUID() }), work(agent)])
    const given = [one.json().run, two.json().run].filter((run) => run !== null)
    expect(given).toMatchObject([{ id, domain: 'wiki.corp', attempts: 0, lease_seconds: 900 }])
  })

  test('go back when its process does not have them any more', async () => {
    const run = await leased()
    await work(agent, { place: false, instance: randomUUID() })
    expect((await call(agent, run, 'POST', 'heartbeat')).statusCode).toBe(200)
    await work(agent, { place: false, holding: [run.id] })
    expect(await reap(api.db)).toMatchObject({ requeued: 0 })
    await work(agent, { place: false })
    expect(await reap(api.db)).toMatchObject({ requeued: 1 })
    expect((await call(agent, run, 'POST', 'heartbeat')).json().code).toBe('lease_lost')
    expect((await tell(agent, run, 1, moduleMessage())).json().code).toBe('lease_lost')
    expect((await work(agent)).json().run).toMatchObject({ id: run.id })
  })

  test("are closed to another agent's token, another lease and no lease", async () => {
    const run = await leased()
    const stranger = await createTenant(api.db, `s${count}.example.com`)
    for (const office of [await makeAgent('office'), await makeAgent('office', stranger)]) {
      expect((await call(office, run, 'POST', 'heartbeat')).json().code).toBe('lease_lost')
      expect((await call(office, run, 'GET', 'assignment')).json().code).toBe('lease_lost')
      const ended = await call(office, run, 'POST', 'end', { end: { result: 'completed' } })
      expect(ended.json().code).toBe('lease_lost')
    }
    expect((await call(agent, { ...run, lease: randomUUID() }, 'POST', 'start')).json().code).toBe('lease_lost')
    expect(
      (await call(agent, { ...run, lease: '' }, 'POST', 'end', { end: { result: 'completed' } })).json().code,
    ).toBe('lease_lost')
  })

  test('begin once, whoever lost the answer', async () => {
    const run = await leased()
    const first = (await call(agent, run, 'POST', 'start')).json()
    expect(first).toMatchObject({ attempt: 1, prove: null, active_refused: null })
    expect((await call(agent, run, 'POST', 'start')).json()).toEqual(first)
    expect(await getAnyRun(api.db, run.id)).toMatchObject({ status: 'running', attempts: 1 })
  })

  test('have what they scan in the assignment, with a key for this run alone', async () => {
    const run = await leased()
    expect((await call(agent, run, 'GET', 'assignment')).json()).toMatchObject({
      ...{ domain: 'wiki.corp', tier: 'passive', deaths: [], completed: {} },
      ...{ credentials: { cookie: null, header: null }, traffic_key: `key of ${run.id}` },
    })
  })

  test('keep every message once and in order', async () => {
    const run = await leased()
    await call(agent, run, 'POST', 'start')
    const audit = { type: 'audit', entries: [{ ts: new Date().toISOString(), module: 'site', event: 'request' }] }
    expect((await tell(agent, run, 2, audit)).json().code).toBe('message_out_of_order')
    expect((await tell(agent, run, 1, audit)).statusCode).toBe(204)
    expect((await tell(agent, run, 1, audit)).statusCode).toBe(204)
    expect((await tell(agent, run, 2, moduleMessage())).statusCode).toBe(204)
    expect((await tell(agent, run, 2, moduleMessage())).statusCode).toBe(204)
    const lines = await api.db.query(`select 1 from events where run_id = $1 and type = 'audit'`, [run.id])
    // The one of the start, and this one.
    expect(lines).toHaveLength(2)
    expect(await loadModules(api.db, run.id)).toMatchObject([{ module: 'headers', facts: { seen: 1 } }])
    expect(await getAnyRun(api.db, run.id)).toMatchObject({ counts: { [finding.severity]: 1 } })
  })

  test('keep a file once, as it was sent, and refuse one that is too large', async () => {
    const run = await leased()
    await call(agent, run, 'POST', 'start')
    const id = randomUUID()
    const body = Buffer.from([0, 255, 10, 13])
    expect((await evidence(agent, run, 1, id, body)).statusCode).toBe(204)
    expect((await evidence(agent, run, 1, id, body)).statusCode).toBe(204)
    const [file] = await api.db.query<{ object_key: string; size_bytes: number; stored_at: Date | null }>(
      `select object_key, size_bytes, stored_at from artifacts where run_id = $1`,
      [run.id],
    )
    expect(file).toMatchObject({ size_bytes: 4, stored_at: expect.any(Date) })
    const { stream } = await api.storage.get(file?.object_key ?? '')
    expect(Buffer.concat(await stream.toArray())).toEqual(body)
    const large = await evidence(agent, run, 2, randomUUID(), Buffer.alloc(64 * 1024 * 1024 + 1))
    expect(large.statusCode).toBe(413)
  })

  test.each([
    ['of an unknown kind', { type: 'shell' }],
    ['with a finding that is none', moduleMessage({ findings: [{ ...finding, severity: 'terrible' }] })],
    ['with a field too many', { type: 'progress', phase: 'passive', detail: '', progress: 1, status: 'done' }],
  ])('refuse a message %s', async (_name, message) => {
    const run = await leased()
    await call(agent, run, 'POST', 'start')
    expect((await tell(agent, run, 1, message)).json().code).toBe('validation_failed')
  })

  test('an active one that shows no proof sends nothing active', async () => {
    const domainId = await domainOf(agent, 'wiki.corp')
    const until = new Date(Date.now() + 86_400_000)
    await api.db.query('update domains set verified_at = $2, verified_until = $3 where id = $1', [
      ...[domainId, new Date(), until],
    ])
    await start(domainId, { active: true })
    const { run } = (await work(agent)).json()
    expect((await call(agent, run, 'POST', 'start')).json().prove).toMatchObject({ domain: 'wiki.corp' })
    const prove = (ok: boolean) =>
      call(agent, run, 'POST', 'proof', { attempts: [{ method: 'dns_txt', ok, seen: 'no record' }] })
    expect((await prove(false)).json().active_refused).toMatch(/does not show its verification any more/)
    expect((await prove(true)).json().active_refused).toBeNull()
  })

  test('go over to a worker of the service with their end, once', async () => {
    const run = await leased()
    await call(agent, run, 'POST', 'start')
    const end = (body: object) => call(agent, run, 'POST', 'end', { end: body })
    expect((await end({ result: 'completed' })).statusCode).toBe(204)
    expect((await end({ result: 'completed' })).statusCode).toBe(204)
    expect((await tell(agent, run, 1, moduleMessage())).json().code).toBe('lease_lost')
    const taken = await lease(api.db, { workerId: 'w', seconds: 30, plans: BUILT_IN_PLANS })
    expect(taken).toMatchObject({ runId: run.id, attempts: 1, scanned: { result: 'completed' } })
  })

  test('that are handed back do not count an attempt', async () => {
    const run = await leased()
    await call(agent, run, 'POST', 'start')
    expect((await call(agent, run, 'POST', 'release')).statusCode).toBe(204)
    expect(await getAnyRun(api.db, run.id)).toMatchObject({ status: 'queued', attempts: 0 })
  })

  test('are in the activity log, without heartbeats and messages', async () => {
    const run = await leased()
    await call(agent, run, 'POST', 'start')
    await call(agent, run, 'POST', 'heartbeat')
    await tell(agent, run, 1, moduleMessage())
    await work(agent, { holding: [run.id] })
    await call(agent, run, 'POST', 'end', { end: { result: 'completed' } })
    const log = (await api.send('GET', '/v1/activity', { secret: tenant.secret })).json()
    expect(
      log.items
        .filter((entry: { actor: { id: string } }) => entry.actor.id === agent.id)
        .map(({ action }: { action: string }) => action),
    ).toEqual(['endAgentRun', 'startAgentRun', 'takeAgentWork'])
  })
})

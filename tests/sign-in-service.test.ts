/** Identities through the real service: stored, tried out with pictures, used by runs, and told by nothing that it gives away. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient } from '../src/contract/client.ts'
import type { LoginTest } from '../src/contract/domain-login.ts'
import { watchScan } from '../src/contract/event-stream.ts'
import type { CreateIdentity } from '../src/contract/identity.ts'
import type { RunState } from '../src/contract/run.ts'
import { CHALLENGE_PATH } from '../src/contract/verification.ts'
import { type CaseServers, caseAddress, serveCase } from '../src/modules/testing/collecting.ts'
import { openDatabase } from '../src/store/open-database.ts'
import { CLIENT_SECRET, FIRST_REFRESH, memberSite, PASSWORD, SEED } from './support/member-site.ts'
import { onPostgres } from './support/postgres.ts'
import { type Serving, serve } from './support/sonde.ts'
import { until } from './support/until.ts'

const PROOF = { path: '/account', text: 'Hello Ada' }
const BY_REQUEST: Omit<CreateIdentity, 'name' | 'role'> = {
  kind: 'request',
  request: {
    requests: [
      { url: '/login', read: { csrf: { field: '_csrf' } } },
      { url: '/login', form: { user: 'ada', password: PASSWORD, _csrf: '{{csrf}}' } },
      { url: '/code', form: { code: '{{totp}}' } },
    ],
  },
  totp: { secret: SEED, period: 10 },
  proof: PROOF,
}
const BY_STEPS: Omit<CreateIdentity, 'name' | 'role'> = {
  kind: 'steps',
  steps: {
    steps: [
      { do: 'goto', url: '/login' },
      { do: 'fill', on: '#user', value: 'ada' },
      { do: 'fill', on: '#password', value: PASSWORD },
      { do: 'press', key: 'Enter' },
      { do: 'totp', on: 'input[name=code]' },
      { do: 'press', key: 'Enter' },
      { do: 'wait', text: 'Hello Ada' },
    ],
  },
  totp: { secret: SEED, period: 10 },
  proof: PROOF,
}

let challenge = ''
const member = memberSite({ totp: true, files: () => ({ [CHALLENGE_PATH]: challenge }) })
let site: CaseServers
let database: Awaited<ReturnType<typeof onPostgres>>
let service: Serving
let client: Client
let folder = ''
let domain = ''
const outputs = new Map<string, string>()
const keep = <Value>(name: string, value: Value): Value => {
  outputs.set(`${name} ${outputs.size}`, typeof value === 'string' ? value : JSON.stringify(value))
  return value
}

beforeAll(async () => {
  site = await serveCase(67, { http: member.answer })
  folder = mkdtempSync(join(tmpdir(), 'sonde-sign-in-'))
  database = await onPostgres()
  service = await serve([], {
    ...database.settings,
    ...{
      SONDE_DATA: join(folder, 'data'),
      SONDE_HOSTS: `shop.test=${caseAddress(67)}`,
      SONDE_ALLOW_NETWORKS: '127.0.0.0/8',
    },
  })
  client = createClient({ baseUrl: service.ready.base_url, apiKey: service.ready.api_key ?? '' })
  const made = await client.createDomain({ body: { domain: 'shop.test' } })
  domain = made.id
  challenge = made.verification.http_file.content
  await client.verifyDomain({ params: { id: domain } })
}, 120_000)

afterAll(async () => {
  await service?.end('SIGKILL')
  await database?.drop()
  await site?.close()
  rmSync(folder, { recursive: true, force: true })
})

const tried = async (identity_id: string): Promise<LoginTest> => {
  const params = { id: domain, identity_id }
  await client.testIdentity({ params })
  let last: LoginTest | null = null
  await until(async () => {
    last = (await client.readIdentity({ params })).test
    return last?.finished_at !== null
  }, 120_000)
  if (last === null) throw new Error('unreachable')
  return keep('test', last)
}

const ran = async (identities: string[] | undefined): Promise<RunState> => {
  const options = { privacy: false, make_pdf: false }
  const { id } = await client.startScan({
    body: { domain_id: domain, ...options, ...(identities === undefined ? {} : { identities }) },
  })
  for await (const event of watchScan(client, id)) keep('event', event)
  const state = keep('status', await client.readScan({ params: { id } }))
  keep('findings', await client.listFindings({ params: { id }, query: { limit: 100 } }))
  keep('coverage', await client.readCoverage({ params: { id } }))
  for (const kind of ['findings_json', 'audit_log'] as const) {
    if (state.status !== 'done') break
    const signed = await client.signArtifactUrl({ params: { id, kind } })
    keep(kind, await (await fetch(signed.url)).text())
  }
  return state
}

/** Steps and their pictures are asked in by-steps.test.ts, what the worker makes of them in login-test.test.ts: with SONDE_LONG=1. */
const TRIED = 'a test of steps has a picture of each page, and names the one that fails'

test('a run signs in as the identity that it names, or as the default', { timeout: 300_000 }, async () => {
  const params = { id: domain }
  const before = member.sessions.length
  const editor = await client.createIdentity({ params, body: { name: 'editor', role: 'editor', ...BY_REQUEST } })
  keep('identity', editor)
  const named = await ran(['editor'])
  expect([named.status, named.signed_in]).toEqual(['done', true])
  expect(member.sessions.length).toBe(before + 1)
  expect(member.asked.some(({ url, member: isMember }) => url === '/account' && isMember)).toBe(true)
  const nobody = await ran(undefined)
  expect([nobody.status, nobody.signed_in]).toEqual(['done', false])
  await client.updateIdentity({ params: { ...params, identity_id: editor.id }, body: { name: 'default' } })
  const other = await ran(undefined)
  expect([other.status, other.signed_in]).toEqual(['done', true])
})

test('a run whose identity is refused fails, and says why', { timeout: 120_000 }, async () => {
  const wrong = structuredClone(BY_REQUEST)
  if (wrong.request?.requests[1]?.form) wrong.request.requests[1].form.password = 'falsch-kanarie-77'
  await client.createIdentity({ params: { id: domain }, body: { name: 'wrong', role: '', ...wrong } })
  expect(await ran(['wrong'])).toMatchObject({
    ...{ status: 'failed', error_kind: 'auth_rejected' },
    error_detail: 'Signing in did not work: POST http://shop.test/code answered 403.',
  })
})

test('a refresh token that is good for one use serves the test of an identity and every run after it', {
  timeout: 240_000,
}, async () => {
  const params = { id: domain }
  const client_secret = CLIENT_SECRET
  const oauth2: CreateIdentity['oauth2'] = {
    ...{ token_url: '/token', client_id: 'scanner', client_secret, refresh_token: FIRST_REFRESH },
    grant: 'refresh_token',
    client_auth: 'body',
  }
  const body: CreateIdentity = { name: 'rotating', role: '', kind: 'oauth2', oauth2, proof: PROOF }
  const made = await client.createIdentity({ params, body })
  expect(await tried(made.id)).toMatchObject({ state: 'works' })
  expect(member.refreshes).toHaveLength(2)
  for (const uses of [3, 4]) {
    expect(await ran(['rotating'])).toMatchObject({ status: 'done', signed_in: true })
    expect(member.refreshes.length).toBeGreaterThanOrEqual(uses)
  }
})

test.runIf(process.env.SONDE_LONG)(TRIED, { timeout: 240_000 }, async () => {
  const params = { id: domain }
  const made = await client.createIdentity({ params, body: { name: 'browser', role: '', ...BY_STEPS } })
  const good = await tried(made.id)
  // Before them stand those of a try whose code the run before had used.
  expect([good.state, good.steps.slice(-7).map(({ ok }) => ok)], JSON.stringify(good)).toEqual([
    'works',
    Array(7).fill(true),
  ])
  const step = good.steps.findIndex(({ picture }) => picture)
  const picture = await client.request('readIdentityPicture', {
    params: { ...params, identity_id: made.id, step: String(step) },
  })
  expect([...new Uint8Array(await picture.arrayBuffer()).subarray(0, 2)]).toEqual([0xff, 0xd8])
  const steps = {
    steps: [...(BY_STEPS.steps?.steps ?? []).slice(0, 2), { do: 'click', on: '#none', seconds: 1 } as const],
  }
  const { totp: _totp, ...rest } = BY_STEPS
  await client.deleteIdentity({ params: { ...params, identity_id: made.id } })
  const bad = await client.createIdentity({ params, body: { name: 'browser', role: '', ...rest, steps } })
  expect(await tried(bad.id)).toMatchObject({
    ...{ state: 'rejected', reason: '#none was not there within 1 s, at http://shop.test/login.' },
    steps: [{ ok: true }, { ok: true }, { title: 'click #none', ok: false }],
  })
})

test('nothing that the service gives away or keeps in clear holds a secret', { timeout: 120_000 }, async () => {
  keep('identities', await client.listIdentities({ params: { id: domain } }))
  keep('activity', await client.listActivity({}))
  await service.end('SIGTERM')
  keep('log', service.log())
  const db = await openDatabase({ url: database.url })
  try {
    const tables = await db.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      [],
    )
    for (const { name } of tables) {
      const rows = await db.query<{ row: string }>(`select t::text as row from "${name}" t`, [])
      keep(`table ${name}`, rows.map(({ row }) => row).join('\n'))
    }
  } finally {
    await db.close()
  }
  const secrets = [PASSWORD, SEED, 'falsch-kanarie-77', CLIENT_SECRET, ...member.refreshes, ...member.sessions]
  expect(member.sessions.length).toBeGreaterThan(process.env.SONDE_LONG ? 2 : 1)
  const leaks = [...outputs].flatMap(([name, text]) =>
    secrets
      .flatMap((secret) => [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64').slice(0, -3),
      ])
      .flatMap((spelling) => (text.includes(spelling) ? [`${name}: ${spelling}`] : [])),
  )
  expect(leaks).toEqual([])
})

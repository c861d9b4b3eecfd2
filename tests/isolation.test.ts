/** Another organisation's objects are not there: every endpoint that names one is walked with the other's ids. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { ENDPOINTS } from '../src/contract/endpoints.ts'
import { createIdentity } from '../src/contract/examples.ts'
import { createKey } from '../src/store/api-keys.ts'
import { heartbeat } from '../src/store/heartbeat.ts'
import { signInMember } from '../src/store/members.ts'
import {
  addFindings,
  createTenant,
  finishWith,
  keyWith,
  openApi,
  startNext,
  type Tenant,
  type TestApi,
  verify,
} from './support/api.ts'
import { type Browser, signedIn } from './support/browser-session.ts'

let api: TestApi
let victim: Tenant
/** Everything that may not show in an answer to a stranger. */
let ids: Record<Named, string>
type Named =
  | 'run'
  | 'domain'
  | 'finding'
  | 'fingerprint'
  | 'artifact'
  | 'webhook'
  | 'subscription'
  | 'schedule'
  | 'batch'
  | 'key'
  | 'member'
  | 'identity'
  | 'agent'
  | 'erasure'
const MARK = 'victim.example.com'

beforeAll(async () => {
  api = await openApi({ mail: true })
  victim = await createTenant(api.db, MARK)
  await api.send('POST', '/v1/scans', { secret: victim.secret, body: { domain_id: victim.domainId } })
  const held = await startNext(api.db)
  await addFindings(api.db, held, [{ title: MARK }])
  const [artifact = ''] = await finishWith(api, held, [{ kind: 'evidence', filename: 'evidence.zip', body: MARK }])
  const [finding] = (await api.send('GET', `/v1/scans/${held.runId}/findings`, { secret: victim.secret })).json().items
  const made = async (path: string, body: object) =>
    (await api.send('POST', path, { secret: victim.secret, body })).json()
  const weekly = { domain_id: victim.domainId, rhythm: { every: 'day', at: '03:00' } }
  const { id: schedule } = await made('/v1/schedules', weekly)
  const { id: batch } = await made('/v1/batches', { domain_ids: [victim.domainId] })
  const { agent } = await made('/v1/agents', { name: MARK })
  const { id: webhook } = await made('/v1/webhooks', { url: `https://${MARK}/` })
  const { id: subscription } = await made('/v1/mail-subscriptions', { address: `a@${MARK}` })
  await verify(api.db, victim.domainId)
  const login = { auth_cookie: `session=${MARK}`, page: `/${MARK}` }
  await api.send('PUT', `/v1/domains/${victim.domainId}/login`, { secret: victim.secret, body: login })
  await api.send('POST', `/v1/domains/${victim.domainId}/login/test`, { secret: victim.secret, body: {} })
  const { id: identity } = await made(`/v1/domains/${victim.domainId}/identities`, createIdentity)
  const person = { issuer: 'https://id.example.com', subject: MARK, name: MARK, email: MARK }
  const member = await signInMember(api.db, { organisationId: victim.organisationId, ...person }, 'member')
  ids = {
    ...{ run: held.runId, domain: victim.domainId, finding: finding.id, fingerprint: finding.fingerprint, artifact },
    ...{ webhook, subscription, schedule, batch, key: victim.keyId, member: member?.id ?? '', identity },
    agent: agent.id,
    erasure: '',
  }
  const gone = `gone.${MARK}`
  await made('/v1/domains', { domain: gone })
  const { id: erasure } = await made('/v1/erasures', { domain: gone, confirm: gone })
  ids.erasure = erasure
  theirs = await signedIn(api, victim.secret)
  ours = await signedIn(api, api.mine.secret)
})
afterAll(() => api.close())

const rows: [id: string, row: Endpoint][] = Object.entries(ENDPOINTS)
const naming = rows.filter(([, row]) => row.scope !== null && row.scope !== 'agent' && row.path.includes('{id}'))
const ofAgents = rows.filter(([, row]) => row.scope === 'agent')
const bodyOf = ({ bodyName, bodyExample }: Endpoint): { body?: object } =>
  bodyName === undefined ? {} : { body: bodyExample as object }
/** Browsers that are signed in to the two organisations. */
let theirs: Browser
let ours: Browser

const idFor = (path: string): string => {
  if (path.startsWith('/v1/domains')) return ids.domain
  if (path.startsWith('/v1/webhooks')) return ids.webhook
  if (path.startsWith('/v1/schedules')) return ids.schedule
  if (path.startsWith('/v1/batches')) return ids.batch
  if (path.startsWith('/v1/keys')) return ids.key
  if (path.startsWith('/v1/members')) return ids.member
  if (path.startsWith('/v1/agents')) return ids.agent
  if (path.startsWith('/v1/erasures')) return ids.erasure
  return path.startsWith('/v1/mail-subscriptions') ? ids.subscription : ids.run
}
const urlOf = (row: Endpoint): string =>
  row.path
    .replace('{id}', idFor(row.path))
    .replace('{finding_id}', ids.finding)
    .replace('{description_id}', ids.finding)
    .replace('{identity_id}', ids.identity)
    .replace('{fingerprint}', ids.fingerprint)
    .replace('{step}', '0')
    .replace('{kind}', 'evidence')
    .replace('{step}', '0')

describe('with the ids of another organisation', () => {
  test.each(naming)('%s answers that there is no such thing', async (_, row) => {
    const response = await api.send(row.method, urlOf(row), bodyOf(row))
    expect(response.statusCode).toBe(404)
    expect(response.json().code).toMatch(
      /^(?:scan|batch|domain|finding|webhook|schedule|mail_subscription|key|member|agent|erasure)_not_found$/,
    )
    expect(response.body).not.toContain(MARK)
    // The very same words as for an id that nobody has.
    const nobody = await api.send(
      row.method,
      urlOf(row).replace(/[0-9a-f-]{36}/, '00000000-0000-4000-8000-000000000000'),
      bodyOf(row),
    )
    const { request_id: _a, ...mine } = response.json()
    const { request_id: _b, ...theirs } = nobody.json()
    expect(mine).toEqual(theirs)
  })

  test.each(ofAgents)('%s is for agents, and neither for keys nor for browsers', async (_, row) => {
    for (const response of [
      await api.send(row.method, urlOf(row), bodyOf(row)),
      await ours.send(row.method, urlOf(row), bodyOf(row).body),
    ]) {
      expect(response.statusCode).toBe(401)
      expect(response.body).not.toContain(MARK)
    }
  })

  test.each(naming)('%s in a signed-in browser answers that there is no such thing', async (_, row) => {
    const response = await ours.send(row.method, urlOf(row), bodyOf(row).body)
    expect(response.statusCode).toBe(404)
    expect(response.body).not.toContain(MARK)
  })

  test.each(rows.filter(([, row]) => row.scope !== null && row.method === 'GET' && !row.path.includes('{')))(
    '%s shows the two browsers nothing of each other',
    async (_id, row) => {
      const [mine, other] = [await ours.send('GET', row.path), await theirs.send('GET', row.path)]
      expect(mine.body).not.toContain(MARK)
      expect(other.body).not.toContain('mine.example.com')
    },
  )

  test('one browser cannot change anything with the token of the other', async () => {
    const response = await ours.send('POST', '/v1/domains', { domain: 'new.example.com' }, theirs.token)
    expect(response.json().code).toBe('csrf_token_invalid')
  })

  test('a run cannot be started on their domain', async () => {
    const response = await api.send('POST', '/v1/scans', { body: { domain_id: victim.domainId } })
    expect(response.json().code).toBe('domain_not_found')
    const batch = await api.send('POST', '/v1/batches', { body: { domain_ids: [victim.domainId] } })
    expect([batch.json().code, batch.body]).toEqual(['domain_not_found', expect.not.stringContaining(MARK)])
  })

  const ACCOUNT = ['/v1/overview', '/v1/keys', '/v1/members', '/v1/activity']
  const LISTS = ['/v1/domains', '/v1/batches', '/v1/schedules', '/v1/webhooks', '/v1/mail-subscriptions', ...ACCOUNT]
  test('lists show nothing of theirs, by filter neither', async () => {
    for (const url of ['/v1/scans', `/v1/scans?domain_id=${ids.domain}`, `/v1/scans?q=${ids.run}`, ...LISTS]) {
      const response = await api.send('GET', url)
      expect(response.statusCode).toBe(200)
      expect(response.body).not.toContain(MARK)
    }
  })

  test('their finding and file are not reached through a run of ours', async () => {
    const { id } = (await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })).json()
    const finding = await api.send('GET', `/v1/scans/${id}/findings/${ids.finding}`)
    expect(finding.json().code).toBe('finding_not_found')
    const file = await api.send('GET', `/v1/scans/${id}/artifacts/evidence/url?artifact_id=${ids.artifact}`)
    expect(file.json().code).toBe('artifact_not_found')
  })

  test('an emergency stop of ours neither ends nor holds a run of theirs, and shows them nothing', async () => {
    expect((await api.send('POST', '/v1/organisation/hold', { body: { reason: 'ours alone' } })).statusCode).toBe(200)
    const theirRun = await api.send('POST', '/v1/scans', {
      secret: victim.secret,
      body: { domain_id: victim.domainId },
    })
    const held = await startNext(api.db)
    expect(held.runId).toBe(theirRun.json().id)
    await api.send('POST', '/v1/organisation/hold', { body: {} })
    expect(await heartbeat(api.db, held, 60)).toEqual({ cancelRequested: false, silence: null })
    for (const path of ['/v1/organisation/hold', '/v1/organisation', `/v1/scans/${held.runId}`]) {
      const seen = await api.send('GET', path, { secret: victim.secret })
      expect([seen.statusCode, seen.body]).toEqual([200, expect.not.stringContaining('ours alone')])
    }
    // Nor can they release it.
    const release = await api.send('DELETE', '/v1/organisation/hold', { secret: victim.secret })
    expect(release.json()).toMatchObject({ hold: null })
    expect((await api.send('GET', '/v1/organisation/hold')).json().hold).toMatchObject({ reason: 'ours alone' })
    expect((await api.send('DELETE', '/v1/organisation/hold')).json()).toMatchObject({ hold: null })
  })

  test('a key without organisation:write stops nothing', async () => {
    const { secret } = await createKey(
      api.db,
      keyWith(api.mine.organisationId, ['scans:read', 'scans:write', 'organisation:read']),
    )
    for (const method of ['POST', 'DELETE'] as const) {
      const answer = await api.send(method, '/v1/organisation/hold', {
        secret,
        ...(method === 'POST' ? { body: {} } : {}),
      })
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'api_key_scope_insufficient'])
    }
  })

  test('nothing of theirs was changed', async () => {
    const domain = await api.send('GET', `/v1/domains/${ids.domain}`, { secret: victim.secret })
    expect(domain.json()).toMatchObject({ domain: MARK, context: null, login: { kinds: ['cookie'], page: `/${MARK}` } })
  })
})

test('without a key every endpoint with a scope answers 401, and nothing else', async () => {
  for (const [, row] of rows) {
    if (row.scope === null) continue
    const response = await api.send(row.method, urlOf(row), { secret: null })
    expect([row.path, response.statusCode]).toEqual([row.path, 401])
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/)
  }
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addFindings,
  createTenant,
  finishWith,
  openApi,
  startNext,
  type Tenant,
  type TestApi,
} from '../../tests/support/api.ts'

let api: TestApi
let tenant: Tenant
let finding: string
let run: string
beforeAll(async () => {
  api = await openApi()
  tenant = await createTenant(api.db, 'triage.example.com')
  await api.send('POST', '/v1/scans', { secret: tenant.secret, body: { domain_id: tenant.domainId } })
  const leased = await startNext(api.db)
  run = leased.runId
  await addFindings(api.db, leased, [{ severity: 'high', check_id: 'headers/a' }])
  await finishWith(api, leased, [])
  finding = (await send('GET', `/v1/scans/${run}/findings`)).json().items[0].id
})
afterAll(() => api.close())
const send = (method: 'GET' | 'PUT', path: string, body?: object, secret = tenant.secret) =>
  api.send(method, path, { secret, ...(body === undefined ? {} : { body }) })
const decide = (body: object) => send('PUT', `/v1/scans/${run}/findings/${finding}/triage`, body)
const decision = { state: 'false_positive', owner: 'A. Ruiz', reason: 'A honeypot.' }

describe('decisions about findings', () => {
  test.each([
    ['no owner', { state: 'accepted', reason: 'r' }, ['owner']],
    ['neither owner nor reason', { state: 'accepted' }, ['owner', 'reason']],
    ['an empty reason', { ...decision, reason: '  ' }, ['reason']],
    ['a date that has passed', { ...decision, expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
    ['another state', { ...decision, state: 'wontfix' }, ['state']],
    ['an unknown field', { ...decision, until: 'x' }, ['until']],
  ])('%s is refused', async (_, body, paths) => {
    const answer = await decide(body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().errors.map(({ path }: { path: string }) => path)).toEqual(paths)
  })

  test('is shown by finding, run, list of runs and list of decisions, and can be taken back', async () => {
    const answer = await decide(decision)
    expect([answer.statusCode, answer.json().triage]).toEqual([
      200,
      expect.objectContaining({ ...decision, decided_by: 'test', expires_at: null, reopened: null }),
    ])
    const state = (await send('GET', `/v1/scans/${run}`)).json()
    expect([state.counts.high, state.open_counts.high]).toEqual([1, 0])
    expect((await send('GET', '/v1/scans')).json().items[0].open_counts.high).toBe(0)
    const list = (await send('GET', `/v1/domains/${tenant.domainId}/triage?limit=1`)).json()
    expect(list.items).toHaveLength(1)
    expect(list.items[0]).toMatchObject({ ...decision, finding: { check_id: 'headers/a' } })
    expect((await decide({ state: 'open' })).json().triage).toMatchObject({ state: 'open', owner: null })
    expect((await send('GET', `/v1/scans/${run}`)).json().open_counts.high).toBe(1)
  })

  test("another organisation's are not there", async () => {
    const other = await createTenant(api.db, 'other.example.com')
    const put = await send('PUT', `/v1/scans/${run}/findings/${finding}/triage`, decision, other.secret)
    expect([put.statusCode, put.json().code]).toEqual([404, 'scan_not_found'])
    const list = await send('GET', `/v1/domains/${tenant.domainId}/triage`, undefined, other.secret)
    expect([list.statusCode, list.json().code]).toEqual([404, 'domain_not_found'])
  })
})

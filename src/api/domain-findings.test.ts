import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addFindings, finishWith, keyWith, openApi, startNext, type TestApi } from '../../tests/support/api.ts'
import { DomainFinding } from '../contract/domain-finding.ts'
import { createKey } from '../store/api-keys.ts'

const print = (n: number): string => n.toString(16).padStart(64, '0')
const ABSENT = 'e'.repeat(64)

let api: TestApi
let run: string
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.db.query('delete from runs', [])
  await api.db.query('delete from problems', [])
  await api.db.query('delete from problem_events', [])
  await api.db.query('delete from triage', [])
  await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })
  const held = await startNext(api.db)
  run = held.runId
  const severities = ['critical', 'high', 'high', 'low'] as const
  await addFindings(
    api.db,
    held,
    severities.map((severity, i) => ({ severity, check_id: `headers/${i === 2 ? 'b' : 'a'}`, title: `Number ${i}` })),
  )
  await finishWith(api, held, [])
})

const get = async (path: string, secret = api.mine.secret) => {
  const answer = await api.send('GET', path, { secret })
  return { status: answer.statusCode, ...answer.json() }
}
const patch = async (path: string, body: object, secret = api.mine.secret) => {
  const answer = await api.send('PATCH', path, { body, secret })
  return { status: answer.statusCode, ...answer.json() }
}
const at = (n: number): string => `/v1/domains/${api.mine.domainId}/findings/${print(n)}`
const key = (n: number) => ({ domain_id: api.mine.domainId, fingerprint: print(n) })
const decision = { state: 'false_positive', owner: 'A. Ruiz', reason: 'A honeypot.' }

describe('findings over runs', () => {
  test('are listed page by page, the gravest first', async () => {
    const first = await get('/v1/findings?limit=3')
    expect(first.items.map(({ severity }: { severity: string }) => severity)).toEqual(['critical', 'high', 'high'])
    expect(DomainFinding.array().parse(first.items)).toHaveLength(3)
    expect(first.items[0]).toMatchObject({ domain: 'mine.example.com', state: 'open', last_run: run, fixed: null })
    const second = await get(`/v1/findings?limit=3&cursor=${first.next_cursor}`)
    expect([second.items.length, second.next_cursor]).toEqual([1, null])
    const misused = await get(`/v1/findings?limit=3&severity=high&cursor=${first.next_cursor}`)
    expect([misused.status, misused.code]).toEqual([400, 'validation_failed'])
  })

  test('filters are lists, flags, days and words; what is none of them is refused by name', async () => {
    expect((await get('/v1/findings?severity=low,critical&state=open,reopened')).items).toHaveLength(2)
    expect((await get('/v1/findings?q=number%202&kev=false')).items).toHaveLength(1)
    expect((await get('/v1/findings?assignee=')).items).toHaveLength(4)
    expect((await get(`/v1/findings?domain_id=${api.other.domainId}`)).items).toEqual([])
    const refused = await get('/v1/findings?severity=grave&state=gone&kev=1&cwe=x&due_before=soon&since=1&sort=title')
    expect(refused.errors.map(({ path }: { path: string }) => path.split('.')[0]).toSorted()).toEqual([
      'cwe',
      'due_before',
      'kev',
      'severity',
      'since',
      'sort',
      'state',
    ])
  })

  test('are read in German, and found by German words, where somebody asks for it', async () => {
    await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })
    const held = await startNext(api.db)
    const [english, german] = ['Open redirect: a link of the site can lead to any other site', 'Offene Weiterleitung']
    const found = { check_id: 'xss/open-redirect', title: english, description: 'Of an older version.' }
    await addFindings(api.db, held, [{ severity: 'high', ...found }])
    await finishWith(api, held, [])
    const titles = async (query: string): Promise<readonly string[]> =>
      (await get(`/v1/findings?${query}`)).items.map(({ title }: { title: string }) => title)
    expect(await titles('check_id=xss/open-redirect')).toEqual([english])
    expect(await titles('language=de&check_id=xss/open-redirect')).toEqual([expect.stringContaining(german)])
    expect(await titles('language=de&q=weiter%20mine')).toEqual([expect.stringContaining(german)])
    expect(await titles('q=weiter')).toEqual([])
    const [group] = (await get('/v1/findings/groups?language=de&check_id=xss/open-redirect')).items
    expect(group.title).toContain(german)
    const { items } = await get(`/v1/scans/${held.runId}/findings?language=de`)
    expect(items[0]).toMatchObject({ title: expect.stringContaining(german), description: found.description })
    const one = await get(`/v1/scans/${held.runId}/findings/${items[0].id}`)
    expect(one.title).toBe(english)
    expect((await get('/v1/findings?language=fr')).status).toBe(400)
  })

  test('are counted by cause', async () => {
    const { total, items } = await get('/v1/findings/groups?state=open,reopened')
    expect(total).toBe(4)
    expect(items).toMatchObject([
      { check_id: 'headers/a', severity: 'critical', findings: 3, domains: 1 },
      { check_id: 'headers/b', severity: 'high', findings: 1 },
    ])
  })

  test('one is changed in every way at once, and its run shows the decision', async () => {
    const change = { ...decision, severity: 'info', assignee: 'K. Ono', due: '2030-01-31', comment: 'As agreed.' }
    expect(await patch(at(1), change)).toMatchObject({
      ...{ status: 200, state: 'false_positive', severity: 'info', judged_severity: 'high', assignee: 'K. Ono' },
      ...{ due: '2030-01-31', overdue: false, override: { reason: 'A honeypot.', by: 'test' } },
      triage: { ...decision, decided_by: 'test', reopened: null },
    })
    const inRun = await get(`/v1/scans/${run}/findings?severity=high`)
    expect(inRun.items.find(({ title }: { title: string }) => title === 'Number 1')).toMatchObject({
      ...{ severity: 'high', triage: { state: 'false_positive', owner: 'A. Ruiz' } },
    })
    const { items } = await get(`${at(1)}/history?limit=3`)
    expect(items).toHaveLength(3)
    const all = await get(`${at(1)}/history`)
    expect(all.items.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['comment', 'due', 'assigned', 'severity', 'decided', 'opened']),
    )
    const activity = await get('/v1/activity')
    expect(activity.items[0]).toMatchObject({ action: 'changeDomainFinding', subject: 'Number 1' })
  })

  test('a decision in the run and one in the list are one', async () => {
    const [finding] = (await get(`/v1/scans/${run}/findings`)).items
    await api.send('PUT', `/v1/scans/${run}/findings/${finding.id}/triage`, { body: decision })
    expect(await get(at(0))).toMatchObject({ state: 'false_positive', triage: decision })
    expect(await patch(at(0), { state: 'open' })).toMatchObject({ state: 'open', triage: { owner: null } })
  })

  test.each([
    ['nothing', {}, ['body']],
    ['a decision without owner and reason', { state: 'accepted' }, ['owner', 'reason']],
    ['a severity without a reason', { severity: 'low' }, ['reason']],
    ['an owner without a decision', { assignee: 'x', owner: 'y' }, ['owner']],
    ['a state that only runs give', { state: 'fixed' }, ['state']],
    ['a date that has passed', { ...decision, expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
    ['a day that is none', { due: '2026-02-30' }, ['due']],
    ['an unknown field', { comment: 'x', text: 'y' }, ['text']],
  ])('%s is refused', async (_, body, paths) => {
    const refused = await patch(at(0), body)
    expect([refused.status, refused.errors?.map(({ path }: { path: string }) => path)]).toEqual([400, paths])
  })

  test('several are changed alike, or none', async () => {
    const changed = await patch('/v1/findings', { findings: [key(0), key(1)], ...decision, assignee: 'K. Ono' })
    expect(changed.items.map(({ state, assignee }: Record<string, string>) => [state, assignee])).toEqual([
      ['false_positive', 'K. Ono'],
      ['false_positive', 'K. Ono'],
    ])
    const foreign = { domain_id: api.other.domainId, fingerprint: print(2) }
    const refused = await patch('/v1/findings', { findings: [key(2), foreign], ...decision })
    expect([refused.status, refused.code]).toEqual([404, 'finding_not_found'])
    expect((await get(at(2))).state).toBe('open')
    expect((await get('/v1/activity')).items[0]).toMatchObject({
      action: 'changeDomainFindings',
      subject: '2 findings',
    })
  })

  test("another organisation's are not there", async () => {
    const { secret } = api.other
    expect((await get('/v1/findings', secret)).items).toEqual([])
    expect((await get('/v1/findings/groups', secret)).total).toBe(0)
    expect((await get(at(0), secret)).code).toBe('domain_not_found')
    expect((await get(`${at(0)}/history`, secret)).code).toBe('domain_not_found')
    expect((await patch(at(0), { comment: 'x' }, secret)).code).toBe('domain_not_found')
    expect((await patch('/v1/findings', { findings: [key(0)], comment: 'x' }, secret)).code).toBe('finding_not_found')
    expect((await get(`/v1/domains/${api.mine.domainId}/findings/${ABSENT}`)).code).toBe('finding_not_found')
    expect((await get(`/v1/domains/${api.mine.domainId}/findings/nonsense`)).code).toBe('finding_not_found')
  })

  test('reading takes one scope, changing another', async () => {
    const { secret } = await createKey(api.db, keyWith(api.mine.organisationId, ['scans:read']))
    expect((await get('/v1/findings', secret)).status).toBe(200)
    expect((await patch(at(0), { comment: 'x' }, secret)).code).toBe('api_key_scope_insufficient')
    expect((await patch('/v1/findings', { findings: [key(0)], comment: 'x' }, secret)).code).toBe(
      'api_key_scope_insufficient',
    )
  })
})

test('days by severity are of the organisation, and only its owners set them', async () => {
  const days = { critical: 7, high: 30, medium: null, low: null, info: null }
  const put = (body: object, secret = api.mine.secret) => api.send('PUT', '/v1/organisation/due-days', { body, secret })
  expect((await put({ critical: 7, high: 30 })).json()).toEqual(days)
  expect(await get('/v1/organisation/due-days')).toMatchObject(days)
  expect((await get('/v1/organisation/due-days', api.other.secret)).critical).toBeNull()
  const refused = await put({ critical: -1, urgent: 3 })
  expect(
    refused
      .json()
      .errors.map(({ path }: { path: string }) => path)
      .toSorted(),
  ).toEqual(['critical', 'urgent'])
  const { secret } = await createKey(api.db, keyWith(api.mine.organisationId, ['organisation:read']))
  expect((await put(days, secret)).json().code).toBe('api_key_scope_insufficient')
  await put({})
})

test('stored runs are judged again unless the organisation has switched it off', async () => {
  const put = (body: object, secret = api.mine.secret) =>
    api.send('PUT', '/v1/organisation/judging-again', { body, secret })
  expect(await get('/v1/organisation/judging-again')).toMatchObject({ enabled: true })
  expect((await put({ enabled: false })).statusCode).toBe(200)
  expect(await get('/v1/organisation/judging-again')).toMatchObject({ enabled: false })
  expect(await get('/v1/organisation/judging-again', api.other.secret)).toMatchObject({ enabled: true })
  expect((await put({ enabled: 'no' })).statusCode).toBe(400)
})

test('named views are of whoever named them', async () => {
  const send = (method: 'PUT' | 'DELETE', name: string, body?: object, secret = api.mine.secret) =>
    api.send(method, `/v1/findings/views/${encodeURIComponent(name)}`, { secret, ...(body ? { body } : {}) })
  expect((await send('PUT', 'Mine, overdue', { query: 'sort=due' })).statusCode).toBe(200)
  await send('PUT', 'Mine, overdue', { query: 'sort=due&state=open' })
  expect((await get('/v1/findings/views')).items).toEqual([{ name: 'Mine, overdue', query: 'sort=due&state=open' }])
  const colleague = await createKey(api.db, keyWith(api.mine.organisationId, ['scans:read']))
  expect((await get('/v1/findings/views', colleague.secret)).items).toEqual([])
  expect((await send('DELETE', 'Mine, overdue', undefined, colleague.secret)).json().code).toBe('view_not_found')
  expect((await send('PUT', 'x', { query: 'a b' })).statusCode).toBe(400)
  expect((await send('DELETE', 'Mine, overdue')).statusCode).toBe(204)
  for (let i = 0; i < 50; i++) await send('PUT', `view ${i}`, { query: '' })
  expect((await send('PUT', 'one more', { query: '' })).json().code).toBe('too_many_views')
  expect((await send('PUT', 'view 3', { query: 'q=x' })).statusCode).toBe(200)
})

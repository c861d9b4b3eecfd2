import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addFindings, finishWith, openApi, startNext, type TestApi } from '../../tests/support/api.ts'
import { SCOPES } from '../contract/organisation.ts'
import { createKey } from '../store/api-keys.ts'
import { signInMember } from '../store/members.ts'
import type { saveModule } from '../store/modules.ts'

let api: TestApi
beforeAll(async () => {
  api = await openApi({
    prepareLogo: async (file) => (file.length > 20 ? { problem: 'is too large' } : { body: file }),
  })
})
afterAll(() => api.close())

const get = async (url: string) => (await api.send('GET', url)).json()

describe('the organisation', () => {
  test('says its plan and what is used of it', async () => {
    const before = await get('/v1/organisation')
    expect(before).toMatchObject({ plan: { id: 'enterprise' }, usage: { left: null }, logo: null })
    expect(new Date(before.usage.from) < new Date() && new Date() < new Date(before.usage.to)).toBe(true)
    await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })
    const after = await get('/v1/organisation')
    expect(after.usage.runs).toBe(before.usage.runs + 1)
    expect(after.active_runs).toBe(before.active_runs + 1)
  })

  test('its logo is set, fetched and taken away', async () => {
    const logo = Buffer.from('89504e470d0a1a0a', 'hex')
    const set = await api.send('POST', '/v1/organisation/logo', { body: { logo: logo.toString('base64') } })
    expect(set.json().logo).toEqual({ content_type: 'image/png', size_bytes: 8 })
    const file = await api.send('GET', '/v1/organisation/logo')
    expect([file.headers['content-type'], file.rawPayload]).toEqual(['image/png', logo])
    expect((await api.send('DELETE', '/v1/organisation/logo')).statusCode).toBe(204)
    expect((await get('/v1/organisation/logo')).code).toBe('logo_not_found')
  })

  test('a file that cannot be a logo is refused with the reason', async () => {
    const body = { logo: Buffer.alloc(30).toString('base64') }
    const response = await api.send('POST', '/v1/organisation/logo', { body })
    expect(response.json().errors).toEqual([{ path: 'logo', message: 'is too large' }])
  })

  test('a logo may be larger than any other body', async () => {
    const body = { logo: Buffer.alloc(900_000).toString('base64') }
    expect((await api.send('POST', '/v1/organisation/logo', { body })).json().code).toBe('validation_failed')
    expect((await api.send('POST', '/v1/keys', { body })).json().code).toBe('payload_too_large')
  })
})

describe('keys', () => {
  test('are made, listed without their secret, and revoked', async () => {
    const made = await api.send('POST', '/v1/keys', { body: { name: 'ci', scopes: ['scans:read', 'scans:read'] } })
    expect(made.statusCode).toBe(201)
    const { key, secret } = made.json()
    expect(key.scopes).toEqual(['scans:read'])
    const list = await api.send('GET', '/v1/keys')
    expect(list.json().items).toContainEqual(expect.objectContaining({ id: key.id, name: 'ci' }))
    expect(list.body).not.toContain(secret)
    expect((await api.send('GET', '/v1/scans', { secret })).statusCode).toBe(200)
    expect((await api.send('DELETE', `/v1/keys/${key.id}`)).json().revoked_at).not.toBeNull()
    expect((await api.send('GET', '/v1/scans', { secret })).statusCode).toBe(401)
  })

  test('give nobody a scope that the maker lacks', async () => {
    const scopes = SCOPES.filter((scope) => scope !== 'scans:write')
    const { organisationId } = api.mine
    const { secret } = await createKey(api.db, { organisationId, name: 'small', scopes, expiresAt: null })
    const response = await api.send('POST', '/v1/keys', { secret, body: { name: 'x', scopes: ['scans:write'] } })
    expect(response.json()).toMatchObject({ code: 'api_key_scope_insufficient', detail: /scans:write/ })
  })
})

describe('members', () => {
  const join = (subject: string, role: 'owner' | 'reader' | null) =>
    signInMember(
      api.db,
      { organisationId: api.mine.organisationId, issuer: 'https://id.test', subject, name: subject, email: null },
      role,
    )

  test('keep their role at later sign-ins; a stranger without a role is nobody', async () => {
    const ada = await join('ada', 'owner')
    expect(await join('ada', 'reader')).toMatchObject({ id: ada?.id, role: 'owner' })
    expect(await join('eve', null)).toBeNull()
  })

  test('the last owner stays one', async () => {
    const { items } = await get('/v1/members')
    const owner = items.find((member: { role: string }) => member.role === 'owner')
    const demote = await api.send('PATCH', `/v1/members/${owner.id}`, { body: { role: 'reader' } })
    expect(demote.json().code).toBe('last_owner')
    expect((await api.send('DELETE', `/v1/members/${owner.id}`)).json().code).toBe('last_owner')
    const second = await join('bob', 'reader')
    const promote = await api.send('PATCH', `/v1/members/${second?.id}`, { body: { role: 'owner' } })
    expect(promote.json().role).toBe('owner')
    expect((await api.send('DELETE', `/v1/members/${owner.id}`)).statusCode).toBe(204)
  })
})

describe('activity', () => {
  test('names who did what to what, newest first, page by page; reading leaves no trace', async () => {
    await api.send('POST', '/v1/domains', { body: { domain: 'log.example.com' } })
    await api.send('POST', '/v1/domains', { body: { domain: 'not a name' } })
    await get('/v1/domains')
    const first = await get('/v1/activity?limit=1')
    expect(first.items).toMatchObject([
      { action: 'createDomain', subject: 'log.example.com', actor: { kind: 'key', name: 'test' } },
    ])
    const second = await get(`/v1/activity?limit=1&cursor=${first.next_cursor}`)
    expect(second.items[0].id).not.toBe(first.items[0].id)
  })
})

describe('readings over runs', () => {
  test('what is new, gone and not comparable; the history of a finding', async () => {
    const body = { domain_id: api.other.domainId }
    const secret = api.other.secret
    const run = async (checks: readonly string[], found: readonly string[]): Promise<string> => {
      await api.send('POST', '/v1/scans', { secret, body })
      // Those of the other cases wait as well.
      let held = await startNext(api.db)
      while (held.organisationId !== api.other.organisationId) held = await startNext(api.db)
      await addFindings(
        api.db,
        held,
        found.map((check) => ({ check_id: `headers/${check}`, fingerprint: check.repeat(64) })),
      )
      const coverage = ['a', 'b', 'c'].map((id) => ({
        ...{ module: 'headers', check_id: `headers/${id}`, title: id, reason: null },
        state: found.includes(id) ? ('fail' as const) : checks.includes(id) ? ('pass' as const) : ('blocked' as const),
      }))
      await saveModuleCoverage(held, coverage)
      await finishWith(api, held, [])
      return held.runId
    }
    const saveModuleCoverage = (
      held: Parameters<typeof saveModule>[1],
      coverage: readonly never[] | readonly object[],
    ) => api.db.query('update run_modules set coverage = $2 where run_id = $1', [held.runId, JSON.stringify(coverage)])
    const first = await run(['a', 'b', 'c'], ['a', 'b'])
    const second = await run(['a', 'c'], ['c'])
    const read = async (url: string) => (await api.send('GET', url, { secret })).json()
    const [domain] = (await read('/v1/overview')).domains
    expect(domain.runs.map((each: { id: string }) => each.id)).toEqual([first, second])
    expect(domain.latest).toMatchObject({ added: { high: 1 }, gone: 1, not_comparable: 1 })
    const coverage = await read(`/v1/scans/${second}/coverage`)
    expect(coverage.items.map((each: { state: string }) => each.state)).toEqual(['pass', 'blocked', 'fail'])
    const findings = await read(`/v1/scans/${first}/findings`)
    const history = async (check: string) => {
      const { id } = findings.items.find((each: { check_id: string }) => each.check_id === `headers/${check}`)
      const { items } = await read(`/v1/scans/${first}/findings/${id}/history`)
      return items.map((each: { state: string }) => each.state)
    }
    expect(await history('a')).toEqual(['not_found', 'found'])
    expect(await history('b')).toEqual(['not_tested', 'found'])
  })
})

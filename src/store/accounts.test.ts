import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import { newSecret } from '../contract/key-format.ts'
import { ApiKey, Organisation, SCOPES } from '../contract/organisation.ts'
import { authenticate, createKey, isKeyValid, listKeys, revokeKey } from './api-keys.ts'
import {
  createDomain,
  deleteDomain,
  getDomain,
  lapsingDomains,
  listDomains,
  type StoredDomain,
  setVerified,
  updateDomain,
} from './domains.ts'
import { fail } from './lease.ts'
import {
  createOrganisation,
  getLogo,
  getOrganisation,
  listOrganisations,
  setLogo,
  setOrganisation,
} from './organisations.ts'
import { getAnyRun } from './runs.ts'

describe.each(SQL_ENGINES)('accounts on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())

  test('organisations', async () => {
    const made = await createOrganisation(t.db, { name: 'Näme', plan: 'free' })
    expect(Organisation.parse(made)).toMatchObject({ name: 'Näme', plan: 'free', state: 'active' })
    expect(await getOrganisation(t.db, made.id)).toEqual(made)
    expect(await setOrganisation(t.db, made.id, { plan: 'team' })).toEqual({ ...made, plan: 'team' })
    expect(await setOrganisation(t.db, made.id, { state: 'throttled' })).toMatchObject({
      plan: 'team',
      state: 'throttled',
    })
    expect(await setOrganisation(t.db, randomUUID(), { plan: 'team' })).toBeNull()
    expect((await listOrganisations(t.db)).map(({ id }) => id)).toContain(made.id)
    expect(await getLogo(t.db, made.id)).toBeNull()
    expect(await setLogo(t.db, made.id, Buffer.of(0, 1, 255))).toBe(true)
    expect(await getLogo(t.db, made.id)).toEqual(Buffer.of(0, 1, 255))
    await setLogo(t.db, made.id, null)
    expect(await getLogo(t.db, made.id)).toBeNull()
  })

  describe('keys', () => {
    const make = async (expiresAt: Date | null = null) => {
      const { id } = await createOrganisation(t.db, { name: 'x', plan: 'free' })
      return createKey(t.db, { organisationId: id, name: 'ci', scopes: [...SCOPES], expiresAt })
    }

    test('a key opens, and its use is noted at most once a minute', async () => {
      const { key, secret } = await make(new Date(Date.now() + 60_000))
      expect(ApiKey.parse(key)).toMatchObject({ name: 'ci', scopes: [...SCOPES], last_used_at: null })
      expect(await authenticate(t.db, secret)).toMatchObject({ key, organisation: { plan: 'free' } })
      const used = (await authenticate(t.db, secret))?.key.last_used_at
      expect(used).toEqual(expect.any(String))
      await authenticate(t.db, secret)
      expect((await listKeys(t.db, key.organisation_id))[0]?.last_used_at).toBe(used)
      await t.db.query(`update api_keys set last_used_at = now() - interval '61 seconds' where id = $1`, [key.id])
      await authenticate(t.db, secret)
      expect(Date.parse((await listKeys(t.db, key.organisation_id))[0]?.last_used_at ?? '')).toBeGreaterThan(
        Date.now() - 30_000,
      )
    })

    test('the secret is nowhere in the database', async () => {
      const { key, secret } = await make()
      const [row] = await t.db.query<{ all: string }>('select k::text as all from api_keys k where id = $1', [key.id])
      expect(row?.all).not.toContain(secret.slice(6))
    })

    test('unknown, malformed, expired and revoked keys do not open', async () => {
      expect(await authenticate(t.db, newSecret())).toBeNull()
      expect(await authenticate(t.db, 'sonde_\0')).toBeNull()
      const old = await make(new Date(Date.now() - 1))
      expect(await authenticate(t.db, old.secret)).toBeNull()
      expect(await isKeyValid(t.db, old.key.id)).toBe(false)
      const { key, secret } = await make()
      expect(await isKeyValid(t.db, key.id)).toBe(true)
      const revoked = await revokeKey(t.db, key.id)
      expect(revoked?.revoked_at).toEqual(expect.any(String))
      expect(await revokeKey(t.db, key.id)).toEqual(revoked)
      expect(await authenticate(t.db, secret)).toBeNull()
      expect(await isKeyValid(t.db, key.id)).toBe(false)
      expect(await revokeKey(t.db, randomUUID())).toBeNull()
    })
  })

  describe('domains', () => {
    test('made once per organisation, changed, verified, listed in pages', async () => {
      const { id: organisationId } = await createOrganisation(t.db, { name: 'x', plan: 'free' })
      const made: (StoredDomain | 'domain_exists')[] = []
      for (let i = 0; i < 5; i += 1) {
        made.push(await createDomain(t.db, { organisationId, domain: `d${i}.test`, context: 'shop', token: 'tok' }))
      }
      const [first] = made
      if (first === undefined || first === 'domain_exists') throw new Error('unexpected')
      expect(first).toMatchObject({ domain: 'd0.test', context: 'shop', token: 'tok', verifiedAt: null })
      expect(await createDomain(t.db, { organisationId, domain: 'd0.test', context: null, token: 'y' })).toBe(
        'domain_exists',
      )
      expect(await getDomain(t.db, organisationId, first.id)).toEqual(first)
      expect(await getDomain(t.db, randomUUID(), first.id)).toBeNull()
      expect(await updateDomain(t.db, organisationId, first.id, { context: null })).toMatchObject({ context: null })
      expect(await updateDomain(t.db, organisationId, first.id, { exclude: ['/a', '/b?c=*'] })).toMatchObject({
        context: null,
        exclude: ['/a', '/b?c=*'],
      })
      const at = new Date('2026-01-01T00:00:00.123Z')
      const until = new Date(Date.now() + 3 * 86_400_000)
      expect(await setVerified(t.db, first.id, { at, until })).toMatchObject({ verifiedAt: at, verifiedUntil: until })
      expect((await lapsingDomains(t.db, 7, 10)).map(({ id }) => id)).toEqual([first.id])
      expect(await lapsingDomains(t.db, 1, 10)).toEqual([])
      // Made within one millisecond their order would be that of their ids.
      await t.db.query(
        `update domains set created_at = created_at + substr(domain, 2, 1)::int * interval '1 s' where organisation_id = $1`,
        [organisationId],
      )
      const page = await listDomains(t.db, organisationId, { limit: 3, after: null })
      const rest = await listDomains(t.db, organisationId, { limit: 3, after: page[2] ?? null })
      expect([...page, ...rest].map(({ domain }) => domain)).toEqual([
        'd4.test',
        'd3.test',
        'd2.test',
        'd1.test',
        'd0.test',
      ])
    })

    test('deleted only without open runs; ended runs keep the name', async () => {
      const at = await seedDomain(t.db)
      const run = await seedRun(t.db, at)
      expect(await deleteDomain(t.db, at.organisationId, at.domainId)).toBe('domain_in_use')
      await fail(t.db, await takeAndStart(t.db), { kind: 'internal', detail: 'x', artifacts: [] })
      expect(await deleteDomain(t.db, randomUUID(), at.domainId)).toBe('domain_not_found')
      expect(await deleteDomain(t.db, at.organisationId, at.domainId)).toBe('deleted')
      expect(await getAnyRun(t.db, run.id)).toMatchObject({ domain: 'shop.test', domainId: null })
    })
  })
})

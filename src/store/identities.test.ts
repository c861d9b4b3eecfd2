import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { newRun, OPTIONS, PLANS, seedDomain, take } from '../../tests/support/seed.ts'
import type { LoginAnswer } from '../contract/domain-login.ts'
import { domainView, getDomain, setVerified, updateDomain } from './domains.ts'
import {
  askLoginTest,
  claimLoginTest,
  createIdentity,
  deleteIdentity,
  finishLoginTest,
  identitiesOfRun,
  LOOK_SECONDS,
  listIdentities,
  type NewIdentity,
  readIdentityPicture,
  readLoginTest,
  setLogin,
  updateIdentity,
} from './identities.ts'
import { cancelRun, createRun } from './runs.ts'
import { createSchedule, fireNext } from './schedules.ts'

const SEALED = Buffer.from('sealed')
const LOGIN = { name: 'default' }
const STORED = { sealed: SEALED, kinds: ['cookie'], page: '/account', set_by: 'ci' } as const
const PROOF = { path: '/account', text: 'Sign out' }
const NEW: NewIdentity = {
  ...{ name: 'editor', role: '', parts: ['request'], proof: PROOF, page: '/account', set_by: 'ci', sealed: SEALED },
}
const ANSWER: LoginAnswer = { state: 'works', reason: 'Other words.', without: null, with: null, steps: [] }

describe.each(SQL_ENGINES)('identities on $kind', ({ open }) => {
  let t: TestDatabase
  let at: Awaited<ReturnType<typeof seedDomain>>
  let strangers: typeof at
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    at = await seedDomain(t.db)
    strangers = await seedDomain(t.db, { domain: 'other.test' })
  })
  const store = () => setLogin(t.db, at.organisationId, at.domainId, { ...STORED, kinds: ['cookie'] })
  const identity = (change: Partial<NewIdentity>) =>
    createIdentity(t.db, at.organisationId, at.domainId, { ...NEW, ...change })
  const ask = () => askLoginTest(t.db, at.organisationId, at.domainId, LOGIN)
  const last = () => readLoginTest(t.db, at.organisationId, at.domainId, LOGIN)
  const sealedOf = async (run: Awaited<ReturnType<typeof take>>) => {
    const [row] = await t.db.query<{ credentials: Buffer | null }>('select credentials from runs where id = $1', [
      run?.runId,
    ])
    return row?.credentials
  }
  const start = () => createRun(t.db, PLANS, newRun(at, { auth_stored: true }))

  test('the domain shows that one is set, since when and by whom, and nothing of it', async () => {
    expect(await store()).toBe(true)
    const domain = await getDomain(t.db, at.organisationId, at.domainId)
    expect(domain?.login).toEqual({ kinds: ['cookie'], page: '/account', set_by: 'ci', set_at: expect.any(String) })
    expect(JSON.stringify(domain && domainView(domain, 20))).not.toContain('sealed')
  })

  test('another organisation can neither set, ask, read nor delete', async () => {
    await store()
    await ask()
    const { organisationId } = strangers
    expect(await setLogin(t.db, organisationId, at.domainId, { ...STORED, kinds: ['header'] })).toBe(false)
    expect(await askLoginTest(t.db, organisationId, at.domainId, LOGIN)).toBeNull()
    expect(await readLoginTest(t.db, organisationId, at.domainId, LOGIN)).toBeNull()
    expect(await deleteIdentity(t.db, organisationId, at.domainId, LOGIN)).toBeNull()
    expect((await getDomain(t.db, at.organisationId, at.domainId))?.login?.kinds).toEqual(['cookie'])
  })

  describe('a run', () => {
    test('takes a copy where it asks for it or says nothing, and none where it is to look as nobody', async () => {
      await store()
      await start()
      for (const change of [{}, { identities: [] }, { auth_stored: false }])
        await createRun(t.db, PLANS, newRun(at, change))
      const runs = [await take(t.db), await take(t.db), await take(t.db), await take(t.db)]
      expect(await Promise.all(runs.map(sealedOf))).toEqual([SEALED, SEALED, null, null])
      expect(runs.map((run) => run?.options.identities)).toEqual([['default'], ['default'], [], []])
    })

    test('takes the first of the identities that it names, and is refused for one that is not there', async () => {
      await identity({ name: 'editor', sealed: Buffer.from('of the editor') })
      await identity({ name: 'reader' })
      await createRun(t.db, PLANS, newRun(at, { identities: ['editor', 'reader'] }))
      const held = await take(t.db)
      expect(held).toMatchObject({ options: { identities: ['editor', 'reader'] } })
      expect(await sealedOf(held)).toEqual(Buffer.from('of the editor'))
      const made = await createRun(t.db, PLANS, newRun(at, { identities: ['reader', 'nobody'] }))
      expect(made).toMatchObject({ refused: 'identity_not_found', detail: expect.stringContaining('"nobody"') })
    })

    test('has all of them in their order, and none of them once it has ended', async () => {
      await identity({ name: 'editor' })
      await identity({ name: 'reader', role: 'guest', sealed: Buffer.from('of the reader') })
      const made = await createRun(t.db, PLANS, newRun(at, { identities: ['editor', 'reader', 'editor'] }))
      if ('refused' in made) throw new Error(made.detail)
      expect(await identitiesOfRun(t.db, made.run.id)).toEqual([
        { name: 'editor', role: '', sealed: null },
        { name: 'reader', role: 'guest', sealed: Buffer.from('of the reader') },
      ])
      await cancelRun(t.db, at.organisationId, made.run.id)
      expect(await t.db.query('select 1 from run_identities')).toEqual([])
    })

    test('that says nothing does without a login where the proof of the domain has lapsed', async () => {
      await store()
      await setVerified(t.db, at.domainId, null)
      await createRun(t.db, PLANS, newRun(at))
      expect(await sealedOf(await take(t.db))).toBeNull()
    })

    test('takes the hosts at which its domain signs in, as they were when it was made', async () => {
      await updateDomain(t.db, at.organisationId, at.domainId, { sign_in_hosts: ['login.example.com'] })
      await createRun(t.db, PLANS, newRun(at))
      await updateDomain(t.db, at.organisationId, at.domainId, { sign_in_hosts: [] })
      expect((await take(t.db))?.options.sign_in_hosts).toEqual(['login.example.com'])
    })

    test('keeps its copy when the login is deleted, and loses it when it ends', async () => {
      await store()
      const made = await start()
      if ('refused' in made) throw new Error(made.detail)
      expect(await deleteIdentity(t.db, at.organisationId, at.domainId, LOGIN)).toBe('default')
      const [held] = await t.db.query<{ credentials: Buffer | null }>('select credentials from runs')
      expect(held?.credentials).toEqual(SEALED)
      await cancelRun(t.db, at.organisationId, made.run.id)
      expect(await t.db.query('select credentials from runs')).toEqual([{ credentials: null }])
    })

    test('is refused without one, and on a domain that is not verified', async () => {
      expect(await start()).toMatchObject({ refused: 'login_not_found' })
      await store()
      await setVerified(t.db, at.domainId, null)
      expect(await start()).toMatchObject({ refused: 'domain_not_verified' })
    })

    test('of a schedule asks for it, or is refused with the reason', async () => {
      const timing = { rhythm: { every: 'day', at: '03:00' }, time_zone: 'UTC', quiet_hours: null, jitter_minutes: 0 }
      const options = { ...OPTIONS, auth_stored: true }
      await createSchedule(
        t.db,
        at.organisationId,
        at.domainId,
        { ...timing, rhythm: { every: 'day', at: '03:00' } },
        options,
      )
      const due = () => t.db.query(`update schedules set next_at = clock_timestamp() - interval '1 minute'`)
      await due()
      expect((await fireNext(t.db, PLANS))?.refusal).toBe('No login is stored with the domain.')
      await store()
      await due()
      expect((await fireNext(t.db, PLANS))?.runId).not.toBeNull()
      expect(await sealedOf(await take(t.db))).toEqual(SEALED)
    })
  })

  test('are made, listed by name, changed and deleted, by their organisation alone', async () => {
    await store()
    const made = await identity({ name: 'editor', role: 'editor', parts: ['request', 'totp'] })
    if (typeof made === 'string') throw new Error(made)
    expect(made).toMatchObject({
      name: 'editor',
      kind: 'request',
      parts: ['request', 'totp'],
      proof: PROOF,
      test: null,
    })
    const list = await listIdentities(t.db, at.organisationId, at.domainId)
    expect(list.map(({ name, kind }) => [name, kind])).toEqual([
      ['default', 'cookie'],
      ['editor', 'request'],
    ])
    expect(await identity({ name: 'editor' })).toBe('identity_exists')
    const change = (organisationId: string, name: string) =>
      updateIdentity(t.db, organisationId, at.domainId, made.id, { ...NEW, name })
    expect(await change(strangers.organisationId, 'other')).toBe('identity_not_found')
    expect(await change(at.organisationId, 'default')).toBe('identity_exists')
    expect(await change(at.organisationId, 'author')).toMatchObject({ id: made.id, name: 'author' })
    expect(await listIdentities(t.db, strangers.organisationId, at.domainId)).toEqual([])
    expect(await deleteIdentity(t.db, strangers.organisationId, at.domainId, { id: made.id })).toBeNull()
    expect(await deleteIdentity(t.db, at.organisationId, at.domainId, { id: made.id })).toBe('author')
    await t.db.query('delete from domains where id = $1', [at.domainId])
    expect(await t.db.query('select 1 from domain_identities')).toEqual([])
  })

  test("a run takes the domain's pace, as it was when it was made", async () => {
    const pace = (requests_per_second: number | null) =>
      updateDomain(t.db, at.organisationId, at.domainId, { requests_per_second })
    expect((await pace(3))?.requestsPerSecond).toBe(3)
    await createRun(t.db, PLANS, newRun(at))
    expect((await updateDomain(t.db, at.organisationId, at.domainId, { context: 'shop' }))?.requestsPerSecond).toBe(3)
    await pace(null)
    await createRun(t.db, PLANS, newRun(at))
    expect([(await take(t.db))?.options, (await take(t.db))?.options]).toEqual([
      expect.objectContaining({ requests_per_second: 3 }),
      expect.not.objectContaining({ requests_per_second: expect.anything() }),
    ])
  })

  describe('a test', () => {
    test('is taken by one worker, once, and answered', async () => {
      await store()
      expect(await last()).toBeNull()
      expect(await ask()).toMatchObject({ state: 'waiting', finished_at: null })
      const jobs = await Promise.all([claimLoginTest(t.db), claimLoginTest(t.db)])
      const [job] = jobs.filter((one) => one !== null)
      expect(jobs.filter((one) => one !== null)).toHaveLength(1)
      expect(job).toMatchObject({ domain: 'shop.test', page: '/account', verified: true, sealed: SEALED })
      expect(await last()).toMatchObject({ state: 'running' })
      await finishLoginTest(t.db, job?.testId ?? '', ANSWER)
      expect(await last()).toMatchObject({ ...ANSWER, finished_at: expect.any(String) })
      expect(await claimLoginTest(t.db)).toBeNull()
    })

    test('keeps pictures of its steps until the next one, for its organisation alone', async () => {
      const made = await identity({ name: 'editor' })
      if (typeof made === 'string') throw new Error(made)
      const which = { id: made.id }
      const tested = async (pictures: ReadonlyMap<number, Uint8Array>) => {
        await askLoginTest(t.db, at.organisationId, at.domainId, which)
        const job = await claimLoginTest(t.db)
        await finishLoginTest(t.db, job?.testId ?? '', ANSWER, pictures)
      }
      const read = (organisationId: string, step: number) =>
        readIdentityPicture(t.db, organisationId, at.domainId, made.id, step)
      const jpeg = Buffer.from([0xff, 0xd8, 1])
      await tested(new Map([[2, jpeg]]))
      expect([await read(at.organisationId, 2), await read(at.organisationId, 1)]).toEqual([jpeg, null])
      expect(await read(strangers.organisationId, 2)).toBeNull()
      await askLoginTest(t.db, at.organisationId, at.domainId, which)
      expect(await read(at.organisationId, 2)).toBeNull()
      await claimLoginTest(t.db)
      await deleteIdentity(t.db, at.organisationId, at.domainId, which)
      expect(await t.db.query('select 1 from identity_pictures')).toEqual([])
    })

    test('asked for twice while it goes on is one', async () => {
      await store()
      await ask()
      await claimLoginTest(t.db)
      expect(await ask()).toMatchObject({ state: 'running' })
      expect(await claimLoginTest(t.db)).toBeNull()
    })

    test('of a login that was replaced meanwhile says nothing about the new one', async () => {
      await store()
      await ask()
      const job = await claimLoginTest(t.db)
      await store()
      await finishLoginTest(t.db, job?.testId ?? '', ANSWER)
      expect(await last()).toBeNull()
    })

    test('whose worker was lost says so, and may be asked for again', async () => {
      await store()
      await ask()
      await claimLoginTest(t.db)
      await t.db.query(
        `update domain_identities set test_claimed_at = test_claimed_at - make_interval(secs => ${LOOK_SECONDS + 1})`,
      )
      expect(await last()).toMatchObject({ state: 'not_tested', reason: expect.stringContaining('lost') })
      expect(await ask()).toMatchObject({ state: 'waiting' })
    })

    test('without a login is none', async () => {
      expect(await ask()).toBeNull()
    })
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { newRun, OPTIONS, PLANS, seedDomain, take } from '../../tests/support/seed.ts'
import type { LoginAnswer } from '../contract/domain-login.ts'
import { domainView, getDomain, setVerified, updateDomain } from './domains.ts'
import {
  askLoginTest,
  claimLoginTest,
  deleteLogin,
  finishLoginTest,
  LOOK_SECONDS,
  readLoginTest,
  setLogin,
} from './logins.ts'
import { cancelRun, createRun } from './runs.ts'
import { createSchedule, fireNext } from './schedules.ts'

const SEALED = Buffer.from('sealed')
const LOGIN = { sealed: SEALED, kinds: ['cookie'], page: '/account', set_by: 'ci' } as const
const ANSWER: LoginAnswer = { state: 'works', reason: 'Other words.', without: null, with: null }

describe.each(SQL_ENGINES)('logins on $kind', ({ open }) => {
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
  const store = () => setLogin(t.db, at.organisationId, at.domainId, { ...LOGIN, kinds: ['cookie'] })
  const ask = () => askLoginTest(t.db, at.organisationId, at.domainId)
  const last = () => readLoginTest(t.db, at.organisationId, at.domainId)
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
    expect(await setLogin(t.db, organisationId, at.domainId, { ...LOGIN, kinds: ['header'] })).toBe(false)
    expect(await askLoginTest(t.db, organisationId, at.domainId)).toBeNull()
    expect(await readLoginTest(t.db, organisationId, at.domainId)).toBeNull()
    expect(await deleteLogin(t.db, organisationId, at.domainId)).toBe(false)
    expect((await getDomain(t.db, at.organisationId, at.domainId))?.login?.kinds).toEqual(['cookie'])
  })

  describe('a run', () => {
    test('takes a copy where it asks for it, and nothing where it does not', async () => {
      await store()
      await start()
      await createRun(t.db, PLANS, newRun(at))
      const [asking, plain] = [await take(t.db), await take(t.db)]
      expect([asking?.credentials, asking?.options.auth_stored]).toEqual([SEALED, true])
      expect([plain?.credentials, plain?.options.auth_stored]).toEqual([null, undefined])
    })

    test('keeps its copy when the login is deleted, and loses it when it ends', async () => {
      await store()
      const made = await start()
      if ('refused' in made) throw new Error(made.detail)
      expect(await deleteLogin(t.db, at.organisationId, at.domainId)).toBe(true)
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
      expect((await take(t.db))?.credentials).toEqual(SEALED)
    })
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
        `update domain_logins set test_claimed_at = test_claimed_at - make_interval(secs => ${LOOK_SECONDS + 1})`,
      )
      expect(await last()).toMatchObject({ state: 'not_tested', reason: expect.stringContaining('lost') })
      expect(await ask()).toMatchObject({ state: 'waiting' })
    })

    test('without a login is none', async () => {
      expect(await ask()).toBeNull()
    })
  })
})

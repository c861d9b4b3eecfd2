import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { PLANS, seedDomain, seedRun } from '../../tests/support/seed.ts'
import { createDomain, updateDomain } from './domains.ts'
import { appendAudit } from './events.ts'
import { heartbeat } from './heartbeat.ts'
import { finish, lease, release, startRun } from './lease.ts'
import { setOrganisation } from './organisations.ts'
import { getRun } from './runs.ts'
import { forgetSent, sentToday } from './silences.ts'

/** HH:MM in UTC, so many hours from now. */
const clock = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)

describe.each(ENGINES)('silences on $kind', ({ open }) => {
  let t: TestDatabase
  let at: Awaited<ReturnType<typeof seedDomain>>
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    at = await seedDomain(t.db)
  })
  const claim = () => lease(t.db, { workerId: 'w', seconds: 30, plans: PLANS })
  const doing = async (id: string) => (await getRun(t.db, at.organisationId, id))?.phase_detail
  const set = (change: Parameters<typeof updateDomain>[3]) => updateDomain(t.db, at.organisationId, at.domainId, change)
  const now = () => ({ from: clock(-1), to: clock(1), time_zone: 'UTC' })

  test.each([
    ['08:00', '18:00', 'Europe/Berlin', '2026-11-26T06:59:00Z', null],
    ['08:00', '18:00', 'Europe/Berlin', '2026-11-26T07:00:00Z', '2026-11-26T17:00:00.000Z'],
    ['08:00', '18:00', 'Europe/Berlin', '2026-11-26T17:00:00Z', null],
    ['22:00', '06:00', 'UTC', '2026-11-26T23:10:00Z', '2026-11-27T06:00:00.000Z'],
    ['22:00', '06:00', 'UTC', '2026-11-27T05:59:00Z', '2026-11-27T06:00:00.000Z'],
    ['22:00', '06:00', 'UTC', '2026-11-27T06:00:00Z', null],
    // The night in which clocks go forward has an hour less, and the one in which they go back an hour more.
    ['22:00', '06:00', 'Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-29T04:00:00.000Z'],
    ['22:00', '06:00', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T05:00:00.000Z'],
  ])('from %s to %s in %s, at %s', async (from, to, time_zone, moment, until) => {
    const [row] = await t.db.query<{ until: Date | null }>('select quiet_until($1::jsonb, $2::timestamptz) as until', [
      JSON.stringify({ from, to, time_zone }),
      moment,
    ])
    expect(row?.until?.toISOString() ?? null).toBe(until)
  })

  test('in quiet hours nothing begins, and it is said why; afterwards, and once they are taken away, it does', async () => {
    await set({ quiet_hours: now() })
    const { id } = await seedRun(t.db, at)
    expect(await claim()).toBeNull()
    expect(await doing(id)).toMatch(/^Waiting, as the quiet hours of the domain last until \d\d:\d\d \(UTC\)$/)
    await set({ quiet_hours: null })
    expect(await claim()).toMatchObject({ runId: id })
  })

  test('another domain of the organisation is not held up', async () => {
    await set({ quiet_hours: now() })
    await seedRun(t.db, at)
    const { organisationId } = at
    const other = await createDomain(t.db, {
      organisationId,
      domain: 'other.test',
      context: null,
      token: 'a'.repeat(32),
    })
    if (other === 'domain_exists') throw new Error('unexpected')
    const { id } = await seedRun(t.db, { organisationId, domainId: other.id })
    expect(await claim()).toMatchObject({ runId: id })
  })

  test('a run at work is told when they begin', async () => {
    await seedRun(t.db, at)
    const held = await claim()
    if (held === null) throw new Error('nothing was leased')
    expect(await heartbeat(t.db, held, 30)).toEqual({ cancelRequested: false, silence: null })
    await set({ quiet_hours: now() })
    expect(await heartbeat(t.db, held, 30)).toMatchObject({ silence: expect.stringContaining('quiet hours') })
  })

  test('between two runs a domain rests, and two are never at work at once', async () => {
    await set({ cooldown_minutes: 60 })
    const first = await seedRun(t.db, at)
    const second = await seedRun(t.db, at)
    const held = await claim()
    if (held?.runId !== first.id) throw new Error('the first was not leased')
    expect(await claim()).toBeNull()
    await startRun(t.db, held)
    await finish(t.db, held, { grade: 'A', artifacts: [] })
    await t.db.query('update runs set not_before = null')
    expect(await claim()).toBeNull()
    expect(await doing(second.id)).toBe('Waiting, as the domain rests 60 minutes between two runs')
    await t.db.query(
      `update runs set created_at = created_at - interval '1 hour', first_leased_at = first_leased_at - interval '1 hour',
                       started_at = started_at - interval '1 hour', finished_at = finished_at - interval '1 hour' where id = $1`,
      [first.id],
    )
    // It is kept to the millisecond, rounded: its own moment may lie half of one ahead.
    await t.db.query(`update runs set not_before = clock_timestamp() - interval '1 millisecond' where id = $1`, [
      second.id,
    ])
    expect(await claim()).toMatchObject({ runId: second.id })
  })

  test('what an organisation has sent is counted, and ends its day', async () => {
    const line = (event: string) => ({ ts: new Date().toISOString(), module: 'site', event })
    const lines = [line('request'), line('connect'), line('resolve'), line('module_ended')]
    await seedRun(t.db, at)
    const next = await seedRun(t.db, at)
    const held = await claim()
    if (held === null) throw new Error('nothing was leased')
    await startRun(t.db, held)
    await appendAudit(t.db, held, lines)
    expect(await sentToday(t.db, at.organisationId)).toBe(0)
    await setOrganisation(t.db, at.organisationId, { requests_per_day: 3 })
    await appendAudit(t.db, held, lines)
    expect([await sentToday(t.db, at.organisationId), await heartbeat(t.db, held, 30)]).toMatchObject([
      2,
      { silence: null },
    ])
    await appendAudit(t.db, held, lines)
    expect(await heartbeat(t.db, held, 30)).toMatchObject({
      silence: 'the organisation has sent its 3 requests of today (UTC)',
    })
    await release(t.db, held)
    expect(await claim()).toBeNull()
    expect(await doing(next.id)).toMatch(/^Waiting, as the organisation/)
    await t.db.query('update sent_requests set day = day - 1')
    await t.db.query('update runs set not_before = null')
    expect(await claim()).not.toBeNull()
    await t.db.query('update sent_requests set day = day - 40')
    await forgetSent(t.db)
    expect(await t.db.query('select 1 from sent_requests')).toEqual([])
  })
})

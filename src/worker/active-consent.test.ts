import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { memoryStorage, workerOptions } from '../../tests/support/worker.ts'
import { hasEnded } from '../contract/run.ts'
import { getDomain, setVerified } from '../store/domains.ts'
import { read } from '../store/events.ts'
import { getAnyRun } from '../store/runs.ts'
import { startWorker } from './loop.ts'
import type { WorkerOptions } from './options.ts'

const DAY = 86_400_000
const at = (days: number): Date => new Date(Date.now() + days * DAY)

describe('before the first active request the domain is asked again', () => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await openTestDatabase()
  })
  afterAll(() => t.drop())
  beforeEach(() => t.empty())

  type Answer = Awaited<ReturnType<WorkerOptions['verifyDomain']>>
  const proven: Answer = [{ method: 'dns_txt', ok: true, seen: 'the value' }]
  const absent: Answer = [
    { method: 'dns_txt', ok: false, seen: 'no record' },
    { method: 'http_file', ok: false, seen: 'status 404' },
  ]

  /** A run of a domain that is put in its state while the run waits; what came of it. */
  const carryOut = async (
    answer: Answer,
    { active = true, meanwhile }: { active?: boolean; meanwhile: (domainId: string) => Promise<unknown> },
  ) => {
    const seeded = await seedDomain(t.db, { domain: 'probed.test' })
    const run = await seedRun(t.db, seeded, { active })
    await meanwhile(seeded.domainId)
    let asked = 0
    const worker = await startWorker(
      workerOptions(t.db, memoryStorage(), {
        verifyDomain: async () => {
          asked += 1
          return answer
        },
      }),
    )
    await until(async () => hasEnded((await getAnyRun(t.db, run.id))?.status ?? 'done'), 15_000)
    await worker.drain()
    const lines = (await read(t.db, run.id, 0, 1_000)).flatMap((each) => (each.type === 'audit' ? [each.data] : []))
    return {
      asked,
      status: (await getAnyRun(t.db, run.id))?.status,
      /** What the scan child was told: the reason, or 'null' where it may send. */
      told: lines.find(({ event }) => event === 'consent')?.detail,
      noted: lines.find(({ event }) => event === 'domain_verification'),
      domain: await getDomain(t.db, seeded.organisationId, seeded.domainId),
    }
  }
  const verified = (from: number, to: number, vouched = false) => ({
    meanwhile: (id: string) => setVerified(t.db, id, { at: at(from), until: at(to), vouched }),
  })

  test.each([
    ['verified and still proven', proven, verified(-10, 80)],
    ['lapsed, but proven now', proven, verified(-100, -10)],
  ])('%s: may send, and the proof is renewed', async (_, answer, how) => {
    const result = await carryOut(answer, how)
    expect(result).toMatchObject({ asked: 1, status: 'done', told: 'null', noted: { result: 'proven' } })
    expect(result.domain?.verifiedUntil?.getTime()).toBeGreaterThan(at(89).getTime())
  })

  test.each([
    ['verified days ago, the proof is gone', verified(-10, 80), /does not show its verification any more/],
    ['lapsed in the queue', verified(-100, -10), /does not show/],
    ['taken back', { meanwhile: (id: string) => setVerified(t.db, id, null) }, /taken back/],
    ["the operator's word has run out", verified(-4000, -1, true), /does not show/],
  ])('%s: goes on with what is passive', async (_, how, reason) => {
    const before = await carryOut(absent, how)
    expect(before).toMatchObject({ asked: 1, status: 'done', told: expect.stringMatching(reason) })
    expect(before.told).toContain('so nothing active was sent')
    expect(before.noted).toMatchObject({ result: 'refused', detail: expect.stringContaining('status 404') })
  })

  test("the operator's word needs no proof, and a proof does not shorten it", async () => {
    const result = await carryOut(absent, verified(-1, 3650, true))
    expect(result).toMatchObject({ asked: 0, status: 'done', told: 'null', noted: undefined })
    const { id } = result.domain ?? { id: '' }
    const after = await setVerified(t.db, id, { at: at(0), until: at(90) })
    expect(after?.vouched).toBe(true)
    expect(after?.verifiedUntil?.getTime()).toBeGreaterThan(at(3_600).getTime())
    expect(await setVerified(t.db, id, null)).toMatchObject({ vouched: false, verifiedUntil: null })
  })

  test('deleted in the meantime', async () => {
    const result = await carryOut(proven, {
      meanwhile: (id) => t.db.query('update runs set domain_id = null where domain_id = $1', [id]),
    })
    expect(result).toMatchObject({ asked: 0, status: 'done', told: expect.stringContaining('not registered any more') })
  })

  test('a passive run asks nobody', async () => {
    const result = await carryOut(absent, { active: false, ...verified(-100, -10) })
    expect(result).toMatchObject({ asked: 0, status: 'done', told: 'null', noted: undefined })
  })
})

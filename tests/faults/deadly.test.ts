/** Modules that end their process: through a real worker, a real child and a real database. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Coverage } from '../../src/contract/finding.ts'
import { FindingsFile } from '../../src/contract/findings-file.ts'
import { hasEnded } from '../../src/contract/run.ts'
import { listArtifacts } from '../../src/store/artifacts.ts'
import { read } from '../../src/store/events.ts'
import { addChildDeath, childDeaths, faultCounts } from '../../src/store/faults.ts'
import { release } from '../../src/store/lease.ts'
import { getAnyRun } from '../../src/store/runs.ts'
import { startWorker, type Worker } from '../../src/worker/loop.ts'
import { openTestDatabase, type TestDatabase } from '../support/databases.ts'
import { seedDomain, seedRun, takeAndStart } from '../support/seed.ts'
import { until } from '../support/until.ts'
import { type MemoryStorage, memoryStorage, silentLogger, workerOptions } from '../support/worker.ts'

const TIME = 180_000

let t: TestDatabase
let storage: MemoryStorage
let logger: ReturnType<typeof silentLogger>
let worker: Worker | null
beforeAll(async () => {
  t = await openTestDatabase()
}, TIME)
afterAll(() => t.drop())
beforeEach(async () => {
  await t.empty()
  storage = memoryStorage()
  logger = silentLogger()
  worker = null
})
afterEach(async () => worker?.drain())

const start = async (deadly: string, silence = 60_000): Promise<void> => {
  const base = workerOptions(t.db, storage)
  worker = await startWorker({
    ...base,
    logger,
    scanScript: async () => new URL('deadly-scan.ts', import.meta.url),
    childEnv: { FAULTS_DEADLY: deadly },
    childMemoryMb: 128,
    timing: { ...base.timing, silence },
    judge: async (modules, about, signal) => ({
      ...(await base.judge(modules, about, signal)),
      coverage: modules.flatMap(({ coverage }) => coverage ?? []),
    }),
  })
}

const ended = async (id: string) => {
  await until(async () => hasEnded((await getAnyRun(t.db, id))?.status ?? 'queued'), TIME - 20_000)
  const run = await getAnyRun(t.db, id)
  const file = (await listArtifacts(t.db, id)).find(({ filename }) => filename === 'findings.json')
  const json = file && FindingsFile.parse(JSON.parse(String(storage.objects.get(file.objectKey))))
  const restarts = (await read(t.db, id, 0, 10_000)).filter(
    (event) => event.type === 'audit' && event.data.event === 'scanner_restarted',
  )
  return { run, restarts: restarts.length, coverage: statesOf(json?.coverage ?? []), lines: json?.coverage ?? [] }
}
const statesOf = (coverage: readonly Coverage[]) =>
  Object.fromEntries(coverage.map(({ module, state, reason_kind: kind }) => [module, kind ?? state]))
const seeded = async (): Promise<string> => (await seedRun(t.db, await seedDomain(t.db))).id
const ALL = { calm: 'fail', hard: 'fail', soft: 'fail', steady: 'fail' }

/** With SONDE_LONG every way to die. */
const WAYS = process.env.SONDE_LONG ? [['kill'], ['exit'], ['abort'], ['memory'], ['spin']] : [['abort']]

describe('a module that ends its process', () => {
  test.each(WAYS)(
    'by %s is left out of the third, and nothing else is lost',
    async (way) => {
      await start(`hard=${way}`, 5_000)
      const id = await seeded()
      const { run, restarts, coverage, lines } = await ended(id)
      expect(run, logger.lines.join('\n')).toMatchObject({ status: 'done', attempts: 1 })
      expect(coverage).toEqual({ ...ALL, hard: 'scanner_fault' })
      expect(lines.find(({ module }) => module === 'hard')).toMatchObject({
        state: 'inconclusive',
        fault_id: expect.stringMatching(/^F-[0-9a-f]{8}$/),
      })
      expect(restarts).toBe(2)
      expect((await childDeaths(t.db, id)).at(-1)?.modules).toContain('hard')
      expect((await faultCounts(t.db)).find(({ module }) => module === 'hard')?.faults).toBeGreaterThanOrEqual(2)
    },
    TIME,
  )

  test.runIf(process.env.SONDE_LONG)(
    'two of them: both are left out, each by its own deaths',
    async () => {
      await start('hard=kill,soft=exit')
      const { run, coverage } = await ended(await seeded())
      expect(run).toMatchObject({ status: 'done' })
      expect(coverage).toEqual({ ...ALL, hard: 'scanner_fault', soft: 'scanner_fault' })
    },
    TIME,
  )

  test(
    'is known to the next worker too',
    async () => {
      const id = await seeded()
      const held = await takeAndStart(t.db)
      for (const modules of [['hard', 'calm'], ['hard']]) {
        expect(await addChildDeath(t.db, held, 1, { modules, detail: 'it died' })).toBe('ok')
      }
      await release(t.db, held)
      await start('hard=kill')
      const { run, restarts, coverage } = await ended(id)
      expect(run).toMatchObject({ status: 'done' })
      expect(coverage).toEqual({ ...ALL, hard: 'scanner_fault' })
      expect(restarts).toBe(0)
    },
    TIME,
  )
})

test.each(process.env.SONDE_LONG ? [['late'], ['reject']] : [['late']])(
  'what a module throws past everything (%s) ends it alone, in the same process',
  async (way) => {
    await start(`soft=${way}`)
    const { run, restarts, coverage } = await ended(await seeded())
    expect(run).toMatchObject({ status: 'done' })
    expect(coverage).toEqual({ ...ALL, soft: 'scanner_fault' })
    expect(restarts).toBe(0)
    expect(logger.lines.join('\n')).toContain('deadly-scan.ts')
  },
  TIME,
)

/** Workers that look for news of feeds, stored runs for them to judge again, and a target that counts whoever asks it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type FindingsFile, FindingsFile as FindingsFileOf } from '../../src/contract/findings-file.ts'
import { answersOf, judgeAnew } from '../../src/engine/judge-anew.ts'
import { judgeStored } from '../../src/engine/judge-stored.ts'
import { readActive } from '../../src/knowledge/feeds/active.ts'
import type { Detected } from '../../src/knowledge/fingerprints/match.ts'
import { readGiven } from '../../src/signature/given.ts'
import { verifyFiles } from '../../src/signature/verify.ts'
import { listArtifacts } from '../../src/store/artifacts.ts'
import type { Database } from '../../src/store/database.ts'
import { allFindings } from '../../src/store/findings.ts'
import type { KnownFeed } from '../../src/store/knowledge-news.ts'
import { listProblemEvents } from '../../src/store/problems.ts'
import type { RunRecord } from '../../src/store/run-row.ts'
import { getAnyRun } from '../../src/store/runs.ts'
import type { FeedNews } from '../../src/worker/feed-news.ts'
import type { FeedJudge } from '../../src/worker/judge-in-thread.ts'
import { startWorker, type Worker } from '../../src/worker/loop.ts'
import type { WorkerOptions } from '../../src/worker/options.ts'
import { openTestDatabase, type TestDatabase } from './databases.ts'
import { storedRun } from './stored-run.ts'
import { until } from './until.ts'
import { type MemoryStorage, memoryStorage, silentLogger, workerOptions } from './worker.ts'

export const LONG = 60_000
export const EXPLOITED = 'CVE-2020-11022'
export const NEW = 'CVE-2026-40001'

export const jquery = (version = '3.4.1'): Detected => ({
  ...{ name: 'jQuery', kind: 'library', cpe: ['jquery:jquery'], confidence: 'firm', version },
  ...{ otherVersions: [], impliedBy: [] },
  evidence: [
    {
      source: 'code',
      text: `jQuery v${version} | (c) JS Foundation`,
      version,
      name: '',
      url: 'https://ok.test/',
      weak: false,
    },
    { source: 'asset', text: `/jquery-${version}.min.js`, version, name: '', url: 'https://ok.test/', weak: false },
  ],
})

/** Registers what comes before and after each test. */
export const newsBench = () => {
  let t: TestDatabase
  let storage: MemoryStorage
  let logger: ReturnType<typeof silentLogger>
  let workers: Worker[]
  let home: string
  let target: Server
  let askedOfTarget: number
  const questions: string[] = []
  beforeAll(async () => {
    t = await openTestDatabase()
    target = createServer((_request, response) => {
      askedOfTarget += 1
      response.end()
    })
    target.on('connection', () => {
      askedOfTarget += 1
    })
    target.listen(0, '127.0.0.1')
    await new Promise((resolve) => target.once('listening', resolve))
  })
  afterAll(async () => {
    target.closeAllConnections()
    target.close()
    await t.drop()
  })
  beforeEach(async () => {
    await t.empty()
    storage = memoryStorage()
    logger = silentLogger()
    workers = []
    questions.length = 0
    askedOfTarget = 0
    home = mkdtempSync(join(tmpdir(), 'sonde-news-'))
  })
  afterEach(async () => {
    await drained()
    rmSync(home, { recursive: true })
  })

  const folder = (): string => join(home, 'knowledge')
  const drained = async (): Promise<void> => {
    for (const worker of workers.splice(0)) await worker.drain()
  }
  const feeds = (): KnownFeed[] =>
    (['cve5', 'kev', 'endoflife', 'epss'] as const).flatMap((feed) => {
      const active = readActive(folder(), feed)
      return active === null ? [] : [{ feed, version: active.version, importedAt: new Date(active.imported_at) }]
    })
  /** As in the thread (judge-in-thread.test.ts), which takes seconds to start. */
  const judge: FeedJudge = {
    answers: async (asked) => {
      questions.push(...asked.map(({ question }) => question))
      return answersOf(asked, folder())
    },
    anew: async (modules, about, now, signal) => {
      const made = await judgeAnew(modules, about, { knowledge: folder(), now, signal })
      return typeof made === 'string' ? made : { ...made, failures: made.failures.map(({ check }) => check) }
    },
  }
  const news = (change: Partial<FeedNews> = {}): FeedNews => ({
    ...{ feeds, judge, perMinute: 1_000 },
    ...change,
  })
  const options = (change: Partial<WorkerOptions> = {}): WorkerOptions => {
    const base = workerOptions(t.db, storage, {
      logger,
      judge: async (modules, about) => judgeStored(modules, about),
      knowledge: folder(),
    })
    const { port } = target.address() as AddressInfo
    return {
      ...base,
      egress: { ...base.egress, hosts: { 'ok.test': [`127.0.0.1:${port}`] } },
      timing: { ...base.timing, news: 300, reportRetry: 200 },
      ...change,
    }
  }
  const start = async (change: Partial<WorkerOptions> = {}): Promise<void> => {
    workers.push(await startWorker(options({ news: news(), ...change })))
  }

  const scanned = (
    domain: string,
    technologies: readonly Detected[],
    more: Parameters<typeof storedRun>[3] = {},
  ): Promise<RunRecord> => storedRun(options(), domain, technologies, more)
  const state = async ({ id }: { id: string }): Promise<RunRecord> => {
    const run = await getAnyRun(t.db, id)
    if (!run) throw new Error('gone')
    return run
  }
  const judged = async (run: RunRecord, version: number): Promise<RunRecord> => {
    await until(async () => {
      const { report } = await state(run)
      return report.version === version && report.state !== 'pending'
    }, LONG)
    return state(run)
  }
  const filesOf = async (run: RunRecord, version: number) =>
    (await listArtifacts(t.db, run.id)).filter((file) => file.version === version || file.version === null)
  const file = async (run: RunRecord, version: number): Promise<FindingsFile> => {
    const stored = (await filesOf(run, version)).find(({ kind }) => kind === 'findings_json')
    return FindingsFileOf.parse(JSON.parse(String(storage.objects.get(stored?.objectKey ?? ''))))
  }
  const signed = async (run: RunRecord, version: number): Promise<string> => {
    const given = (await filesOf(run, version)).map(({ filename, objectKey }) => {
      const reading = readGiven(filename)
      reading.add(storage.objects.get(objectKey) ?? Buffer.alloc(0))
      return reading.end()
    })
    return verifyFiles(given, []).outcome
  }
  const cves = async (run: RunRecord): Promise<string[]> =>
    (await allFindings(t.db, run.id, 'cve')).flatMap(({ cve }) =>
      cve.map(({ id, kev: listed }) => `${id}${listed === null ? '' : ' exploited'}`),
    )
  const told = () =>
    t.db.query<{ event: string; payload: { data: { run_id: string; judged_again?: unknown } } }>(
      `select event, payload from deliveries where event like 'finding.%' order by created_at, id`,
      [],
    )
  const history = (domainId: string, fingerprint: string) => listProblemEvents(t.db, domainId, [fingerprint], null, 20)
  const idle = async (): Promise<void> => {
    await until(async () => {
      // First what is known: once it is, what is open counts by the number that came with it.
      const known = await t.db.query<{ feed: string; version: string }>('select feed, version from known_feeds', [])
      const same = feeds().every(({ feed, version }) =>
        known.some((one) => one.feed === feed && one.version === version),
      )
      const [{ number = 0 } = {}] = await t.db.query<{ number: number }>('select number from knowledge_news', [])
      const open = await t.db.query('select 1 from components where checked < $1 union all select 1 from judgements', [
        number,
      ])
      return number > 0 && same && open.length === 0
    }, LONG)
  }

  return {
    db: (): Database => t.db,
    /** Requests and connections. */
    askedOfTarget: (): number => askedOfTarget,
    /** What the feeds were asked. */
    questions,
    ...{ home: () => home, folder, feeds, news, start, drained, idle },
    ...{ scanned, state, judged, filesOf, file, signed, cves, told, history },
  }
}

/** A worker on a real PostgreSQL and a real S3 server, each behind a relay; and what has to be true of its runs at the end. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ObjectStorage } from '../../src/artifacts/artifacts.ts'
import { s3Storage } from '../../src/artifacts/s3.ts'
import { watchStorage } from '../../src/artifacts/watched.ts'
import { hasEnded } from '../../src/contract/run.ts'
import { listArtifacts } from '../../src/store/artifacts.ts'
import type { Database } from '../../src/store/database.ts'
import { read, readAuditTexts } from '../../src/store/events.ts'
import { allFindings } from '../../src/store/findings.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { getAnyRun } from '../../src/store/runs.ts'
import { startWorker, type Worker } from '../../src/worker/loop.ts'
import type { Timing } from '../../src/worker/options.ts'
import { openPostgresDatabase } from '../support/databases.ts'
import { openS3, type S3Server } from '../support/s3.ts'
import { seedDomain, seedRun } from '../support/seed.ts'
import { silentLogger, workerOptions } from '../support/worker.ts'
import { openRelay, type Relay } from './relay.ts'

export interface Bed {
  /** Past the relays: sees everything all the time. */
  readonly db: Database
  readonly storage: ObjectStorage
  readonly relays: { readonly s3: Relay; readonly postgres: Relay }
  readonly log: readonly string[]
  /** Queues so many runs, of organisations that do not hold each other up. */
  readonly queue: (count: number) => Promise<string[]>
  readonly start: (timing: Partial<Timing>, concurrency: number) => Promise<Worker>
  readonly close: () => Promise<void>
}

export const openBed = async (): Promise<Bed> => {
  const [s3, postgres] = await Promise.all([openS3(), openPostgresDatabase()])
  const { hostname, port } = new URL(s3.endpoint)
  const relays = {
    s3: await openRelay({ host: hostname, port: Number(port) }),
    postgres: await openRelay({ path: socketOf(postgres.where) }),
  }
  const marks = mkdtempSync(join(tmpdir(), 'sonde-outage-'))
  const direct = s3Storage(optionsOf(s3, s3.endpoint))
  const { lines, ...logger } = silentLogger()
  const ends: (() => Promise<void>)[] = []
  return {
    ...{ db: postgres.db, storage: direct, relays, log: lines },
    queue: async (count) => {
      const ids: string[] = []
      for (let n = 0; n < count; n += 1) {
        const at = await seedDomain(postgres.db, { domain: 'slow.test' })
        ids.push((await seedRun(postgres.db, at)).id)
      }
      return ids
    },
    start: async (timing, concurrency) => {
      const db = await openDatabase({
        url: `postgres://sonde@127.0.0.1:${relays.postgres.port}${pathOf(postgres.where)}`,
      })
      const far = s3Storage(optionsOf(s3, `http://127.0.0.1:${relays.s3.port}`))
      const worker = await startWorker(
        workerOptions(db, watchStorage(far), {
          ...{ logger, concurrency, timing, childEnv: { FAKE_SCAN_FOLDER: marks } },
        }),
      )
      ends.push(async () => {
        await worker.drain()
        far.close()
        await db.close()
      })
      return worker
    },
    close: async () => {
      for (const end of ends) await end()
      await Promise.all([relays.s3.close(), relays.postgres.close()])
      direct.close()
      await postgres.drop()
      rmSync(marks, { recursive: true, force: true })
    },
  }
}

const optionsOf = ({ bucket, region, credentials }: S3Server, endpoint: string) => ({
  ...{ bucket, region, credentials, endpoint, prefix: 'outage/', pathStyle: true },
})
const urlOf = (where: object): URL => new URL('url' in where ? String(where.url).replace('@/', '@x/') : '')
const socketOf = (where: object): string => `${urlOf(where).searchParams.get('host')}/.s.PGSQL.5432`
const pathOf = (where: object): string => urlOf(where).pathname

export interface Tally {
  readonly done: number
  readonly failed: number
  /** Runs with more than one end, or whose findings or files are there twice. */
  readonly twice: number
  /** Attempts beyond the first. */
  readonly again: number
}

export const ended = async ({ db }: Bed, ids: readonly string[]): Promise<number> => {
  const runs = await Promise.all(ids.map((id) => getAnyRun(db, id)))
  return runs.filter((run) => run !== null && hasEnded(run.status)).length
}
export const statuses = async ({ db }: Bed): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(
    (
      await db.query<{ status: string; runs: number }>('select status, count(*)::int as runs from runs group by 1', [])
    ).map(({ status, runs }) => [status, runs]),
  )

/** Looks at every run whole: its end, its events, its chain of audit lines, every file's bytes. */
export const tally = async (bed: Bed, ids: readonly string[]): Promise<Tally> => {
  const sum = { done: 0, failed: 0, twice: 0, again: 0 }
  for (const id of ids) {
    const run = await getAnyRun(bed.db, id)
    const [row] = await bed.db.query<{ attempts: number }>('select attempts from runs where id = $1', [id])
    sum.again += (row?.attempts ?? 1) - 1
    if (run?.status === 'done') sum.done += 1
    else sum.failed += 1
    if (run?.status === 'done' && (await isTwice(bed, id))) sum.twice += 1
  }
  return sum
}

const isTwice = async (bed: Bed, id: string): Promise<boolean> => {
  const events = await read(bed.db, id, 0, 100_000)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
  const texts = (await readAuditTexts(bed.db, id, 0, 100_000)).map(({ text }) => text)
  expect(texts.slice(1).map((text) => JSON.parse(text).prev)).toEqual(texts.slice(0, -1).map(sha256))
  const files = await listArtifacts(bed.db, id)
  for (const file of files) {
    const parts: Buffer[] = []
    for await (const part of (await bed.storage.get(file.objectKey)).stream) parts.push(part as Buffer)
    expect(sha256(Buffer.concat(parts)), file.filename).toBe(file.sha256)
  }
  const names = files.map(({ filename }) => filename)
  const modules = (await allFindings(bed.db, id)).map(({ module }) => module).toSorted()
  const all = [
    'audit-log.jsonl',
    'cookies-page.txt',
    'evidence.zip',
    'findings.json',
    'headers-page.txt',
    'report.html',
    'report.md',
    'signature.json',
    'site-page.txt',
  ]
  return (
    events.filter(({ type }) => type === 'done').length !== 1 ||
    names.toSorted().join() !== all.join() ||
    modules.join() !== 'cookies,headers,site'
  )
}

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

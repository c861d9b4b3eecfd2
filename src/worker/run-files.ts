import type { FindingsFile } from '../contract/findings-file.ts'
import { reserveArtifacts } from '../store/artifacts.ts'
import type { LeasedRun } from '../store/lease.ts'
import { held, RunFailed } from './failures.ts'
import { auditLog, evidenceArchive, type FilePolicy, type FileToStore, storeFiles, type WrittenFile } from './files.ts'
import type { Timing, WorkerOptions } from './options.ts'
import { type Patience, patiently } from './patience.ts'
import { reportPictures } from './report-pictures.ts'
import type { EvidencePicture } from './report-writer.ts'

/** The files of one leased run. */
export interface RunFiles {
  readonly policy: FilePolicy
  /** Reserves under the lease, writes, verifies; waits for a storage that is away. Throws `LeaseLost`, `StorageAway` or `RunFailed`. */
  readonly store: (files: readonly FileToStore[]) => Promise<WrittenFile[]>
  /** For the report, as `reportPictures`; waits for a storage that is away. */
  readonly pictures: (file: Pick<FindingsFile, 'findings'>) => Promise<readonly EvidencePicture[]>
  /** Audit log and evidence archive: what every ended run keeps, however it ended. `wait` false tries it but once. */
  readonly storeClosing: (wait?: boolean) => Promise<WrittenFile[]>
}

export const createRunFiles = (
  { db, storage, plans, logger }: WorkerOptions,
  timing: Timing,
  run: LeasedRun,
  signal: AbortSignal,
): RunFiles => {
  const plan = plans.find(({ id }) => id === run.plan)
  if (!plan) throw new RunFailed('internal', `The organisation's plan "${run.plan}" is not configured.`)
  const policy: FilePolicy = { runId: run.runId, retentionDays: plan.retention_days, watermark: plan.watermark }
  const patience: Patience = { signal, timing, logger, runId: run.runId }
  const store = (files: readonly FileToStore[], wait = true): Promise<WrittenFile[]> =>
    storeFiles(
      storage,
      async (artifacts) => {
        held(await reserveArtifacts(db, run, artifacts))
      },
      policy,
      files,
      wait ? (work) => patiently(work, patience) : (work) => work(),
    )
  return {
    policy,
    store: (files) => store(files),
    pictures: (file) => patiently(() => reportPictures({ db, storage }, run.runId, file), patience),
    storeClosing: async (wait = true) => {
      const files = [await evidenceArchive(db, storage, run.runId), await auditLog(db, run.runId)]
      return store(
        files.filter((file) => file !== null),
        wait,
      )
    },
  }
}

import { reserveArtifact, type StoredArtifact } from '../store/artifacts.ts'
import type { LeasedRun } from '../store/lease.ts'
import { held, RunFailed } from './failures.ts'
import { auditLog, evidenceArchive, type FilePolicy, type FileToStore, storeFile } from './files.ts'
import type { WorkerOptions } from './options.ts'

/** The files of one leased run. */
export interface RunFiles {
  readonly policy: FilePolicy
  /** Reserves under the lease, writes, verifies. Throws `LeaseLost` or `RunFailed`. */
  readonly store: (file: FileToStore) => Promise<StoredArtifact>
  /** Audit log and evidence archive: what every ended run keeps, however it ended. */
  readonly storeClosing: () => Promise<StoredArtifact[]>
}

export const createRunFiles = ({ db, storage, plans }: WorkerOptions, run: LeasedRun): RunFiles => {
  const plan = plans.find(({ id }) => id === run.plan)
  if (!plan) throw new RunFailed('internal', `The organisation's plan "${run.plan}" is not configured.`)
  const policy: FilePolicy = { runId: run.runId, retentionDays: plan.retention_days, watermark: plan.watermark }
  const store = (file: FileToStore): Promise<StoredArtifact> =>
    storeFile(
      storage,
      async (artifact) => {
        held(await reserveArtifact(db, run, artifact))
      },
      policy,
      file,
    )
  return {
    policy,
    store,
    storeClosing: async () => {
      const files = [await evidenceArchive(db, storage, run.runId), await auditLog(db, run.runId)]
      const stored: StoredArtifact[] = []
      for (const file of files) if (file) stored.push(await store(file))
      return stored
    },
  }
}

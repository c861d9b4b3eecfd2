/** Signs versions of runs: in the same breath as they are made, or here by whoever looks. */
import { type BoundFile, SIGNATURE_FILE, signVersion } from '../signature/statement.ts'
import {
  claimSigning,
  finishSigning,
  releaseSigning,
  reserveSignature,
  type Signable,
  type SigningJob,
  signable,
} from '../store/signatures.ts'
import { presentSigner, SigningKeyError } from '../store/signing-keys.ts'
import { held, isDatabaseAway, LeaseLost } from './failures.ts'
import { evidenceNames, type FileToStore, storeFile, type WrittenFile } from './files.ts'
import type { Timing, WorkerOptions } from './options.ts'
import { type Repeated, repeat } from './repeat.ts'

interface Version {
  readonly runId: string
  readonly version: number
}

/**
 * The signature of a version over its files as they are stored, and those that were written and become visible with it. Null where
 * the audit log or the findings are not there (not yet, or not any more).
 * @throws {SigningKeyError}
 */
const signatureFile = async (
  { db, keys }: WorkerOptions,
  { runId, version }: Version,
  written: readonly WrittenFile[],
): Promise<FileToStore | null> => {
  const about = await signable(db, runId, version)
  const files = boundFiles(about, written)
  const has = (kind: BoundFile['kind']): boolean => files.some((file) => file.kind === kind)
  if (!has('audit_log') || !has('findings_json')) return null
  const signer = await presentSigner(db, keys)
  const said = { runId, version, target: about.target, signedAt: about.now.toISOString() }
  const body = signVersion(said, files, signer)
  return { kind: 'signature', filename: SIGNATURE_FILE, contentType: 'application/json', body, version }
}

/** A version that cannot be signed now is made all the same: the log says why, and it is tried again. */
export const signatureOrNone = async (
  options: WorkerOptions,
  version: Version,
  written: readonly WrittenFile[],
): Promise<FileToStore | null> => {
  try {
    return await signatureFile(options, version, written)
  } catch (error) {
    if (!(error instanceof SigningKeyError)) throw error
    options.logger.error({ run: version.runId, version: version.version, err: error }, 'a version is not signed')
    return null
  }
}

const boundFiles = ({ files }: Signable, written: readonly WrittenFile[]): BoundFile[] => {
  const evidence = files.filter(({ kind, module }) => kind === 'evidence' && module !== null)
  const names = evidenceNames(evidence)
  return [
    ...written,
    ...files.filter((file) => !evidence.includes(file)),
    ...evidence.map((file) => ({ ...file, filename: `evidence/${names.get(file.id) ?? file.id}` })),
  ].map(({ kind, filename, sha256, sizeBytes }) => ({ name: filename, kind, sha256, size: sizeBytes }))
}

/** Signs what is left over, one after the other, until `signal` aborts. */
export const startSigning = (options: WorkerOptions, timing: Timing, signal: AbortSignal): Repeated => {
  const { db, logger } = options
  return repeat({ every: null, signal, logger, name: 'signatures' }, async () => {
    while (!signal.aborted) {
      const job = await claimSigning(db, timing.lease / 1000)
      if (job === null) return
      await signLeft(options, timing, job)
    }
  })
}

const signLeft = async (options: WorkerOptions, timing: Timing, job: SigningJob): Promise<void> => {
  const { db, logger } = options
  try {
    const file = await signatureFile(options, job, [])
    if (file === null) await releaseSigning(db, job, null)
    else await keep(options, job, file)
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    if (error instanceof LeaseLost) return
    logger.error({ run: job.runId, version: job.version, err: error }, 'a version could not be signed')
    await releaseSigning(db, job, timing.signRetry / 1000)
  }
}

const keep = async ({ db, storage, plans }: WorkerOptions, job: SigningJob, file: FileToStore): Promise<void> => {
  // It goes with the version that it signs, whose first file has the days of the plan of then.
  const retentionDays = Math.max(...plans.map(({ retention_days }) => retention_days))
  const policy = { runId: job.runId, retentionDays, watermark: false }
  const reserve = async (artifact: Parameters<typeof reserveSignature>[2]): Promise<void> => {
    held(await reserveSignature(db, job, artifact))
  }
  held(await finishSigning(db, job, await storeFile(storage, reserve, policy, file)))
}

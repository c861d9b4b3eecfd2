/** Deletes the files of what was erased, and signs the receipt once none is left. Several workers may do it at once. */
import { signErasure } from '../signature/erasure.ts'
import { endErasure, fileGone, filesLeft, openErasures } from '../store/erasures.ts'
import { presentSigner, SigningKeyError } from '../store/signing-keys.ts'
import type { WorkerOptions } from './options.ts'
import { type Repeated, repeat } from './repeat.ts'

type Options = Pick<WorkerOptions, 'db' | 'storage' | 'keys' | 'logger'>

/** Files between two looks at the database. */
const BATCH = 200
/** Erasures of one round. */
const MOST = 20

export const startErasing = (options: WorkerOptions, signal: AbortSignal): Repeated =>
  repeat({ every: null, signal, logger: options.logger, name: 'erasures' }, () => eraseFiles(options, signal))

/** One round; stops early when `signal` aborts. What cannot be deleted now is tried again in the next one. */
export const eraseFiles = async (options: Options, signal: AbortSignal): Promise<void> => {
  for (const erasure of await openErasures(options.db, MOST)) {
    if (!(await deleteFiles(options, erasure.id, signal))) continue
    const endedAt = new Date()
    const { id, organisation, domain, counts } = erasure
    const about = { id, organisation, domain, counts, askedBy: erasure.asked_by, askedAt: erasure.asked_at }
    try {
      const signer = await presentSigner(options.db, options.keys)
      const receipt = signErasure({ ...about, endedAt: endedAt.toISOString() }, signer)
      await endErasure(options.db, id, endedAt, receipt.toString())
    } catch (error) {
      if (!(error instanceof SigningKeyError)) throw error
      options.logger.error({ erasure: id, err: error }, 'the receipt of an erasure is not signed')
    }
  }
}

/** True once none is left. */
const deleteFiles = async ({ db, storage, logger }: Options, id: string, signal: AbortSignal): Promise<boolean> => {
  for (;;) {
    const keys = await filesLeft(db, id, BATCH)
    if (keys.length === 0) return true
    for (const key of keys) {
      if (signal.aborted) return false
      try {
        await storage.delete(key)
      } catch (error) {
        logger.error({ erasure: id, err: error }, 'a file of what was erased could not be deleted')
        return false
      }
      await fileGone(db, id, key)
    }
  }
}

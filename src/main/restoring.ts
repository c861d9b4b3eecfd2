/** A restore that was cut off: the folder is nobody's until another one has ended. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../contract/operator.ts'

/** Folder of the data folder in which a restore makes what it then moves. */
export const RESTORING = 'restoring'

/** @throws OperatorError while it is there. */
export const assertRestored = (dataDir: string): void => {
  if (!existsSync(join(dataDir, RESTORING))) return
  throw new OperatorError(
    `A restore into ${dataDir} is under way or was cut off. Let it end, or run "sonde restore" once more: it begins anew.`,
  )
}

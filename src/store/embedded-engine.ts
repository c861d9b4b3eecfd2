/** PGlite as this product starts it: by the thread that serves it, and by the process that makes a new cluster. */
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { OID, parseNumber, parseTimestamp } from './values.ts'

/** One connection needs little of what PostgreSQL takes for a hundred; what its buffers do not hold, the system's cache of files does. */
const SETTINGS = ['shared_buffers=16MB', 'max_connections=8', 'wal_buffers=512kB', 'jit=off']

/**
 * What a new cluster is made with. PGlite's initdb copies the memory of the engine before each of its steps, so what the steps take counts
 * twice; and a first segment of the log of 16 MB is written, and kept, for one connection that fills it in weeks.
 */
const NEW = ['--set', 'shared_buffers=1MB', '--set', 'max_connections=8', '--wal-segsize=4']

/**
 * Makes the cluster where the folder has none. V8's fast compiler is the only one for the engine's code: the optimising one takes 500 MB for
 * its largest functions, and more time than the statements of a day give back. The flags are those of the whole process, in which nothing
 * else of WebAssembly takes time.
 */
export const openEngine = (folder: string): Promise<PGlite> => {
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
  return PGlite.create({
    dataDir: folder,
    initDbStartParams: NEW,
    startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])],
    parsers: { [OID.int8]: parseNumber, [OID.numeric]: parseNumber, [OID.timestamptz]: parseTimestamp },
  })
}

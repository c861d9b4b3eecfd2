/** The operator's verbs, wherever they can be had: a running service, else the database itself. */
import { setFlagsFromString } from 'node:v8'
import type { Operator } from '../contract/operator.ts'
import { sleep } from '../contract/sleep.ts'
import { FolderInUse } from '../store/embedded.ts'
import { migrate } from '../store/migrate.ts'
import type { Config } from './config.ts'
import { connectControl } from './control-socket.ts'
import { createOperator } from './operator.ts'
import { openRuntime, type Runtime } from './runtime.ts'

/** Milliseconds for a service that starts, or for another command; and how often it is looked. */
const PATIENCE = 30_000
const EVERY = 250

/**
 * An embedded database has one process: the service where it runs, or this call under the folder's lock. One that has the folder and
 * does not answer yet is waited for.
 */
export const reachOperator = async (config: Config, patience = PATIENCE): Promise<Operator> => {
  const until = performance.now() + patience
  for (;;) {
    const running = config.databaseUrl === null ? await connectControl(config.dataDir) : null
    if (running !== null) return running
    try {
      return await openedHere(config)
    } catch (error) {
      if (!(error instanceof FolderInUse) || performance.now() > until) throw error
    }
    await sleep(EVERY)
  }
}

const openedHere = async (config: Config): Promise<Operator> => {
  // A command asks a few statements: compiling the embedded engine a second time, for speed, is half of what it would cost.
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
  const runtime = await openRuntime(config)
  return { ...createOperator(await migrated(runtime)), close: runtime.close }
}

const migrated = async (runtime: Runtime): Promise<Runtime> => {
  try {
    await migrate(runtime.db)
    return runtime
  } catch (error) {
    await runtime.close()
    throw error
  }
}

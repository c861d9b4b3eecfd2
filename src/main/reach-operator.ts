/** The operator's verbs, wherever they can be had: a running service, else the database itself. */
import { setFlagsFromString } from 'node:v8'
import type { Operator } from '../contract/operator.ts'
import { migrate } from '../store/migrate.ts'
import type { Config } from './config.ts'
import { connectControl } from './control-socket.ts'
import { createOperator } from './operator.ts'
import { openRuntime, type Runtime } from './runtime.ts'

/** An embedded database has one process: the service where it runs, or this call under the folder's lock. */
export const reachOperator = async (config: Config): Promise<Operator> => {
  const running = config.databaseUrl === null ? await connectControl(config.dataDir) : null
  if (running !== null) return running
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

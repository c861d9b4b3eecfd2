/** `sonde worker`: scans for a service on the same PostgreSQL, until it is told to stop. */
import { migrate } from '../store/migrate.ts'
import { type Config, ConfigError } from './config.ts'
import { raiseServiceWall } from './last-wall.ts'
import { startNotices } from './notices.ts'
import { openRuntime } from './runtime.ts'
import { aborted } from './serve.ts'
import { startRunWorker } from './worker.ts'

export const work = async (config: Config, signal: AbortSignal): Promise<number> => {
  if (config.databaseUrl === null) {
    throw new ConfigError('DATABASE_URL is not set. With the embedded database the worker is part of "sonde serve".')
  }
  const runtime = await openRuntime(config)
  const lower = raiseServiceWall(runtime)
  try {
    await migrate(runtime.db)
    const notices = await startNotices(runtime)
    const worker = await startRunWorker(runtime)
    runtime.logger.info({ storage: runtime.storage.kind }, 'worker ready')
    await aborted(signal)
    await worker.drain()
    await notices.stop()
  } finally {
    await runtime.close()
    lower()
  }
  return 0
}

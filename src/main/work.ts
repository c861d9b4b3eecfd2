/** `sonde worker`: scans for a service on the same PostgreSQL, until it is told to stop. */
import type { CliDeps } from '../cli/deps.ts'
import { claimTemporary } from '../temporary/temporary.ts'
import { openMigrated } from './await-database.ts'
import { type Config, ConfigError } from './config.ts'
import { keepFeeds } from './keep-feeds.ts'
import { raiseServiceWall } from './last-wall.ts'
import { startNotices } from './notices.ts'
import { openRuntime, stderrLogger } from './runtime.ts'
import { aborted } from './serve.ts'
import { startTracing } from './tracing.ts'
import { startRunWorker } from './worker.ts'

export const work = async (
  config: Config,
  { json }: { readonly json: boolean },
  { screen, signal }: Pick<CliDeps, 'screen' | 'signal'>,
): Promise<number> => {
  if (config.databaseUrl === null) {
    throw new ConfigError('DATABASE_URL is not set. With the embedded database the worker is part of "sonde serve".')
  }
  const logger = stderrLogger(config)
  const runtime = await openMigrated(() => openRuntime(config, logger), logger, signal).catch((error: unknown) => {
    // Told to stop while it still waited.
    if (signal.aborted) return null
    throw error
  })
  if (runtime === null) return 0
  const tracing = await startTracing(config, 'sonde-worker', logger)
  const temporary = claimTemporary(config.dataDir, false)
  const lower = raiseServiceWall(runtime)
  try {
    const feeds = keepFeeds(runtime)
    const notices = await startNotices(runtime)
    const worker = await startRunWorker(runtime, temporary)
    runtime.logger.info({ storage: runtime.storage.kind }, 'worker ready')
    if (json) screen.out(`${JSON.stringify({ worker: worker.id, storage: runtime.storage.kind })}\n`)
    await aborted(signal)
    await worker.drain()
    await notices.stop()
    await feeds.stop()
  } finally {
    temporary.close()
    await runtime.close()
    await tracing.stop()
    lower()
  }
  return 0
}

/** `sonde migrate`: the schema, and the move from the embedded database to PostgreSQL. */
import type { CopyReport } from '../cli/deps.ts'
import { copyDatabase } from '../store/copy.ts'
import { migrate } from '../store/migrate.ts'
import { openDatabase } from '../store/open-database.ts'
import { type Config, ConfigError } from './config.ts'
import { connectControl } from './control-socket.ts'
import { assertRestored } from './restoring.ts'

/** The files of the runs stay where they are: only rows are copied, and both databases mean the same storage. */
export const migrateCommand = async (config: Config, to: string | null): Promise<CopyReport> => {
  if (config.databaseUrl === null && (await connectControl(config.dataDir)) !== null) {
    throw new ConfigError(`A service runs on ${config.dataDir}. It migrates itself when it starts; stop it to copy.`)
  }
  assertRestored(config.dataDir)
  const source = await openDatabase(
    config.databaseUrl === null ? { dataDir: config.dataDir } : { url: config.databaseUrl },
  )
  try {
    const applied = await migrate(source)
    if (to === null) return { applied, copied: null }
    if (!/^postgres(ql)?:\/\//.test(to)) throw new ConfigError('--to must begin with postgres://')
    const target = await openDatabase({ url: to })
    try {
      await migrate(target)
      const copied = await copyDatabase(source, target)
      return { applied, copied: Object.fromEntries(copied.map(({ table, rows }) => [table, rows])) }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

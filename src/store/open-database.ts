/** Which engine a database has is decided by where it lies. */
import type { Database } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'

export type DatabaseLocation = { readonly url: string } | { readonly dataDir: string }

/** Opens, does not migrate. Throws when the data folder is in use by a live process or the server does not answer. */
export const openDatabase = (where: DatabaseLocation): Promise<Database> =>
  'url' in where ? openPostgres(where.url) : openEmbedded(where.dataDir)

/** What pages need to run: databases and a folder with a file to show. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Surroundings } from './case.ts'
import { DATABASES, type Sql } from './sql.ts'

export interface OpenSurroundings extends Surroundings {
  readonly databases: Readonly<Record<keyof typeof DATABASES, Sql>>
}

export const openSurroundings = async (folder: string): Promise<OpenSurroundings> => {
  await writeFile(join(folder, 'terms.txt'), 'Goods remain ours until they are paid for.\n')
  return {
    folder,
    databases: {
      sqlite: await DATABASES.sqlite(),
      postgres: await DATABASES.postgres(),
      mariadb: await DATABASES.mariadb(),
    },
  }
}

export const closeSurroundings = async ({ databases }: OpenSurroundings): Promise<void> => {
  for (const sql of Object.values(databases)) await sql.close()
}

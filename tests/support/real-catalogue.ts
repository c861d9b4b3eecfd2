/** The public template catalogue, where the machine has a copy; it is never part of the repository. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface RealCatalogue {
  readonly folder: string
  readonly close: () => void
}

const HOME = fileURLToPath(new URL('../..', import.meta.url))
const ARCHIVE = join(HOME, '../shared/data/nuclei-templates.tar.xz')

/** SONDE_CATALOGUE is a folder or an archive. Null, with a reason, where there is none. */
export const realCatalogue = (): RealCatalogue | string => {
  const named = process.env.SONDE_CATALOGUE
  const path = named ?? ARCHIVE
  if (!existsSync(path)) {
    return `no catalogue: ${named === undefined ? 'set SONDE_CATALOGUE to a folder or an archive of templates' : `${named} does not exist`}`
  }
  if (statSync(path).isDirectory()) return { folder: path, close: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'sonde-catalogue-'))
  execFileSync('tar', ['-C', folder, '-xf', path], { timeout: 120_000 })
  const [only, ...others] = readdirSync(folder)
  const home = only !== undefined && others.length === 0 ? join(folder, only) : folder
  return { folder: home, close: () => rmSync(folder, { recursive: true, force: true }) }
}

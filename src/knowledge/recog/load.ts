/** The operator's imported folder of Recog files. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseRecog, type RecogFile } from './rules.ts'

export interface RecogRules {
  /** Number of files and rules, and the date of the newest file. */
  readonly version: string
  readonly of: (matches: string) => readonly RecogFile[]
}

const MOST_FILES = 500
const loaded = new Map<string, RecogRules>()

/**
 * Read once per process.
 * @throws RangeError naming the file that cannot be read, and the error of the file system where the folder is not there
 */
export const loadRecog = (folder: string): RecogRules => {
  const known = loaded.get(folder)
  if (known) return known
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.xml'))
    .toSorted()
    .slice(0, MOST_FILES)
  let newest = 0
  const files = names.map((name) => {
    const path = join(folder, name)
    newest = Math.max(newest, statSync(path).mtimeMs)
    try {
      return parseRecog(readFileSync(path, 'utf8'))
    } catch (cause) {
      throw new RangeError(`${name} is no Recog file: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
  })
  const byMatches = Map.groupBy(files, ({ matches }) => matches)
  const count = files.reduce((sum, { rules }) => sum + rules.length, 0)
  const rules: RecogRules = {
    version: `${files.length} files, ${count} rules, ${new Date(newest).toISOString().slice(0, 10)}`,
    of: (matches) => byMatches.get(matches) ?? [],
  }
  loaded.set(folder, rules)
  return rules
}

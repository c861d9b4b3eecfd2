/** The operator's Recog files: an imported feed, or a folder that the configuration names. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { feedFiles } from '../feeds/files.ts'
import { openFolderFeed } from '../feeds/folders.ts'
import { parseRecog, type RecogFile } from './rules.ts'

export interface RecogRules {
  /** Of the feed; of a folder the number of files and rules, and the date of the newest file. */
  readonly version: string
  readonly of: (matches: string) => readonly RecogFile[]
}

const MOST_FILES = 500
const loaded = new Map<string, RecogRules>()

/** The imported feed in a folder of knowledge. Null where it was never imported. @throws as `loadRecog` */
export const openRecog = (knowledge: string | undefined): RecogRules | null => {
  const feed = openFolderFeed(knowledge, 'recog')
  return feed === null ? null : { ...loadRecog(feed.path), version: feed.version }
}

/**
 * Read once per process.
 * @throws RangeError naming the file that cannot be read, and the error of the file system where the folder is not there
 */
export const loadRecog = (folder: string): RecogRules => {
  const known = loaded.get(folder)
  if (known) return known
  let newest = 0
  const files = feedFiles(folder, 'recog')
    .slice(0, MOST_FILES)
    .map(({ name, text }) => {
      newest = Math.max(newest, statSync(join(folder, name)).mtimeMs)
      try {
        return parseRecog(text())
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

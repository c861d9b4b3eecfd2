/**
 * Frames of built files as if there were no build. Node's own support of source maps reads and measures each map when its file is
 * loaded, which costs a start a quarter of its processor time; and what is called for each error (`Error.prepareStackTrace`) is called for
 * each connection that breaks. Here maps are read for the stacks that somebody is told of.
 */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const maps = new Map<string, SourceMap | null>()

/** Where a frame is, at the end of its line: an address, or the path of what is no module. */
const PLACE = /(\(|at (?:async )?)((?:file:\/)?\/.+?):(\d+):(\d+)(\)?)$/

/** A line of a stack. */
export const inSources = (line: string): string =>
  line.replace(PLACE, (place, before: string, at: string, row: string, column: string, end: string) => {
    const file = at.startsWith('/') ? pathToFileURL(at).href : at
    // Counted from one by the engine, from zero by the map.
    const found = mapOf(file)?.findEntry(Number(row) - 1, Number(column) - 1)
    if (found === undefined || !('originalSource' in found)) return place
    const source = new URL(found.originalSource, file).href
    return `${before}${source}:${found.originalLine + 1}:${found.originalColumn + 1}${end}`
  })

/** Null of a file that has none beside it. */
const mapOf = (file: string): SourceMap | null => {
  const known = maps.get(file)
  if (known !== undefined) return known
  const path = `${fileURLToPath(file)}.map`
  const map = existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : null
  maps.set(file, map)
  return map
}

/**
 * Stacks of built files as if there were no build. Node's own support of source maps reads and measures each map when its file is
 * loaded, which costs a start a quarter of its processor time; here they are read when the first stack is.
 */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

const maps = new Map<string, SourceMap | null>()

/** From now on in this thread; stacks that were read before stay as they are. */
export const mapStacks = (): void => {
  Error.prepareStackTrace = (error, frames) => [String(error), ...frames.map(lineOf)].join('\n    at ')
}

/** Where a frame is, at the end of its line. */
const PLACE = /(file:\/\/\S+?):(\d+):(\d+)(\)?)$/

const lineOf = (frame: NodeJS.CallSite): string =>
  String(frame).replace(PLACE, (place, file: string, line: string, column: string, end: string) => {
    // Counted from one by the engine, from zero by the map.
    const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (found === undefined || !('originalSource' in found)) return place
    const source = new URL(found.originalSource, file).href
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}${end}`
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

/** Names of domains from a file of a person, or from standard input. */
import { readFile, stat } from 'node:fs/promises'
import { ApiError } from '../contract/client.ts'
import { CsvError } from '../contract/csv.ts'
import { UsageError } from './exit.ts'
import { refusal } from './own-file.ts'
import { clean, cut } from './screen.ts'

/** Bytes; 100,000 names take a tenth of it. */
const MAX_BYTES = 32 * 1024 * 1024
/** Milliseconds for a request with a long list. */
export const LIST_TIMEOUT = 300_000
const MOST_SHOWN = 20
/** Characters of a name that is none. */
const LONGEST_NAME = 80

/** What `parse` makes of the file; `-` is standard input. @throws UsageError for what is no list of domains */
export const readList = async <Item>(file: string, parse: (text: string) => Item[]): Promise<Item[]> => {
  const path = file === '-' ? '/dev/stdin' : file
  try {
    if ((await stat(path)).size > MAX_BYTES) throw new UsageError(`${file} is larger than ${MAX_BYTES} bytes`)
    const items = parse(await readFile(path, 'utf8'))
    if (items.length === 0) throw new UsageError(`${file} names no domain`)
    return items
  } catch (cause) {
    if (cause instanceof CsvError) throw new UsageError(`${file}: ${cause.message}`, { cause })
    return refusal(path)(cause)
  }
}

/** Bad rows by their names in place of their numbers. */
export const namedRefusal = (error: unknown, names: readonly string[]): unknown => {
  if (!(error instanceof ApiError) || error.problem.errors === undefined) return error
  const lines = error.problem.errors.map(({ path, message }) => {
    const name = names[Number(/^domains\.(\d+)/.exec(path)?.[1])]
    return `  ${name === undefined ? path : cut(clean(name), LONGEST_NAME)}: ${message}`
  })
  const more = lines.length > MOST_SHOWN ? [`  and ${lines.length - MOST_SHOWN} more`] : []
  return new UsageError([error.problem.detail, ...lines.slice(0, MOST_SHOWN), ...more].join('\n'), { cause: error })
}

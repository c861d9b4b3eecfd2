/**
 * The logs of certificate transparency, with the keys they sign with. Those in the product are facts of Chrome's list
 * (source and date in the file); the list of the day comes in as the feed `ct-logs` and takes their place.
 */
import { createHash } from 'node:crypto'
import { openFeed } from '../feeds/items.ts'
import builtIn from './ct-logs.json' with { type: 'json' }

export interface CtLog {
  readonly operator: string
  readonly name: string
  /** SubjectPublicKeyInfo, base64 DER. */
  readonly key: string
  /** Milliseconds since the epoch, or null: timestamps after it do not count any more. */
  readonly retired: number | null
}

export interface CtLogs {
  /** Names the list in a run's list of knowledge. */
  readonly version: string
  /** `id` is the SHA-256 of the key, hexadecimal; null where the log is not listed. */
  readonly find: (id: string) => CtLog | null
}

/** RFC 6962, 3.2: a log is named by the hash of its key. */
export const logId = (key: string): string => createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex')

const BUILT_IN: ReadonlyMap<string, CtLog> = new Map(
  builtIn.logs.map(({ operator, name, key, ...more }) => [
    logId(key),
    { operator, name, key, retired: more.retired === undefined ? null : Date.parse(more.retired) },
  ]),
)

export const BUILT_IN_LOGS: CtLogs = {
  version: `built in, ${builtIn.version}`,
  find: (id) => BUILT_IN.get(id) ?? null,
}

/** The imported list, else the built-in one. The file is read whole: a list has some hundred logs. */
export const openCtLogs = (folder: string | undefined): CtLogs => {
  const feed = folder === undefined ? null : openFeed(folder, 'ct-logs')
  if (feed === null) return BUILT_IN_LOGS
  const { version } = feed
  // Written by `parseCtLogs`, so not checked again.
  const logs = new Map(feed.startingWith('').map(({ key, value }) => [key, value as CtLog]))
  feed.close()
  return { version, find: (id) => logs.get(id) ?? null }
}

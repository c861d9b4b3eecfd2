/** Files whose names climb out of the folder that they are written to, and where they lie then. */
import { randomBytes } from 'node:crypto'
import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../../page/exchange.ts'
import type { CollectContext } from '../../../module.ts'
import { newFileName } from '../../../own-files.ts'

/** Folders that a name climbs, each by a file of its own. */
export const LEVELS = [1, 2, 3] as const
/** Addresses at which the files of one sending are looked for. */
const MOST_ADDRESSES = 90
const UP = '../'

export type Level = (typeof LEVELS)[number]

export interface Entry {
  readonly level: Level | 0
  readonly file: string
  readonly content: string
}

export const entryOf = (level: Entry['level'], ending = '.txt'): Entry => ({
  level,
  file: newFileName(ending),
  content: `qv${randomBytes(6).toString('hex')}vq`,
})
export const pathOf = ({ level, file }: Entry): string => `${UP.repeat(level)}${file}`

/**
 * The folder in which an answer says that a file lies, with a slash at its end. Null where it names none, where it says it by the way that
 * was sent, or where it speaks of a refusal.
 */
export const folderTold = (text: string, file: string): string | null => {
  if (REFUSES.test(text)) return null
  const plain = text.replaceAll('\\\\', '/').replaceAll('\\', '')
  const named = new RegExp(`(?<![\\w./~-])((?:[A-Za-z]:)?[\\w./~ -]*/)${file.replaceAll('.', '\\.')}`).exec(plain)?.[1]
  return named === undefined || named.split('/').some((part) => /^\.{1,2}$/.test(part)) ? null : named.trimStart()
}
const REFUSES =
  /outside|illegal|invalid|refus|reject|denied|not allowed|disallowed|skipped|forbidden|travers|unzulässig|ungültig|abgelehnt|verboten/i

/** Whether one folder lies so many levels above the other. */
export const isAbove = (folder: string, of: string, level: Level): boolean =>
  folder !== of &&
  `${of
    .split('/')
    .slice(0, -1 - level)
    .join('/')}/` === folder

/**
 * Whether a status says that what was sent was looked at and not taken (RFC 9110, 15.5). One of a place that is not there, that lets nobody in
 * or that broke says nothing of what it does with a file.
 */
export const isTurnedDown = (status: number): boolean => [400, 406, 409, 413, 415, 422].includes(status)

/** Where entries lie: of those that climb only where none of the folder's own lies beside, as it would if folders were left out. */
export const lookFor = async (
  ctx: CollectContext,
  likely: readonly string[],
  own: readonly Entry[],
  climbing: readonly Entry[],
): Promise<ReadonlyMap<Entry, string>> => {
  const found = new Map<Entry, string>()
  const holds = async (url: string, { content }: Entry): Promise<boolean> =>
    (await get(ctx, url))?.body.toString('latin1').includes(content) ?? false
  // Folders above those in which they may lie, too: the nearest first.
  const folders = likely
    .filter((url) => own.some(({ file }) => url.endsWith(file)))
    .map((url) => new URL('.', url).href)
  const above = [...new Set(['', ...LEVELS].flatMap((_, up) => folders.map((one) => new URL(UP.repeat(up), one).href)))]
  const addresses = above.slice(0, MOST_ADDRESSES / (climbing.length + own.length))
  for (const folder of addresses) {
    ctx.signal.throwIfAborted()
    const inside: Entry[] = []
    for (const entry of own) if (await holds(new URL(entry.file, folder).href, entry)) inside.push(entry)
    for (const entry of inside) if (!found.has(entry)) found.set(entry, new URL(entry.file, folder).href)
    for (const entry of climbing) {
      const url = new URL(entry.file, folder).href
      if (!found.has(entry) && inside.length === 0 && !ctx.egress.excludes(url) && (await holds(url, entry)))
        found.set(entry, url)
    }
  }
  return found
}

const get = async (ctx: CollectContext, url: string): Promise<HttpExchange | null> => {
  try {
    const exchange = await ctx.egress.http(pageRequest(url))
    return exchange.status === 200 ? exchange : null
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

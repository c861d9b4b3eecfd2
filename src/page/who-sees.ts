/** Whether a page is shown as it is to somebody who is signed in, or as to a stranger. */
import type { HttpExchange } from '../egress/door/egress.ts'
import { headerOf } from './exchange.ts'
import { likeness, tellingWords } from './similarity.ts'
import { textOf } from './text.ts'

export interface Look {
  readonly status: number
  /** Without its query. */
  readonly location: string
  readonly text: string
}

export const lookOf = (exchange: HttpExchange): Look => ({
  status: exchange.status,
  location: (headerOf(exchange, 'location') ?? '').replace(/\?.*$/, ''),
  text: textOf(exchange),
})

export const sameHead = (a: Look, b: Look): boolean => a.status === b.status && a.location === b.location

/** 'neither': an error, a limit, or another page altogether. */
export type Seen = 'ours' | 'theirs' | 'neither'

/**
 * Tells looks at one page apart: by status and target where they differ, else by the words that all looks of the one and none of the
 * other have. What is shown to both changes: news, tips of the day, what the run itself has stored.
 */
export const telling = (ours: readonly Look[], theirs: readonly Look[]): ((seen: Look) => Seen) => {
  const isOf = (looks: readonly Look[], seen: Look): boolean => looks.some((look) => sameHead(look, seen))
  if (!ours.some((look) => isOf(theirs, look)))
    return (seen) => (isOf(ours, seen) ? 'ours' : isOf(theirs, seen) ? 'theirs' : 'neither')
  const texts = (looks: readonly Look[]): readonly string[] => looks.map(({ text }) => text)
  const own = tellingWords(texts(ours), texts(theirs))
  const other = tellingWords(texts(theirs), texts(ours))
  return (seen) => {
    if (!isOf(ours, seen)) return 'neither'
    const [forUs, forThem] = [own.share(seen.text), other.share(seen.text)]
    const [us, them] = [forUs ?? 1 - (forThem ?? 0.5), forThem ?? 1 - (forUs ?? 0.5)]
    if (us === 0 && them === 0) return 'neither'
    return us >= them ? 'ours' : 'theirs'
  }
}

/** Nobody could tell the two apart. */
export const isAlike = (a: Look, b: Look): boolean => sameHead(a, b) && likeness(a.text, b.text) > 0.98

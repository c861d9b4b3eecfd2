/** Pages that say something else once values were stored, wherever the site has them: nothing need lead from a form to them. */
import { harmOfAddress } from '../../../safety/safety.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { pageAt } from './elsewhere.ts'
import { identical, steadied } from './likeness.ts'
import type { Reply } from './prober.ts'

/** Pages that are read, and those of them that are looked at for each place. */
const MOST_PAGES = 150
const MOST_CHANGED = 6
const READS_BEHIND = 2
const AT_ONCE = 4

/** In words that follow the number of places. */
export const SOME_PAGES = 'whose values were looked for on some of the pages that may use them'

export interface OtherPages {
  readonly pages: readonly string[]
  /** Whether there were more than are read, or than are looked at. */
  readonly isShort: boolean
}

/**
 * Of pages that are asked for without values those that say something else when all forms were sent by `store`, which gives the values, and the
 * same three times behind it: what a page repeats of them is no other answer.
 */
export const otherPages = async (
  ctx: Pick<CollectContext, 'egress' | 'signal'>,
  { urls }: Pick<CrawlFacts, 'urls'>,
  store: () => Promise<readonly string[]>,
): Promise<OtherPages> => {
  const own = urls
    .filter(({ url, status, contentType }) => status === 200 && /html|json|^$/.test(contentType) && !/[?#]/.test(url))
    .map(({ url }) => url)
    .filter((url) => harmOfAddress(url) === null && !ctx.egress.excludes(url))
  const all = [...new Set(own)]
  const asked = all.slice(0, MOST_PAGES)
  const read = async (some: readonly string[]): Promise<ReadonlyMap<string, Reply>> => {
    const replies = new Map<string, Reply>()
    for (let at = 0; at < some.length; at += AT_ONCE) {
      ctx.signal.throwIfAborted()
      const few = some.slice(at, at + AT_ONCE)
      const texts = await Promise.all(few.map((page) => pageAt(ctx, page)))
      for (const [index, page] of few.entries()) replies.set(page, { ...SILENT, ...texts[index] })
    }
    return replies
  }
  const before = await read(asked)
  const echoes = await store()
  const after = await read(asked)
  const isSame = (one: Reply, other: Reply): boolean => identical({ ...one, echoes }, { ...other, echoes }, 0)
  const other = asked.filter((page) => {
    const [one, now] = [before.get(page), after.get(page)]
    return one !== undefined && now !== undefined && one.status === 200 && !isSame(one, now)
  })
  // Most pages say what they said: the few that do not are looked at for whether they change by themselves.
  const behind: ReadonlyMap<string, Reply>[] = []
  for (let time = 0; time < READS_BEHIND; time += 1) behind.push(await read(other))
  const changed = other.filter((page) => {
    const [one, now] = [before.get(page), after.get(page)]
    const [second, ...more] = behind.flatMap((again) => again.get(page) ?? [])
    if (!one || !now || !second) return false
    const [usual] = steadied([now, second], ...more)
    const steady = (reply: Reply): Reply => ({ ...reply, ...(usual.varying ? { varying: usual.varying } : {}) })
    return (
      [now, second, ...more].every((reply) => isSame(steady(reply), steady(usual))) &&
      !isSame(steady(one), steady(usual))
    )
  })
  return {
    pages: changed.slice(0, MOST_CHANGED),
    isShort: all.length > asked.length || changed.length > MOST_CHANGED,
  }
}

const SILENT: Reply = {
  ...{ value: '', status: 0, text: '', contentType: '', location: '', headers: [], ms: 0, replay: '' },
}

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
const READS_FIRST = 3
const AT_ONCE = 4

/** In words that follow the number of places. */
export const SOME_PAGES = 'whose values were looked for on some of the pages that may use them'

export interface OtherPages {
  readonly pages: readonly string[]
  /** Whether there were more than are read, or than are looked at. */
  readonly isShort: boolean
}

/**
 * Of pages that are asked for without values those that say the same three times, and something else when all forms were sent by
 * `store`, which gives the values: what a page repeats of them is no other answer.
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
  const readAll = async (): Promise<ReadonlyMap<string, Reply>> => {
    const replies = new Map<string, Reply>()
    for (let at = 0; at < asked.length; at += AT_ONCE) {
      ctx.signal.throwIfAborted()
      const some = asked.slice(at, at + AT_ONCE)
      const texts = await Promise.all(some.map((page) => pageAt(ctx, page)))
      for (const [index, page] of some.entries()) replies.set(page, { ...SILENT, ...texts[index] })
    }
    return replies
  }
  const before: ReadonlyMap<string, Reply>[] = []
  for (let time = 0; time < READS_FIRST; time += 1) before.push(await readAll())
  const echoes = await store()
  const after = await readAll()
  const changed = asked.filter((page) => {
    const [first, second, ...more] = before.flatMap((read) => read.get(page) ?? [])
    const now = after.get(page)
    if (!first || !second || !now) return false
    const [usual] = steadied([first, second], ...more)
    const steady = (one: Reply): Reply => ({ ...one, echoes, ...(usual.varying ? { varying: usual.varying } : {}) })
    const isSame = (one: Reply): boolean => identical(steady(one), steady(usual), 0)
    return [first, second, ...more].every((one) => one.status === 200 && isSame(one)) && !isSame(now)
  })
  return {
    pages: changed.slice(0, MOST_CHANGED),
    isShort: all.length > asked.length || changed.length > MOST_CHANGED,
  }
}

const SILENT: Reply = {
  ...{ value: '', status: 0, text: '', contentType: '', location: '', headers: [], ms: 0, replay: '' },
}

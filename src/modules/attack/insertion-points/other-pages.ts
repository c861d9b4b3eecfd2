/** Pages that say something else once values were stored, wherever the site has them: nothing need lead from a form to them. */
import { harmOfAddress } from '../../../safety/safety.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { pageAt } from './elsewhere.ts'
import { identical, steadied } from './likeness.ts'
import type { Reply } from './prober.ts'
import { createRouted } from './routed.ts'
import { programsKnown } from './stand-ins.ts'

/** Pages that are read, and those of them that are looked at for each place. */
const MOST_PAGES = 150
const MOST_CHANGED = 6
const READS_BEHIND = 2
/** Of the time, so much at most is for what they say before. */
const FIRST_READS = 0.3
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
 * same three times behind it: what a page repeats of them is no other answer. `until`, by performance.now(): none is read any more. Of pages that are too
 * many for that, as far as the first of them took, some are read each time.
 */
export const otherPages = async (
  ctx: Pick<CollectContext, 'egress' | 'signal' | 'scope'>,
  crawl: Pick<CrawlFacts, 'urls' | 'requests'>,
  store: () => Promise<readonly string[]>,
  until = Number.POSITIVE_INFINITY,
): Promise<OtherPages> => {
  const began = performance.now()
  const all = askedPlainly(crawl).filter((url) => harmOfAddress(url) === null && !ctx.egress.excludes(url))
  const programOf = await programsKnown(ctx, crawl)
  // What shows a value of the run is a record of its own.
  const own = new Set(crawl.requests.flatMap(({ shownOn = [] }) => shownOn))
  const known = pagesToRead(all, (url) => (own.has(url) ? undefined : programOf(url)))
  const isOver = (): boolean => performance.now() > until
  const read = async (some: readonly string[], by = until): Promise<ReadonlyMap<string, Reply>> => {
    const replies = new Map<string, Reply>()
    for (let at = 0; at < some.length && performance.now() < by; at += AT_ONCE) {
      ctx.signal.throwIfAborted()
      const few = some.slice(at, at + AT_ONCE)
      const texts = await Promise.all(few.map((page) => pageAt(ctx, page)))
      for (const [index, page] of few.entries()) replies.set(page, { ...SILENT, ...texts[index] })
    }
    return replies
  }
  const before = await read(known, began + (until - began) * FIRST_READS)
  const asked = known.filter((page) => before.has(page))
  if (isOver()) return { pages: [], isShort: true }
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
    isShort: all.length > asked.length || changed.length > MOST_CHANGED || isOver(),
  }
}

/** Where there are too many to be read, of records that one program shows alike some alone. Exported for its test. */
export const pagesToRead = (
  pages: readonly string[],
  programOf: (url: string) => string | undefined,
): readonly string[] => {
  if (pages.length <= MOST_PAGES) return pages
  const some = turnsOf(pages, programOf).filter(({ isLast }) => !isLast)
  return some.slice(0, MOST_PAGES).map(({ page }) => page)
}

/** Some records of each program, and what is none, come before all other records. Exported for its test. */
export const recordsLast = (
  pages: readonly string[],
  programOf: (url: string) => string | undefined,
): readonly string[] =>
  turnsOf(pages, programOf)
    .toSorted((a, b) => Number(a.isLast) - Number(b.isLast))
    .map(({ page }) => page)

const turnsOf = (pages: readonly string[], programOf: (url: string) => string | undefined) => {
  const before = new Map<string, number>()
  return pages.map((page) => {
    const program = programOf(page)
    if (program === undefined) return { page, isLast: false }
    before.set(program, (before.get(program) ?? 0) + 1)
    return { page, isLast: (before.get(program) ?? 0) > MOST_OF_A_PART }
  })
}

/** Of one part of a program, so many: one's own record may be any of them. */
const MOST_OF_A_PART = 6

/**
 * Pages that are asked for without values, and parts of a program that are chosen in its query, with the numbers that the site's own links put
 * beside: `/profile/3` is one, and so is `index.php?page=profile&u=3`. What takes a word beside searches.
 */
export const askedPlainly = ({ urls, requests }: Pick<CrawlFacts, 'urls' | 'requests'>): readonly string[] => {
  const routed = createRouted(requests)
  const own = urls
    .filter(({ status, contentType }) => status === 200 && /html|json|^$/.test(contentType))
    .map(({ url }) => url)
    .filter((url) => !url.includes('#'))
  const parts = new Map<string, number>()
  const inQuery = own.filter((url) => {
    const chosen = new Map(routed(url))
    const rest = [...new URL(url).searchParams].filter(([name]) => !chosen.has(name))
    if (chosen.size === 0 || rest.some(([, value]) => !/^\d{1,18}$/.test(value))) return false
    const part = [new URL(url).pathname, ...chosen.values(), ...rest.map(([name]) => name)].join(' ')
    parts.set(part, (parts.get(part) ?? 0) + 1)
    return (parts.get(part) ?? 0) <= MOST_OF_A_PART
  })
  return [...new Set([...own.filter((url) => !url.includes('?')), ...inQuery])]
}

const SILENT: Reply = {
  ...{ value: '', status: 0, text: '', contentType: '', location: '', headers: [], ms: 0, replay: '' },
}

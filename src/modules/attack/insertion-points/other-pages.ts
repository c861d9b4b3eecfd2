/** Pages that say something else once a value was stored, wherever the site has them: nothing need lead from one to the other. */
import { harmOfAddress } from '../../../safety/safety.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { pageAt } from './elsewhere.ts'
import { identical, steadied } from './likeness.ts'
import type { Reply } from './prober.ts'

/** Pages that are looked at, and how often they are read in all. */
const MOST_PAGES = 24
const MOST_READS = 480
/** Of those that changed behind one value. */
const MOST_CHANGED = 3
const READS_FIRST = 3

export interface OtherPages {
  /** Those that say something else than when they were last looked at, `known` pages aside; `sent`: what they may repeat. */
  readonly changed: (known: readonly string[], sent: readonly string[]) => Promise<readonly string[]>
  /** Whether there were more pages than are looked at, or more was to be read than may be. */
  readonly isShort: () => boolean
}

/** In words that follow the number of places. */
export const SOME_PAGES = 'whose values were looked for on some of the pages that may use them'

/** Of pages that are asked for without values those that say the same three times. */
export const otherPages = async (
  ctx: Pick<CollectContext, 'egress' | 'signal'>,
  { urls }: Pick<CrawlFacts, 'urls'>,
): Promise<OtherPages> => {
  const pages = urls
    .filter(({ url, status, contentType }) => status === 200 && /html|json|^$/.test(contentType) && !/[?#]/.test(url))
    .map(({ url }) => url)
    .filter((url) => harmOfAddress(url) === null && !ctx.egress.excludes(url))
  const all = [...new Set(pages)]
  const asked = all.slice(0, MOST_PAGES)
  const said = new Map<string, Reply>()
  let reads = 0
  const read = async (page: string, sent: readonly string[]): Promise<Reply> => {
    ctx.signal.throwIfAborted()
    reads += 1
    return { ...SILENT, ...(await pageAt(ctx, page)), echoes: [...sent] }
  }
  for (const page of asked) {
    const replies: Reply[] = []
    for (let time = 0; time < READS_FIRST; time += 1) replies.push(await read(page, []))
    const [first, second, ...more] = replies
    const [usual] = first && second ? steadied([first, second], ...more) : []
    const steady = (one: Reply): Reply => ({ ...one, ...(usual?.varying ? { varying: usual.varying } : {}) })
    if (usual && replies.every((one) => one.status === 200 && identical(steady(one), usual, 0))) said.set(page, usual)
  }
  return {
    isShort: () => all.length > asked.length || reads >= MOST_READS,
    changed: async (known, sent) => {
      const changed: string[] = []
      for (const [page, before] of said) {
        if (known.includes(page) || reads >= MOST_READS) continue
        const { varying } = before
        const now = { ...(await read(page, sent)), ...(varying ? { varying } : {}) }
        if (identical(now, { ...before, echoes: [...sent] }, 0)) continue
        said.set(page, now)
        changed.push(page)
      }
      return changed.slice(0, MOST_CHANGED)
    },
  }
}

const SILENT: Reply = {
  ...{ value: '', status: 0, text: '', contentType: '', location: '', headers: [], ms: 0, replay: '' },
}

/**
 * Pages that show what a place stores: a greeting that one form keeps and another page fills in, a host that is looked up when the list
 * is drawn. What is worked out there shows on them, and the answer of the place says nothing.
 */
import { withoutEntities } from '../../../../page/entities.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { pageAt, pagesAfter } from '../../insertion-points/elsewhere.ts'
import { unwatched } from '../../insertion-points/groups.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { keyOf } from '../../insertion-points/reached.ts'
import { breakOut, controlValue, WORD } from '../../insertion-points/word.ts'

/** What a probe brought: its own answer, or a page behind it. */
export interface Said {
  readonly text: string
  /** Commands for a terminal, one a line. */
  readonly replay: string
  /** Path of the page; absent for the own answer. */
  readonly page?: string
  /** What the page said when it was last read, before this was sent. */
  readonly before?: string
}

type Read = () => Promise<readonly { readonly page: string; readonly text: string; readonly before: string }[]>

/** Of places whose values other pages show. */
const readers = new WeakMap<Probe, Read>()

/** By run and place: pages that a first part of its questions has seen to show it; by the rest something else may stand there. */
const known = new WeakMap<Probe['turns'], Map<string, readonly string[]>>()

/** Values that mean nothing, marks of what is looked for in pages, and quotes: what the run itself has stored. */
const STORED = new RegExp(`${WORD}|-\\d{1,9}98765|qx[0-9a-f]{8}|'"\\\\\\)`, 'i')

/**
 * Whether a page shows what the run has stored by then, or fails since. Of what may write alone: elsewhere the answer itself tells. `usual`: an
 * answer of the place.
 */
export const learnPages = async (
  ctx: Pick<CollectContext, 'egress'>,
  crawl: CrawlFacts,
  probe: Probe,
  usual: Reply,
): Promise<boolean> => {
  if (probe.request.bound === undefined) return false
  const places = known.get(probe.turns) ?? new Map<string, readonly string[]>()
  known.set(probe.turns, places)
  const last = await readBy(ctx, places.get(keyOf(probe.point)) ?? (await pagesShowing(ctx, crawl, probe, usual)))
  if (last.size === 0) return false
  places.set(keyOf(probe.point), [...last.keys()])
  const read: Read = async () => {
    const before = new Map(last)
    for (const [page, text] of await readBy(ctx, [...last.keys()])) last.set(page, text)
    return [...last].map(([page, text]) => ({ page, text, before: before.get(page) ?? '' }))
  }
  for (const one of [probe, unwatched(probe)]) readers.set(one, read)
  return true
}

/** What they say now. */
const readBy = async (ctx: Pick<CollectContext, 'egress'>, pages: readonly string[]): Promise<Map<string, string>> =>
  new Map(await Promise.all(pages.map(async (page) => [page, (await pageAt(ctx, page)).text] as const)))

const pagesShowing = async (
  ctx: Pick<CollectContext, 'egress'>,
  crawl: CrawlFacts,
  probe: Probe,
  usual: Reply,
): Promise<readonly string[]> => {
  const all = pagesAfter(crawl, probe.point, usual).filter((page) => page !== probe.request.url)
  const now = await Promise.all(all.map((page) => pageAt(ctx, page)))
  const near = new Set([...(probe.request.shownOn ?? []), ...probe.request.seenOn])
  const led = URL.parse(usual.location, probe.request.url)?.href
  const own = (probe.point.members ?? [probe.point]).flatMap(({ value }) => [controlValue(value), breakOut(value)])
  return all.filter((page, at) => {
    const { status = 0, text = '' } = now[at] ?? {}
    const said = withoutEntities(text)
    // A page that has nothing to do with the form shows what others have stored.
    return (
      status >= 500 ||
      own.some((value) => said.includes(value)) ||
      ((near.has(page) || page === led) && STORED.test(said))
    )
  })
}

/** Whether another page shows what is stored there. */
export const isShownElsewhere = (probe: Probe): boolean => readers.has(probe)

/** Sends, and reads the pages behind it before anybody else stores something there; the own answer comes first. */
export const saidTo = async (
  probe: Probe,
  send: () => Promise<Reply>,
): Promise<{ readonly reply: Reply; readonly said: readonly Said[] }> => {
  const read = readers.get(probe)
  const own = (reply: Reply): Said => ({ text: reply.text, replay: reply.replay })
  if (!read) {
    const reply = await send()
    return { reply, said: [own(reply)] }
  }
  return probe.alone(async () => {
    const reply = await send()
    const pages = (await read()).map(({ page, text, before }) => ({
      ...{ text, page: new URL(page).pathname, before },
      replay: `${reply.replay}\ncurl -isk '${page}'`,
    }))
    return { reply, said: [own(reply), ...pages] }
  })
}

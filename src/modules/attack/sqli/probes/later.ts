/**
 * Values that are stored by one page and put into a statement by another. Each place that stores is given quotes; a page
 * that shows a database's error afterwards may show what another stored value computes, too.
 */
import { randomInt } from 'node:crypto'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { pageAt, pagesAfter, storingOf } from '../../insertion-points/elsewhere.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { Blocked, breakOut, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { Computed, LaterHit } from '../facts.ts'
import { databaseMessage } from '../messages.ts'
import type { Revealing, Splice } from '../payloads.ts'
import { waysFor } from './error.ts'

export interface Later {
  readonly point: ProbePoint
  readonly hit: LaterHit
}

/** Each place that may store is given one value with quotes, and its pages are asked for. */
export const askLater = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
): Promise<readonly Later[]> => {
  const found: Later[] = []
  for (const point of storingOf(points)) {
    const probe = at(point)
    const broken = await sendTo(probe, breakOut(point.value))
    for (const page of broken ? pagesAfter(crawl, point, broken) : []) {
      const message = databaseMessage((await pageAt(ctx, page)).text)
      const hit = message ? await askThrough(ctx, probe, page, message.dbms) : null
      if (hit) found.push({ point, hit })
    }
  }
  return found
}

const askThrough = async (ctx: CollectContext, probe: Probe, page: string, dbms: string): Promise<LaterHit | null> => {
  probe.pursue()
  for (const { way, splice } of waysFor(probe, dbms)) {
    const first = await compute(ctx, probe, page, way, splice)
    if (first === null) return null
    if (!first.seen) continue
    const second = await compute(ctx, probe, page, way, splice)
    if (second?.seen) return { technique: 'later', dbms: way.dbms, page, computed: [first, second] }
  }
  return null
}

/** Null where the place takes no probes. */
const compute = async (
  ctx: CollectContext,
  probe: Probe,
  page: string,
  way: Revealing,
  splice: Splice,
): Promise<Computed | null> => {
  const [a, b] = [randomInt(2_000, 9_000), randomInt(2_000, 9_000)]
  const expected = String(a * b)
  const payload = splice.with(probe.point.value, way.expression(a, b))
  const sent = await sendTo(probe, payload)
  if (!sent) return null
  const { text } = await pageAt(ctx, page)
  const seen = text.includes(expected)
  return {
    payload,
    expected,
    seen,
    excerpt: seen ? around(text, expected) : '',
    replay: `${sent.replay}\ncurl -isk '${page}'`,
  }
}

/** Null where the place takes no probes. */
const sendTo = async (probe: Probe, payload: string): Promise<Reply | null> => {
  try {
    return await probe.send(payload, { language: 'sql' })
  } catch (error) {
    if (error instanceof Blocked || error instanceof Unsendable) return null
    throw error
  }
}

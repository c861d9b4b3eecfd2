/** What requests do whose effect nobody knows: they are sent once, with their own values, before anything is asked of them. */
import { addedFirst } from '../insertion-points/added.ts'
import { eachKindFirst, folderKindOf } from '../insertion-points/turns-of-kinds.ts'
import type { Crawling } from './crawling.ts'
import type { RequestTemplate } from './facts.ts'

/**
 * What is not known to read is asked seldom and carefully on a test system, and of production not at all: to learn what a request does takes
 * less than that costs. What its answers lead to is known, and is not followed any more.
 */
export const learnTheRest = async ({ ctx, until, requests, session, crawler, learn }: Crawling): Promise<void> => {
  const kindOf = ({ method, encoding, url }: RequestTemplate): string => `${method} ${encoding} ${folderKindOf(url)}`
  const unlearned = addedFirst(eachKindFirst(requests.unlearned(), kindOf), crawler.reading.folders)
  if (unlearned.length === 0) return
  const end = until.learning(unlearned.length)
  for (let at = 0; at < unlearned.length && performance.now() < end; at += PROVEN_EACH) {
    if (!(await session.alive())) return
    ctx.progress(`what requests do: ${at} of ${unlearned.length}`, 0.85)
    const some = new Set(unlearned.slice(at, at + PROVEN_EACH).map(({ id }) => id))
    await learn(end, crawler.learned, ({ id }) => some.has(id))
  }
}

/** So many are learned of before the session is asked for once more. */
const PROVEN_EACH = 100

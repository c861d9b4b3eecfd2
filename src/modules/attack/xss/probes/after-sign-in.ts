/**
 * Follows what leads on once somebody has signed in: with the run's own account, whose sign-in is sent once more with another address in
 * the parameter. A right password locks nobody out.
 */
import { randomBytes } from 'node:crypto'
import type { CollectContext, RunSession } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { type LeadingOn, leadingOn } from '../after-sign-in.ts'
import type { AfterSignIn, DomFacts } from '../facts.ts'
import { REDIRECTS } from '../payloads.ts'

/** Parameters, and ways to name a host for each: every one is a sign-in. */
const MOST_PARAMETERS = 2
const MOST_WAYS = 3

/** What was asked, with what it showed. */
export const askAfterSignIn = async (
  { session, egress }: Pick<CollectContext, 'session' | 'egress'>,
  crawl: CrawlFacts,
  dom: Pick<DomFacts, 'atPassword'>,
): Promise<readonly AfterSignIn[]> => {
  const leads = session?.leads
  if (!session || !leads) return []
  const { origin } = new URL(session.proofAt)
  const pages = new Set(pathsOf(crawl, leads.paths))
  const asked: AfterSignIn[] = []
  const own = leadingOn(crawl, dom).filter(
    ({ path }) => pages.has(path) && !egress.excludes(new URL(path, origin).href),
  )
  for (const one of own.slice(0, MOST_PARAMETERS)) {
    const said = await ask(one, origin, leads)
    if (said === null) continue
    if (said.trials.length > 0 || leads.by === 'page' || !one.byScript) asked.push(said)
  }
  return asked
}

/** Of the sign-in itself, and of pages whose form is sent there. */
const pathsOf = ({ requests }: CrawlFacts, paths: ReadonlySet<string>): readonly string[] => [
  ...paths,
  ...requests
    .filter(({ method, url }) => method === 'POST' && paths.has(new URL(url).pathname))
    .flatMap(({ seenOn }) => seenOn.flatMap((page) => URL.parse(page)?.pathname ?? [])),
]

/** Null where nobody was signed in by it: that says nothing of where a sign-in leads. */
const ask = async (
  { name, path }: LeadingOn,
  origin: string,
  leads: NonNullable<RunSession['leads']>,
): Promise<AfterSignIn | null> => {
  for (const way of REDIRECTS.slice(0, MOST_WAYS)) {
    const trials: AfterSignIn['trials'][number][] = []
    for (let round = 0; round < 2; round += 1) {
      const host = `qx${randomBytes(4).toString('hex')}.example`
      const payload = way(host, new URL(origin).hostname, '') ?? ''
      const location = await leads.to(name, payload, host)
      if (location === false) return null
      if (location === null) break
      trials.push({ payload, host, location })
    }
    if (trials.length === 2)
      return { name, url: `${origin}${path}`, trials, ...(leads.by === 'page' ? { by: leads.by } : {}) }
  }
  return { name, url: `${origin}${path}`, trials: [] }
}

/**
 * Follows what leads on once somebody has signed in: with the run's own account, whose sign-in is sent once more with another address in
 * the parameter. A right password locks nobody out.
 */
import { randomBytes } from 'node:crypto'
import { within } from '../../../../contract/within.ts'
import type { CollectContext, RunSession } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { type LeadingOn, leadingOn, USUAL } from '../after-sign-in.ts'
import type { AfterSignIn, DomFacts, XssFacts } from '../facts.ts'
import { REDIRECTS } from '../payloads.ts'

/** Parameters, and ways to name a host for each: every one is a sign-in. */
const MOST_PARAMETERS = 2
const MOST_WAYS = 3
/** Milliseconds that a sign-in in a browser takes at least. */
const OF_PAGE = 5_000
/** Ways for all of the usual names together. */
const MOST_UNNAMED = 2

type Leads = NonNullable<RunSession['leads']>

/**
 * What was asked, with what it showed. `inTime`: whether so many milliseconds are left; no sign-in is begun that would take longer. `left`: how many
 * are; one that takes longer after all says nothing.
 */
export const askAfterSignIn = async (
  { session, egress, options }: Pick<CollectContext, 'session' | 'egress' | 'options'>,
  crawl: CrawlFacts,
  dom: Pick<DomFacts, 'atPassword'>,
  inTime: (milliseconds: number) => boolean = () => true,
  left: () => number = () => MOST,
): Promise<Pick<XssFacts, 'afterSignIn' | 'unnamedLeft'>> => {
  const given = session?.leads
  if (!session || !given) return {}
  // By a page it takes seconds, and as long again as the longest before.
  let longest = given.by === 'page' ? OF_PAGE : 0
  const leads: Leads = {
    ...given,
    to: async (...asked) => {
      if (!inTime(longest)) return false
      const begun = performance.now()
      const led = await unlessLate(left(), given.to(...asked))
      longest = Math.max(longest, performance.now() - begun)
      return led
    },
  }
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
  // What leads away needs no second proof by a name that nobody shows, and a run of one place asks that alone.
  const wantsMore = options.hypothesis === undefined && !asked.some(({ trials }) => trials.length > 0)
  if (wantsMore) asked.push(...(await askUnnamed({ origin, leads, egress }, own)))
  return {
    ...(asked.length > 0 ? { afterSignIn: asked } : {}),
    ...(wantsMore && !inTime(longest) ? { unnamedLeft: true } : {}),
  }
}

/** Milliseconds of one sign-in. */
const MOST = 120_000

/** False where it takes longer: nothing is known of where it leads. */
const unlessLate = async <Led>(milliseconds: number, work: Promise<Led>): Promise<Led | false> => {
  const late = new Error('the time was over')
  try {
    return await within(milliseconds, work, () => late)
  } catch (error) {
    if (error === late) return false
    throw error
  }
}

/**
 * Names that sign-ins read and that nothing on the site need show: many in one sign-in, each with a host of its own, so that where it leads says which was
 * read. That one is then asked alone, as those that are named.
 */
const askUnnamed = async (
  { origin, leads, egress }: { readonly origin: string; readonly leads: Leads } & Pick<CollectContext, 'egress'>,
  own: readonly LeadingOn[],
): Promise<readonly AfterSignIn[]> => {
  const { at } = leads
  if (at === undefined || egress.excludes(at)) return []
  const path = new URL(at).pathname
  const named = new Set([...new URL(at).searchParams.keys(), ...own.map(({ name }) => name)])
  const names = USUAL.filter((name) => !named.has(name))
  for (const way of REDIRECTS.slice(0, leads.by === 'page' ? 1 : MOST_UNNAMED)) {
    const host = `qx${randomBytes(4).toString('hex')}.example`
    const label = (index: number): string => `q${index}.${host}`
    const given = names.map((name, index) => [name, way(label(index), new URL(origin).hostname, '') ?? ''] as const)
    const led = await leads.to(given, host)
    if (led === false) return []
    const name = names.find((_one, index) => led !== null && new URL(led).hostname === label(index))
    const said = name === undefined ? null : await ask({ name, path }, origin, leads)
    if (said && said.trials.length > 0) return [said]
  }
  return []
}

/** Of the sign-in itself, and of pages whose form is sent there. */
const pathsOf = ({ requests }: CrawlFacts, paths: ReadonlySet<string>): readonly string[] => [
  ...paths,
  ...requests
    .filter(({ method, url }) => method === 'POST' && paths.has(new URL(url).pathname))
    .flatMap(({ seenOn }) => seenOn.flatMap((page) => URL.parse(page)?.pathname ?? [])),
]

/** Null where nobody was signed in by it: that says nothing of where a sign-in leads. */
const ask = async ({ name, path }: LeadingOn, origin: string, leads: Leads): Promise<AfterSignIn | null> => {
  const url = addressOf(path, origin, leads)
  for (const way of REDIRECTS.slice(0, MOST_WAYS)) {
    const trials: AfterSignIn['trials'][number][] = []
    for (let round = 0; round < 2; round += 1) {
      const host = `qx${randomBytes(4).toString('hex')}.example`
      const payload = way(host, new URL(origin).hostname, '') ?? ''
      const location = await leads.to([[name, payload]], host)
      if (location === false) return null
      if (location === null) break
      trials.push({ payload, host, location })
    }
    if (trials.length === 2) return { name, url, trials, ...(leads.by === 'page' ? { by: leads.by } : {}) }
  }
  return { name, url, trials: [] }
}

/** With what chooses the page there, where the sign-in is sent to a program that has several. */
const addressOf = (path: string, origin: string, { at }: Leads): string => {
  const own = at === undefined ? null : new URL(at)
  return own?.pathname === path ? own.href : `${origin}${path}`
}

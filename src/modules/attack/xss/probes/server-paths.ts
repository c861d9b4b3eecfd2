/**
 * Asks what a server makes of the path of a request before any page does: one that leads to the same path with a slash behind it, from one
 * scheme to the other or from one host to the other, writes what it was asked into the head of its answer. No value of a request reaches it
 * (CWE-601, CWE-113). Each target is a link that browsers send as it stands (https://url.spec.whatwg.org/#path-state).
 */
import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { segmentsOf } from '../../../../page/segments.ts'
import { shellQuoted } from '../../../evidence/pages.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import type { ServerPathFacts, ServerPathHit } from '../facts.ts'
import { leadsTo, unique } from './heads.ts'

/** Sites of one run that answer by themselves: ports and schemes of a name. */
const MOST_ORIGINS = 3
const MAX_BODY = 16 * 1024
/** Milliseconds. */
const TIMEOUT = 10_000

/**
 * `folder`: one of the site that is there, so that a way out of the other host's name ends at something. A path that begins with two slashes
 * is the path of a file to the server, and another host to the browser that is led there.
 */
const TO_HOSTS: readonly ((host: string, folder: string) => string)[] = [
  (host) => `//${host}`,
  (host) => `//${host}/`,
  (host) => `//${host}/%2f..`,
  (host, folder) => `//${host}/..%2f${folder}`,
  (host, folder) => `//${host}/..;/${folder}`,
  (host) => `/%5c${host}`,
  (host) => `/%5c${host}/%2f..`,
  (host) => `/%2f${host}`,
  (host) => `/%2f${host}/%2f..`,
]

/** `folder` ends with a slash. */
const TO_LINES: readonly ((name: string, folder: string) => string)[] = [
  (name, folder) => `${folder}%0d%0a${name}:%201`,
  (name, folder) => `${folder}%0a${name}:%201`,
  (name, folder) => `${folder}%3f%0d%0a${name}:%201`,
]
/** Folders below which something was led on: rules of a server are written for one each. */
const MOST_FOLDERS = 6

export const askServerPaths = async (
  ctx: Pick<CollectContext, 'egress' | 'signal'>,
  crawl: Pick<CrawlFacts, 'urls'>,
): Promise<ServerPathFacts> => {
  const hits: ServerPathHit[] = []
  const asked = new Set<string>()
  const seen = sitesOf(crawl)
  // What answers to plain requests beside a site that is encrypted leads on to it; where nothing does, nothing is left out.
  const sites = [...new Set([...seen, ...seen.flatMap(plainOf)])].filter((one) => !ctx.egress.excludes(`${one}/`))
  for (const origin of sites.slice(0, MOST_ORIGINS)) {
    const ask = (target: string) => get(ctx, origin, target)
    if ((await ask('/')) === null) continue
    asked.add(origin)
    const folder = folderOf(crawl, origin)
    hits.push(...(await askHosts(origin, folder, ask)))
    const lines = await askLines(origin, '/', ask)
    // What does so everywhere does so there, too.
    if (lines.length === 0)
      for (const below of leadingFolders(crawl, origin)) lines.push(...(await askLines(origin, below, ask)))
    hits.push(...lines)
  }
  return { asked: asked.size, left: seen.filter((one) => !asked.has(one)).length, hits }
}

/** Where the time was over before any was asked. */
export const noServerPaths = (crawl: Pick<CrawlFacts, 'urls'>): ServerPathFacts => ({
  ...{ asked: 0, hits: [] },
  left: sitesOf(crawl).length,
})

const sitesOf = ({ urls }: Pick<CrawlFacts, 'urls'>): readonly string[] => [
  ...new Set(urls.map(({ url }) => new URL(url).origin)),
]

const plainOf = (origin: string): readonly string[] => {
  const { protocol, hostname, port } = new URL(origin)
  return protocol === 'https:' && port === '' ? [`http://${hostname}`] : []
}

const folderOf = ({ urls }: Pick<CrawlFacts, 'urls'>, origin: string): string =>
  urls
    .filter(({ url, status }) => status === 200 && new URL(url).origin === origin)
    .map(({ url }) => segmentsOf(new URL('.', url).href)[0] ?? '')
    .find((segment) => segment !== '') ?? ''

/** Of addresses that led on, the first folder, as the server may do so by a rule of its own: `/old/` of `/old/timetable`. */
const leadingFolders = ({ urls }: Pick<CrawlFacts, 'urls'>, origin: string): readonly string[] => {
  const led = urls.filter(({ url, status }) => LEADS.includes(status) && new URL(url).origin === origin)
  const folders = led.map(({ url }) => /^\/[^/]+\//.exec(new URL(url).pathname)?.[0] ?? '/')
  return [...new Set(folders)].filter((one) => one !== '/').slice(0, MOST_FOLDERS)
}

const LEADS: readonly number[] = [301, 302, 303, 307, 308]

type Ask = (target: string) => Promise<HttpExchange | null>

const askHosts = async (origin: string, folder: string, ask: Ask): Promise<readonly ServerPathHit[]> => {
  for (const way of TO_HOSTS) {
    const trials: Extract<ServerPathHit, { kind: 'redirect' }>['trials'][number][] = []
    for (let round = 0; round < 2; round += 1) {
      const host = `${unique()}.example`
      const target = way(host, folder)
      const answer = await ask(target)
      const location = answer?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? ''
      const leads = answer !== null && answer.status >= 300 && answer.status < 400
      if (!leads || !leadsTo(location, `${origin}${target}`, host)) break
      trials.push({ payload: target, host, location, replay: replayOf(origin, target) })
    }
    if (trials.length === 2) return [{ kind: 'redirect', url: `${origin}/`, trials }]
  }
  return []
}

const askLines = async (origin: string, folder: string, ask: Ask): Promise<ServerPathHit[]> => {
  for (const way of TO_LINES) {
    const trials: Extract<ServerPathHit, { kind: 'header' }>['trials'][number][] = []
    for (let round = 0; round < 2; round += 1) {
      const name = unique()
      const target = way(name, folder)
      const answer = await ask(target)
      if (!answer?.headers.some(([one]) => one.toLowerCase() === name)) break
      trials.push({ payload: target, name, replay: replayOf(origin, target) })
    }
    if (trials.length === 2) return [{ kind: 'header', url: `${origin}${folder}`, trials }]
  }
  return []
}

const replayOf = (origin: string, target: string): string =>
  `curl -isk --path-as-is ${shellQuoted(`${origin}${target}`)}`

/** Null where it was not answered. */
const get = async (
  { egress, signal }: Pick<CollectContext, 'egress' | 'signal'>,
  origin: string,
  target: string,
): Promise<HttpExchange | null> => {
  signal.throwIfAborted()
  try {
    return await egress.http({ url: `${origin}/`, target, maxBody: MAX_BODY, timeout: TIMEOUT })
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

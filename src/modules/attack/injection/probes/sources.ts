/**
 * Source code of the application's own programs: the proof where a value opens files of the application alone. What the web
 * server runs it never serves, so two sources that a page shows were read by the page.
 */

import { randomBytes } from 'node:crypto'
import { dirname, relative } from 'node:path/posix'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { pageAt } from '../../insertion-points/elsewhere.ts'
import { type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { memory } from '../../insertion-points/shared.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { FileHit } from '../facts.ts'
import type { SiteFiles } from '../site-files.ts'
import { siteFilesOf } from '../site-files.ts'
import { hasShownToRead, readable, speaksOfFiles, takesPaths } from './files.ts'
import { isJava } from './resources.ts'

/** Of an address of the site. */
export type Served = (url: string) => Promise<{ readonly status: number; readonly text: string }>

export interface Sources {
  readonly site: SiteFiles
  readonly served: Served
  /** A place that shows nothing of a file may be asked, too, once it has been seen to make none. */
  readonly tests: boolean
}

/** Ways to a program by its path. */
interface NamedWay {
  readonly flavour: string
  readonly with: (target: string) => string
  /** The source comes in base64. */
  readonly coded?: true
}

type Shown = FileHit['files'][number]

/** Where code begins in the files that web servers run, with what follows in its line. */
const CODE = /(?:<%[@!=]?|<jsp:|<\?php\b|<\?=|<cf(?:set|output|query|component)\b|#!\s?\/\S+)[^\r\n]{4,80}/g
const MOST_MARKS = 20

export const sourceWays = (
  probe: Probe,
  usual: Reply,
  { site, served, tests }: Sources,
): readonly (() => Promise<FileHit | null>)[] => {
  const { members, place, name } = probe.point
  const files = place !== 'header' && place !== 'cookie' && place !== 'file' && place !== 'file-name'
  if (members || !files || !takesPaths(probe) || !speaksOfFiles(probe, site)) return []
  const programs = site.programs(new URL(probe.request.url).pathname, name)
  if (programs.length === 0) return []
  if (probe.request.effect !== 'reads' && !(tests && probe.request.effect === 'unknown')) {
    probe.leave('traversal', 'that may write files, asked for none of the application')
    return []
  }
  return [() => askSources(probe, waysOf(probe, usual, site), programs, served, tests)]
}

const waysOf = ({ request, point }: Probe, usual: Reply, site: SiteFiles): readonly NamedWay[] => {
  const { pathname } = new URL(request.url)
  const near = (target: string): string => relative(dirname(pathname), target)
  const folder = point.value.replace(/[^/\\]*$/, '')
  const isPhp = /\.(?:php\d?|phtml)$/i.test(pathname)
  const filter = 'php://filter/convert.base64-encode/resource='
  return [
    { flavour: 'a file beside the page, behind a slash', with: (target) => `/${near(target)}` },
    { flavour: 'a file beside the page', with: (target) => `${folder}${near(target)}` },
    ...(isJava(usual, request.url, site)
      ? [
          {
            flavour: 'a path from the root of the application',
            with: (target: string) => target.replace(/^\/[^/]+/, ''),
          },
          { flavour: 'a path from the root of the site', with: (target: string) => target },
        ]
      : []),
    ...(isPhp
      ? [
          { flavour: 'filter of PHP', with: (target: string) => `${filter}${near(target)}`, coded: true as const },
          {
            flavour: 'filter of PHP, its ending put behind',
            with: (target: string) => `${filter}${near(target).replace(/\.\w+$/, '')}`,
            coded: true as const,
          },
        ]
      : []),
  ]
}

const askSources = async (
  probe: Probe,
  ways: readonly NamedWay[],
  programs: readonly string[],
  served: Served,
  tests: boolean,
): Promise<FileHit | null> => {
  const { origin } = new URL(probe.request.url)
  const [first = ''] = programs
  const shows = await hasShownToRead(probe)
  if (!shows && !tests) {
    probe.leave('traversal', 'that show nothing of a file, asked for none of the application')
    return null
  }
  const never = beside(first)
  for (const way of ways) {
    const missing = beside(first)
    const control = shows ? null : await sent(probe, way, missing)
    if (control && (await makes(`${origin}${missing}`, `${origin}${never}`, served))) {
      probe.leave('traversal', 'that may write files, asked for none of the application')
      return null
    }
    const hit = shows || control ? await askWay(probe, way, first, served, control) : null
    if (hit) return hit
  }
  return null
}

/** A name that nobody has, in the folder of a program. */
const beside = (program: string): string => program.replace(/(\.\w+)$/, `q${randomBytes(4).toString('hex')}$1`)

/** `known`: the answer of this way for a name that is not there, where it was asked for already. */
const askWay = async (
  probe: Probe,
  way: NamedWay,
  program: string,
  served: Served,
  known: Reply | null,
): Promise<FileHit | null> => {
  const { origin, pathname } = new URL(probe.request.url)
  const usual = readable((await probe.baseline())[0].text)
  const reply = await sent(probe, way, program)
  const mark = reply && markOf(reply, way, [readable((await served(`${origin}${program}`)).text), usual])
  if (!reply || !mark) return null
  probe.pursue()
  // It shows code and does not run it: the page's own is safe to ask for.
  const second = await sent(probe, way, pathname)
  const other = second && markOf(second, way, [usual])
  if (!second || !other) return null
  const control = known ?? (await sent(probe, way, beside(program)))
  if (!control) return null
  const files = [shownBy(program, reply, mark), shownBy(pathname, second, other)]
  const said = readable(control.text)
  const controlShows = files.some((one) => said.includes(one.mark))
  return { kind: 'traversal', proof: 'file', flavour: way.flavour, files, controlShows }
}

const shownBy = (path: string, reply: Reply, mark: string): Shown => ({
  ...{ path: `the source of ${path}`, mark, payload: reply.value },
  ...{ excerpt: around(readable(reply.text), mark, 120), replay: reply.replay },
})

const sent = async (probe: Probe, way: NamedWay, target: string): Promise<Reply | null> => {
  try {
    return await probe.send(way.with(target))
  } catch (error) {
    if (error instanceof Unsendable) return null
    throw error
  }
}

/** A piece of code that none of the other texts has; of coded sources the code's beginning as it stands in the page. */
const markOf = (reply: Reply, { coded }: NamedWay, others: readonly string[]): string | null => {
  const text = readable(reply.text)
  if (coded) {
    const runs = [...text.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)].map(([run]) => run)
    const run = runs.find((one) => /<\?(?:php\b|=)/.test(Buffer.from(one, 'base64').toString('latin1')))
    return run && !others.some((other) => other.includes(run.slice(0, 60))) ? run.slice(0, 60) : null
  }
  const marks = [...text.matchAll(CODE)].slice(0, MOST_MARKS).map(([mark]) => mark)
  return marks.find((mark) => !others.some((other) => other.includes(mark))) ?? null
}

/** Whether an address whose name the place was given is now another one than an address that nobody named at all. */
const makes = async (named: string, never: string, served: Served): Promise<boolean> => {
  const [one, other] = [await served(named), await served(never)]
  const nameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1)
  const without = ({ text }: typeof one, url: string): string => text.replaceAll(nameOf(url), '#')
  return one.status === 0 || one.status !== other.status || without(one, named) !== without(other, never)
}

/** Pages are fetched once for all places, those that were asked for last. */
export const sourcesOf = (ctx: CollectContext, crawl: CrawlFacts): Sources => {
  const pages = memory<Awaited<ReturnType<Sources['served']>>>(({ text }) => text.length, MOST_KEPT)
  const served: Sources['served'] = (url) => pages(url, () => pageAt(ctx, url))
  return { site: siteFilesOf(crawl), served, tests: ctx.target.environment === 'test' }
}

/** Characters of pages. */
const MOST_KEPT = 4_000_000

/** Asks for well-known names of files that should not be there; what looks real is asked again, beside one that cannot be. */
import { randomBytes } from 'node:crypto'
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { findSecrets, maskAll } from '../../../knowledge/secrets/find.ts'
import type { BlockPage } from '../../../page/block-page.ts'
import { isBlockPage } from '../../../page/block-page.ts'
import { exchangeText } from '../../../page/exchange.ts'
import { readHtml } from '../../../page/html.ts'
import { mediaTypeOf } from '../../../page/text.ts'
import { harmOfAddress } from '../../../safety/safety.ts'
import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { cutOffIn } from '../insertion-points/unread.ts'
import { type FileAnswer, maskValues } from './answer.ts'
import type { ExposureKind } from './definitions.ts'
import type { Exposed, ExposureFacts } from './facts.ts'
import { type ExposedFile, exposedFiles, fileCalled, proofOf, urlsOf } from './files.ts'
import { type Question, questionsWithin } from './folders.ts'

const AT_ONCE = 6
const MAX_FOLDERS = 6
const MAX_SCRIPTS = 30
/** Of so many by the two names that copies are met by most. */
const MOST_BY_USUAL = 120
/** Bytes: the beginning is enough to know a file, and no backup is taken home. */
const KEPT = 4_096
/** Seconds that folders without a link take of a slow site. */
const FOR_FOLDERS = 40
/** Seconds that the last answers of a slow site take, at most. */
const FOR_ANSWERS = 12
/** Bytes of a list of files. */
const LISTED = 65_536
const REFUSED = [401, 403, 406, 429, 503]

interface Beside {
  /** What the site's firewall answers, as `waf` has seen it. */
  readonly blockPage?: BlockPage | null
  /** What the crawl has read, where it came to its end. */
  readonly crawl?: CrawlFacts | undefined
}

export const collectExposure = async (
  ctx: CollectContext,
  site: SiteFacts,
  { blockPage = null, crawl }: Beside = {},
): Promise<ExposureFacts> => {
  const folders = foldersOf(site, crawl)
  const { origin } = new URL(site.baseUrl)
  const done: Asked[] = []
  /** What is known is kept before more is asked, which a slow site or a budget may end. */
  const add = async (questions: readonly Question[]): Promise<void> => {
    const known = new Set(done.flatMap(({ candidates }) => candidates.map(({ url }) => url)))
    const before = [...done]
    await askAll(ctx, { questions: questions.filter(({ url }) => !known.has(url)), blockPage }, (asked) => {
      done.splice(0, done.length, ...before, asked)
      ctx.soFar?.(() => factsOf([...before, asked], folders, 'time'))
    })
  }
  await add(questionsOf(folders, ctx.target.host))
  if (ctx.secondsToEnd() < FOR_FOLDERS) return factsOf(done, folders, 'time')
  await add(copiesOf(site, crawl))
  if (ctx.secondsToEnd() < FOR_FOLDERS) return factsOf(done, folders, 'time')
  const within = await questionsWithin({
    ...{ origin, host: ctx.target.host, nobodys: randomBytes(6).toString('hex') },
    get: (url) => exchangeAt(ctx, url, blockPage),
  })
  await add(within.questions)
  return factsOf(done, folders, within.left ?? (crawl && cutOffIn(crawl) !== null ? 'crawl' : null))
}

const factsOf = (
  done: readonly Asked[],
  folders: readonly string[],
  cut: NonNullable<ExposureFacts['cut']> | null,
): ExposureFacts => {
  const sum = (of: 'asked' | 'refused' | 'unanswered'): number => done.reduce((all, one) => all + one[of], 0)
  return {
    ...{ asked: sum('asked'), refused: sum('refused'), unanswered: sum('unanswered') },
    excluded: [...new Set(done.flatMap(({ excluded }) => excluded))],
    blocked: [...new Set(done.flatMap(({ blocked }) => blocked))],
    unasked: [...new Set(done.flatMap(({ unasked }) => unasked))],
    folders,
    ...(cut === null ? {} : { cut }),
    candidates: done.flatMap(({ candidates }) => candidates),
  }
}

type Asked = Required<Omit<ExposureFacts, 'folders' | 'cut'>>

interface Asking {
  readonly questions: readonly Question[]
  readonly blockPage: BlockPage | null
}

/** `keep` is told after each few of them; the last ones are left where the time of the module ends before they could be answered. */
const askAll = async (
  ctx: CollectContext,
  { questions: all, blockPage }: Asking,
  keep: (asked: Asked) => void,
): Promise<void> => {
  const questions = all.filter(({ url }) => !ctx.egress.excludes(url))
  const excluded = all.filter(({ url }) => ctx.egress.excludes(url)).map(({ file }) => file.kind)
  const candidates: Exposed[] = []
  let refused = 0
  let unanswered = 0
  const blocked = new Set<ExposureKind>()
  const keepAt = (asked: number): void => {
    const unasked = [...new Set(questions.slice(asked).map(({ file }) => file.kind))]
    keep({ asked, refused, unanswered, excluded, blocked: [...blocked], unasked, candidates: [...candidates] })
  }
  keepAt(0)
  for (let at = 0; at < questions.length && ctx.secondsToEnd() > FOR_ANSWERS; at += AT_ONCE) {
    ctx.progress(`${at} of ${questions.length} files`, at / questions.length)
    const batch = await Promise.all(
      questions.slice(at, at + AT_ONCE).map(async (one) => ({ one, got: await ask(ctx, one.url) })),
    )
    for (const { one, got } of batch) {
      if (got === null) unanswered += 1
      else if (isBlockPage(blockPage, got.answer)) {
        refused += 1
        blocked.add(one.file.kind)
      } else if (REFUSED.includes(got.answer.status)) refused += 1
      else if (proofOf(one.file, got.answer) !== null) candidates.push(await confirm(ctx, one, got))
    }
    keepAt(Math.min(at + AT_ONCE, questions.length))
  }
}

interface Got {
  readonly answer: FileAnswer
  readonly exchange: HttpExchange
}

const ask = async (ctx: CollectContext, url: string): Promise<Got | null> => {
  const exchange = await visit(ctx, url, KEPT)
  return exchange === null ? null : { answer: answerOf(exchange), exchange }
}

/** A folder or a list; null where nothing answered, the firewall did, or the run is kept from it. */
const exchangeAt = async (
  ctx: CollectContext,
  url: string,
  blockPage: BlockPage | null,
): Promise<HttpExchange | null> => {
  if (ctx.egress.excludes(url)) return null
  const exchange = await visit(ctx, url, LISTED)
  return exchange === null || isBlockPage(blockPage, answerOf(exchange)) ? null : exchange
}

/** No credentials: the question is what a stranger gets. */
const visit = async (ctx: CollectContext, url: string, maxBody: number): Promise<HttpExchange | null> => {
  try {
    return await ctx.egress.http({ url, maxBody, authenticated: false })
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (targetFailure(error) === null) throw error
    return null
  }
}

const answerOf = (exchange: HttpExchange): FileAnswer => {
  const raw = exchange.body.subarray(0, KEPT).toString('utf8').replaceAll('\0', '')
  return {
    status: exchange.status,
    type: mediaTypeOf(exchange),
    text: maskValues(
      maskAll(
        raw,
        findSecrets(raw).map(({ secret }) => secret),
      ),
    ),
    hex: exchange.body.subarray(0, 32).toString('hex'),
    size: exchange.body.length,
  }
}

const confirm = async (ctx: CollectContext, { file, url }: Question, got: Got): Promise<Exposed> => {
  const again = await ask(ctx, url)
  const beside = await ask(ctx, siblingOf(url))
  const folder = folderOfKind(file, url)
  // A program may answer for every name in a folder of its own; that folder is asked for under another name.
  const isProgram = folder !== null && beside !== null && proofOf(file, beside.answer) !== null
  const sibling = isProgram ? await ask(ctx, folder) : beside
  const evidence = ctx.evidence({
    filename: `${file.kind}-${new URL(url).pathname.replace(/[^\w.-]+/g, '-')}.txt`,
    contentType: 'text/plain; charset=utf-8',
    body: exchangeText(got.exchange, got.answer.text),
  })
  return {
    kind: file.kind,
    name: file.name,
    url,
    first: got.answer,
    again: again?.answer ?? null,
    sibling: sibling?.answer ?? null,
    evidence,
  }
}

/** Same folder, same ending, a name that nobody chose. */
const siblingOf = (url: string): string => {
  const found = new URL(url)
  const name = found.pathname.split('/').filter(Boolean).at(-1) ?? ''
  const ending = /\.[\w.~]+$/.exec(name.replace(/^\./, ''))?.[0] ?? ''
  const random = `${name.startsWith('.') ? '.' : ''}${randomBytes(6).toString('hex')}${ending}`
  return new URL(found.pathname.endsWith('/') ? `../${random}/` : random, found).href
}

/** The same name in a folder that nobody chose, where the kind itself names the folder; null where it names none. */
const folderOfKind = ({ step }: ExposedFile, url: string): string | null => {
  const found = new URL(url)
  const [first, ...rest] = found.pathname.split('/').filter(Boolean)
  if (first === undefined || rest.length === 0 || !step.paths.includes(`{{RootURL}}${found.pathname}`)) return null
  return new URL(`/${first.startsWith('.') ? '.' : ''}${randomBytes(6).toString('hex')}/${rest.join('/')}`, found).href
}

/** The root, and folders that the site's own pages and files lie in. */
const foldersOf = (site: SiteFacts, crawl: CrawlFacts | undefined): readonly string[] => {
  const { origin } = new URL(site.baseUrl)
  const linked = site.pages.flatMap((page) => {
    const html = readHtml(page.body, page.url)
    const scripts = html.scripts.flatMap(({ src }) => src ?? [])
    return [...html.links, ...html.stylesheets, ...html.media, ...scripts].flatMap(({ url }) => url ?? [])
  })
  const firsts = [...linked, ...(crawl?.urls ?? []).map(({ url }) => url)].flatMap((address) => {
    const url = URL.parse(address)
    const first = url?.origin === origin ? /^\/[^/]+(?=\/)/.exec(url.pathname)?.[0] : undefined
    return first === undefined ? [] : [`${origin}${first}/`]
  })
  return [...new Set([`${origin}/`, new URL('./', site.baseUrl).href, ...firsts])].slice(0, MAX_FOLDERS)
}

const questionsOf = (folders: readonly string[], host: string): readonly Question[] =>
  folders.flatMap((folder) =>
    exposedFiles().flatMap((file) => urlsOf(file, new URL(folder), host).map((url) => ({ file, url }))),
  )

/** Programs that servers run by the ending of their names. */
const SCRIPT = /\/[\w-][\w.-]*\.(?:php\d?|phtml|jsp|aspx?|ashx|asmx|cfm|pl|cgi|py|rb)$/i

/** What editors and careful people leave beside a script (WSTG-CONF-04). */
const copiesOf = (site: SiteFacts, crawl: CrawlFacts | undefined): readonly Question[] => {
  const [source, swap] = ['source code of a script', 'a swap file of vim'].map((name) =>
    fileCalled('source-code', name),
  )
  if (!source || !swap) return []
  const { origin } = new URL(site.baseUrl)
  const seen = [...site.pages, ...(crawl?.urls ?? [])].flatMap(({ url, status }) => {
    const { origin: of, pathname } = new URL(url)
    return of === origin && status !== 404 && SCRIPT.test(pathname) && harmOfAddress(url) === null ? [pathname] : []
  })
  const scripts = [...new Set(seen)].slice(0, MOST_BY_USUAL)
  const copiesBy = (path: string, ends: readonly string[]): readonly Question[] =>
    ends.map((end) => ({ file: source, url: `${origin}${path}${end}` }))
  return [
    ...scripts.flatMap((path) => copiesBy(path, ['.bak', '~'])),
    ...scripts.slice(0, MAX_SCRIPTS).flatMap((path) => {
      const [folder, name] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)]
      return [
        ...copiesBy(path, ['.old', '.orig', '.save']),
        ...copiesBy(`${folder}${name.replace(/\.\w+$/, '')}`, ['.bak']),
        { file: swap, url: `${origin}${folder}.${name}.swp` },
      ]
    }),
  ]
}

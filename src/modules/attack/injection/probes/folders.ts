/**
 * Asks what hands out the files of folders (scripts, style sheets, pictures) for files outside of them, by the path itself: no value of a
 * request reaches such a server, and what is written as `../` there is sent as it is or encoded as servers decode it too late.
 */
import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { segmentsOf } from '../../../../page/segments.ts'
import { kindOf } from '../../../../page/shape.ts'
import { harmOfAddress } from '../../../../safety/safety.ts'
import { shellQuoted } from '../../../evidence/pages.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { FolderFacts, FolderHit } from '../facts.ts'
import { BY_LENGTH, FILES, type Landmark, NO_FILE, OUT_OF_FOLDERS, SIZED } from '../paths.ts'
import { printable, readable } from './files.ts'

/** Folders that are asked; one server seldom has more ways to hand out files. */
const MOST_FOLDERS = 20
/** Segments of a path by which a server knows what hands out its files. */
const MOUNTED = 2
/** Folders at which a way is asked again that was not answered. */
const MOST_AGAIN = 2
const MAX_BODY = 64 * 1024
/** Octets of an answer that holds what it was asked for; a shorter one is cut at a length of none, or at a first octet. */
const SHORTEST = 8

/** Milliseconds. */
interface Patience {
  readonly first: number
  /**
   * For a way that was not answered before: a server that hangs on it in one folder hangs in all of them, for as long as is waited, while
   * it answers the others at once.
   */
  readonly again: number
}
const PATIENCE: Patience = { first: 10_000, again: 3_000 }

/**
 * Of the folders that pages have files from and those that pages lie in, one of each that may be handed out by a server of its own, the
 * root of the site last.
 */
export const foldersToAsk = ({ folders = [], urls }: Pick<CrawlFacts, 'folders' | 'urls'>): readonly string[] => {
  const pages = urls.filter(({ status }) => status === 200).map(({ url }) => new URL('.', url).href)
  const mounts = new Map<string, string>()
  for (const folder of [...new Set([...folders, ...pages])].filter((one) => harmOfAddress(one) === null)) {
    const segments = segmentsOf(kindOf(folder)).slice(0, -1)
    const { origin, pathname } = new URL(folder)
    const own = [`${origin}/${pathname.split('/')[1] ?? ''}/`, folder]
    for (const [at, address] of own.entries()) {
      const mount = segments.slice(0, at === 0 ? 1 : MOUNTED).join('/')
      if (mount !== '' && !mounts.has(mount)) mounts.set(mount, address)
    }
  }
  const root = urls.slice(0, 1).map(({ url }) => new URL('/', url).href)
  return [...mounts.values(), ...root]
}

const chosenOf = (
  ctx: Pick<CollectContext, 'egress'>,
  crawl: CrawlFacts,
): { readonly known: readonly string[]; readonly chosen: readonly string[] } => {
  const known = foldersToAsk(crawl).filter((folder) => !ctx.egress.excludes(folder))
  // The root is one of those that are asked.
  const chosen = known.length > MOST_FOLDERS ? [...known.slice(0, MOST_FOLDERS - 1), ...known.slice(-1)] : known
  return { known, chosen }
}

/** Where a name leads to the folder above: a request each, so that it precedes all that takes long. */
export const askAliases = async (ctx: CollectContext, crawl: CrawlFacts): Promise<readonly FolderHit[]> => {
  const hits: FolderHit[] = []
  for (const folder of chosenOf(ctx, crawl).chosen) {
    ctx.signal.throwIfAborted()
    const hit = await askAbove(ctx, folder)
    if (hit) hits.push(hit)
  }
  return hits
}

/** `aliases`: what is known already, of folders that are not asked again. */
export const askFolders = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  patience: Patience = PATIENCE,
  isOver: () => boolean = () => false,
  aliases: readonly FolderHit[] = [],
): Promise<FolderFacts> => {
  const { known, chosen } = chosenOf(ctx, crawl)
  const hits: FolderHit[] = [...aliases]
  const silences = createSilences(patience)
  let asked = 0
  for (const folder of chosen) {
    ctx.signal.throwIfAborted()
    if (isOver()) break
    const hit = aliases.some((one) => one.folder === folder) ? null : await askFolder(ctx, folder, silences)
    if (hit !== 'silent') asked += 1
    if (hit !== null && hit !== 'silent') hits.push(hit)
  }
  return { known: known.length, asked, hits }
}

type Way = (typeof OUT_OF_FOLDERS)[number]

/** At how many folders each way was not answered, and how long it is waited for therefore. */
const createSilences = ({ first, again }: Patience) => {
  const counts = new Map<Way, number>()
  const of = (way: Way): number => counts.get(way) ?? 0
  return {
    of,
    count: (way: Way): void => void counts.set(way, of(way) + 1),
    wait: (way: Way): number => (of(way) === 0 ? first : again),
    again,
  }
}

/** 'silent' where one of the ways was not answered. */
const askFolder = async (
  ctx: CollectContext,
  folder: string,
  silences: ReturnType<typeof createSilences>,
): Promise<FolderHit | 'silent' | null> => {
  const [first] = FILES
  if (first === undefined) return null
  let silent = false
  for (const way of OUT_OF_FOLDERS) {
    const ask = (timeout: number) => get(ctx, folder, way, first.path, timeout)
    const answer = (await ask(silences.wait(way))) ?? (silences.of(way) < MOST_AGAIN ? await ask(silences.again) : null)
    if (answer === null) silences.count(way)
    silent ||= answer === null || answer === 'broken'
    if (answer === null || (answer !== 'broken' && answer.exchange.status !== 200)) continue
    const sized = answer === 'broken' || answer.exchange.body.length < SHORTEST
    const hit = await proofOf(ctx, folder, way, sized ? [SIZED, SIZED] : FILES, sized ? SIZED.none : NO_FILE)
    if (hit) return sized ? { ...hit, flavour: `${hit.flavour}${BY_LENGTH}` } : hit
  }
  return silent ? 'silent' : null
}

/** Rounds in which the folder above has to show, with two names beside it that must not. */
const ROUNDS = 2

/**
 * Whether `/files../` is the folder above: an alias of nginx whose place has no slash behind it takes `..` for the next part of the path, and
 * one step up is all (https://nginx.org/en/docs/http/ngx_http_core_module.html#alias). From there the folder itself is led to by its name,
 * as servers lead to a folder that is asked for without its slash; a name that is nowhere, and a folder beside, are not. Null where it is none.
 */
const askAbove = async (ctx: CollectContext, folder: string): Promise<FolderHit | null> => {
  const { origin, pathname } = new URL(folder)
  const place = pathname.replace(/\/$/, '')
  const name = place.split('/').at(-1) ?? ''
  if (name === '') return null
  const ask = async (target: string): Promise<string | null> => {
    const exchange = await send(ctx, folder, target, PATIENCE.first)
    if (exchange === null || exchange === 'broken') return null
    const to = exchange.headers.find(([one]) => one.toLowerCase() === 'location')?.[1] ?? ''
    const leads = exchange.status === 301 && URL.parse(to, `${origin}${target}`)?.pathname === `${target}/`
    return leads ? `HTTP ${exchange.status}, Location: ${to}` : null
  }
  const files: FolderHit['files'][number][] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const target = `${place}../${name}`
    const excerpt = await ask(target)
    if (excerpt === null) return null
    const nowhere = `q${Math.random().toString(16).slice(2, 10)}`
    for (const beside of [`${place}../${nowhere}`, `${place}${nowhere}/${name}`])
      if ((await ask(beside)) !== null) return null
    files.push({ path: target, mark: 'HTTP 301', payload: target, excerpt, replay: replayOf(origin, target) })
  }
  return {
    kind: 'traversal',
    proof: 'file',
    flavour: 'the folder above, by its alias',
    files,
    folder,
    controlShows: false,
  }
}

/** Null where one of the files is not shown, or the same words stand in the folder's own page. */
const proofOf = async (
  ctx: CollectContext,
  folder: string,
  way: Way,
  landmarks: readonly Landmark[],
  none: string,
): Promise<FolderHit | null> => {
  const files: FolderHit['files'][number][] = []
  for (const { path, shows } of landmarks) {
    const answer = await get(ctx, folder, way, path)
    if (answer === null || answer === 'broken') return null
    const text = readable(bodyOf(answer.exchange))
    const mark = shows.exec(text)?.[0]
    if (mark === undefined) return null
    const [seen, excerpt] = [printable(mark), printable(around(text, mark, 120))]
    files.push({ path, mark: seen, payload: answer.target, excerpt, replay: answer.replay })
  }
  const control = await get(ctx, folder, way, none)
  const other = control === null || control === 'broken' ? '' : readable(bodyOf(control.exchange))
  return {
    ...{ kind: 'traversal', proof: 'file', flavour: way.flavour, files, folder },
    controlShows: landmarks.some(({ shows }) => shows.test(other)),
  }
}

/** A file of no known ending has any media type, or none. */
const bodyOf = ({ body }: HttpExchange): string => body.toString('latin1')

interface Answer {
  readonly exchange: HttpExchange
  readonly target: string
  readonly replay: string
}

/**
 * 'broken': more or less came than the answer said, as where a server tells the length of a file by what the system says of it: of files that
 * the kernel makes up it says none.
 */
const get = async (
  ctx: CollectContext,
  folder: string,
  way: Way,
  path: string,
  timeout = PATIENCE.first,
): Promise<Answer | 'broken' | null> => {
  const { origin, pathname } = new URL(folder)
  const target = way.target(pathname, path)
  const exchange = await send(ctx, folder, target, timeout)
  return exchange === null || exchange === 'broken' ? exchange : { exchange, target, replay: replayOf(origin, target) }
}

const replayOf = (origin: string, target: string): string =>
  `curl -isk --path-as-is ${shellQuoted(`${origin}${target}`)}`

const send = async (
  ctx: CollectContext,
  folder: string,
  target: string,
  timeout: number,
): Promise<HttpExchange | 'broken' | null> => {
  try {
    return await ctx.egress.http({ url: folder, target, maxBody: MAX_BODY, timeout })
  } catch (error) {
    const failure = targetFailure(error)
    if (failure === null) throw error
    return failure.code === 'protocol' ? 'broken' : null
  }
}

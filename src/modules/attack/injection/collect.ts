/** One class after the other at every place; the first that is proven is the last that is tried there. */

import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { isHandedOut } from '../insertion-points/documents.ts'
import { Unreachable } from '../insertion-points/ends.ts'
import { grows } from '../insertion-points/groups.ts'
import { isWorked } from '../insertion-points/inventory.ts'
import { identical, moves, noiseOf } from '../insertion-points/likeness.ts'
import { givesWay } from '../insertion-points/order.ts'
import type { Part, Plan } from '../insertion-points/plan.ts'
import { Blocked, type Probe, type Reply } from '../insertion-points/prober.ts'
import { keyOf } from '../insertion-points/reached.ts'
import { probeAll } from '../insertion-points/run.ts'
import { byAnySign } from '../insertion-points/screening.ts'
import { formatOf } from '../insertion-points/serialized.ts'
import { firstOf } from '../insertion-points/techniques.ts'
import { BESIDE_SCRIPTS, overWithin, secondsForPlaces } from '../insertion-points/times.ts'
import type { WafFacts } from '../waf/facts.ts'
import type { InjectionFacts, InjectionHit, InjectionKind } from './facts.ts'
import { holdsObjects } from './objects.ts'
import { type Asked, inOrder, soonest, type Way } from './order.ts'
import { EVALUATED } from './payloads.ts'
import { askObjects, askThrough, objectWays, operatorNamesAsked, soonestWays } from './probes/answers.ts'
import { askArchives } from './probes/archives.ts'
import { codeWays, commandWays, isWindows, sameWays, soonestCommandWays, waitWays } from './probes/arithmetic.ts'
import { listWaitWays } from './probes/as-list.ts'
import { builtWays } from './probes/built.ts'
import { existingWays } from './probes/existing.ts'
import { FIRST_PATHS, learnPaths, namedPathWays, pathWays, speaksOfFiles } from './probes/files.ts'
import { askAliases, askFolders } from './probes/folders.ts'
import { createFollow } from './probes/followed.ts'
import { askFormulas } from './probes/formulas.ts'
import { askFormHosts, askHosts } from './probes/hosts.ts'
import { askTemplatesLater } from './probes/later.ts'
import { askNullBytes } from './probes/null-byte.ts'
import { openedFileWays } from './probes/opened.ts'
import { createOutside, type Outside, promisesAddress, speaksOfAddresses } from './probes/outside.ts'
import { createOwnAddresses, type OwnAddresses } from './probes/own-addresses.ts'
import { askOwnSignIn } from './probes/own-sign-in.ts'
import { resourceWays } from './probes/resources.ts'
import { learnPages } from './probes/shown-elsewhere.ts'
import { type Sources, sourcesOf, sourceWays } from './probes/sources.ts'
import { templateWays } from './probes/templates.ts'
import { askUploads, kindTaken } from './probes/upload.ts'
import { askUploadNames } from './probes/upload-names.ts'

export interface InjectionKnown {
  readonly crawl: CrawlFacts
  /** Absent where it came to no end: what refuses probes is not told then by its page. */
  readonly waf?: Pick<WafFacts, 'blockPage'> | undefined
}

/** `patience`: milliseconds for calls from the target to come. */
export const collect = async (
  ctx: CollectContext,
  { crawl, waf }: InjectionKnown,
  patience?: number,
): Promise<InjectionFacts> => {
  const outside = createOutside(ctx.outOfBand, patience)
  const sources = sourcesOf(ctx, crawl)
  const own = createOwnAddresses(ctx, crawl)
  const shownOn = (probe: Probe, usual: Reply) => learnPages(ctx, crawl, probe, usual)
  const aside: Aside = {}
  /** Places at which a template was found. */
  const templated = new Set<string>()
  const named: Awaited<ReturnType<typeof askHosts>>[number][] = []
  const plan: Plan<InjectionHit> = {
    what: 'Injection',
    wants: isWorked,
    kindOf: ({ kind }) => kind,
    inParts: 'all',
    interprets: true,
    promising: byAnySign,
    probe: (probe, found, part) => {
      const told = (hit: InjectionHit): void => {
        if (hit.kind === 'template') templated.add(keyOf(probe.point))
        found(hit)
      }
      return probePoint(probe, told, outside, sources, own, shownOn, part)
    },
    last: {
      ways: ctx.outOfBand ? BY_CALLS : BY_WAITS,
      unless: (hits) => hits.some(({ kind }) => kind !== 'serialized'),
      probe: (probe, found) => probeLast(probe, found, outside),
    },
    groups: true,
    compares: true,
    after: LATER - BESIDE_SCRIPTS,
    brief: askObjects,
    soFar: (facts) => ({ ...facts, listened: ctx.outOfBand !== undefined, ...aside }),
    named: async (probe, found) => {
      const hit = isHandedOut(probe.point.value) ? await firstOf<InjectionHit>(namedPathWays(probe)) : null
      if (hit) found(hit)
    },
    again: askAgain,
    beforehand: async (at, points) => {
      outside.followBy(createFollow(points, at))
      const until = performance.now() + secondsForPlaces(ctx, LATER) * OF_PLACES * 1_000
      // A run of one place may be about that.
      const isOver = (): boolean => ctx.options.hypothesis === undefined && performance.now() > until
      // What has no turn is said not to have been asked.
      const put = async <Part extends AsidePart>(part: Part, ask: () => Promise<NonNullable<Aside[Part]>>) => {
        if (!isOver()) aside[part] = await ask()
      }
      const aliases = ctx.options.hypothesis === undefined ? await askAliases(ctx, crawl) : []
      ctx.progress('files that are uploaded', 0)
      await put('uploads', () => askUploads(ctx, crawl, points, at, isOver))
      await put('archives', () => askArchives(ctx, points, at, isOver))
      await put('uploadNames', () => askUploadNames(ctx, points, at, (point) => kindTaken(ctx, point), isOver))
      // A run of one place is of no folder, and of no table.
      if (ctx.options.hypothesis === undefined) {
        await put('formulas', () => askFormulas(ctx, crawl, points, at, isOver))
        // A few requests where any, and a folder takes ten.
        await put('nullBytes', () => askNullBytes(ctx, crawl, isOver))
        ctx.progress('folders that files are handed out of', 0)
        // Always: what has no turn is counted, and a check that knows nothing of folders would pass without them.
        aside.folders = await askFolders(ctx, crawl, undefined, isOver, aliases)
      }
      ctx.progress('hosts that a header beside forms names', 0)
      named.push(...(await askFormHosts(points, at, isOver, ctx.target.environment !== 'test')))
    },
    afterwards: async (at, points) => {
      const tell = (detail: string): void => ctx.progress(detail, 0.99)
      const called = await outside.settle(at, tell)
      tell('templates that other pages show')
      const shown = await askTemplatesLater(
        ctx,
        crawl,
        points.filter((point) => !templated.has(keyOf(point))),
        at,
        overWithin(ctx, LATER),
      )
      tell('hosts that headers name')
      tell('the sign-in of the run')
      const signed = await askOwnSignIn(ctx, points)
      const hosts = named.length > 0 ? named : await askHosts(points, at, overWithin(ctx, LATER))
      return [...called, ...shown, ...signed, ...hosts]
    },
  }
  const facts = await probeAll(ctx, crawl, plan, waf?.blockPage ?? null)
  return { ...facts, listened: ctx.outOfBand !== undefined, ...aside }
}

/** Of the time for places, so much at most for what precedes them: of a slow target each file that is uploaded takes seconds. */
const OF_PLACES = 0.2
/** Seconds, times the run's factor, for what is stored and shown elsewhere, and for what headers name. */
const LATER = 60

/** What is asked beside the places. */
type AsidePart = 'uploads' | 'archives' | 'uploadNames' | 'folders' | 'nullBytes' | 'formulas'
type Aside = { -readonly [Part in AsidePart]?: InjectionFacts[Part] }

/** So many of the ways to files find most that there are. */
const LIKELY_FILES = 4

/** What only a wait or a call may show. */
const BY_WAITS: readonly InjectionKind[] = ['command']
const BY_CALLS: readonly InjectionKind[] = [...BY_WAITS, 'code', 'xxe', 'ssrf', 'inclusion', 'deserialization']

export const probePoint = async (
  probe: Probe,
  found: (hit: InjectionHit) => void,
  outside: Outside,
  sources: Sources,
  own: OwnAddresses = { ways: () => [] },
  shownOn: (probe: Probe, usual: Reply) => Promise<boolean> = async () => false,
  part: Part = 'whole',
): Promise<void> => {
  const { value } = probe.point
  const baseline = await probe.baseline()
  const [usual, again] = baseline
  if (usual.status === 0 || again.status === 0) throw new Unreachable('the page did not answer')
  for (const one of probe.point.members?.map((member) => member.value) ?? [value]) {
    const format = formatOf(one)
    if (format !== null && part !== 'rest')
      found({ kind: 'serialized', proof: 'marker', format, beginning: one.slice(0, 12) })
  }
  if (!(await learnPaths(probe))) probe.leave('traversal', 'that may write files, asked for none')
  const control = await probe.control()
  const isScarce = probe.request.bound !== undefined
  const changes = !grows(probe.request, baseline) && moves(control, baseline, [value])
  // On its own page, or on another.
  const repeated = repeats(control) || (await shownOn(probe, control))
  const shows = changes || repeated
  const paths = pathWays(probe, sources.site)
  const addresses = outside.addresses(probe)
  const speaks = promisesAddress(probe)
  const fetched = speaksOfAddresses(probe) ? own.ways(probe) : []
  const early = speaks ? addresses.slice(0, 1) : []
  let isAsked = false
  const promised = [
    ...early.map((way) => () => {
      isAsked = true
      return way()
    }),
    ...fetched,
  ]
  const files = speaksOfFiles(probe, sources.site)
  const fileWays = [
    ...paths.slice(0, FIRST_PATHS),
    ...(isScarce ? [] : promised),
    ...sourceWays(probe, usual, sources),
    ...paths.slice(FIRST_PATHS),
    ...resourceWays(probe, usual, sources.site),
    ...existingWays(probe, changes, sources.site).map((way) => () => askThrough(probe, way)),
  ]
  const asked: Asked = {
    code: codeWays(probe, 'anywhere'),
    within: [
      ...((await seemsCode(probe, control)) ? codeWays(probe, 'within') : []),
      ...((await namesCode(probe, usual)) ? codeWays(probe, 'closed') : []),
    ],
    moreCode: async () =>
      shows ? codeWays(probe, 'shown', ...((await breaks(probe)) ? (['text'] as const) : [])) : [],
    templates: templateWays(probe, repeated),
    commands: commandWays(probe, { windows: isWindows(usual), files }),
    waits: shows ? waitWays(probe) : [],
    spellings: speaks ? addresses.slice(1) : [],
    documents: outside.documents(probe),
    silent: shows || isScarce || givesWay(probe.point) ? [] : waitWays(probe),
    unseen: shows ? [] : [...outside.commands(probe), ...waitWays(probe)],
    calls: [...(speaks ? [] : addresses), ...outside.ways(probe, ...(shows ? [] : (['commands'] as const)))],
    operators: [...(changes ? soonestWays(probe) : []), ...operatorNamesAsked(probe)],
    objects: [
      ...builtWays(probe),
      ...objectWays(probe),
      ...((probe.point.members ?? [probe.point]).some(holdsObjects) ? outside.objects(probe) : []),
    ],
    built: [...builtWays(probe), ...objectWays(probe)],
    files: fileWays,
    opened: openedFileWays(probe),
    likelyFiles: files ? LIKELY_FILES : 0,
    promised,
  }
  const ways = isScarce ? soonest(probe, asked, repeated, part) : await inOrder(probe, asked, part)
  const hit = await firstOf<InjectionHit>(ways)
  if (hit) found(hit)
  // An error tells that a name leads out, and a file that is shown tells that it is read: what few may be sent to was asked for none before.
  const read = hit?.proof === 'opened' && isScarce ? await firstOf<InjectionHit>(fileWays.slice(0, LIKELY_FILES)) : null
  if (read) found(read)
  // What opens a file of any name may open an address, too, and run what it gets; and a command may list or print it.
  const more =
    hit?.kind === 'traversal' ? await firstOf<InjectionHit>([...fetched, ...addresses.slice(isAsked ? 1 : 0)]) : null
  if (more) found(more)
  const run = hit?.kind === 'traversal' && !isScarce ? await firstOf<InjectionHit>(asked.commands) : null
  if (run) found(run)
}

/** By what computes or waits, in the way that several places as one were seen to: of all of them few requests are left to tell which it was. */
export const askAgain = async (
  probe: Probe,
  shown: InjectionHit,
  found: (hit: InjectionHit) => void,
): Promise<void> => {
  if (shown.proof === 'waited' && shown.kind === 'command') {
    const waited = await firstOf<InjectionHit>(waitWays(probe, shown.flavour))
    if (waited) found(waited)
  }
  // Of several places as one it tells which it is, and the others stay together.
  if (shown.kind === 'serialized' && formatOf(probe.point.value) === shown.format) found(shown)
  if (shown.proof !== 'computed') return
  const { kind } = shown
  const same = sameWays(probe, shown)
  const ways: Partial<Record<InjectionKind, readonly Way[]>> = {
    command: [...soonestCommandWays(probe), ...commandWays(probe, { windows: false, files: false })],
    code: codeWays(probe, 'anywhere', 'within', 'shown', 'text'),
    template: templateWays(probe, true),
  }
  const hit = await firstOf<InjectionHit>(same.length > 0 ? same : (ways[kind] ?? []))
  if (hit) found(hit)
}

/** Once all places were asked by all else: nearly all of these wait for nothing and call nobody. */
const probeLast = async (probe: Probe, found: (hit: InjectionHit) => void, outside: Outside): Promise<void> => {
  // Where few may be sent, they went with the rest.
  const isScarce = probe.request.bound !== undefined
  const ways = isScarce ? [] : [...waitWays(probe), ...callWays(probe, outside), ...(await listWaitWays(probe))]
  const hit = await firstOf<InjectionHit>(ways)
  if (hit) found(hit)
}

const callWays = (probe: Probe, outside: Outside): readonly Way[] => [
  ...outside.addresses(probe).slice(promisesAddress(probe) ? 1 : 0),
  ...outside.documents(probe),
  ...outside.ways(probe),
]

/** The server fails on what no language survives, and not on a word; or on words, and not on a number. */
const seemsCode = async (probe: Probe, control: Reply): Promise<boolean> => {
  if (probe.point.members) return false
  const fails = ({ status }: Reply): boolean => status >= 500
  try {
    return fails(control) ? !fails(await probe.send('1')) : fails(await probe.broken())
  } catch (error) {
    if (error instanceof Blocked) return false // What code is made of is refused, too.
    throw error
  }
}

/** The page shows an error of code that was evaluated, and by quotes alone. */
const namesCode = async (probe: Probe, usual: Reply): Promise<boolean> => {
  if (probe.point.members || EVALUATED.test(usual.text)) return false
  try {
    return EVALUATED.test((await probe.broken()).text)
  } catch (error) {
    if (error instanceof Blocked) return false // What code is made of is refused, too.
    throw error
  }
}

/**
 * Quotes leave the page neither as it is nor as a meaningless value does. Where they do, the value stands in no literal of a
 * language: none survives a quote of either kind.
 */
const breaks = async (probe: Probe): Promise<boolean> => {
  try {
    const [broken, baseline] = [await probe.broken(), await probe.baseline()]
    const is = (other: Reply): boolean => identical(broken, other, noiseOf(baseline))
    return !is(await probe.control()) && !is(baseline[0]) && !is(await probe.word())
  } catch (error) {
    if (error instanceof Blocked) return true // Unknown; the ways themselves may pass.
    throw error
  }
}

/** The end of what was sent stands in the answer, in whatever letters. */
const repeats = ({ value, echoes, text }: Reply): boolean => {
  const said = text.toLowerCase()
  return (echoes ?? [value]).some((echo) => said.includes(echo.slice(-5).toLowerCase()))
}

/** Asks a page which ways into the prototype of its objects are open, and which sinks what stands there reaches. */
import type { Asked } from './asking.ts'
import {
  MEMBERS_AT_ONCE,
  memberOf,
  membersIn,
  pollutedBy,
  READS,
  readsOf,
  SAYS,
  signsIn,
  triesOf,
  type Way,
  waysBySigns,
  waysInto,
} from './pollution.ts'
import { type Lead, leadsOf } from './prove.ts'
import { plain, wordsOf } from './sources.ts'
import type { Watcher } from './watching.ts'

/** Visits in which members are filled, some at once and then by themselves. */
const MOST_VISITS = 10
const MOST_ALONE = 30
/** Visits in which members are watched. */
const MOST_PARTS = 32
/** Members whose watching breaks pages: pages of one application have them from one library. */
const BREAKING = new WeakMap<Watcher, Set<string>>()
/** Characters of scripts that are read for names. */
const LONGEST_CODE = 3_000_000
/** Code that sets members whose names it does not know. */
const SETS =
  /\[\s*[a-z_$][\w$.]*(?:\[[\w$.+\- ]{1,40}\]|\([^()\n]{0,40}\)){0,2}\s*\]\s*(?:[|&?]{2})?=[^=]|\b(?:deparam|deepmerge|defaultsDeep)\b|\b(?:extend|merge)\s*\(/i

/** `unused` hears of a page whose prototypes an address fills, where nothing was seen to use it, and whether there was more to ask than was. */
export const askPollution = async (
  { url, watched, watcher, isNew }: Pick<Asked, 'url' | 'watched' | 'watcher' | 'isNew'>,
  names: readonly string[],
  unused: (left: boolean) => void,
): Promise<readonly Lead[]> => {
  const { code, files } = watched.notes
  if (!files && !SETS.test(code)) return []
  // What an application does at its start is asked of one view; what others do by themselves they have shown when they were led to it.
  const isStarted = watched.frame !== null && !isNew(watched.frame.application)
  if (isStarted && watched.polluted.length === 0) return []
  const known = await openWay(url, waysInto(names), { watcher, isNew }, files)
  const signs = known.way ? [] : signsIn([code, ...known.scripts].join('\n').slice(0, LONGEST_CODE))
  const way = known.way ?? (await openWay(url, waysBySigns(signs), { watcher, isNew }, false)).way
  if (way === undefined) return []
  const { leads, left } = await fill(url, way, watcher)
  if (leads.length === 0) unused(left)
  return leads
}

/** The first of these that fills the page's prototypes, and the files of scripts that it loads, where they are asked for. */
const openWay = async (
  url: string,
  ways: readonly Way[],
  { watcher, isNew }: Pick<Asked, 'watcher' | 'isNew'>,
  scripts: boolean,
): Promise<{ readonly way: Way | undefined; readonly scripts: readonly string[] }> => {
  let loaded: readonly string[] = []
  // The start of an application behind routes is the same address for all of them.
  for (const tried of triesOf(url, ways).filter(isNew)) {
    const { notes, scripts: read } = await watcher.watch(plain(tried), [], { scripts: scripts && loaded.length === 0 })
    if (read.length > 0) loaded = read
    const way = ways.find((_, index) => notes.polluted.includes(memberOf(index)))
    if (way !== undefined) return { way, scripts: loaded }
  }
  return { way: undefined, scripts: loaded }
}

interface Members {
  /** That the page asks for. */
  readonly asked: readonly string[]
  /** Some were not watched: there were too many that break the page. */
  readonly left: boolean
}

/**
 * Which of these members a page asks for. Where it says far less than it does by itself, watching one of them broke it, as some code asks whether an object
 * has a member and takes it then: all but that one are watched in parts. `breaking`: those that are known to, of pages before and this one.
 */
export const askedIn = async (
  members: readonly string[],
  says: number,
  watch: (members: readonly string[]) => Promise<unknown>,
  breaking = new Set<string>(),
): Promise<Members> => {
  const asked = new Set<string>()
  const parts = [members.filter((one) => !breaking.has(one))]
  for (let visit = 0; visit < MOST_PARTS; visit += 1) {
    const part = parts.shift()
    if (part === undefined) break
    const seen = await watch(part)
    const { reads, says: left } = isSeen(seen) ? seen : { reads: [], says: 0 }
    for (const one of reads) if (typeof one === 'string') asked.add(one)
    if (left * 2 >= says) continue
    const [only, ...more] = part
    if (only !== undefined && more.length === 0) breaking.add(only)
    if (more.length === 0) continue
    const half = Math.ceil(part.length / 2)
    parts.push(part.slice(0, half), part.slice(half))
  }
  return { asked: [...asked], left: parts.length > 0 }
}

const isSeen = (value: unknown): value is { readonly reads: readonly unknown[]; readonly says: number } =>
  typeof value === 'object' && value !== null && 'reads' in value && Array.isArray(value.reads) && 'says' in value

interface Filled {
  readonly leads: readonly Lead[]
  /** Members were left that nobody watched or filled. */
  readonly left: boolean
}

const fill = async (url: string, way: Way, watcher: Watcher): Promise<Filled> => {
  const polluted = plain(way.address(url, [[memberOf(0), '1']]))
  const { notes, scripts, read: says } = await watcher.watch(polluted, [], { scripts: true, read: SAYS })
  // The site's own before what it takes from libraries.
  const files = scripts.toSorted((a, b) => a.length - b.length)
  const members = membersIn([notes.code, ...files].join('\n').slice(0, LONGEST_CODE))
  const watch = (some: readonly string[]) =>
    watcher.watch(polluted, [], { before: readsOf(some), read: READS }).then(({ read }) => read)
  const known = BREAKING.get(watcher) ?? new Set()
  BREAKING.set(watcher, known)
  const { asked, left } = await askedIn(members, Number(says), watch, known)
  const visits = Array.from({ length: MOST_VISITS }, (_, visit) => visit * MEMBERS_AT_ONCE)
  const some = visits.map((at) => asked.slice(at, at + MEMBERS_AT_ONCE))
  // One that stops the page keeps those beside it from showing.
  const alone = asked.slice(0, MOST_ALONE).map((one) => [one])
  for (const filling of [...some, ...alone].filter(({ length }) => length > 0)) {
    const { url: filled, sources } = pollutedBy(url, way, filling, watcher.word)
    const leads = leadsOf(sources, await watcher.watch(plain(filled), wordsOf(sources))).filter(
      // What the page does with the address as a whole is no pollution.
      ({ source, reached }) => reached.value.includes(source.word) && !/__proto__|prototype/.test(reached.value),
    )
    if (leads.length > 0) return { leads, left: false }
  }
  return { leads: [], left: left || asked.length > MOST_VISITS * MEMBERS_AT_ONCE }
}

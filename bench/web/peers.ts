/** The same addresses given to wapiti and sqlmap, and the ratios. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type Entry, planSites } from '../../testbed/web/site/plan.ts'
import { type BenchRow, row } from '../table.ts'
import { keepPages, keptPages, type PeerPage, scoresOfKept } from './kept.ts'
import { type Asked, type SiteScore, scanSite } from './ours.ts'
import { missedOf, recallOf, requestsOf, type Scores, scoresOf, sumOf } from './scores.ts'
import { sqlmap } from './sqlmap.ts'
import { wapiti } from './wapiti.ts'

export interface Peer {
  readonly name: string
  readonly path: string
  readonly hint: string
  /** Pages that it is given in one go. */
  readonly atOnce: number
  /** Pages with a place that it can be pointed at. */
  readonly reaches: (one: Entry) => boolean
  /** Pages with a flaw that it looks for. */
  readonly looksFor: (one: Entry) => boolean
  readonly scan: (entries: readonly Entry[], asked: Asked) => Promise<readonly PeerPage[]>
}

export const PEERS = { wapiti, sqlmap } as const

/** Asks the peer about pages that it has not been asked about yet, at most so many; false where it is not installed. */
export const askPeer = async (
  peer: Peer,
  entries: readonly Entry[],
  asked: Asked,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> => {
  if (!existsSync(peer.path)) return false
  const kept = new Set(keptPages(peer.name).map(({ id }) => id))
  const left = entries
    .filter((one) => peer.reaches(one) && !kept.has(one.case.id))
    .toSorted((a, b) => mixed(a).localeCompare(mixed(b)))
    .slice(0, most)
  for (let at = 0; at < left.length; at += peer.atOnce) {
    const pages = await peer.scan(left.slice(at, at + peer.atOnce), asked)
    keepPages(peer.name, pages)
    const requests = pages.reduce((sum, page) => sum + page.requests.careless + page.requests.careful, 0)
    process.stdout.write(`${peer.name}: ${at + pages.length} of ${left.length} pages, ${requests} requests\n`)
  }
  return true
}

/** Some of them are like all of them: the order has nothing to do with what a page is. */
const mixed = ({ case: { id } }: Entry): string => createHash('sha256').update(id).digest('hex')

export const comparePeer = async (
  peer: Peer,
  chosen: readonly Entry[],
  asked: Asked,
  sites: readonly SiteScore[],
): Promise<readonly BenchRow[]> => {
  const reached = chosen.filter(peer.reaches)
  const kept = existsSync(peer.path) ? keptPages(peer.name) : null
  const cases = kept === null ? reached : reached.filter((one) => kept.some((page) => page.id === one.case.id))
  const theirs = kept && scoresOfKept(cases, kept)
  // Against a tool for SQL alone, our module for SQL alone.
  const ours = scoresOf(peer === sqlmap ? await scanForSql(cases, asked) : sites)
  if (theirs) tell(peer.name, cases, theirs)
  const cut = kept?.filter((page) => page.cut && cases.some((one) => one.case.id === page.id)).length ?? 0
  const told = cut > 0 ? `, ${cut} of them cut short` : ''
  const same = cases.filter(peer.looksFor)
  const beyond = theirs ? [...theirs.found.keys()].filter((id) => !ours.found.has(id)) : []
  return [
    ...rowsOf(peer, `${cases.length} of the ${reached.length} pages that it can be given${told}`, cases, ours, theirs),
    ...(same.length < cases.length
      ? rowsOf(peer, `${same.length} pages whose flaw it looks for`, same, ours, theirs, '-same')
      : []),
    row({
      id: `${peer.name}-time`,
      what: 'time; theirs added up over batches',
      unit: 's',
      ours: ours.ms / 1_000,
      peer: { name: peer.name, value: theirs && theirs.ms / 1_000, hint: peer.hint },
      target: { text: 'less', met: (_ours, ratio) => ratio !== null && ratio < 1 },
    }),
    row({
      id: `${peer.name}-beyond`,
      what: `found by it and not by us: ${beyond.join(', ') || 'none'}`,
      unit: 'pages',
      ours: beyond.length,
      target: { text: '0', met: (value) => value === 0 },
    }),
  ]
}

const scanForSql = async (cases: readonly Entry[], asked: Asked): Promise<readonly SiteScore[]> => {
  const scores: SiteScore[] = []
  for (const site of planSites(cases, Number.POSITIVE_INFINITY))
    scores.push(await scanSite(site, { ...asked, modules: ['crawl', 'sqli'] }))
  return scores
}

const rowsOf = (
  { name, hint }: Peer,
  what: string,
  cases: readonly Entry[],
  ours: Scores,
  theirs: Scores | null,
  suffix = '',
): readonly BenchRow[] => {
  const compare = (of: (scores: Scores) => number) => ({
    ours: of(ours),
    peer: { name, value: theirs && of(theirs), ...(theirs ? {} : { hint }) },
  })
  const wrongOn = ({ wrong }: Scores): number =>
    wrong.filter((text) => cases.some((one) => text.includes(`/${one.case.id}:`))).length
  return [
    row({
      id: `${name}-recall${suffix}`,
      what,
      unit: 'share',
      ...compare((scores) => recallOf(cases, scores)),
      target: { text: 'at least its own', met: (_ours, ratio) => ratio === null || ratio >= 1 },
    }),
    row({ id: `${name}-alarms${suffix}`, what: 'wrong findings', unit: 'findings', ...compare(wrongOn) }),
    row({
      id: `${name}-requests${suffix}`,
      what: name === 'sqlmap' ? 'requests, ours for SQL alone' : 'requests, ours for all classes that we know',
      unit: 'requests',
      ...compare((scores) => sumOf(requestsOf(cases, scores))),
      target: { text: 'a tenth', met: (_ours, ratio) => ratio !== null && ratio <= 0.1 },
    }),
  ]
}

const tell = (name: string, cases: readonly Entry[], scores: Scores): void => {
  const lines = [
    ...missedOf(cases, scores).map((id) => `${name} missed ${id}`),
    ...scores.wrong.map((one) => `${name} alarm ${one}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

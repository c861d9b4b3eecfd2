/**
 * What a run costs: processor seconds of all processes of the product, memory, and how soon it shows something, by kind, on small sites of
 * loopback; beside two programs that look at a site for part of the same things. `node bench/run.ts [sites [folder of the peers]]`
 *
 * On a machine that does other things as well, processor seconds hold, and times do not: its load stands beside.
 */
import { loadavg } from 'node:os'
import { sleep } from '../src/contract/sleep.ts'
import { type PeerCost, peerCosts } from './run/peers.ts'
import { type BenchService, type RunAsked, startBenchService, type Timed } from './run/service.ts'
import { type SmallSites, startSmallSites } from './run/sites.ts'
import { shareOf } from './run/usage.ts'
import { type BenchRow, type Measurement, percentile, publish, row } from './table.ts'

const COUNT = Number(process.argv[2] ?? 40)
const PEERS = process.argv[3] ?? null
const MB = 1e6
/** Milliseconds: a service that does nothing has ended what it began with; and a child that waited has gone. */
const QUIET = 5_000
const SPARE_GONE = 150_000
/** Runs one after the other, for how soon they begin. */
const ALONE = Math.min(12, COUNT)

interface Kind {
  readonly id: string
  readonly what: string
  readonly asked: RunAsked
  /** Of the sites, how many: what takes minutes is asked of few. */
  readonly sites: number
  /** Processor seconds to reach. */
  readonly target: number | null
}

const PASSIVE = { active: false, privacy: false, make_pdf: false } satisfies RunAsked
const KINDS: readonly Kind[] = [
  { id: 'passive', what: 'passive, no browser', asked: PASSIVE, sites: COUNT, target: 0.5 },
  { id: 'survey', what: 'survey', asked: { ...PASSIVE, survey: true }, sites: COUNT, target: null },
  {
    ...{ id: 'browser', what: 'passive, privacy in a browser, PDF', sites: Math.ceil(COUNT / 5), target: 1.5 },
    asked: { active: false, privacy: true, make_pdf: true },
  },
  {
    ...{ id: 'active', what: 'active, no browser of the privacy check', sites: Math.ceil(COUNT / 20), target: null },
    asked: { active: true, privacy: false, make_pdf: false },
  },
]

const median = (values: readonly (number | null)[]): number =>
  percentile(
    values.filter((value) => value !== null),
    0.5,
  )

const kindRows = async (service: BenchService, kind: Kind, peer: PeerCost | undefined): Promise<BenchRow[]> => {
  const { usage } = service
  const before = usage.seconds()
  const peak = usage.peak()
  const began = performance.now()
  const runs = await Promise.all(Array.from({ length: kind.sites }, (_, site) => service.run(site, kind.asked)))
  const wall = (performance.now() - began) / 1_000
  const most = peak.stop()
  const done = runs.filter(({ status }) => status === 'done').length
  if (done < runs.length) process.stdout.write(`${kind.id}: ${runs.length - done} runs did not end as done\n`)
  const seconds = (usage.seconds() - before) / runs.length
  const { target } = kind
  return [
    row({
      id: `${kind.id}-processor`,
      what: `${kind.what}, on ${kind.sites} sites: one run`,
      unit: 'CPU s',
      ours: seconds,
      ...peerOf(peer, (costs) => median(costs.map(({ processor }) => processor))),
      ...(target === null ? {} : { target: { text: `<= ${target}`, met: (ours: number) => ours <= target } }),
    }),
    row({
      id: `${kind.id}-rate`,
      what: 'as many at once as the service takes',
      unit: 'runs/s',
      ours: done / wall,
      ...(kind.id === 'passive' ? { target: { text: '>= 3 on two cores', met: (ours: number) => ours >= 3 } } : {}),
    }),
    row({
      id: `${kind.id}-memory`,
      what: 'all processes at their highest',
      unit: 'MB',
      ours: most / MB,
      ...peerOf(peer, (costs) => Math.max(...costs.map(({ peak: bytes }) => bytes)) / MB),
    }),
  ]
}

const peerOf = (peer: PeerCost | undefined, value: (costs: PeerCost['sites']) => number): Pick<Measurement, 'peer'> =>
  peer === undefined
    ? {}
    : { peer: { name: peer.name, value: peer.sites.length === 0 ? null : value(peer.sites), hint: peer.hint } }

/** One after the other, each but the first when a started child waits for it. */
const aloneRows = async (service: BenchService): Promise<BenchRow[]> => {
  const { usage } = service
  const runs: (Timed & { readonly waited: boolean })[] = []
  const children: number[] = []
  for (let site = 0; site < ALONE; site += 1) {
    const waited = site > 0 && (await untilProcesses(service, 2, QUIET))
    // It has loaded what it needs.
    if (waited) await sleep(2_000)
    if (waited) children.push(...usage.processes().slice(1).map(shareOf))
    runs.push({ ...(await service.run(site, PASSIVE)), waited })
  }
  const firstRequests = (waited: boolean) =>
    median(runs.filter((run) => run.waited === waited).map((run) => run.firstRequest))
  return [
    row({
      id: 'first-request',
      what: `from lease to first request, a child waiting, ${runs.filter(({ waited }) => waited).length} runs`,
      unit: 'ms',
      ours: firstRequests(true),
      target: { text: '< 100', met: (ours) => ours < 100 },
    }),
    row({ id: 'first-request-fresh', what: 'the same, the first run', unit: 'ms', ours: firstRequests(false) }),
    row({
      id: 'first-finding',
      what: 'from start to first finding, one run after the other',
      unit: 's',
      ours: median(runs.map(({ firstFinding }) => firstFinding)),
      target: { text: '< 2', met: (ours) => ours < 2 },
    }),
    row({ id: 'whole', what: 'from start to done, the same', unit: 's', ours: median(runs.map(({ whole }) => whole)) }),
    row({
      id: 'child-memory',
      what: 'a child that has its run before it',
      unit: 'MB',
      ours: median(children) / MB,
      target: { text: '<= 120', met: (ours) => ours <= 120 },
    }),
  ]
}

/** Whether there are so many processes of the product before the milliseconds are over. */
const untilProcesses = async ({ usage }: BenchService, count: number, milliseconds: number): Promise<boolean> => {
  const until = performance.now() + milliseconds
  while (performance.now() < until) {
    if (usage.processes().length === count) return true
    await sleep(250)
  }
  return false
}

const startRows = async ({ started, usage }: BenchService, first: BenchService['started']): Promise<BenchRow[]> => {
  await sleep(QUIET)
  return [
    row({ id: 'start', what: 'first start of a data folder until ready, wall clock', unit: 's', ours: first.seconds }),
    row({ id: 'start-again', what: 'a further first start, its code compiled', unit: 's', ours: started.seconds }),
    row({ id: 'start-processor', what: 'the same', unit: 'CPU s', ours: started.processor }),
    row({
      id: 'start-memory',
      what: 'embedded, before its first run',
      unit: 'MB',
      ours: usage.memory() / MB,
      target: { text: '<= 500', met: (ours) => ours <= 500 },
    }),
  ]
}

const idleRow = async (service: BenchService): Promise<BenchRow> => {
  const alone = await untilProcesses(service, 1, SPARE_GONE)
  return row({
    id: 'idle-memory',
    what: `embedded, after all runs${alone ? '' : ', with a child that waits'}`,
    unit: 'MB',
    ours: service.usage.memory() / MB,
    target: { text: '<= 300', met: (ours) => ours <= 300 },
  })
}

const measured = async (sites: SmallSites): Promise<BenchRow[]> => {
  const peers = PEERS === 'none' ? [] : await peerCosts(sites.sites.slice(0, Math.ceil(COUNT / 5)), PEERS)
  const peerFor: Readonly<Record<string, PeerCost | undefined>> = {
    passive: peers.find(({ name }) => name.includes('observatory')),
    browser: peers.find(({ name }) => name.includes('lighthouse')),
  }
  // The first start compiles code and builds what runs start.
  const warm = await startBenchService(sites)
  const first = warm.started
  await warm.run(0, PASSIVE)
  await warm.close()
  const service = await startBenchService(sites)
  try {
    const rows = [...(await startRows(service, first)), ...(await aloneRows(service))]
    for (const kind of KINDS) rows.push(...(await kindRows(service, kind, peerFor[kind.id])))
    return [...rows, await idleRow(service)]
  } finally {
    await service.close()
  }
}

const load = loadavg().map((value) => value.toFixed(1))
const sites = await startSmallSites('127.48.0', COUNT)
try {
  const rows = await measured(sites)
  const after = loadavg().map((value) => value.toFixed(1))
  publish('run', [
    ...rows,
    row({
      id: 'load',
      what: `load of the machine, ${load.join(' ')} before and ${after.join(' ')} after`,
      unit: '',
      ours: loadavg()[0] ?? 0,
    }),
  ])
} finally {
  await sites.close()
}

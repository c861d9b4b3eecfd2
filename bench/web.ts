/**
 * Every page of testbed/web and its careful twin: what is found, what is alarmed about, how many requests a place costs.
 * `node bench/web.ts [part of a case's id] [--most=N] [--load] [--jitter] [--wapiti] [--sqlmap] [--only=N] [--kept]`
 * `--most` takes N pages of each class, spread over it; `--load` keeps the CPU busy; `--jitter` delays answers by 50 to
 * 400 ms; `--wapiti` and `--sqlmap` run these on the same pages, which for all of them takes hours. So it can be done in
 * pieces: `--only=N` asks the peers about N pages more and nothing else; `--kept` compares with what they said of those.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { WEB_CASES } from '../testbed/web/cases.ts'
import { closeSurroundings, openSurroundings } from '../testbed/web/surroundings.ts'
import { type BenchRow, publish, row } from './table.ts'
import { forgetPages } from './web/kept.ts'
import { scanOurs } from './web/ours.ts'
import { askPeer, comparePeer, PEERS } from './web/peers.ts'
import { classOf, medianOf, missedOf, recallOf, requestsOf, sumOf } from './web/scores.ts'
import { startTarget } from './web/target.ts'

const flags = process.argv.slice(2).filter((one) => one.startsWith('--'))
const [part = ''] = process.argv.slice(2).filter((one) => !one.startsWith('--'))
const [load, jitter] = [flags.includes('--load'), flags.includes('--jitter')]
const peers = (['wapiti', 'sqlmap'] as const).filter((name) => flags.includes(`--${name}`))
const only = Number(flags.find((one) => one.startsWith('--only='))?.slice(7) ?? 0)
const kept = flags.includes('--kept')
const most = Number(flags.find((one) => one.startsWith('--most='))?.slice(7) ?? Number.POSITIVE_INFINITY)

/** The first so many of each class, spread over it. */
const chosen = WEB_CASES.filter(({ id }) => id.includes(part)).filter((one, _, all) => {
  const alike = all.filter((other) => classOf(other) === classOf(one))
  const step = Math.max(1, alike.length / most)
  return Math.floor(alike.indexOf(one) / step) !== Math.floor((alike.indexOf(one) - 1) / step)
})

const folder = await mkdtemp(join(tmpdir(), 'sonde-bench-web-'))
const around = await openSurroundings(folder)
const target = await startTarget(chosen, around, jitter)
const busy = load ? [0, 1].map(() => new Worker('for (;;) Math.sqrt(2)', { eval: true })) : []
const rows: BenchRow[] = []

/** Ours over all of them, and the peers beside it. */
const measure = async (): Promise<void> => {
  const ours = await scanOurs(chosen, target)
  for (const name of [...new Set(chosen.map(classOf))].toSorted()) {
    const of = chosen.filter((one) => classOf(one) === name)
    const requests = requestsOf(of, ours)
    rows.push(
      row({
        id: `recall ${name}`,
        what: `of ${of.length} pages; median ${medianOf(requests)} requests a place`,
        unit: 'share',
        ours: recallOf(of, ours),
      }),
    )
  }
  const requests = requestsOf(chosen, ours)
  rows.push(
    row({
      id: 'recall',
      what: `confirmed, of ${chosen.length} vulnerable pages`,
      unit: 'share',
      ours: recallOf(chosen, ours),
      target: { text: '>= 0.97', met: (value) => value >= 0.97 },
    }),
    row({
      id: 'alarms',
      what: `confirmed and wrong, on ${2 * chosen.length} pages`,
      unit: 'findings',
      ours: ours.wrong.length,
      target: { text: '0', met: (value) => value === 0 },
    }),
    row({
      id: 'median',
      what: 'requests for a place, all classes together',
      unit: 'requests',
      ours: medianOf(requests),
      target: { text: '<= 40', met: (value) => value <= 40 },
    }),
    row({ id: 'requests', what: 'requests in all', unit: 'requests', ours: sumOf(requests) }),
    row({ id: 'time', what: 'sqli, injection and xss at once', unit: 's', ours: ours.ms / 1_000 }),
  )
  for (const line of [
    ...missedOf(chosen, ours).map((id) => `missed ${id}`),
    ...ours.wrong.map((one) => `alarm ${one}`),
  ])
    process.stdout.write(`${line}\n`)
  for (const peer of peers) {
    if (!kept) {
      forgetPages(peer)
      await askPeer(PEERS[peer], chosen, target)
    }
    rows.push(...(await comparePeer(PEERS[peer], chosen, target, ours)))
  }
  publish(['web', ...(load ? ['load'] : []), ...(jitter ? ['jitter'] : []), ...peers].join('-'), rows)
}

try {
  if (only > 0) for (const peer of peers) await askPeer(PEERS[peer], chosen, target, only)
  else await measure()
} finally {
  for (const worker of busy) await worker.terminate()
  await target.close()
  await closeSurroundings(around)
  await rm(folder, { recursive: true, force: true })
}

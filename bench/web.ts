/**
 * Sites of every case of testbed/web (site/cases.ts) and its safe twin, at ordinary addresses behind links, forms, scripts and a
 * sign-in: scanned by the product as it is, through its crawl.
 * `node bench/web.ts [part of a case's id] [--most=N] [--size=N] [--pair=N] [--seconds=N] [--load] [--jitter] [--json=OUT]
 * [--wapiti] [--sqlmap] [--only=N] [--kept]`
 * `--most` takes N cases of each class, spread over it; `--size` is how many a site has (default 80) and `--pair` scans the Nth
 * pair of sites alone; `--seconds` ends each scan; `--load` keeps the CPU busy; `--jitter` delays answers by 50 to 400 ms; `--json`
 * writes a result for bench/beds/scores.ts, of which several make one table; `--wapiti` and `--sqlmap` run these on the same
 * addresses, which for all of them takes hours. So it can be done in pieces: `--only=N` asks the peers about N cases more and
 * nothing else; `--kept` compares with what they said of those.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { raiseLastWall } from '../src/engine/last-wall.ts'
import { SITE_CASES } from '../testbed/web/site/cases.ts'
import { planEntries, planSites } from '../testbed/web/site/plan.ts'
import { closeSurroundings, openSurroundings } from '../testbed/web/surroundings.ts'
import { publish } from './table.ts'
import { forgetPages } from './web/kept.ts'
import { type Asked, MODULES, type SiteScore, scanSite } from './web/ours.ts'
import { askPeer, comparePeer, PEERS } from './web/peers.ts'
import { drawLosses, rowsOf } from './web/scores.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: 'string', default: 'Infinity' },
    size: { type: 'string', default: '80' },
    pair: { type: 'string' },
    seconds: { type: 'string', default: '10800' },
    json: { type: 'string' },
    load: { type: 'boolean', default: false },
    jitter: { type: 'boolean', default: false },
    wapiti: { type: 'boolean', default: false },
    sqlmap: { type: 'boolean', default: false },
    only: { type: 'string', default: '0' },
    kept: { type: 'boolean', default: false },
  },
})
const [part = ''] = positionals
const [only, most] = [Number(values.only), Number(values.most)]
const peers = (['wapiti', 'sqlmap'] as const).filter((name) => values[name])

/** The first so many of each class, spread over it; each has its address whatever else is chosen. */
const chosen = planEntries(SITE_CASES)
  .filter((entry) => entry.case.id.includes(part))
  .filter((entry, _, all) => {
    const alike = all.filter((other) => other.case.class === entry.case.class)
    const step = Math.max(1, alike.length / most)
    return Math.floor(alike.indexOf(entry) / step) !== Math.floor((alike.indexOf(entry) - 1) / step)
  })
const pair = Number(values.pair ?? 0)
const sites = planSites(chosen, Number(values.size)).filter((_, at) => pair === 0 || Math.floor(at / 2) === pair - 1)

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const log = (line: string): void => void process.stderr.write(`${line}\n`)
raiseLastWall((name, error) => log(`stray error in ${name}: ${error instanceof Error ? error.stack : error}`))
const folder = await mkdtemp(join(tmpdir(), 'sonde-bench-web-'))
const around = await openSurroundings(folder)
const busy = values.load ? [0, 1].map(() => new Worker('for (;;) Math.sqrt(2)', { eval: true })) : []
const asked: Asked = { around, jitter: values.jitter, modules: MODULES, seconds: Number(values.seconds), log }

/** Ours over all of them, and the peers beside it. */
const measure = async (): Promise<void> => {
  const scores: SiteScore[] = []
  for (const site of sites) {
    const score = await scanSite(site, asked)
    process.stdout.write(`${drawLosses([score])}\n`)
    scores.push(score)
  }
  const rows = [...rowsOf(scores)]
  if (values.json !== undefined) await writeFile(values.json, resultOf(scores))
  for (const peer of peers) {
    if (!values.kept) {
      forgetPages(peer)
      await askPeer(PEERS[peer], chosen, asked)
    }
    rows.push(...(await comparePeer(PEERS[peer], chosen, asked, scores)))
  }
  const set = [...(values.load ? ['load'] : []), ...(values.jitter ? ['jitter'] : [])]
  publish(['web', ...set, ...peers].join('-'), rows)
}

/** As bench/beds.ts writes its own. */
const resultOf = (scores: readonly SiteScore[]): string => {
  const cases = scores.flatMap(({ entries }) => entries.map(({ entry: _, requests: __, ...one }) => one))
  const twins = cases.map((one) => ({ ...one, case: { ...one.case, id: `${one.case.id} ${one.case.vulnerable}` } }))
  const ends = scores.flatMap(({ run }) => [...run.ends.values()])
  const modules = ends.map(({ module, outcome }) => ({ module, ...outcome }))
  const seconds = scores.reduce((sum, { run }) => sum + run.seconds, 0)
  const report = { bed: 'own-site', at: new Date().toISOString(), commit, seconds, modules, cases: twins }
  return `${JSON.stringify(report, null, 1)}\n`
}

try {
  if (only > 0) for (const peer of peers) await askPeer(PEERS[peer], chosen, asked, only)
  else await measure()
} finally {
  for (const worker of busy) await worker.terminate()
  await closeSurroundings(around)
  await rm(folder, { recursive: true, force: true })
}

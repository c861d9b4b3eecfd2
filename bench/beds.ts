/**
 * Applications that others wrote, scanned by the real modules through the real crawl: what is found of what is known.
 * `node bench/beds.ts --bed FILE [--only PART] [--modules crawl,xss,sqli,injection] [--misses] [--json OUT] [--audit OUT] [--rate N]
 * [--budget N]`, or `node bench/beds.ts --beds FOLDER [--results FOLDER]`: all beds of the folder, and docs/scores.md anew.
 * FILE is a bed (see beds/bed.ts), outside of this repository; the application has to run. `--only` keeps to cases whose
 * class, id or path holds PART. `--modules all` is what an active run of the product has. `--rate` is requests a second
 * (default 200), `--budget` multiplies the modules' budgets. `--audit` writes the run's audit log, a line an entry.
 */
import { execFileSync } from 'node:child_process'
import { openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { raiseLastWall } from '../src/engine/last-wall.ts'
import { MODULES } from '../src/modules/index.ts'
import { partOf, readBed } from './beds/bed.ts'
import { remake } from './beds/remake.ts'
import { scanBed } from './beds/scan.ts'
import { scoreBed } from './beds/score.ts'
import { drawMisses, drawRows, rowsOf } from './beds/table.ts'

const { values } = parseArgs({
  options: {
    bed: { type: 'string' },
    beds: { type: 'string' },
    results: { type: 'string' },
    only: { type: 'string' },
    modules: { type: 'string', default: 'crawl,xss,sqli,injection' },
    misses: { type: 'boolean', default: false },
    json: { type: 'string' },
    audit: { type: 'string' },
    rate: { type: 'string', default: '200' },
    budget: { type: 'string', default: '1' },
  },
})
if (values.beds !== undefined) process.exit(remake(values.beds, values.results ?? join(values.beds, 'results')))
if (values.bed === undefined) {
  process.stderr.write('no bed is set up here: --bed FILE, or --beds FOLDER\n')
  // Among all benchmarks it is left out.
  process.exit(process.argv.length > 2 ? 1 : 0)
}

// Before the run: what is checked out while it runs is not what runs.
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const log = (line: string): void => void process.stderr.write(`${line}\n`)
raiseLastWall((name, error) => log(`stray error in ${name}: ${error instanceof Error ? error.stack : error}`))
const whole = readBed(values.bed)
const bed = values.only === undefined ? whole : partOf(whole, values.only)
const audit = values.audit === undefined ? null : openSync(values.audit, 'w')
const run = await scanBed(bed, {
  modules: values.modules === 'all' ? MODULES.map(({ id }) => id) : values.modules.split(','),
  rate: Number(values.rate),
  budget: Number(values.budget),
  log,
  audited: (entries) => {
    if (audit !== null) writeSync(audit, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  },
})
const scored = scoreBed(bed, run)
const rows = rowsOf(scored, run)
process.stdout.write(`\n${bed.name}, ${Math.round(run.seconds)} s\n${drawRows(rows)}\n`)
if (values.misses) process.stdout.write(`\n${drawMisses(scored)}\n`)
const coverage = [...run.ends.values()]
  .flatMap((end) => end.coverage)
  .filter(({ check_id }) => /^(?:sqli|xss|injection)\//.test(check_id))
if (values.json !== undefined) {
  const modules = [...run.ends.values()].map(({ module, outcome }) => ({ module, ...outcome }))
  const only = values.only ?? null
  const findings = run.findings.map(({ check_id, confidence, places, detail, proof }) => ({
    ...{ check_id, confidence, places, detail, proof },
  }))
  const report = { bed: bed.name, only, at: new Date().toISOString(), commit, seconds: run.seconds }
  writeFileSync(
    values.json,
    `${JSON.stringify({ ...report, rows, modules, coverage, cases: scored, findings }, null, 1)}\n`,
  )
}

/**
 * Faults at the boundaries of modules. A few in every `./test`; all of them with SONDE_LONG, a part of them with
 * SONDE_SHARD=2/10. The table of what was tried and what became of it is printed.
 */
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules/index.ts'
import { type CaseServers, caseAddress } from '../../src/modules/testing/collecting.ts'
import { V8_OPTIONS } from '../support/v8-options.ts'
import { nameOf } from './boundary.ts'
import type { Row } from './campaign.ts'
import { serveFaultSite } from './site.ts'
import { boundariesOf, everyFault, FEW } from './table.ts'

const LONG = Boolean(process.env.SONDE_LONG)
/** Milliseconds; many scans on a machine that may be busy. */
const TIME = LONG ? 3_600_000 : 300_000

const [, part = 1, parts = 1] = (/^(\d+)\/(\d+)$/.exec(process.env.SONDE_SHARD ?? '1/1') ?? []).map(Number)
const faults = LONG ? everyFault().filter((_, index) => index % parts === part - 1) : FEW

let site: CaseServers
let rows: readonly Row[]
beforeAll(async () => {
  site = await serveFaultSite(201)
  rows = await campaign()
  process.stdout.write(`${tableOf(rows)}\n`)
}, TIME)
afterAll(() => site?.close())

const campaign = async (): Promise<readonly Row[]> => {
  const script = new URL('campaign.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [...V8_OPTIONS, script, site.address, caseAddress(202), '3'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  for (const fault of faults) child.stdin.write(`${JSON.stringify(fault)}\n`)
  child.stdin.end()
  const overdue = setTimeout(() => child.kill('SIGKILL'), TIME - 10_000)
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(overdue)
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

const tableOf = (all: readonly Row[]): string => {
  const lines = all
    .map(({ fault, reached, ended, state, coverage, wrong, seconds }) => {
      const became = Object.entries(coverage).map(([name, count]) => `${count} ${name}`)
      const verdict = wrong.length > 0 ? `WRONG: ${wrong.join('; ')}` : reached ? 'held' : 'not reached'
      return `${nameOf(fault).padEnd(36)} run ${ended.padEnd(10)} module ${state.padEnd(10)} ${verdict.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s  ${became.join(', ')}`
    })
    .toSorted()
  const reached = all.filter((row) => row.reached).length
  return [
    `faults at the boundaries of modules, part ${part} of ${parts}`,
    ...lines,
    `${all.length} tried, ${reached} reached, ${all.filter(({ wrong }) => wrong.length > 0).length} wrong`,
  ].join('\n')
}

test('the table has every module', () => {
  const inTable = new Set(everyFault().map(({ module }) => module))
  expect([...inTable].toSorted()).toEqual(MODULES.map(({ id }) => id).toSorted())
})

test('the table has every boundary that these modules cross', () => {
  const missing = rows.flatMap(({ fault: { module }, crossed }) =>
    crossed.filter((boundary) => !boundariesOf(module).includes(boundary)).map((boundary) => `${module} ${boundary}`),
  )
  expect([...new Set(missing)]).toEqual([])
})

test('each fault was carried out', () => {
  expect(rows.map(({ fault }) => nameOf(fault)).toSorted()).toEqual(faults.map(nameOf).toSorted())
})

test('the run ends as it should, and the other modules find what they find without the fault', () => {
  const wrong = rows.filter((row) => row.wrong.length > 0).map((row) => `${nameOf(row.fault)}: ${row.wrong.join('; ')}`)
  expect(wrong).toEqual([])
})

test('most of them happened: the table does not test itself', () => {
  expect(rows.filter(({ reached }) => reached).length).toBeGreaterThanOrEqual(
    Math.floor(faults.length * (LONG ? 0.5 : 0.9)),
  )
})

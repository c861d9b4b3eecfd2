/** The modules that inject, over pages with real databases, engines and shells behind them, and over their careful twins. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeModule } from '../src/engine/judge.ts'
import { WAITING } from '../src/modules/attack/sqli/payloads.ts'
import { type CaseServers, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { WEB_CASES } from '../testbed/web/cases.ts'
import { SCORED, type Scored, scoreCases } from '../testbed/web/score.ts'
import { serveCases } from '../testbed/web/server.ts'
import { closeSurroundings, type OpenSurroundings, openSurroundings } from '../testbed/web/surroundings.ts'
import { linesOf, otherwise } from './support/same-findings.ts'

/**
 * What only time can tell is for bench/web.ts: a busy machine is no flaw of the product. Every eighth page of a module;
 * SONDE_LONG=1 asks all, as the bench does.
 */
const untimed = WEB_CASES.filter((one) => !one.timed)
const every = process.env.SONDE_LONG === '1' ? 1 : 8
const cases = untimed.filter((one) => untimed.filter(({ module }) => module === one.module).indexOf(one) % every === 0)
const MODULES = ['sqli', 'injection', 'xss'] as const

let folder: string
let around: OpenSurroundings
let server: CaseServers
let scored: Readonly<Record<(typeof MODULES)[number], Scored>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-web-'))
  around = await openSurroundings(folder)
  server = await serveCase(71, { http: serveCases(cases, around) })
  const entries: [string, Scored][] = []
  for (const module of MODULES) entries.push([module, await scorePatiently(module)])
  scored = Object.fromEntries(entries) as typeof scored
}, 300_000)

afterAll(async () => {
  await server?.close()
  if (around) await closeSurroundings(around)
  await rm(folder, { recursive: true, force: true })
}, 60_000)

/** A proof that needs two answers alike can fail on a busy machine: a page that was missed is asked once more, alone. */
const scorePatiently = async (module: (typeof MODULES)[number]): Promise<Scored> => {
  const first = await scoreCases(module, cases, server.address)
  const again = cases.filter(({ id }) => first.missed.some((text) => text.startsWith(`${id}: `)))
  if (again.length === 0 || again.length > MAX_MISSED) return first
  return { ...first, missed: (await scoreCases(module, again, server.address)).missed }
}
const MAX_MISSED = 2

describe.each(MODULES)('%s', (module) => {
  it('finds every careless page, confirmed', () => {
    const { recall, missed } = scored[module]
    process.stdout.write(`${module}: recall ${recall.toFixed(3)}, median ${scored[module].median} requests a place\n`)
    expect(missed).toEqual([])
  })

  it('says nothing about their careful twins', () => expect(scored[module].alarms).toEqual([]))

  it('asks at most 40 times for a place, in the median', () => expect(scored[module].median).toBeLessThanOrEqual(40))

  it('breaks no check', () => expect(scored[module].failures).toEqual([]))

  it('nothing that the scanner made up reaches identity or proof', () => {
    const { facts, known } = scored[module].seen
    const judged = (seen: unknown) => linesOf(judgeModule(SCORED[module], seen, known, caseContext()).findings)
    const told = judged(facts)
    expect(told.length).toBeGreaterThan(5)
    expect(judged(otherwise(facts))).toEqual(told)
  })
})

describe('a wait is kept by the database', () => {
  it.each([
    ['mariadb', 'MySQL', (v: string) => `select * from products where id=${v}`],
    ['mariadb', 'MySQL', (v: string) => `select * from products where (lower(name)=lower('${v}'))`],
    ['mariadb', 'MySQL', (v: string) => `select * from products where name="${v}"`],
    ['postgres', 'PostgreSQL', (v: string) => `select * from products where id in (1,${v})`],
    ['postgres', 'PostgreSQL', (v: string) => `select * from products where name like '%${v}%'`],
  ] as const)('%s', async (kind, dbms, statement) => {
    const times: number[] = []
    for (const way of WAITING.filter((one) => one.dbms === dbms && one.technique === 'time' && !one.quoted)) {
      const began = performance.now()
      await around.databases[kind].run(statement(way.with('1', '0.3')))
      times.push(performance.now() - began)
    }
    // Only from below: a busy machine is slower, never faster.
    expect(Math.max(...times)).toBeGreaterThanOrEqual(295)
  })

  it.each(["'", '"'])('behind %s alone', async (quote) => {
    const [way] = WAITING.filter(({ quoted, with: put }) => quoted && put('', '0').startsWith(quote))
    const began = performance.now()
    await around.databases.mariadb.run(
      `select 1 where (concat('a', 1) rlike ${quote}${way?.with('tent', '0.3') ?? ''}${quote})`,
    )
    expect(performance.now() - began).toBeGreaterThanOrEqual(295)
  })

  it.each([
    ['mariadb', '3', (v: string) => `select * from products order by id limit ${v}`],
    ['postgres', 'products', (v: string) => `select count(*) from ${v}`],
  ] as const)('in a statement of its own, %s', async (kind, value, statement) => {
    const way = WAITING.find(({ technique, fits }) => technique === 'stacked' && fits.includes('name'))
    const began = performance.now()
    // One statement is for the other database, and fails behind the wait.
    await around.databases[kind].run(statement(way?.with(value, '0.3') ?? '')).catch(() => undefined)
    expect(performance.now() - began).toBeGreaterThanOrEqual(295)
  })
})

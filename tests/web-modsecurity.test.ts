/** Vulnerable pages behind a real ModSecurity with the OWASP Core Rule Set: found, or said to be blocked; never called clean. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeModule } from '../src/engine/judge.ts'
import { injection } from '../src/modules/attack/injection/module.ts'
import type { ProbingFacts } from '../src/modules/attack/insertion-points/facts.ts'
import { sqli } from '../src/modules/attack/sqli/module.ts'
import { collectWaf } from '../src/modules/attack/waf/collect.ts'
import type { WafFacts } from '../src/modules/attack/waf/facts.ts'
import { waf as wafModule } from '../src/modules/attack/waf/module.ts'
import { collect as collectSite } from '../src/modules/passive/site/collect.ts'
import { caseAddress, collectContext, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { WEB_CASES } from '../testbed/web/cases.ts'
import { inventoryOf, type Twin } from '../testbed/web/inventory.ts'
import { startModSecurity } from '../testbed/web/modsecurity.ts'
import { serveCases } from '../testbed/web/server.ts'
import { fillShop, startSqlite } from '../testbed/web/sql.ts'

/** SQLite alone: which database it is makes no difference to what the rules see. Every sixth page; all with SONDE_LONG=1. */
const suited = WEB_CASES.filter(({ id, module, timed, place }) =>
  timed || !['query', 'form', 'json', 'cookie', 'xml'].includes(place)
    ? false
    : module === 'sqli'
      ? id.startsWith('sqlite-')
      : module === 'injection',
)
const every = process.env.SONDE_LONG ? 1 : 6
const cases = suited.filter((one) => suited.filter(({ module }) => module === one.module).indexOf(one) % every === 0)
const cleanups: (() => Promise<void>)[] = []
let front = ''
let waf: WafFacts

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-waf-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  const sqlite = await fillShop(await startSqlite())
  cleanups.push(sqlite.close)
  const pages = serveCases(cases, { folder, databases: { sqlite } })
  const shop = await serveCase(177, {
    http: (request, response) =>
      request.url === '/' || request.url?.startsWith('/?')
        ? response.end('<!doctype html><title>Shop</title><p>Tents and packs for people who come home late.</p>')
        : pages(request, response),
  })
  cleanups.push(shop.close)
  const started = await startModSecurity(caseAddress(178), shop.address)
  cleanups.push(started.close)
  front = started.address
  const { ctx, close } = collectContext(front, { module: 'waf' })
  cleanups.push(close)
  waf = await collectWaf(ctx, await collectSite(ctx))
}, 60_000)

afterAll(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

it('the firewall is seen for what it is', () => {
  const { findings } = judgeModule(wafModule as never, waf, {}, caseContext())
  expect(findings.map(({ check_id }) => check_id)).toContain('waf/present')
  expect(waf.blockPage).toMatchObject({ status: 403 })
  expect(waf.products.map(({ id }) => id)).toContain('crs')
})

describe.each([sqli, injection])('$id', (module) => {
  const own = cases.filter((one) => one.module === module.id)
  const scan = async (twin: Twin) => {
    const { ctx, close } = collectContext(front, { module: module.id, requests: 20_000 })
    try {
      // One place a run: twelve refusals in a row end a run, and here each place is to be seen.
      return await Promise.all(
        own.map(async (one) => {
          const known = { crawl: inventoryOf([one], 'http://shop.test', twin), waf }
          const facts: ProbingFacts<unknown> = await module.collect(ctx, known)
          const { findings } = judgeModule(module as never, facts, known, caseContext())
          return { id: one.id, end: facts.points[0]?.end, found: findings.map(({ check_id }) => check_id) }
        }),
      )
    } finally {
      await close()
    }
  }

  it('each careless page is found, or its place is blocked', async () => {
    const results = await scan('careless')
    expect(results.length).toBeGreaterThan(15 / every)
    const right = (id: string, found: readonly string[]) =>
      found.some((one) => cases.find((each) => each.id === id)?.finds.includes(one))
    expect(results.filter(({ id, end, found }) => !right(id, found) && end !== 'blocked')).toEqual([])
    expect(results.filter(({ id, found }) => found.length > 0 && !right(id, found))).toEqual([])
    process.stdout.write(
      `${module.id} behind the rule set: ${results.filter(({ found }) => found.length > 0).length} of ${results.length} found, the others blocked\n`,
    )
  }, 60_000)

  it('nothing is said about their careful twins', async () => {
    expect((await scan('careful')).flatMap(({ found }) => found)).toEqual([])
  }, 60_000)
})

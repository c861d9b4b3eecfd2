/** No harm at once: an administrator's session on a careless back office, asked by every module that crawls and probes. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser } from '../../src/engine/browser/launch.ts'
import { unchanging } from '../../src/engine/browser/unchanging.ts'
import { collectCrawl } from '../../src/modules/crawl/collect.ts'
import type { CrawlFacts } from '../../src/modules/crawl/facts.ts'
import { injection } from '../../src/modules/injection/module.ts'
import type { Judgement } from '../../src/modules/module.ts'
import { collect as collectSite } from '../../src/modules/site/collect.ts'
import { sqli } from '../../src/modules/sqli/module.ts'
import { collectContext, serveCase } from '../../src/modules/testing/collecting.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'
import { xss } from '../../src/modules/xss/module.ts'
import { type Office, openOffice, SESSION } from './office.ts'

/** A place is asked where it got that many values of its own. */
const VALUES = 4
const LEAST = 0.9

let folder: string
let office: Office
let before: unknown
let crawl: CrawlFacts
const judgements = new Map<string, Judgement>()
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-office-'))
  office = openOffice(folder)
  before = office.kept()
  const server = await serveCase(183, { http: office.listener })
  closing.push(server.close)
  const open = (module: string) => {
    const opened = collectContext(server.address, {
      ...{ module, cookie: SESSION, requests: 20_000 },
      launchBrowser: async (egress, signal, log) => unchanging(await launchBrowser(egress, signal, log)),
    })
    closing.push(opened.close)
    return opened.ctx
  }
  const ctx = open('crawl')
  crawl = await collectCrawl(ctx, await collectSite(open('site')))
  const known = { crawl, waf: { blockPage: null } }
  for (const module of [sqli, injection, xss]) {
    const facts = await module.collect(open(module.id), known as never)
    for (const check of module.checks)
      judgements.set(check.findings[0]?.id ?? '', check.judge(facts as never, known as never, caseContext()))
  }
}, 600_000)

afterAll(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  await rm(folder, { recursive: true, force: true })
})

it('changes nothing', async () => {
  expect(office.deeds).toEqual([])
  expect(office.kept()).toEqual(before)
  expect(await readdir(folder)).toEqual([])
  expect(crawl.session.state).toBe('live')
})

it('asks what only reads all the same', () => {
  const missed = office.places.filter((place) => (office.asked.get(place)?.size ?? 0) < VALUES)
  process.stdout.write(
    `back office: ${office.places.length - missed.length} of ${office.places.length} reading places asked; missed: ${missed.join(', ')}\n`,
  )
  expect(1 - missed.length / office.places.length).toBeGreaterThanOrEqual(LEAST)
})

it('says what it left alone, and why', () => {
  for (const id of ['sqli/database-error', 'injection/path-traversal', 'injection/command']) {
    const judgement = judgements.get(id)
    expect(judgement, `${id} of ${[...judgements.keys()].join()}`).toMatchObject({
      state: 'inconclusive',
      reason: expect.stringMatching(/of \d+ places: .*\d+ left alone \(.*it sets a password: \d+/),
    })
  }
  const reasons = new Map(crawl.requests.map(({ method, url, harm }) => [`${method} ${new URL(url).pathname}`, harm]))
  expect(reasons.get('GET /password/change')).toBe('it sets a password')
  expect(reasons.get('GET /records/act')).toBe('it deletes')
  expect(reasons.get('GET /orders/12/x')).toBe('it asks before it is done')
  expect(reasons.get('GET /difficulty/hard')).toBe('it sets or switches something')
  expect(reasons.get('GET /createdb')).toBe('it creates or installs something')
})

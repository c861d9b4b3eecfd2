/** No harm at once: an administrator's session on a careless back office, asked by every module that crawls and probes. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CaseServers, serveCase } from '../../src/modules/testing/collecting.ts'
import { type Office, openOffice, SESSION } from './office.ts'
import { type Scanned, scanSignedIn } from './scan.ts'

/** A place is asked where it got that many values of its own. */
const VALUES = 4
const LEAST = 0.9

let folder: string
let office: Office
let before: unknown
let server: CaseServers
let scanned: Scanned

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-office-'))
  office = openOffice(folder)
  before = office.kept()
  server = await serveCase(183, { http: office.listener })
  scanned = await scanSignedIn(
    { host: 'shop.test', address: server.address, port: null, cookie: SESSION },
    20_000,
    2_400,
  )
}, 600_000)

afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

it('changes nothing', async () => {
  expect(office.deeds).toEqual([])
  expect(office.kept()).toEqual(before)
  expect(await readdir(folder)).toEqual([])
  expect(scanned.crawl.session.state).toBe('live')
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
    const judgement = scanned.judgements.get(id)
    expect(judgement, `${id} of ${[...scanned.judgements.keys()].join()}`).toMatchObject({
      state: 'inconclusive',
      reason: expect.stringMatching(/of \d+ places: .*\d+ left alone: /),
    })
  }
  const reasons = new Map(
    scanned.crawl.requests.map(({ method, url, harm }) => [`${method} ${new URL(url).pathname}`, harm]),
  )
  expect(reasons.get('GET /password/change')).toBe('it sets a password')
  expect(reasons.get('GET /records/act')).toBe('it deletes')
  expect(reasons.get('GET /orders/12/x')).toBe('it asks before it is done')
  expect(reasons.get('GET /difficulty/hard')).toBe('it sets up or reconfigures the application')
  expect(reasons.get('GET /createdb')).toBe('it sets up or reconfigures the application')
})

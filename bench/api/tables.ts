/**
 * Lists, searches, live events and leases as the tables grow tenfold and tenfold: what a growing service feels. Ten events a run,
 * over the months of a year; one organisation has half of the runs. `npm run bench:api -- tables 100000000`: up to so many events.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { createCursors } from '../../src/api/cursor.ts'
import { oneKey } from '../../src/contract/secret-keys.ts'
import { dropOldEvents, eventDays } from '../../src/store/event-months.ts'
import { read } from '../../src/store/events.ts'
import { type BenchRow, type Measurement, percentile, row } from '../table.ts'
import { type Child, startChild } from './children.ts'
import type { FreshDatabase } from './databases.ts'
import { type Client, openClient, request } from './load.ts'
import { rateRows } from './queue.ts'
import {
  domainName,
  EVENTS_EACH,
  fillTables,
  monthsOfYear,
  RUNS_OF_NAME,
  type Sized,
  seedOrganisations,
} from './sizes.ts'
import type { Tenant } from './tenant.ts'

const LEAST = 1_000_000
const ASKS = 300
const LIST = { text: 'p99 ≤ 5 ms', met: (ours: number) => ours <= 5 }
const SEARCH = { text: 'p99 ≤ 20 ms', met: (ours: number) => ours <= 20 }

export const tableRows = async (database: FreshDatabase): Promise<BenchRow[]> => {
  const most = Number(process.argv[3] ?? LEAST)
  const key = randomBytes(32)
  const tenant = await seedOrganisations(database.db)
  await monthsOfYear(database.db)
  const service = await startChild('service-process.ts', { url: database.url, key: key.toString('hex') })
  const peer = await startChild('peer-process.ts', { url: database.url })
  const rows: BenchRow[] = []
  /** Of the smallest, which the others are beside. */
  const first = new Map<string, number>()
  for (let events = Math.min(LEAST, most), step = 1; events <= most; events *= 10, step += 1) {
    const sized = await fillTables(database.db, tenant, events / EVENTS_EACH, step)
    process.stderr.write(`${events} events: filled in ${Math.round(sized.seconds)} s, ${sized.size}\n`)
    rows.push(...(await sizedRows({ database, tenant, key, service, peer, sized, first, events })))
  }
  await service.end()
  await peer.end()
  rows.push(await dropRow(database))
  return rows
}

interface Measured {
  readonly database: FreshDatabase
  readonly tenant: Tenant
  readonly key: Buffer
  readonly service: Child
  readonly peer: Child
  readonly sized: Sized
  readonly first: Map<string, number>
  readonly events: number
}

const sizedRows = async (of: Measured): Promise<BenchRow[]> => {
  const { database, first, events, sized } = of
  const size = `${(events / 1_000_000).toLocaleString('en')} M events, ${sized.runs.toLocaleString('en')} runs`
  const both = (name: string, { samples, bare }: Asked, target: Measurement['target']): BenchRow[] => {
    const median = percentile(samples, 0.5)
    const smallest = first.get(name) ?? null
    if (smallest === null) first.set(name, median)
    return [
      row({
        ...{ id: `${events}-${name}-p50`, what: `${size}: ${name}, median`, unit: 'ms', ours: median },
        peer: { name: 'the same of the smallest', value: smallest ?? median },
      }),
      row({
        ...{ id: `${events}-${name}-p99`, what: `${size}: ${name}, p99`, unit: 'ms', ours: percentile(samples, 0.99) },
        ...(target === undefined ? {} : { target }),
        peer: { name: 'bare Fastify, 1 row by its key, in turns', value: percentile(bare, 0.99) },
      }),
    ]
  }
  const rows: BenchRow[] = []
  for (const [name, { path, target }] of Object.entries(asksOf(of))) {
    rows.push(...both(name, await askAll(of, path), target))
  }
  rows.push(...both('events of one run', await readEvents(database, of.tenant), LIST))
  rows.push(...(await rateRows(database, `${size}: `)))
  return rows
}

/** What is asked, another of its kind each time. */
const asksOf = ({ tenant, key, sized }: Measured) => {
  const cursors = createCursors(oneKey(key))
  const any = <T>(of: readonly T[]): T => of[randomInt(of.length)] as T
  const list = (query: () => string, target = LIST) => ({ path: () => `/v1/scans?limit=25${query()}`, target })
  const search = (q: () => string) => list(() => `&q=${q()}`, SEARCH)
  return {
    'one run': { path: () => `/v1/scans/${any(sized.some).id}`, target: LIST },
    'newest first': list(() => ''),
    'a page anywhere, by cursor': list(() => {
      const { id, created_at: createdAt } = any(sized.some)
      return `&cursor=${cursors.seal(['scans', tenant.organisationId, {}], { createdAt, id })}`
    }),
    'failed alone': list(() => '&status=failed'),
    'under way alone': list(() => '&status=queued,leased,running'),
    'one domain': list(() => `&domain_id=${any(sized.some).domain_id}`),
    'a month': list(() => `&from=2026-0${1 + randomInt(9)}-01T00:00:00Z&to=2026-0${1 + randomInt(9)}-28T00:00:00Z`),
    'a whole id': search(() => any(sized.some).id),
    'four letters of an id': search(() => any(sized.some).id.slice(0, 4)),
    'three letters of an id': search(() => any(sized.some).id.slice(0, 3)),
    'two letters of an id': search(() => any(sized.some).id.slice(0, 2)),
    'a name': search(() => domainName(randomInt(Math.max(1, sized.runs / RUNS_OF_NAME / 2)))),
    'part of some names': search(() => `shop${randomInt(10, 99)}`),
    'part of most names': search(() => 'shop'),
    'part of no name': search(() => `nowhere${randomInt(1_000)}`),
    'two letters of no name': search(() => any(['zq', 'qx', 'jz', 'xj'])),
  }
}

/** Milliseconds of each, and of a bare answer after each: what the machine's other work costs both. */
interface Asked {
  readonly samples: readonly number[]
  readonly bare: readonly number[]
}

/** The first ones find the processes and the pages of the indexes cold. */
const COLD = 10

const askAll = async ({ service, peer, tenant, sized }: Measured, path: () => string): Promise<Asked> => {
  const open = async ({ ready }: Child) => {
    const { port } = ready as { port: number }
    const client: Client = await openClient(port)
    const ask = async (asked: string): Promise<number> => {
      const began = performance.now()
      await client.ask({ port, status: 200, request: () => asked })
      return performance.now() - began
    }
    return { ask, close: client.close }
  }
  const [ours, other] = [await open(service), await open(peer)]
  const key = request('GET', `/runs/${sized.some[0]?.id}`, tenant.secret)
  const [samples, bare]: [number[], number[]] = [[], []]
  const deadline = performance.now() + 20_000
  for (let n = 0; n < ASKS && performance.now() < deadline; n += 1) {
    samples.push(await ours.ask(request('GET', path(), tenant.secret)))
    bare.push(await other.ask(key))
  }
  ours.close()
  other.close()
  return { samples: samples.slice(COLD), bare: bare.slice(COLD) }
}

/** All events of runs of any age, as streams read them; a bare look at the run's row after each. */
const readEvents = async ({ db }: FreshDatabase, { organisationId }: Tenant): Promise<Asked> => {
  const some = await db.query<{ id: string }>(
    `select id from runs tablesample system (1) where organisation_id = $1 and event_seq = ${EVENTS_EACH} limit ${ASKS}`,
    [organisationId],
  )
  const [samples, bare]: [number[], number[]] = [[], []]
  for (const { id } of some) {
    const began = performance.now()
    const events = await read(db, id, 0, 200)
    samples.push(performance.now() - began)
    if (events.length !== EVENTS_EACH) throw new Error(`${events.length} events were read`)
    const again = performance.now()
    await db.query('select id, status from runs where id = $1', [id])
    bare.push(performance.now() - again)
  }
  return { samples: samples.slice(COLD), bare: bare.slice(COLD) }
}

/** All but the youngest months go. */
const dropRow = async ({ db }: FreshDatabase): Promise<BenchRow> => {
  const count = async () => (await db.query<{ n: number }>('select count(*) as n from events', []))[0]?.n ?? 0
  const before = await count()
  const began = performance.now()
  const dropped = await dropOldEvents(db, eventDays([], 62))
  const seconds = (performance.now() - began) / 1_000
  return row({
    ...{
      id: 'drop',
      what: `dropping ${dropped.length} months with ${before - (await count())} events`,
      unit: 's',
      ours: seconds,
    },
  })
}

/** Requests a second, their latency and what they cost beside a bare route, and lists of 10,000 and of 1,000,000 runs. */

import { randomBytes } from 'node:crypto'
import { createCursors } from '../../src/api/cursor.ts'
import { oneKey } from '../../src/contract/secret-keys.ts'
import { type BenchRow, percentile, row } from '../table.ts'
import { type Child, type Spent, startChild } from './children.ts'
import type { FreshDatabase } from './databases.ts'
import { type Load, load, openClient, request, type Target } from './load.ts'
import { addReport, addRuns, createTenant, type Tenant } from './tenant.ts'

const AT_ONCE = 10
const SECONDS = 4
const FEW = 10_000
const MANY = 1_000_000
const AT_A_TIME = 100_000
/** Sequential asks for one latency. */
const ASKS = 200
const PAGING = { text: '≤ 1.5 × of 10,000', met: (_: number, ratio: number | null) => ratio !== null && ratio <= 1.5 }
const PEER = 'bare Fastify, the same rows'
const TURNS = 4
const LATENCY = { text: '≤ 1.5 × the peer', met: (_: number, ratio: number | null) => ratio !== null && ratio <= 1.5 }

export const requestRows = async ({ url, db }: FreshDatabase): Promise<BenchRow[]> => {
  const key = randomBytes(32)
  const tenant = await createTenant(db, 'shop.example.com')
  await addRuns(db, tenant, 1, FEW)
  const run = await addReport(db, tenant)
  const service = await startChild('service-process.ts', { url, key: key.toString('hex') })
  const peer = await startChild('peer-process.ts', { url })
  const { port } = service.ready as { port: number }
  const { port: peerPort } = peer.ready as { port: number }
  const get = (path: string): Target => ({ port, status: 200, request: () => request('GET', path, tenant.secret) })
  const start: Target = {
    ...{ port, status: 202 },
    request: () => request('POST', '/v1/scans', tenant.secret, { domain_id: tenant.domainId }),
  }

  const of = `organisation=${tenant.organisationId}&domain=${tenant.domainId}`
  /** Turn about, so that what else the machine does costs both. */
  const beside = async (id: string, what: string, ours: Target, path: string): Promise<BenchRow[]> => {
    const method = ours === start ? 'POST' : 'GET'
    const theirs = { ...ours, port: peerPort, request: () => request(method, `${path}?${of}`, '') }
    const [own, bare]: [Measured[], Measured[]] = [[], []]
    for (let turn = 0; turn < TURNS; turn += 1) {
      bare.push(await measured(peer, theirs))
      own.push(await measured(service, ours))
    }
    return rateRows(id, what, merged(own), merged(bare))
  }
  const rows: BenchRow[] = [
    ...(await beside('list', 'GET /v1/scans, 25 of 10,000', get('/v1/scans'), '/scans')),
    ...(await beside('status', 'GET /v1/scans/{id}', get(`/v1/scans/${run}`), `/scans/${run}`)),
    ...(await beside(
      'sign',
      'GET …/artifacts/{kind}/url',
      get(`/v1/scans/${run}/artifacts/report_pdf/url`),
      `/scans/${run}/url`,
    )),
  ]
  rows.push(...(await beside('start', 'POST /v1/scans, one organisation', start, '/scans')))
  await service.end()
  await peer.end()
  return rows
}

/** Lists of 10,000 and of 1,000,000 runs. */
export const longListRows = async ({ url, db }: FreshDatabase): Promise<BenchRow[]> => {
  const key = randomBytes(32)
  const tenant = await createTenant(db, 'shop.example.com')
  await addRuns(db, tenant, 1, FEW)
  const service = await startChild('service-process.ts', { url, key: key.toString('hex') })
  const { port } = service.ready as { port: number }
  // A process that has just started would make the short list look slow.
  await load({ port, status: 200, request: () => request('GET', '/v1/scans', tenant.secret) }, AT_ONCE, 1)
  const few = await listLatencies(db, tenant, key, port, FEW)
  // No statement may take as long as all of them do.
  for (let from = FEW; from < MANY; from += AT_A_TIME) {
    await addRuns(db, tenant, from + 1, Math.min(MANY, from + AT_A_TIME))
  }
  const many = await listLatencies(db, tenant, key, port, MANY)
  await service.end()
  return listRows(many, few)
}

interface Measured extends Load {
  readonly spent: Spent
  /** Requests that it was spent on. */
  readonly asked: number
}

/** A load, and what the server spent on it. */
const measured = async (server: Child, target: Target): Promise<Measured> => {
  let asked = 0
  const counted = () => {
    asked += 1
    return target.request()
  }
  const before = (await server.ask('spent')) as Spent
  const done = await load({ ...target, request: counted }, AT_ONCE, SECONDS / TURNS)
  const after = (await server.ask('spent')) as Spent
  const spent = { cpu: after.cpu - before.cpu, statements: after.statements - before.statements }
  return { ...done, spent, asked }
}

const rateRows = (id: string, what: string, ours: Measured, bare: Measured): BenchRow[] => {
  const latency = (share: number): BenchRow =>
    row({
      ...{ id: `${id}-p${share * 100}`, what, unit: 'ms' },
      ours: percentile(ours.samples, share),
      peer: { name: PEER, value: percentile(bare.samples, share) },
      ...(share === 0.99 ? { target: LATENCY } : {}),
    })
  const rate = row({
    ...{ id: `${id}-rate`, what: `${what}, ${AT_ONCE} at once`, unit: 'requests/s', ours: ours.perSecond },
    peer: { name: PEER, value: bare.perSecond },
  })
  const each = (of: keyof Spent, words: string, unit: string): BenchRow =>
    row({
      ...{ id: `${id}-${of}`, what: `${what}, ${words}`, unit, ours: ours.spent[of] / ours.asked },
      peer: { name: PEER, value: bare.spent[of] / bare.asked },
    })
  return [
    ...[rate, latency(0.5), latency(0.99), each('cpu', 'processor time of the process', 'ms')],
    each('statements', 'statements', 'a request'),
  ]
}

const merged = (loads: readonly Measured[]): Measured => {
  const sum = (of: (load: Measured) => number): number => loads.reduce((total, load) => total + of(load), 0)
  return {
    perSecond: sum(({ perSecond }) => perSecond) / loads.length,
    samples: loads.flatMap(({ samples }) => samples),
    spent: { cpu: sum(({ spent }) => spent.cpu), statements: sum(({ spent }) => spent.statements) },
    asked: sum(({ asked }) => asked),
  }
}

/** Name of the list → median milliseconds. */
type Latencies = ReadonlyMap<string, number>

const listLatencies = async (
  db: FreshDatabase['db'],
  { organisationId, domainId, secret }: Tenant,
  key: Buffer,
  port: number,
  count: number,
): Promise<Latencies> => {
  const cursors = createCursors(oneKey(key))
  const [middle] = await db.query<{ created_at: Date; id: string }>(
    `select created_at, id from runs where organisation_id = $1 order by created_at desc, id desc offset $2 limit 1`,
    [organisationId, Math.floor(count / 2)],
  )
  const cursor = cursors.seal(['scans', organisationId, {}], { createdAt: middle?.created_at, id: middle?.id })
  const paths = {
    'first page': '/v1/scans?limit=25',
    'page in the middle, by cursor': `/v1/scans?limit=25&cursor=${cursor}`,
    'failed only': '/v1/scans?limit=25&status=failed',
    'one domain': `/v1/scans?limit=25&domain_id=${domainId}`,
    'part of a name': '/v1/scans?limit=25&q=shop17.',
    'part of no name': '/v1/scans?limit=25&q=nowhere',
  }
  const client = await openClient(port)
  const medians = new Map<string, number>()
  for (const [name, path] of Object.entries(paths)) {
    const target: Target = { port, status: 200, request: () => request('GET', path, secret) }
    const samples: number[] = []
    const deadline = performance.now() + 10_000
    for (let ask = 0; ask < ASKS && performance.now() < deadline; ask += 1) {
      const began = performance.now()
      await client.ask(target)
      samples.push(performance.now() - began)
    }
    medians.set(name, percentile(samples, 0.5))
  }
  client.close()
  return medians
}

const listRows = (many: Latencies, few: Latencies): BenchRow[] =>
  [...many].map(([name, ours], index) =>
    row({
      ...{ id: `list-1m-${index + 1}`, what: `list of 1,000,000 runs, ${name}, median`, unit: 'ms', ours },
      peer: { name: 'the same of 10,000', value: few.get(name) ?? null },
      // A search reads on until it has a page, so it depends on how rare the name is.
      ...(name.startsWith('part of') ? {} : { target: PAGING }),
    }),
  )

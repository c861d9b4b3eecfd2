/** Many open event streams: memory of each, and how long an event takes from its write to its reader. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { BUILT_IN_PLANS } from '../../src/contract/organisation.ts'
import { type LeasedRun, lease, progress, startRun } from '../../src/store/lease.ts'
import { createRun } from '../../src/store/runs.ts'
import { type BenchRow, percentile, row } from '../table.ts'
import { type Child, startChild } from './children.ts'
import type { FreshDatabase } from './databases.ts'
import { request } from './load.ts'
import { createTenant } from './tenant.ts'

/** `npm run bench:api -- streams 10000` opens others, as many as one process takes by default. */
const STREAMS = Number(process.argv[3] ?? 2_000)
/** Half of the streams watch one run, the others these. */
const OTHER_RUNS = 100
const EVENTS = 20
/** Connections opened at once. */
const BATCH = 100
const DEADLINE = 60_000
/** Of 10,000 a bare response takes 16 KiB, where 20 are the most that one of ours may: what is left of a request must not be kept. */
const NO_MORE = { text: '≤ the bare one', met: (_: number, ratio: number | null) => ratio !== null && ratio <= 1 }

export const streamRows = async ({ url, db }: FreshDatabase): Promise<BenchRow[]> => {
  const service = await startChild('service-process.ts', { url, key: '00'.repeat(32) })
  const { port } = service.ready as { port: number }
  const runs = await startRuns(db, OTHER_RUNS + 1)
  const [crowded, ...others] = runs
  if (crowded === undefined) throw new Error('There is no run')
  const watched = Array.from({ length: STREAMS }, (_, index) =>
    index < STREAMS / 2 ? crowded : (others[index % OTHER_RUNS] ?? crowded),
  )

  const arrivals = createArrivals()
  const before = await memoryOf(service)
  const sockets = await openAll(
    watched.map(({ secret, runId }) => ({ port, text: request('GET', `/v1/scans/${runId}/stream`, secret) })),
    arrivals.heard,
  )
  const after = await memoryOf(service)

  const alone: number[] = []
  const crowd: number[] = []
  for (let event = 0; event < EVENTS; event += 1) {
    const other = others[event * 5]
    if (other !== undefined) alone.push(...(await arrivals.of(db, other, STREAMS / 2 / OTHER_RUNS)))
    crowd.push(...(await arrivals.of(db, crowded, STREAMS / 2)))
  }
  for (const socket of sockets) socket.destroy()
  await service.end()

  const bare = await bareMemory(url)
  const memory = (id: string, what: string, kind: 'rss' | 'heap'): BenchRow =>
    row({
      ...{ id, what: `${what} of one of ${STREAMS} open event streams`, unit: 'KiB' },
      ours: (after[kind] - before[kind]) / STREAMS / 1024,
      ...{ peer: { name: 'bare open response', value: bare[kind] }, target: NO_MORE },
    })
  const delivery = (id: string, what: string, samples: readonly number[], share: number): BenchRow =>
    row({ id: `${id}-p${share * 100}`, what, unit: 'ms', ours: percentile(samples, share) })
  const few = `event written until read, ${STREAMS / 2 / OTHER_RUNS} readers, ${STREAMS} streams open`
  const many = `event written until read, ${STREAMS / 2} readers of one run`
  return [
    memory('stream-rss', 'resident memory', 'rss'),
    memory('stream-heap', 'heap and buffers', 'heap'),
    ...[delivery('deliver', few, alone, 0.5), delivery('deliver', few, alone, 0.99)],
    ...[delivery('crowd', many, crowd, 0.5), delivery('crowd', many, crowd, 0.99)],
  ]
}

type Watched = LeasedRun & { readonly secret: string }

/** Running ones, ten an organisation: so many may run at once. */
const startRuns = async (db: FreshDatabase['db'], count: number): Promise<Watched[]> => {
  const runs: Watched[] = []
  while (runs.length < count) {
    const tenant = await createTenant(db, `shop${runs.length}.example.com`)
    const options = {
      active: false,
      privacy: false,
      cve_include_possible: false,
      template_full: false,
      make_pdf: false,
    }
    for (let index = 0; index < 10 && runs.length < count; index += 1) {
      await createRun(db, BUILT_IN_PLANS, {
        ...{ ...options, organisationId: tenant.organisationId, domainId: tenant.domainId },
        ...{ context: null, sealedCredentials: null, idempotency: null },
      })
      const run = await lease(db, { workerId: 'bench', seconds: 600, plans: BUILT_IN_PLANS })
      if (run === null || (await startRun(db, run)) === 'lost') throw new Error('No run could be started')
      runs.push({ ...run, secret: tenant.secret })
    }
  }
  return runs
}

interface Arrivals {
  /** What a stream said. */
  readonly heard: (text: string) => void
  /** Writes one event of the run; gives the milliseconds until each of `readers` had it. */
  readonly of: (db: FreshDatabase['db'], run: LeasedRun, readers: number) => Promise<number[]>
}

const createArrivals = (): Arrivals => {
  let mark = ''
  let times: number[] = []
  let all: (() => void) | null = null
  let wanted = 0
  let count = 0
  return {
    heard: (text) => {
      if (mark === '' || !text.includes(mark)) return
      times.push(performance.now())
      if (times.length === wanted) all?.()
    },
    of: async (db, run, readers) => {
      count += 1
      mark = `mark ${count}.`
      times = []
      wanted = readers
      const complete = Promise.withResolvers<void>()
      all = complete.resolve
      const timer = setTimeout(
        () => complete.reject(new Error(`${times.length} of ${wanted} readers were reached`)),
        DEADLINE,
      )
      const began = performance.now()
      await progress(db, run, { phase: 'passive', detail: mark, progress: 10 })
      await complete.promise
      clearTimeout(timer)
      return times.map((time) => time - began)
    },
  }
}

/** Every stream has answered when it resolves. */
const openAll = async (
  wanted: readonly { readonly port: number; readonly text: string }[],
  heard: (text: string) => void,
): Promise<Socket[]> => {
  const sockets: Socket[] = []
  for (let from = 0; from < wanted.length; from += BATCH) {
    const batch = wanted.slice(from, from + BATCH).map(async ({ port, text }) => {
      const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1')
      socket.on('data', heard)
      await once(socket, 'connect', { signal: AbortSignal.timeout(DEADLINE) })
      socket.write(text)
      const [first] = (await once(socket, 'data', { signal: AbortSignal.timeout(DEADLINE) })) as [string]
      if (!first.startsWith('HTTP/1.1 200')) throw new Error(`A stream answered ${first.slice(0, 300)}`)
      return socket
    })
    sockets.push(...(await Promise.all(batch)))
  }
  return sockets
}

const memoryOf = async (child: Child): Promise<{ rss: number; heap: number }> =>
  (await child.ask('memory')) as { rss: number; heap: number }

/** KiB of an open response without anything behind it. */
const bareMemory = async (url: string): Promise<{ rss: number; heap: number }> => {
  const peer = await startChild('peer-process.ts', { url })
  const { port } = peer.ready as { port: number }
  const before = await memoryOf(peer)
  const wanted = Array.from({ length: STREAMS }, () => ({ port, text: request('GET', '/stream', 'none') }))
  const sockets = await openAll(wanted, () => undefined)
  const after = await memoryOf(peer)
  for (const socket of sockets) socket.destroy()
  await peer.end()
  const each = (kind: 'rss' | 'heap'): number => (after[kind] - before[kind]) / STREAMS / 1024
  return { rss: each('rss'), heap: each('heap') }
}

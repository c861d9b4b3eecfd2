/** The product as its user starts it, with its own database, in a control group; and runs of it, timed. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '../../src/contract/client.ts'
import { watchScan } from '../../src/contract/event-stream.ts'
import { ROOT } from '../../src/main/builds.ts'
import { connectControl } from '../../src/main/control-socket.ts'
import type { SmallSites } from './sites.ts'
import { openUsage, type Usage } from './usage.ts'

export type RunAsked = Omit<Parameters<Client['startScan']>[0]['body'], 'domain_id'>

export interface Timed {
  readonly status: string
  /** Seconds from the start that was asked for. Null: nothing was found. */
  readonly firstFinding: number | null
  readonly whole: number
  /** Milliseconds from the lease to the first request. Null: none was sent. */
  readonly firstRequest: number | null
}

export interface BenchService {
  readonly usage: Usage
  /** Of its start: seconds until it says that it is ready, and processor seconds until then. */
  readonly started: { readonly seconds: number; readonly processor: number }
  readonly run: (site: number, asked: RunAsked) => Promise<Timed>
  readonly close: () => Promise<void>
}

const PLANS = [{ id: 'free', runs_per_month: null, concurrent_runs: 100, retention_days: 365, watermark: false }]
const OPEN = '1000000'

export const startBenchService = async (sites: SmallSites): Promise<BenchService> => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-bench-run-'))
  const usage = openUsage()
  const close = async (): Promise<void> => {
    await usage.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { ...(await startIn(folder, usage, sites)), close }
  } catch (error) {
    await close()
    throw error
  }
}

const startIn = async (
  folder: string,
  usage: Usage,
  { sites, resolver }: SmallSites,
): Promise<Omit<BenchService, 'close'>> => {
  writeFileSync(join(folder, 'plans.json'), JSON.stringify(PLANS))
  const began = performance.now()
  const program = fileURLToPath(new URL('../../src/main/cli.ts', import.meta.url))
  const options = ['--disable-warning=ExperimentalWarning', '--no-memory-protection-keys']
  const child = usage.start([process.execPath, ...options, program, 'serve', '--port', '0', '--json'], {
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, LANG: process.env.LANG },
      ...{ SONDE_FEEDS: 'off', SONDE_DATA: join(folder, 'data'), SONDE_PLANS: join(folder, 'plans.json') },
      ...{ SONDE_RESOLVERS: resolver, SONDE_ALLOW_NETWORKS: '127.0.0.0/8' },
      SONDE_HOSTS: sites.map(({ host, address }) => `${host}=${address}`).join(' '),
      ...{ SONDE_LIMIT_REQUESTS_PER_MINUTE: OPEN, SONDE_LIMIT_STARTS_PER_MINUTE: OPEN },
      // As scripts/start-node.sh does.
      ...{ MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' },
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(ROOT, 'node_modules/.cache/compile'),
    },
  })
  const leased = new Map<string, number>()
  let log = ''
  if (child.stdout === null || child.stderr === null) throw new Error('the service has no outputs')
  createInterface({ input: child.stderr }).on('line', (line) => {
    log = `${log}${line}\n`.slice(-20_000)
    const run = /"run":"([0-9a-f-]{36})"/.exec(line)?.[1]
    if (run !== undefined && line.includes('run leased')) leased.set(run, Number(/"time":(\d+)/.exec(line)?.[1]))
  })
  const lines = createInterface({ input: child.stdout })
  const gone = once(child, 'exit').then(() => Promise.reject(new Error(`the service ended: ${log}`)))
  const [line] = (await Promise.race([once(lines, 'line'), gone])) as [string]
  gone.catch(() => undefined)
  const started = { seconds: (performance.now() - began) / 1_000, processor: usage.seconds() }
  const ready = JSON.parse(line) as { base_url: string; api_key: string; organisation_id: string }
  const operator = await connectControl(join(folder, 'data'))
  if (operator === null) throw new Error('the service has no control socket')
  const ids: string[] = []
  for (const { host } of sites) {
    const more = { context: null, environment: 'test', verified: true } as const
    ids.push((await operator.call('domain_add', { organisation: ready.organisation_id, domain: host, ...more })).id)
  }
  const client = createClient({ baseUrl: ready.base_url, apiKey: ready.api_key })
  return {
    usage,
    started,
    run: async (site, asked) => {
      const from = performance.now()
      const { id } = await client.startScan({ body: { ...asked, domain_id: ids[site] ?? '' } })
      return timed(client, id, from, leased)
    },
  }
}

const timed = async (client: Client, id: string, from: number, leased: ReadonlyMap<string, number>): Promise<Timed> => {
  const seconds = (): number => (performance.now() - from) / 1_000
  let firstFinding: number | null = null
  let requested: number | null = null
  let status = 'gone'
  for await (const event of watchScan(client, id)) {
    if (event.type === 'audit' && SENT.has(event.data.event)) requested ??= Date.parse(event.data.ts)
    if (event.type === 'progress' && Object.values(event.data.counts).some((count) => count > 0))
      firstFinding ??= seconds()
    if (event.type === 'done') status = event.data.status
  }
  const lease = leased.get(id)
  return {
    ...{ status, firstFinding, whole: seconds() },
    firstRequest: requested === null || lease === undefined ? null : requested - lease,
  }
}

/** What an audit log calls the first things that reach a target or its name server. */
const SENT = new Set(['request', 'connect', 'datagram', 'dns', 'resolve'])

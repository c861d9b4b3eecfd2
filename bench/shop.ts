/**
 * A whole active run of the demo shop at 20 requests a second: how long it takes, when the first finding can be read,
 * and what each module asked for. `node bench/shop.ts [requests a second]`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { createClient } from '../src/contract/client.ts'
import { readConfig } from '../src/main/config.ts'
import { createOperator } from '../src/main/operator.ts'
import { firstOf, startService } from '../src/main/service.ts'
import { startDemoShop } from '../src/main/testbed.ts'
import { loadModules } from '../src/store/modules.ts'
import { publish, row } from './table.ts'

const rate = Number(process.argv[2] ?? 20)
const LONGEST = 300_000
const EVERY = 200

const folder = await mkdtemp(join(tmpdir(), 'sonde-bench-shop-'))
const shop = await startDemoShop()
const env = {
  SONDE_FEEDS: 'off',
  SONDE_DATA: join(folder, 'data'),
  SONDE_HOSTS: `${shop.host}=${shop.address}`,
  SONDE_ALLOW_NETWORKS: `${shop.address}/32`,
  SONDE_ALLOW_TARGET_PORTS: 'any',
  SONDE_TARGET_REQUESTS_PER_SECOND: String(rate),
}
const service = await startService(
  readConfig(env, folder),
  { port: 0, host: '127.0.0.1', worker: true },
  pino({ level: 'error' }, pino.destination(2)),
)
try {
  const operator = createOperator(service.runtime)
  const organisation = firstOf(service).organisationId
  const domain = await operator.call('domain_add', {
    organisation,
    domain: shop.domain,
    context: 'shop',
    verified: true,
  })
  const client = createClient({ baseUrl: service.baseUrl, apiKey: firstOf(service).apiKey ?? '' })
  const began = performance.now()
  const { id } = await client.startScan({ body: { domain_id: domain.id, active: true } })
  const seconds = (): number => (performance.now() - began) / 1_000
  let first: number | null = null
  let status = 'queued'
  while (!['done', 'failed', 'canceled'].includes(status)) {
    if (performance.now() - began > LONGEST) throw new Error(`the run is still ${status} after ${LONGEST / 1_000} s`)
    await delay(EVERY)
    // Straight from the store: reading a run that often over the interface is refused.
    const [now] = await service.runtime.db.query<{ status: string; found: number }>(
      'select status, (select count(*)::int from findings where run_id = runs.id) as found from runs where id = $1',
      [id],
    )
    status = now?.status ?? 'gone'
    if (first === null && (now?.found ?? 0) > 0) first = seconds()
  }
  const whole = seconds()
  const modules = await loadModules(service.runtime.db, id)
  for (const { module, outcome } of modules.toSorted((a, b) => b.outcome.requests - a.outcome.requests)) {
    const spent = `${String(outcome.requests).padStart(6)} requests ${(outcome.duration_ms / 1_000).toFixed(1).padStart(6)} s`
    process.stdout.write(
      `${module.padEnd(14)} ${spent}  ${outcome.state === 'completed' ? '' : (outcome.reason ?? outcome.state)}\n`,
    )
  }
  publish('shop', [
    row({
      id: 'run',
      what: `whole active run of the demo shop at ${rate} requests/s (${status})`,
      unit: 's',
      ours: whole,
      target: { text: 'under 90 s', met: (ours) => ours < 90 },
    }),
    row({
      id: 'first',
      what: 'first finding can be read',
      unit: 's',
      ours: first ?? Number.POSITIVE_INFINITY,
      target: { text: 'within 5 s', met: (ours) => ours <= 5 },
    }),
    row({
      id: 'requests',
      what: 'requests of all modules',
      unit: 'requests',
      ours: modules.reduce((sum, { outcome }) => sum + outcome.requests, 0),
    }),
  ])
} finally {
  await service.stop()
  await shop.stop()
  await rm(folder, { recursive: true, force: true })
}

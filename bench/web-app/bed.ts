/** What the benches of the web application stand on: a service on loopback, runs as workers make them, pages signed in. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { finding as example } from '../../src/contract/examples.ts'
import { SEVERITIES } from '../../src/contract/finding.ts'
import { readConfig } from '../../src/main/config.ts'
import { firstOf, type Service, startService } from '../../src/main/service.ts'
import { createDomain } from '../../src/store/domains.ts'
import { appendAudit } from '../../src/store/events.ts'
import { type LeasedRun, lease, startRun } from '../../src/store/lease.ts'
import { saveModule } from '../../src/store/modules.ts'
import { createRun } from '../../src/store/runs.ts'

const PROGRAM = '/usr/bin/chromium-headless-shell'
/** Seconds that a run is held: longer than an hour of watching it. */
const HELD = 7_200

export interface Bed {
  readonly service: Service
  /** A run as a worker would have it, with so many findings. */
  readonly startedRun: (findings: number) => Promise<LeasedRun>
  /** A page of a context of its own, on the overview. */
  readonly signedIn: (of: Browser) => Promise<Page>
  /** Adds the audit lines `from` to `to` to the run, `atOnce` in a transaction. */
  readonly append: (held: LeasedRun, from: number, to: number, atOnce?: number) => Promise<void>
  readonly close: () => Promise<void>
}

export const openBed = async (): Promise<Bed> => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-bench-web-'))
  const env = {
    SONDE_DATA: folder,
    SONDE_FEEDS: 'off',
    SONDE_LOG_LEVEL: 'error',
    SONDE_LIMIT_REQUESTS_PER_MINUTE: '1000000',
  }
  const config = readConfig(env, folder)
  const service = await startService(config, { port: 0, host: '127.0.0.1', worker: false })
  return {
    service,
    startedRun: (findings) => startedRun(service, config.plans, findings),
    signedIn: (of) => signedIn(service, of),
    append: (held, from, to, atOnce = 1_000) => append(service, held, from, to, atOnce),
    close: async () => {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const launch = (...more: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', ...more] })

const startedRun = async (
  service: Service,
  plans: ReturnType<typeof readConfig>['plans'],
  findings: number,
): Promise<LeasedRun> => {
  const { runtime } = service
  const { organisationId } = firstOf(service)
  const { db } = runtime
  const name = `bench-${findings}.example.com`
  const domain = await createDomain(db, {
    ...{ organisationId, domain: name, context: null, token: 'bench' },
  })
  if (domain === 'domain_exists') throw new Error(`${name} exists`)
  const made = await createRun(db, plans, {
    ...{ organisationId, domainId: domain.id, context: null, sealedCredentials: null },
    ...{ active: false, privacy: false, cve_include_possible: false, template_full: false, make_pdf: false },
    idempotency: null,
  })
  if ('refused' in made) throw new Error(made.detail)
  const held = await lease(db, { workerId: 'bench', seconds: HELD, plans })
  if (held === null) throw new Error('No run is waiting')
  await startRun(db, held)
  const { id: _id, status: _status, triage: _triage, ...base } = example
  await saveModule(db, held, {
    module: 'headers',
    facts: {},
    outcome: { state: 'completed', reason: null, duration_ms: 1, requests: 1 },
    coverage: [],
    findings: Array.from({ length: findings }, (_, index) => ({
      ...base,
      title: `Finding ${index} of the benchmark, with a title as long as usual`,
      severity: SEVERITIES[index % SEVERITIES.length] ?? 'info',
      fingerprint: index.toString(16).padStart(64, '0'),
    })),
  })
  return held
}

const signedIn = async (service: Service, of: Browser): Promise<Page> => {
  const page = await (await of.newContext({ viewport: { width: 1280, height: 860 } })).newPage()
  await page.goto(`${service.baseUrl}/sign-in`)
  await page.locator('input').fill(firstOf(service).apiKey ?? '')
  await page.locator('button[type="submit"]').click()
  await page.waitForURL(`${service.baseUrl}/`)
  return page
}

/** Bytes of the page's heap with all rubbish taken out. */
export const heap = async (devtools: CDPSession): Promise<number> => {
  await devtools.send('HeapProfiler.enable')
  await devtools.send('HeapProfiler.collectGarbage')
  return (await devtools.send('Runtime.getHeapUsage')).usedSize
}

const append = async (service: Service, held: LeasedRun, from: number, to: number, atOnce: number): Promise<void> => {
  for (let sent = from; sent < to; sent += atOnce) {
    await appendAudit(
      service.runtime.db,
      held,
      Array.from({ length: Math.min(atOnce, to - sent) }, (_, index) => ({
        ...{ ts: new Date().toISOString(), module: `module-${index % 20}`, event: 'request', method: 'GET' },
        ...{ url: `https://bench.example.com/page/${sent + index}?with=a-query`, status: 200, duration_ms: 12 },
      })),
    )
  }
}

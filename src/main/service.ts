/** API, worker and control socket around one runtime: `serve` and the demo start this. */
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { buildApp } from '../api/app.ts'
import { connectionLimits } from '../api/connections.ts'
import { DEFAULT_LIMITS } from '../api/options.ts'
import { keyOfRun, verifyAnyTraffic } from '../contract/traffic-identity.ts'
import { renderCsv } from '../report/csv.ts'
import { renderDefectDojo } from '../report/defectdojo.ts'
import { renderJunit } from '../report/junit.ts'
import { renderSarif } from '../report/sarif.ts'
import { claimTemporary } from '../temporary/temporary.ts'
import { openMigrated } from './await-database.ts'
import type { Config } from './config.ts'
import { connectControl, serveControl } from './control-socket.ts'
import { createCoverMaker } from './cover-preview.ts'
import { descriptorLimit, sharesOf } from './descriptors.ts'
import { type FirstOrganisation, firstOrganisation } from './first-organisation.ts'
import { keepFeeds } from './keep-feeds.ts'
import { startNotices } from './notices.ts'
import { createOperator } from './operator.ts'
import { prepareLogoNow } from './prepare-logo.ts'
import { endRotations } from './rotate-secret.ts'
import { openRuntime, type Runtime, stderrLogger } from './runtime.ts'
import { keysFor } from './secret-key.ts'
import { startTracing } from './tracing.ts'
import { verifyDomainNow } from './verify-domain.ts'
import { VERSION } from './version.ts'
import { ensureWebApp } from './web-app.ts'
import { startRunWorker } from './worker.ts'

export interface ServiceOptions {
  readonly port: number
  readonly host: string
  readonly worker: boolean
  /** Default true. */
  readonly firstKey?: boolean
}

export interface Service {
  readonly runtime: Runtime
  readonly baseUrl: string
  /** Null where none was asked for. */
  readonly first: FirstOrganisation | null
  /** No new leases, running scans handed back, streams ended, database closed. */
  readonly stop: () => Promise<void>
}

/**
 * Ready to answer when it resolves. What was started before a failure is stopped again. A PostgreSQL that does not answer
 * is waited for until the signal aborts.
 */
export const startService = async (
  config: Config,
  options: ServiceOptions,
  logger: Logger = stderrLogger(config),
  signal: AbortSignal = new AbortController().signal,
): Promise<Service> => {
  const runtime = await openMigrated(() => openRuntime(config, logger), logger, signal)
  const started: (() => Promise<void>)[] = [runtime.close]
  const stop = async (): Promise<void> => {
    // In reverse: nobody may use what is closed already.
    for (const end of started.splice(0).toReversed()) await end()
  }
  try {
    started.push((await startTracing(config, 'sonde', logger)).stop)
    const temporary = claimTemporary(config.dataDir, runtime.db.kind === 'embedded')
    started.push(async () => temporary.close())
    started.push((await endRotations(runtime)).stop)
    const first = options.firstKey === false ? null : await firstOrganisation(runtime)
    const baseUrl = await listen(runtime, options, started)
    if (options.worker) {
      started.push(keepFeeds(runtime).stop)
      started.push((await startNotices(runtime)).stop)
      started.push((await startRunWorker(runtime, temporary)).drain)
    }
    await control(runtime, started)
    return { runtime, baseUrl, first, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @throws Error where the service was told to make none */
export const firstOf = ({ first }: Service): FirstOrganisation => {
  if (first === null) throw new Error('the service was started without a first organisation')
  return first
}

const listen = async (runtime: Runtime, options: ServiceOptions, started: (() => Promise<void>)[]): Promise<string> => {
  const { config, address } = runtime
  const shares = sharesOf(descriptorLimit())
  const app = await buildApp({
    db: runtime.db,
    storage: runtime.storage,
    fileKeys: runtime.storage.kind === 'fs' ? runtime.fileKeys : null,
    plans: config.plans,
    limits: {
      ...DEFAULT_LIMITS,
      ...config.limits,
      connections: connectionLimits(shares.connections),
      downloads: shares.downloads,
    },
    keys: runtime.keys,
    verifyTraffic: (header) => trafficOf(header, runtime),
    trafficKey: (runId) => keyOfRun(keysFor(runtime.keys, 'traffic').current.toString('base64url'), runId),
    hosts: new Set(Object.keys(config.hosts)),
    allowTargetPorts: config.allowTargetPorts,
    scanAddresses: config.scanAddresses,
    requestsPerSecond: config.targetRequestsPerSecond,
    verifyDomain: (domain) => verifyDomainNow(runtime, domain),
    render: { sarif: renderSarif, defectdojo: renderDefectDojo, csv: renderCsv, junit: renderJunit },
    mail: config.smtpUrl !== null,
    prepareLogo: prepareLogoNow,
    drawCover: createCoverMaker(),
    webFolder: await ensureWebApp((reason) => runtime.logger.warn({ reason }, 'serving without the web application')),
    openId: config.openId === null ? null : (await import('./open-id.ts')).openIdProvider(runtime, config.openId),
    baseUrl: () => address.baseUrl ?? '',
    version: VERSION,
    logger: runtime.logger,
    ...(config.trustProxy.length === 0 ? {} : { trustProxy: config.trustProxy }),
  })
  started.push(() => app.close())
  await app.listen({ port: options.port, host: options.host })
  address.baseUrl ??= urlOf(app.server.address() as AddressInfo)
  return address.baseUrl
}

/** By the key of today, or one of those before that are still accepted. */
const trafficOf = (header: string, { keys }: Runtime): ReturnType<typeof verifyAnyTraffic> => {
  for (const key of keysFor(keys, 'traffic').accepted) {
    const said = verifyAnyTraffic(header, key.toString('base64url'))
    if (said !== null) return said
  }
  return null
}

/** A wildcard address is no place to go to: clients of this machine take loopback. */
const urlOf = ({ address, port }: AddressInfo): string => {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const control = async (runtime: Runtime, started: (() => Promise<void>)[]): Promise<void> => {
  const { db, config, logger } = runtime
  // With PostgreSQL the folder has no lock, and another process may serve it already.
  if (db.kind === 'postgres' && (await connectControl(config.dataDir)) !== null) return
  const socket = await serveControl(config.dataDir, createOperator(runtime), (error) =>
    logger.error({ err: error }, 'a verb of the operator failed'),
  )
  started.push(socket.close)
}

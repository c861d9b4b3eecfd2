/** The worker with everything it asks for. */
import { type OobListener, openOobListener } from '../egress/oob/listener.ts'
import type { OobSettings } from '../egress/oob/out-of-band.ts'
import { BUNDLED } from '../knowledge/bundled.ts'
import { readActive } from '../knowledge/feeds/active.ts'
import type { FeedId } from '../knowledge/feeds/feed.ts'
import { expireAllLeases } from '../store/heartbeat.ts'
import type { KnownFeed } from '../store/knowledge-news.ts'
import type { Claim } from '../temporary/temporary.ts'
import { createFeedJudge, createJudge } from '../worker/judge-in-thread.ts'
import { startWorker, type Worker } from '../worker/loop.ts'
import { recheckDomains } from '../worker/verify-domain.ts'
import { builtScan, SPARE_SECONDS } from './built-scan.ts'
import { knowledgeFolder } from './knowledge-folder.ts'
import { reportWriter } from './report-writer.ts'
import type { Runtime } from './runtime.ts'
import { loginTester } from './test-login.ts'
import { verifyDomainNow } from './verify-domain.ts'
import { VERSION } from './version.ts'

export const startRunWorker = async (
  runtime: Runtime,
  { childFolder }: Pick<Claim, 'childFolder'>,
): Promise<Worker> => {
  const { config, db, logger } = runtime
  // The folder's lock is ours, so whoever held a lease in it is dead: its runs need not wait for the time to run out.
  if (db.kind === 'embedded') await expireAllLeases(db)
  const built = builtScan((reason) =>
    logger.warn({ reason }, 'scans are started from their sources, which takes longer'),
  )
  const listener = config.outOfBand === null ? null : await openListener(config.outOfBand)
  const worker = await startWorker({
    db,
    storage: runtime.storage,
    plans: config.plans,
    eventDays: config.eventDays,
    keys: runtime.keys,
    egress: runtime.egress,
    modules: {
      ports: config.ports,
      ...(config.recogFolder === null ? {} : { recogFolder: config.recogFolder }),
      ...(config.templatesFolder === null ? {} : { templatesFolder: config.templatesFolder }),
    },
    ...(listener ? { outOfBand: listener } : {}),
    report: reportWriter,
    judge: createJudge({ logger, body: built.judge }),
    news: {
      feeds: () => judgingFeeds(knowledgeFolder(config)),
      judge: createFeedJudge(knowledgeFolder(config), { body: built.judge }),
      perMinute: config.judgeAgainPerMinute,
    },
    scanScript: built.scan,
    verifyDomain: (domain) => verifyDomainNow(runtime, domain),
    testLogin: loginTester(runtime),
    logger,
    scanner: `Sonde ${VERSION}`,
    bundled: BUNDLED,
    knowledge: knowledgeFolder(config),
    runSeconds: config.runMinutes * 60,
    childMemoryMb: config.childMemoryMb,
    childFolder,
    spareSeconds: SPARE_SECONDS,
    ...(config.concurrency === null ? {} : { concurrency: config.concurrency }),
    ...(config.lightConcurrency === null ? {} : { lightConcurrency: config.lightConcurrency }),
    daily: (signal) => recheckDomains(db, (domain) => verifyDomainNow(runtime, domain), signal),
  })
  if (!listener) return worker
  return {
    ...worker,
    drain: async () => {
      await worker.drain()
      await listener.close()
    },
  }
}

/** Feeds that facts of runs rest on, see modules/anew.ts, as they are in this data folder. */
const judgingFeeds = (folder: string): KnownFeed[] =>
  JUDGING.flatMap((feed) => {
    const active = readActive(folder, feed)
    return active === null ? [] : [{ feed, version: active.version, importedAt: new Date(active.imported_at) }]
  })

const JUDGING = [
  ...(['nvd', 'cve5', 'osv', 'kev', 'epss', 'debian', 'ubuntu', 'redhat', 'retire', 'endoflife'] as const),
] satisfies readonly FeedId[]

const openListener = async (settings: OobSettings): Promise<OobListener> => {
  try {
    return await openOobListener(settings)
  } catch (cause) {
    const where = `${settings.bind}, ports ${settings.httpPort} and ${settings.dnsPort}`
    throw new Error(`SONDE_OOB_ADDRESS: cannot listen on ${where}`, { cause })
  }
}

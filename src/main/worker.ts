/** The worker with everything it asks for. */
import { judgeStored } from '../engine/judge-stored.ts'
import { startWorker, type Worker } from '../worker/loop.ts'
import { recheckDomains } from '../worker/verify-domain.ts'
import { knowledgeFolder } from './feeds.ts'
import { reportWriter } from './report-writer.ts'
import type { Runtime } from './runtime.ts'
import { verifyDomainNow } from './verify-domain.ts'
import { VERSION } from './version.ts'

export const startRunWorker = (runtime: Runtime): Promise<Worker> => {
  const { config, db, logger } = runtime
  return startWorker({
    db,
    storage: runtime.storage,
    plans: config.plans,
    secretKey: runtime.secretKey,
    egress: runtime.egress,
    report: reportWriter,
    judge: async (modules, about) => {
      const judged = judgeStored(modules, about)
      for (const { check, error } of judged.failures) logger.error({ err: error, check }, 'a check failed')
      return judged
    },
    logger,
    scanner: `Sonde ${VERSION}`,
    knowledge: knowledgeFolder(config),
    runSeconds: config.runSeconds,
    childMemoryMb: config.childMemoryMb,
    ...(config.concurrency === null ? {} : { concurrency: config.concurrency }),
    daily: (signal) => recheckDomains(db, (domain) => verifyDomainNow(runtime, domain), signal),
  })
}

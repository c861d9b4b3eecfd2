/** The product's worker; its scan child touches nothing. */

import { BUILT_IN_PLANS } from '../../src/contract/organisation.ts'
import { oneKey } from '../../src/contract/secret-keys.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { startWorker } from '../../src/worker/loop.ts'
import { serveParent, settingsOf } from './children.ts'

const { url } = settingsOf<{ url: string }>()
const db = await openDatabase({ url })
const unused = (): never => {
  throw new Error('The benchmark stores no files of this kind')
}
const worker = await startWorker({
  db,
  storage: {
    put: async () => unused(),
    get: async () => unused(),
    delete: async () => undefined,
  },
  plans: BUILT_IN_PLANS,
  keys: oneKey(Buffer.alloc(32)),
  egress: {
    ...{ hosts: {}, allowNetworks: [], resolvers: [], requestsPerSecond: 20, concurrency: 10, contact: '' },
    trafficKey: '',
  },
  report: { findingsJson: unused, html: unused, markdown: unused, pdf: unused },
  judge: unused,
  verifyDomain: unused,
  logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  scanner: 'bench',
  scanScript: async () => new URL('no-scan.ts', import.meta.url),
})
serveParent({}, async () => {
  await worker.drain()
  await db.close()
}).ready(null)

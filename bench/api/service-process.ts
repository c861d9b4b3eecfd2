/** The product's HTTP interface on PostgreSQL with its rate limits open; logs as the service does, to nowhere. */

import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { pino } from 'pino'
import { buildApp } from '../../src/api/app.ts'
import { DEFAULT_LIMITS } from '../../src/api/options.ts'
import { fsStorage } from '../../src/artifacts/fs.ts'
import { BUILT_IN_PLANS } from '../../src/contract/organisation.ts'
import { oneKey } from '../../src/contract/secret-keys.ts'
import type { Database, Queryable } from '../../src/store/database.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { memory, processorTime, type Spent, serveParent, settingsOf } from './children.ts'

const OPEN = 1_000_000_000
const { url, key } = settingsOf<{ url: string; key: string }>()
const keys = oneKey(Buffer.from(key, 'hex'))
let baseUrl = ''
const db = await openDatabase({ url })
let statements = 0
const counting = (inner: Queryable): Queryable => ({
  query: (sql, params) => {
    statements += 1
    return inner.query(sql, params)
  },
})
const counted: Database = {
  ...{ ...db, ...counting(db) },
  // It begins and commits.
  transaction: (work) => {
    statements += 2
    return db.transaction((tx) => work(counting(tx)))
  },
}
const spent = async (): Promise<Spent> => ({ cpu: processorTime(), statements })
const app = await buildApp({
  db: counted,
  storage: fsStorage({ folder: `${tmpdir()}/sonde-bench-files`, keys, baseUrl: () => baseUrl }),
  fileKeys: keys,
  plans: BUILT_IN_PLANS,
  limits: {
    ...DEFAULT_LIMITS,
    ...{ requestsPerMinute: OPEN, startsPerMinute: OPEN, runReads: OPEN, refusalsPerMinute: OPEN },
  },
  keys,
  scanAddresses: [],
  requestsPerSecond: 20,
  prepareLogo: async (body) => ({ body }),
  drawCover: async () => Buffer.alloc(0),
  webFolder: null,
  openId: null,
  verifyTraffic: () => null,
  hosts: new Set(),
  allowTargetPorts: false,
  verifyDomain: async () => [],
  render: { sarif: () => '', defectdojo: () => '', csv: () => '', junit: () => '' },
  baseUrl: () => baseUrl,
  version: '0.0.0',
  logger: pino({ level: 'info', base: null }, pino.destination('/dev/null')),
})
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
baseUrl = `http://127.0.0.1:${port}`
serveParent({ memory, spent }, async () => {
  await app.close()
  await db.close()
}).ready({ port })

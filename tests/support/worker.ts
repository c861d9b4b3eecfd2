import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FindingsFile } from '../../src/contract/findings-file.ts'
import { oneKey } from '../../src/contract/secret-keys.ts'
import type { Database } from '../../src/store/database.ts'
import type { Logger, Storage, WorkerOptions } from '../../src/worker/options.ts'
import { PLANS } from './seed.ts'

export interface MemoryStorage extends Storage {
  readonly objects: Map<string, Buffer>
}

export const memoryStorage = (): MemoryStorage => {
  const objects = new Map<string, Buffer>()
  return {
    objects,
    put: async (key, body) => {
      const bytes = Buffer.isBuffer(body) ? Buffer.from(body) : await buffer(body)
      objects.set(key, bytes)
      return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    },
    get: async (key) => {
      const bytes = objects.get(key)
      if (!bytes) throw new Error(`no object ${key}`)
      return { stream: Readable.from([bytes]), size: bytes.length }
    },
    delete: async (key) => {
      objects.delete(key)
    },
  }
}

/** Keeps warnings and errors; `onLine` sees them too. */
export const silentLogger = (
  onLine: (line: string) => void = () => undefined,
): Logger & { readonly lines: string[] } => {
  const lines: string[] = []
  const write = (fields: object, message: string): void => {
    const { err } = fields as { err?: unknown }
    const line = `${message} ${err instanceof Error ? `${err.stack} ${err.cause}` : JSON.stringify(fields)}`
    lines.push(line)
    onLine(line)
  }
  return { lines, info: () => undefined, warn: write, error: write }
}

/** The same in every process of a test, as in those of a fleet. */
export const KEY = oneKey(Buffer.alloc(32, 7))
export const FAKE_SCAN = new URL('../../src/worker/testing/fake-scan.ts', import.meta.url)

export const workerOptions = (db: Database, storage: Storage, change: Partial<WorkerOptions> = {}): WorkerOptions => ({
  db,
  storage,
  plans: PLANS,
  keys: KEY,
  egress: {
    hosts: {},
    allowNetworks: [],
    resolvers: [],
    requestsPerSecond: 20,
    concurrency: 10,
    contact: '',
    trafficKey: '',
  },
  report: {
    findingsJson: (file: FindingsFile) => JSON.stringify(file),
    html: ({ target }: FindingsFile) => `<!doctype html><title>${target.domain}</title>`,
    markdown: ({ target }: FindingsFile) => `# ${target.domain}\n`,
    pdf: async () => ({ tex: '\\relax', pdf: Buffer.from('%PDF-1.7'), pages: 3 }),
  },
  judge: async (modules) => ({
    grade: { grade: 'B', score: 80, provisional: false, caps: [], parts: [] },
    coverage: modules.map(({ module }) => ({
      module,
      check_id: `${module}/problem`,
      title: 'Problem',
      state: 'fail',
      reason: null,
    })),
    tables: [],
    knowledge: {},
  }),
  verifyDomain: async () => [{ method: 'dns_txt', ok: true, seen: 'the value' }],
  logger: silentLogger(),
  scanner: 'Sonde 0.0.0',
  concurrency: 2,
  scanScript: async () => FAKE_SCAN,
  timing: { lease: 6_000, heartbeat: 200, poll: 500, grace: 500, reap: 200, sweep: 60_000 },
  ...change,
})

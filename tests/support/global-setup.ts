import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { builtScan } from '../../src/main/built-scan.ts'
import { ensureWebApp } from '../../src/main/web-app.ts'
import { onDemand } from './on-demand.ts'
import { createCluster } from './postgres-cluster.ts'
import { V8_OPTIONS } from './v8-options.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Unix socket that answers with the URL of the run's PostgreSQL, which it starts for the first who asks. */
    postgresSocket: string
    /** Unix socket that answers with the run's S3 server, which it starts for the first who asks. */
    s3Socket: string
  }
}

/**
 * One throw-away PostgreSQL and one S3 server for the whole test run, started when the first test asks for them; and the web
 * application and the scan child, built once where their sources changed, instead of by each service that a test starts.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  // Where one of them cannot be had, the tests that need it fail, and no others.
  const tell = (reason: unknown) => console.error(reason)
  // With --changed few need them, and those build for themselves.
  if (!project.vitest.config.changed)
    await Promise.all([ensureWebApp(tell), builtScan(tell).scan(), warmUp().catch(tell)])
  const [cluster, s3] = await Promise.all([createCluster(), createS3()])
  project.provide('postgresSocket', cluster.socket)
  project.provide('s3Socket', s3.socket)
  return async () => {
    await Promise.all([cluster.close(), s3.close()])
  }
}

/** The compiled code of the program, for all processes of tests and the programs that they start. */
const warmUp = () =>
  promisify(execFile)(process.execPath, [...V8_OPTIONS, fileURLToPath(new URL('warm-up.ts', import.meta.url))], {
    timeout: 120_000,
  })

const createS3 = async (): Promise<{ readonly socket: string; readonly close: () => Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-s3-'))
  const socket = join(folder, 'ask.sock')
  // Loaded where it is asked for alone: its client is large.
  const close = await onDemand(socket, async () => (await import('./swift.ts')).startSwift())
  return {
    socket,
    close: async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

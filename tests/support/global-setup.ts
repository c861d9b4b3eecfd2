import type { TestProject } from 'vitest/node'
import { ensureWebApp } from '../../src/main/web-app.ts'
import { createCluster } from './postgres-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Unix socket that answers with the URL of the run's PostgreSQL, which it starts for the first who asks. */
    postgresSocket: string
  }
}

/**
 * One throw-away PostgreSQL for the whole test run, started when the first test asks for it; and the web application,
 * built once where its sources changed, instead of by each service that a test starts.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  // Where it cannot be built, the tests that need it fail, and no others.
  await ensureWebApp((reason) => console.error(reason))
  const cluster = await createCluster()
  project.provide('postgresSocket', cluster.socket)
  return cluster.close
}

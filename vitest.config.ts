import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const TESTS = ['src/**/*.test.ts', 'tests/**/*.test.ts', 'testbed/**/*.test.ts']

/**
 * Files that have a process for themselves: they start whole runs, services, browsers and sandboxes, end threads, or change
 * their own process. All the others share processes, in which what they import is loaded once, and the embedded database opened once.
 */
const ALONE = [
  'tests/{crash,faults,harm,network,outage,privacy,roots,web-app}/**/*.test.ts',
  'tests/{crawl-truth,demo,distributed,edge-connections,emergency-stop,generated,notices,privacy,privacy-hostile}.test.ts',
  'tests/{redaction,service,setup-node,setup-script,stability,web-injection,whole-run}.test.ts',
  'src/engine/browser/*.test.ts',
  'src/engine/run-scan.test.ts',
  'src/main/descriptors.test.ts',
  'src/report/pdf/{compile,tiers}.test.ts',
  'src/store/{copy,database,embedded,holds,postgres}.test.ts',
  'src/temporary/*.test.ts',
  'src/worker/{judge-in-thread,worker}.test.ts',
]

/** What each project has; deadlines are against a hang, no measures: a first start of the embedded database takes 8 s, and ten times that under load. */
const COMMON = {
  testTimeout: 90_000,
  hookTimeout: 180_000,
  pool: 'forks',
  // Many tests wait for sockets and browsers: three left a third of two cores idle.
  maxWorkers: 4,
  // For the processes that tests start: services, scans, workers.
  env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url)) },
} as const

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // With --changed: what else changes is followed through the imports; a script or a version more in package.json is no reason to run all.
    forceRerunTriggers: ['**/vitest.config.ts', '**/package-lock.json'],
    ...COMMON,
    // In the order of their names: what takes long comes first.
    projects: [
      { test: { ...COMMON, name: 'alone', include: ALONE } },
      { test: { ...COMMON, name: 'shared', include: TESTS, exclude: ALONE, isolate: false } },
    ],
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'testbed/**/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    // Deadlines against a hang, not measures: a first start of the embedded database takes 8 s, and ten times that under load.
    testTimeout: 90_000,
    hookTimeout: 180_000,
    // With --changed: what else changes is followed through the imports; a script or a version more in package.json is no reason to run all.
    forceRerunTriggers: ['**/vitest.config.ts', '**/package-lock.json'],
    pool: 'forks',
    // Many tests wait for sockets and browsers, so that three keep two cores busy.
    maxWorkers: 3,
  },
})

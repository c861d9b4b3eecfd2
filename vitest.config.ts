import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { leftOut } from './tests/support/left-out.ts'
import { LongestFirst } from './tests/support/sequence.ts'
import { V8_OPTIONS } from './tests/support/v8-options.ts'

/** Makes pictures for people to look at, `npm run pictures`: no test of `./test`. */
const PICTURES = 'tests/web-app/pictures.test.ts'
const LEFT_OUT = [
  ...leftOut(process.env).flatMap(({ files }) => files),
  ...(process.env.SONDE_PICTURES ? [] : [PICTURES]),
]

const TESTS = ['src/**/*.test.ts', 'tests/**/*.test.ts', 'testbed/**/*.test.ts']

/** Files that have a process for themselves: they change it, or look at what it has open. */
const ALONE = [
  'src/engine/browser/*.test.ts',
  'src/main/descriptors.test.ts',
  'src/store/{embedded,holds}.test.ts',
  'src/temporary/*.test.ts',
  'src/worker/judge-in-thread.test.ts',
]

/** Files that start whole runs, services, browsers and sandboxes, apart from the others: --changed leaves them out. */
const WHOLE = [
  'tests/{chaos,crash,faults,harm,network,outage,privacy,roots,web-app}/**/*.test.ts',
  'tests/{backup,batches,crawl-truth,demo,distributed,edge-connections,emergency-stop,feed-news,feeds,generated,mcp,notices,privacy,privacy-hostile}.test.ts',
  'tests/{quiet-hours,redaction,replays,rotate-secret,service,sign-in,sign-in-service,upgrade,setup-node,setup-script,stability,web-injection,whole-run}.test.ts',
  'tests/{authorization,authorization-pages,contributing,crawl-browser,crawl-routes,ground-truth,integrations,other-identities,other-identities-browser,packages,web-modsecurity,web-soap}.test.ts',
  'tests/decisions/*.test.ts',
  'src/api/reports.test.ts',
  'src/engine/run-scan.test.ts',
  'src/main/{built-scan,tracing}.test.ts',
  'src/modules/attack/injection/outside.test.ts',
  'src/modules/attack/xss/{as-list,blind,collect,page-forms}.test.ts',
  'src/modules/attack/xss/{browser/acts,dom/application,dom/code-named,dom/explore,dom/ways-in}.test.ts',
  'src/report/pdf/{compile,tiers}.test.ts',
  'src/store/{copy,database,postgres}.test.ts',
  'src/worker/{active-consent,child-folder,feed-news,feed-news-fleet,report-jobs,signing,worker}.test.ts',
]

/** What each project has; deadlines are against a hang, no measures: a first start of the embedded database takes 8 s, and ten times that under load. */
const COMMON = {
  testTimeout: 90_000,
  hookTimeout: 180_000,
  pool: 'forks',
  execArgv: [...V8_OPTIONS] as string[],
  // Many tests wait for sockets and browsers, some for time alone: four left a quarter of two cores idle, seven made waits of others run out.
  maxWorkers: 5,
  // As the product runs: types are stripped by Node, whose compile cache serves tests and the processes that they start.
  experimental: { viteModuleRunner: false },
  // For the processes that tests start: services, scans, workers. No feed is fetched but where a test says so.
  env: {
    SONDE_FEEDS: 'off',
    NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url)),
  },
} as const

/** Of what starts programs: one takes 41 s of a quiet machine, and more than twice as long at a load of ten. */
const WHOLE_TIMEOUT = 240_000

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // With --changed: what else changes is followed through the imports; a script or a version more in package.json is no reason to run all.
    forceRerunTriggers: ['**/vitest.config.ts', '**/package-lock.json'],
    sequence: { sequencer: LongestFirst },
    ...COMMON,
    // Files of the last two share processes, in which what they import is loaded once.
    projects: [
      { test: { ...COMMON, name: 'alone', include: ALONE, testTimeout: WHOLE_TIMEOUT } },
      {
        test: {
          ...COMMON,
          name: 'whole',
          include: WHOLE,
          exclude: LEFT_OUT,
          testTimeout: WHOLE_TIMEOUT,
          isolate: false,
        },
      },
      {
        test: { ...COMMON, name: 'shared', include: TESTS, exclude: [...ALONE, ...WHOLE, ...LEFT_OUT], isolate: false },
      },
    ],
  },
})

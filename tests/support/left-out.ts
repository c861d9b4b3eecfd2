/** Files that a run of the tests does not even load, by what it was asked for; count-tests.ts names them. */

/** Every test of them waits for `./test --long`. */
const LONG: readonly string[] = [
  'tests/crash/service.test.ts',
  'tests/crawl-truth.test.ts',
  'tests/feed-news.test.ts',
  'tests/harm/real.test.ts',
  'tests/network/service.test.ts',
  'tests/roots/package.test.ts',
  'tests/roots/roots.test.ts',
  'tests/stability.test.ts',
  'tests/web-app/jobs-service.test.ts',
  'tests/web-app/walk.test.ts',
]

/**
 * End to end: services, fleets, packages and browsers for minutes of a processor, two thirds of it all. `./test --all` runs them, which
 * is what CI does; `./test` without arguments leaves them, and each of their parts has tests that it does not leave.
 */
const END_TO_END: readonly string[] = [
  'src/main/built-scan.test.ts',
  'src/modules/attack/injection/outside.test.ts',
  'src/modules/attack/sessions/flask.test.ts',
  'src/modules/attack/sessions/php.test.ts',
  'src/modules/attack/sqli/one-worker.test.ts',
  'src/modules/attack/xss/blind.test.ts',
  'src/modules/attack/xss/browser/acts.test.ts',
  'src/modules/attack/xss/collect.test.ts',
  'src/modules/attack/xss/dom/application.test.ts',
  'src/modules/attack/xss/dom/drawing.test.ts',
  'src/modules/attack/xss/dom/explore.test.ts',
  'src/modules/attack/xss/dom/ways-in.test.ts',
  'src/modules/privacy/record/recorder.test.ts',
  'src/modules/privacy/visit/profile.test.ts',
  'src/report/pdf/compile.test.ts',
  'src/report/pdf/layout-rules.test.ts',
  'src/report/pdf/tiers.test.ts',
  'src/sign-in/by-steps.test.ts',
  'src/store/copy.test.ts',
  'src/worker/feed-news-fleet.test.ts',
  'src/worker/report-jobs.test.ts',
  'testbed/generate/served.test.ts',
  'tests/authorization.test.ts',
  'tests/authorization-pages.test.ts',
  'tests/backup.test.ts',
  'tests/batches.test.ts',
  'tests/chaos/campaign.test.ts',
  'tests/contract-fuzz.test.ts',
  'tests/crash/worker.test.ts',
  'tests/crawl-browser.test.ts',
  'tests/crawl-routes.test.ts',
  'tests/cve-truth/truth.test.ts',
  'tests/decisions/upgrade.test.ts',
  'tests/demo.test.ts',
  'tests/distributed.test.ts',
  'tests/edge-connections.test.ts',
  'tests/emergency-stop.test.ts',
  'tests/faults/deadly.test.ts',
  'tests/faults/faults.test.ts',
  'tests/feeds.test.ts',
  'tests/harm/office.test.ts',
  'tests/harm/sinks.test.ts',
  'tests/integrations.test.ts',
  'tests/mcp.test.ts',
  'tests/network/bed.test.ts',
  'tests/network/sockets.test.ts',
  'tests/notices.test.ts',
  'tests/outage/agent-process.test.ts',
  'tests/outage/agent.test.ts',
  'tests/outage/outage.test.ts',
  'tests/outage/start.test.ts',
  'tests/packages.test.ts',
  'tests/privacy-hostile.test.ts',
  'tests/privacy.test.ts',
  'tests/quic.test.ts',
  'tests/quiet-hours.test.ts',
  'tests/redaction.test.ts',
  'tests/rotate-secret.test.ts',
  'tests/service.test.ts',
  'tests/setup-node.test.ts',
  'tests/setup-script.test.ts',
  'tests/sign-in-service.test.ts',
  'tests/sign-in.test.ts',
  'tests/smb.test.ts',
  'tests/templates-truth/installed/installed.test.ts',
  'tests/templates-truth/truth.test.ts',
  'tests/upgrade.test.ts',
  'tests/web-app/jobs-findings.test.ts',
  'tests/web-app/jobs-tenants.test.ts',
  'tests/web-app/jobs.test.ts',
  'tests/web-app/open-id.test.ts',
  'tests/web-app/pages.test.ts',
  'tests/web-app/people.test.ts',
  'tests/web-injection.test.ts',
  'tests/web-modsecurity.test.ts',
]

export interface LeftOut {
  /** What has to be said to have them. */
  readonly option: '--all' | '--long'
  readonly files: readonly string[]
}

/** `SONDE_SHORT` is said by `./test` without arguments, `SONDE_LONG` by `--long`. */
export const leftOut = ({ SONDE_SHORT, SONDE_LONG }: NodeJS.ProcessEnv): readonly LeftOut[] => [
  ...(SONDE_SHORT ? [{ option: '--all', files: END_TO_END } as const] : []),
  ...(SONDE_LONG ? [] : [{ option: '--long', files: LONG } as const]),
]

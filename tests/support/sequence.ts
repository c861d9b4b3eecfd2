/** The order of test files: what takes long comes first, and what is short fills the processors at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files with a process for themselves, then whole runs, which wait a lot, then everything that only reckons. */
const PROJECTS = ['alone', 'whole', 'shared']

/** By their time, longest first: a fresh checkout has no times of its own. */
export const LONGEST = [
  'tests/backup.test.ts',
  'src/report/pdf/compile.test.ts',
  'tests/service.test.ts',
  'tests/upgrade.test.ts',
  'tests/batches.test.ts',
  'tests/web-app/pages.test.ts',
  'tests/network/bed.test.ts',
  'src/modules/attack/xss/collect.test.ts',
  'tests/feeds.test.ts',
  'tests/redaction.test.ts',
  'src/modules/attack/xss/dom/explore.test.ts',
  'tests/sign-in.test.ts',
  'src/modules/attack/xss/dom/drawing.test.ts',
  'tests/web-app/jobs-findings.test.ts',
  'tests/integrations.test.ts',
  'src/modules/attack/xss/browser/acts.test.ts',
  'tests/emergency-stop.test.ts',
  'src/worker/report-jobs.test.ts',
  'tests/setup-node.test.ts',
  'src/modules/network/services/collect.test.ts',
  'tests/decisions/upgrade.test.ts',
  'src/worker/worker.test.ts',
  'tests/outage/start.test.ts',
  'tests/privacy.test.ts',
  'tests/demo.test.ts',
  'tests/sign-in-service.test.ts',
  'src/modules/network/tls-deep/flaws.test.ts',
  'tests/edge-connections.test.ts',
  'tests/crawl-browser.test.ts',
  'tests/crawl-routes.test.ts',
  'src/modules/attack/sqli/one-worker.test.ts',
  'src/modules/network/tls-deep/starttls.test.ts',
  'tests/outage/outage.test.ts',
  'tests/packages.test.ts',
  'tests/setup-script.test.ts',
  'src/modules/network/tls-deep/hostile.test.ts',
  'tests/rotate-secret.test.ts',
  'src/backup/backup.test.ts',
  'tests/harm/sinks.test.ts',
  'src/store/lease.test.ts',
  'src/report/pdf/tiers.test.ts',
  'tests/web-app/open-id.test.ts',
  'src/modules/network/services/proxy.test.ts',
  'testbed/generate/served.test.ts',
  'src/engine/run-scan.test.ts',
  'src/sign-in/by-steps.test.ts',
  'tests/faults/faults.test.ts',
  'tests/whole-run.test.ts',
  'tests/faults/deadly.test.ts',
  'src/main/built-scan.test.ts',
  'tests/distributed.test.ts',
  'tests/contract-fuzz.test.ts',
  'tests/web-app/jobs.test.ts',
  'tests/notices.test.ts',
  'src/modules/attack/crawl/collect.test.ts',
  'src/modules/attack/injection/outside.test.ts',
  'tests/network/sockets.test.ts',
  'tests/generated.test.ts',
  'src/egress/http/hostile.test.ts',
  'src/modules/network/ports/collect.test.ts',
  'src/contract/openapi-compat.test.ts',
  'src/cli/standing.test.ts',
  'tests/edge.test.ts',
  'src/modules/privacy/visit/profile.test.ts',
  'src/protocols/services/probes.test.ts',
  'src/modules/attack/xss/probes/drawn-later.test.ts',
  'src/modules/attack/rate-limit/rate-limit.test.ts',
  'tests/web-modsecurity.test.ts',
]

const place = <Item>(list: readonly Item[], item: Item): number => {
  const at = list.indexOf(item)
  return at < 0 ? list.length : at
}

export class LongestFirst extends BaseSequencer {
  /** Vitest's own order, of projects by name and files by the time of the last run, counts where the lists say nothing. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`
    const rank = ({ project, moduleId }: TestSpecification): readonly [number, number] => [
      place(PROJECTS, project.name),
      place(LONGEST, moduleId.slice(root.length)),
    ]
    const usual = await super.sort(files)
    return usual
      .map((file) => ({ file, rank: rank(file) }))
      .toSorted((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1])
      .map(({ file }) => file)
  }
}

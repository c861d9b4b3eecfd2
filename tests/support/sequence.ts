/** The order of test files: what takes long comes first, and what is short fills the processors at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files with a process for themselves, then whole runs, which wait a lot, then everything that only reckons. */
const PROJECTS = ['alone', 'whole', 'shared']

/** By their time, longest first: a fresh checkout has no times of its own. */
export const LONGEST = [
  'tests/service.test.ts',
  'tests/backup.test.ts',
  'tests/privacy.test.ts',
  'tests/harm/office.test.ts',
  'tests/sign-in-service.test.ts',
  'tests/network/bed.test.ts',
  'tests/web-injection.test.ts',
  'tests/distributed.test.ts',
  'tests/sign-in.test.ts',
  'tests/rotate-secret.test.ts',
  'tests/outage/outage.test.ts',
  'tests/integrations.test.ts',
  'tests/faults/faults.test.ts',
  'tests/harm/sinks.test.ts',
  'tests/web-app/jobs-findings.test.ts',
  'tests/demo.test.ts',
  'tests/feeds.test.ts',
  'src/modules/attack/xss/browser/acts.test.ts',
  'src/modules/attack/xss/collect.test.ts',
  'src/report/pdf/compile.test.ts',
  'tests/whole-run.test.ts',
  'tests/outage/start.test.ts',
  'src/worker/report-jobs.test.ts',
  'tests/setup-script.test.ts',
  'tests/web-app/pages.test.ts',
  'tests/emergency-stop.test.ts',
  'tests/edge-connections.test.ts',
  'tests/redaction.test.ts',
  'src/backup/backup.test.ts',
  'tests/contract-fuzz.test.ts',
  'src/store/lease.test.ts',
  'tests/edge.test.ts',
  'src/egress/http/hostile.test.ts',
  'src/sign-in/by-steps.test.ts',
  'src/artifacts/artifacts.test.ts',
  'src/modules/network/services/collect.test.ts',
  'src/templates/run/javascript/services.test.ts',
  'src/modules/attack/sqli/one-worker.test.ts',
  'tests/isolation.test.ts',
  'src/modules/network/tls-deep/flaws.test.ts',
  'src/modules/network/tls-deep/hostile.test.ts',
  'src/modules/attack/crawl/collect.test.ts',
  'src/worker/verify-domain.test.ts',
  'src/api/events.test.ts',
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

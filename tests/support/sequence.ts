/** The order of test files: what takes long comes first, and what is short fills the processors at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files with a process for themselves, then whole runs, which wait a lot, then everything that only reckons. */
const PROJECTS = ['alone', 'whole', 'shared']

/** By their time, longest first: a fresh checkout has no times of its own. */
export const LONGEST = [
  'tests/distributed.test.ts',
  'tests/generated.test.ts',
  'tests/rotate-secret.test.ts',
  'tests/web-app/pages.test.ts',
  'tests/outage/outage.test.ts',
  'src/report/pdf/compile.test.ts',
  'tests/harm/sinks.test.ts',
  'tests/network/bed.test.ts',
  'tests/whole-run.test.ts',
  'tests/web-app/jobs-findings.test.ts',
  'tests/integrations.test.ts',
  'tests/privacy.test.ts',
  'tests/backup.test.ts',
  'tests/emergency-stop.test.ts',
  'tests/demo.test.ts',
  'tests/feeds.test.ts',
  'src/modules/attack/xss/dom/explore.test.ts',
  'tests/upgrade.test.ts',
  'tests/web-injection.test.ts',
  'tests/redaction.test.ts',
  'tests/sign-in.test.ts',
  'tests/edge-connections.test.ts',
  'src/worker/worker.test.ts',
  'tests/web-app/open-id.test.ts',
  'tests/setup-node.test.ts',
  'tests/web-app/people.test.ts',
  'tests/notices.test.ts',
  'src/modules/attack/crawl/collect.test.ts',
  'tests/service.test.ts',
  'tests/harm/office.test.ts',
  'src/modules/attack/xss/browser/acts.test.ts',
  'src/store/holds.test.ts',
  'tests/mcp.test.ts',
  'src/modules/attack/xss/collect.test.ts',
  'tests/setup-script.test.ts',
  'src/main/built-scan.test.ts',
  'tests/outage/start.test.ts',
  'tests/packages.test.ts',
  'tests/crawl-browser.test.ts',
  'src/sign-in/by-steps.test.ts',
  'src/modules/network/tls-deep/real.test.ts',
  'src/engine/run-scan.test.ts',
  'src/store/embedded.test.ts',
  'src/worker/report-jobs.test.ts',
  'tests/faults/deadly.test.ts',
  'src/engine/browser/launch.test.ts',
  'tests/contract-fuzz.test.ts',
  'src/modules/attack/injection/outside.test.ts',
  'tests/sign-in-service.test.ts',
  'src/egress/redaction/redact.test.ts',
  'tests/hypothesis-places.test.ts',
  'tests/network/sockets.test.ts',
  'tests/ground-truth.test.ts',
  'tests/crawl-routes.test.ts',
  'testbed/generate/served.test.ts',
  'src/api/agents.test.ts',
  'src/modules/network/ports/collect.test.ts',
  'src/modules/privacy/visit/profile.test.ts',
  'src/artifacts/artifacts.test.ts',
  'tests/faults/faults.test.ts',
]

/**
 * By their time, longest first: they wait for deadlines and slow answers, and compute next to nothing. Side by side they leave the
 * processors idle (for 40 s of 300, measured), so each has others beside it.
 */
export const WAITING = [
  'src/modules/network/services/collect.test.ts',
  'src/modules/network/tls-deep/flaws.test.ts',
  'src/modules/attack/sqli/one-worker.test.ts',
  'src/modules/network/tls-deep/hostile.test.ts',
  'src/modules/network/tls-deep/starttls.test.ts',
  'src/modules/network/services/proxy.test.ts',
  'src/modules/attack/xss/dom/drawing.test.ts',
  'src/main/keep-feeds.test.ts',
  'src/worker/feed-news-fleet.test.ts',
  'src/modules/privacy/record/recorder.test.ts',
  'src/worker/feed-news.test.ts',
  'src/cli/standing.test.ts',
  'src/protocols/services/probes.test.ts',
  'src/modules/attack/rate-limit/rate-limit.test.ts',
  'src/modules/attack/sqli/one-quote.test.ts',
  'src/modules/network/tls-deep/offers.test.ts',
  'src/modules/network/tls-deep/crowded.test.ts',
]

/** Of the files that share their project with those that wait, so many stand before each of these but the first two. */
const BETWEEN = 10

/** One that waits after every so many of the others; what is left of either ends the list. */
const spread = <File>(waiting: readonly File[], others: readonly File[]): readonly File[] => {
  const at = (index: number): number => Math.max(0, index - 1) * BETWEEN
  return [
    ...others.flatMap((file, index) => [...waiting.filter((_, of) => at(of) === index), file]),
    ...waiting.filter((_, of) => at(of) >= others.length),
  ]
}

const place = <Item>(list: readonly Item[], item: Item): number => {
  const at = list.indexOf(item)
  return at < 0 ? list.length : at
}

export class LongestFirst extends BaseSequencer {
  /** Vitest's own order, of projects by name and files by the time of the last run, counts where the lists say nothing. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`
    const projectOf = ({ project }: TestSpecification): number => place(PROJECTS, project.name)
    const pathOf = ({ moduleId }: TestSpecification): string => moduleId.slice(root.length)
    const by = (list: readonly string[]) => (a: TestSpecification, b: TestSpecification) =>
      place(list, pathOf(a)) - place(list, pathOf(b))
    const usual = await super.sort(files)
    return Map.groupBy(usual, projectOf)
      .entries()
      .toArray()
      .toSorted(([a], [b]) => a - b)
      .flatMap(([, own]) =>
        spread(
          own.filter((file) => WAITING.includes(pathOf(file))).toSorted(by(WAITING)),
          own.filter((file) => !WAITING.includes(pathOf(file))).toSorted(by(LONGEST)),
        ),
      )
  }
}

/** Runs the privacy module over one site of the testbed, as a run would. */
import { launchBrowser } from '../../src/engine/browser/launch.ts'
import type { Finding, Judgement } from '../../src/modules/module.ts'
import { collectPrivacy } from '../../src/modules/privacy/collect.ts'
import type { PrivacyFacts } from '../../src/modules/privacy/facts.ts'
import { privacy } from '../../src/modules/privacy/module.ts'
import { TIMES, type Times } from '../../src/modules/privacy/visit/times.ts'
import { collectContext } from '../../src/modules/testing/collecting.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'
import { caseSite } from '../../src/modules/testing/site-facts.ts'
import { hostOf, type PrivacyPage } from '../../testbed/privacy/page.ts'
import type { PrivacyTestbed } from '../../testbed/privacy/server.ts'

/**
 * Long enough for what the testbed does late (0.9 s after the last key, 1.5 s until a dialog) on a machine that is busy, and no longer.
 * Bounds that cut a visit short there are wider than in the product.
 */
export const BRISK: Times = {
  ...TIMES,
  ...{ dwell: 1_000, after: 1_000, settle: 3_000, quiet: 400, press: 700, typed: 2_600, dialog: 2_200, late: 3_000 },
  state: 90_000,
  whole: 120_000,
}

export interface Visited {
  readonly facts: PrivacyFacts
  readonly seconds: number
  readonly evidence: readonly string[]
}

export const visit = async (
  testbed: PrivacyTestbed,
  page: PrivacyPage,
  times: Times = BRISK,
  signal?: AbortSignal,
): Promise<Visited> => {
  const host = hostOf(page)
  const { ctx, evidence, close } = collectContext(testbed.address, {
    module: 'privacy',
    host,
    hosts: testbed.hosts,
    resolvers: [testbed.resolver],
    requests: 4_000,
    ...(signal ? { signal } : {}),
    launchBrowser,
  })
  const start = performance.now()
  try {
    const facts = await collectPrivacy(ctx, { site: caseSite({ baseUrl: `https://${host}/` }) }, times)
    return {
      facts,
      seconds: (performance.now() - start) / 1000,
      evidence: evidence.map(({ filename }) => filename),
    }
  } finally {
    await close()
  }
}

export const findingsOf = (judgement: Judgement): readonly Finding[] =>
  'state' in judgement ? (judgement.findings ?? []) : judgement

export interface Said {
  /** Without `privacy/`. */
  readonly id: string
  readonly subject: string
  readonly detail: string
}

/** What the module's checks say of the facts, and where they could not judge. */
export const judge = (
  facts: PrivacyFacts,
  { context = null }: { readonly context?: PrivacyPage['context'] | null } = {},
): { readonly said: readonly Said[]; readonly unjudged: readonly string[] } => {
  const { options, target } = caseContext()
  const about = caseContext({ options: { ...options, privacy: true }, target: { ...target, context } })
  const judged = privacy.checks.map((check) => check.judge(facts, { site: caseSite() }, about))
  return {
    said: judged.flatMap(findingsOf).map(({ definition, subject = '', detail }) => ({
      id: definition.id.replace('privacy/', ''),
      subject,
      detail,
    })),
    unjudged: judged.flatMap((one) => ('state' in one && one.state !== 'judged' ? `${one.state}: ${one.reason}` : [])),
  }
}

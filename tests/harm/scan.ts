/** What a run with an administrator's session sends: the modules that follow pages and probe places, over a real browser. */
import { launchBrowser } from '../../src/engine/browser/launch.ts'
import { unchanging } from '../../src/engine/browser/unchanging.ts'
import { timesOf } from '../../src/engine/module-run.ts'
import type { AnyModule } from '../../src/modules/any-module.ts'
import { collectCrawl } from '../../src/modules/attack/crawl/collect.ts'
import type { CrawlFacts } from '../../src/modules/attack/crawl/facts.ts'
import { injection } from '../../src/modules/attack/injection/module.ts'
import type { ProbingFacts } from '../../src/modules/attack/insertion-points/facts.ts'
import { sqli } from '../../src/modules/attack/sqli/module.ts'
import { collectWaf } from '../../src/modules/attack/waf/collect.ts'
import { xss } from '../../src/modules/attack/xss/module.ts'
import type { CollectContext, Judgement } from '../../src/modules/module.ts'
import { collect as collectSite } from '../../src/modules/passive/site/collect.ts'
import { createRunScope } from '../../src/modules/run-scope.ts'
import { collectContext } from '../../src/modules/testing/collecting.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'

export interface Target {
  readonly host: string
  readonly address: string
  /** Null: that of the scheme. */
  readonly port: number | null
  readonly cookie: string
}

export interface Scanned {
  readonly crawl: CrawlFacts
  readonly probed: readonly ProbingFacts<unknown>[]
  /** By the first definition of each check. */
  readonly judgements: ReadonlyMap<string, Judgement>
  readonly sent: number
}

/** `requests`: how many each module may send; `seconds`: the limit of a run, by which modules reckon their time. */
export const scanSignedIn = async (
  { host, address, port, cookie }: Target,
  requests: number,
  seconds: number,
): Promise<Scanned> => {
  const times = timesOf({ deadline: seconds, target: { environment: 'test' } }, performance.now() + seconds * 1_000)
  const closing: (() => Promise<void>)[] = []
  const scope = createRunScope()
  let sent = 0
  const open = (module: string): CollectContext => {
    const { ctx, close } = collectContext(address, {
      ...{ module, host, port, cookie, requests, scope },
      hosts: { [host]: [address] },
      launchBrowser: async (egress, signal, log) => unchanging(await launchBrowser(egress, signal, log)),
    })
    closing.push(close)
    const http: CollectContext['egress']['http'] = (request) => {
      sent += 1
      return ctx.egress.http(request)
    }
    return { ...ctx, ...times, egress: { ...ctx.egress, http } }
  }
  try {
    const site = await collectSite(open('site'))
    const crawl = await collectCrawl(open('crawl'), site)
    const known = { crawl, site, waf: await collectWaf(open('waf'), site) }
    const judgements = new Map<string, Judgement>()
    const modules = [sqli, injection, xss].map((module) => module as AnyModule)
    const probed = await Promise.all(
      modules.map(async (module) => {
        const facts = await module.collect(open(module.id), known as never)
        for (const check of module.checks)
          judgements.set(check.findings[0]?.id ?? '', check.judge(facts as never, known as never, caseContext()))
        return facts as ProbingFacts<unknown>
      }),
    )
    return { crawl, probed, judgements, sent }
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

/** What the probes accuse the application of, for people to read. */
export const findingsOf = ({ judgements }: Scanned) =>
  [...judgements.values()].flatMap((judgement) =>
    ('findings' in judgement ? (judgement.findings ?? []) : 'state' in judgement ? [] : judgement).map(
      ({ definition, confidence, at, detail }) => ({ id: definition.id, confidence, at, detail }),
    ),
  )

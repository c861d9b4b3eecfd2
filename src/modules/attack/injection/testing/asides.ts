/** Servers of tests for what is asked beside places. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { judgeModule } from '../../../../engine/judge.ts'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseContext } from '../../../testing/judge-cases.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { createProber } from '../../insertion-points/prober.ts'
import { SHARED } from '../../insertion-points/shared.ts'
import type { InjectionFacts } from '../facts.ts'
import { injection } from '../module.ts'

export const cleanups: (() => Promise<void> | void)[] = []
/** To be called after each. */
export const close = async (): Promise<void> => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

export const row = (path: string, status = 200, contentType = 'text/html') => ({
  ...{ url: `http://shop.test${path}`, status, contentType, title: '', depth: 1, source: 'link' as const },
})

/** Asks a server by `ask`, and judges what it brought. */
export const scan = async (
  http: RequestListener,
  crawl: CrawlFacts,
  environment: 'test' | 'production',
  ask: (
    ctx: ReturnType<typeof collectContext>['ctx'],
    prober: ReturnType<typeof createProber>,
  ) => Promise<Partial<InjectionFacts>>,
) => {
  const site = await serveCase(179, { http })
  cleanups.push(site.close)
  const { ctx, close: end } = collectContext(site.address, { module: 'injection', requests: 1_000 })
  cleanups.push(end)
  const on = { ...ctx, target: { ...ctx.target, environment } }
  const prober = createProber(ctx.egress, ctx.scope.of(SHARED), null)
  const none = { points: [], left: 0, leftAlone: {}, unread: [], cut: null, sessionLost: false, listened: false }
  const facts = { ...none, ...(await ask(on, prober)) }
  const { findings, coverage } = judgeModule(injection as never, facts, { crawl } as never, caseContext())
  return {
    found: findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`),
    stateOf: (check: string) => coverage.find(({ check_id }) => check_id === check)?.state,
    said: findings.map(({ detail }) => detail).join(' '),
  }
}

export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request.setEncoding('latin1')) body += chunk
  return body
}

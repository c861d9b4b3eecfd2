/** A whole active run with an administrator's session, in a process of its own as the worker starts it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { AuditEntry } from '../../src/contract/event.ts'
import type { FromChild, RunSpec } from '../../src/engine/protocol.ts'
import type { CrawlFacts } from '../../src/modules/crawl/facts.ts'
import type { ProbingFacts } from '../../src/modules/probing/facts.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'

const CHILD = fileURLToPath(new URL('../../src/engine/run-scan.ts', import.meta.url))
/** Longer than the run may take by its own account. */
const GRACE = 60

export interface Scanned {
  readonly crawl: CrawlFacts | null
  readonly probed: readonly (ProbingFacts<unknown> & { readonly module: string })[]
  readonly modules: readonly Extract<FromChild, { type: 'module' }>[]
  readonly audit: readonly AuditEntry[]
  readonly result: string
}

export const scanSignedIn = async (
  target: { readonly host: string; readonly address: string; readonly port: number; readonly cookie: string },
  seconds: number,
): Promise<Scanned> => {
  const { target: plain, options } = caseContext()
  const spec: RunSpec = {
    runId: '00000000-0000-4000-8000-00000000000c',
    target: { ...plain, host: target.host, port: target.port, tier: 'active' },
    options: { ...options, active: true },
    egress: {
      hosts: { [target.host]: [target.address] },
      allowNetworks: ['127.0.0.0/8'],
      resolvers: [`${target.address}:9`],
      requestsPerSecond: 500,
      concurrency: 10,
      contact: 'ops@example.org',
      trafficKey: Buffer.from('test key').toString('base64url'),
    },
    credentials: { cookie: target.cookie, header: null },
    now: Date.now(),
    deadline: seconds,
    activeRefused: null,
    completed: {},
  }
  const child = fork(CHILD, [], { serialization: 'advanced', silent: true, execArgv: [] })
  const overdue = setTimeout(() => child.kill('SIGKILL'), (seconds + GRACE) * 1_000)
  const messages: FromChild[] = []
  child.on('message', (message) => messages.push(message as FromChild))
  child.send({ type: 'start', spec })
  await once(child, 'close')
  clearTimeout(overdue)
  const modules = messages.filter((message) => message.type === 'module')
  const factsOf = (id: string): unknown => modules.find(({ module }) => module === id)?.facts ?? null
  const last = messages.at(-1)
  return {
    crawl: factsOf('crawl') as CrawlFacts | null,
    probed: ['sqli', 'injection', 'xss'].flatMap((module) => {
      const facts = factsOf(module) as ProbingFacts<unknown> | null
      return facts ? [{ ...facts, module }] : []
    }),
    modules,
    audit: messages.flatMap((message) => (message.type === 'audit' ? message.entries : [])),
    result: last?.type === 'ended' ? (last.result === 'failed' ? `failed: ${last.error.detail}` : last.result) : 'lost',
  }
}

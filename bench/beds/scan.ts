/** One active run over a bed by the engine itself: its modules, their needs and budgets, egress, browser and listener. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { AuditEntry } from '../../src/contract/event.ts'
import { createEgress } from '../../src/egress/door/create-egress.ts'
import { openOobListener } from '../../src/egress/oob/listener.ts'
import { launchBrowser } from '../../src/engine/browser/launch.ts'
import type { JudgedFinding } from '../../src/engine/judge.ts'
import { createOobInbox, type OobInbox } from '../../src/engine/out-of-band.ts'
import { product, VOCABULARY } from '../../src/engine/product.ts'
import type { FromChild, RunSpec } from '../../src/engine/protocol.ts'
import { scan } from '../../src/engine/scan.ts'
import type { AnyModule } from '../../src/modules/any-module.ts'
import { MODULES } from '../../src/modules/index.ts'
import type { Bed } from './bed.ts'

export interface ScanAsked {
  /** Ids; what they need runs too. */
  readonly modules: readonly string[]
  /** Requests a second. */
  readonly rate: number
  /** Multiplies every module's budget; 1 is the product's own. */
  readonly budget: number
  /** For the whole run; by default three hours. */
  readonly seconds?: number
  readonly log: (line: string) => void
  /** The run's audit log as it comes. */
  readonly audited?: (entries: readonly AuditEntry[]) => void
}

export type ModuleEnd = Extract<FromChild, { type: 'module' }>

export interface BedScan {
  readonly ends: ReadonlyMap<string, ModuleEnd>
  readonly findings: readonly JudgedFinding[]
  readonly seconds: number
}

const DEADLINE = 3 * 3_600

/** @throws where the run as a whole fails, e.g. when nothing listens there */
export const scanBed = async (bed: Bed, asked: ScanAsked): Promise<BedScan> => {
  const modules = withBudget(closureOf(asked.modules), asked.budget)
  const listener = await openOobListener({
    ...{ address: bed.address.replace(/\d+$/, '250'), bind: bed.address.replace(/\d+$/, '250') },
    ...{ domain: null, httpPort: 0, dnsPort: 0 },
  })
  const ends = new Map<string, ModuleEnd>()
  let inbox: OobInbox | null = null
  let failed: string | null = null
  const watching = listener.watch((hit) => inbox?.arrived(hit))
  const began = performance.now()
  const spec = specOf(bed, asked)
  try {
    await scan(spec, {
      modules,
      openEgress: (audit, signal, answered) =>
        createEgress({
          settings: spec.egress,
          runId: spec.runId,
          version: product.version,
          target: spec.target,
          credentials: spec.credentials,
          vocabulary: VOCABULARY,
          exclude: spec.options.exclude ?? [],
          answered,
          audit,
          signal,
        }),
      launchBrowser,
      openOutOfBand: (heard) => {
        inbox = createOobInbox(watching.run, heard)
        return inbox
      },
      send: async (message) => {
        if (message.type === 'module') ends.set(message.module, message)
        if (message.type === 'module') asked.log(endLine(message))
        if (message.type === 'audit') asked.audited?.(message.entries)
        if (message.type === 'audit')
          for (const { module, event, detail } of message.entries)
            if (module === 'sign-in' && event !== 'request') asked.log(`${event}: ${detail}`)
        if (message.type === 'fault') asked.log(`fault in ${message.module}, ${message.where}: ${message.stack}`)
        if (message.type === 'ended' && message.result === 'failed') failed = message.error.detail
      },
      signal: new AbortController().signal,
      log: asked.log,
    })
  } finally {
    watching.stop()
    await listener.close()
  }
  if (failed !== null) throw new Error(`the scan of ${bed.name} failed: ${failed}`)
  return {
    ends,
    findings: [...ends.values()].flatMap(({ findings }) => findings),
    seconds: (performance.now() - began) / 1_000,
  }
}

const endLine = ({ module, outcome, findings }: ModuleEnd): string =>
  `${module}: ${outcome.state}${outcome.reason === null ? '' : ` (${outcome.reason})`}, ${outcome.requests} requests, ` +
  `${Math.round(outcome.duration_ms / 1_000)} s, ${findings.length} findings`

const specOf = (bed: Bed, { rate, seconds = DEADLINE }: ScanAsked): RunSpec => {
  const start = new URL(bed.start)
  return {
    runId: randomUUID(),
    target: {
      host: start.hostname,
      port: start.port === '' ? null : Number(start.port),
      context: null,
      tier: 'active',
      environment: bed.environment,
    },
    options: {
      ...{ active: true, privacy: false, cve_include_possible: false, template_full: false, make_pdf: false },
      exclude: [...bed.exclude],
    },
    egress: {
      hosts: { [start.hostname]: [bed.address] },
      allowNetworks: ['127.0.0.0/8'],
      resolvers: [`${bed.address}:9`],
      requestsPerSecond: rate,
      concurrency: 10,
      contact: 'bench@example.org',
      trafficKey: randomBytes(32).toString('base64url'),
    },
    credentials: {
      ...{ cookie: bed.cookie, header: bed.header },
      ...(bed.sign_in === null ? {} : { signIn: bed.sign_in }),
    },
    now: Date.now(),
    deadline: seconds,
    activeRefused: null,
    completed: {},
  }
}

const closureOf = (ids: readonly string[]): readonly AnyModule[] => {
  const wanted = new Set<string>()
  const want = (id: string): void => {
    const module = MODULES.find((one) => one.id === id)
    if (!module) throw new Error(`there is no module ${id}`)
    if (wanted.has(id)) return
    wanted.add(id)
    for (const need of module.needs) want(need)
  }
  for (const id of ids) want(id)
  return MODULES.filter(({ id }) => wanted.has(id)).map((module) => ({
    ...module,
    uses: (module.uses ?? []).filter((id) => wanted.has(id)),
  }))
}

const withBudget = (modules: readonly AnyModule[], times: number): readonly AnyModule[] =>
  modules.map((module) => {
    const { requests, seconds } = module.budget
    return { ...module, budget: { requests: requests * times, seconds: seconds * times } }
  })

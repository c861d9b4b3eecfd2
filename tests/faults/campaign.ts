/**
 * The process that scans with faults: each line of its input is a fault as JSON, each line of its output what became of it.
 * One process for many scans, because starting one costs more than a scan; it raises the last wall as the scan child does.
 */
import { createInterface } from 'node:readline'
import { createEgress } from '../../src/egress/door/create-egress.ts'
import { launchBrowser } from '../../src/engine/browser/launch.ts'
import type { JudgedFinding } from '../../src/engine/judge.ts'
import { judgeStored } from '../../src/engine/judge-stored.ts'
import { raiseLastWall } from '../../src/engine/last-wall.ts'
import { createOobInbox } from '../../src/engine/out-of-band.ts'
import type { FromChild, RunSpec } from '../../src/engine/protocol.ts'
import { scan } from '../../src/engine/scan.ts'
import type { AnyModule } from '../../src/modules/any-module.ts'
import { MODULES } from '../../src/modules/index.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'
import { type Boundary, type Fault, nameOf, watched, withFault } from './boundary.ts'
import { serveFaultZone } from './zone.ts'

/** What became of one fault. */
export interface Row {
  readonly fault: Fault
  readonly reached: boolean
  readonly ended: string
  /** How the module ended that the fault was put into. */
  readonly state: string
  /** Its checks by state; faults of ours apart. */
  readonly coverage: Readonly<Record<string, number>>
  /** What is wrong; empty where the fault cost its module alone. */
  readonly wrong: readonly string[]
  /** What the module crossed in the run without fault. */
  readonly crossed: readonly Boundary[]
  readonly seconds: number
}

/** Cheap modules that stand beside every other one. */
const WITNESSES = ['headers', 'cookies', 'markup', 'disclosure']
const [address = '', resolver = '', lanes = '2'] = process.argv.slice(2)

type ModuleMessage = Extract<FromChild, { type: 'module' }>
interface Seen {
  readonly modules: ReadonlyMap<string, ModuleMessage>
  readonly ended: string
}

/** With all that it needs, in the order of the list. What it would merely use is left out, but for what stands there anyway. */
const planFor = (id: string): readonly AnyModule[] => {
  const wanted = new Set<string>()
  const add = (one: string): void => {
    if (wanted.has(one)) return
    wanted.add(one)
    for (const need of MODULES.find((module) => module.id === one)?.needs ?? []) add(need)
  }
  for (const one of [id, ...WITNESSES]) add(one)
  return MODULES.filter((module) => wanted.has(module.id)).map((module) => ({
    ...module,
    uses: (module.uses ?? []).filter((use) => wanted.has(use)),
  }))
}

const look = async (modules: readonly AnyModule[], id: string): Promise<Seen> => {
  const { target, options } = caseContext()
  const tier = modules.some(({ conduct }) => conduct === 'active') ? 'active' : 'passive'
  const spec: RunSpec = {
    runId: crypto.randomUUID(),
    target: { ...target, host: 'shop.test', tier },
    options: { ...options, active: tier === 'active', privacy: id === 'privacy' },
    egress: {
      hosts: { 'shop.test': [address] },
      allowNetworks: ['127.0.0.0/8'],
      resolvers: [resolver],
      requestsPerSecond: 1_000,
      concurrency: 20,
      contact: '',
      trafficKey: Buffer.from('test key').toString('base64url'),
    },
    settings: { ports: '80,443' },
    credentials: { cookie: null, header: null },
    now: Date.now(),
    deadline: 240,
    activeRefused: null,
    completed: {},
  }
  const seen = new Map<string, ModuleMessage>()
  let ended = 'nothing'
  await scan(spec, {
    modules,
    openEgress: (audit, signal, answered) =>
      createEgress({
        settings: spec.egress,
        runId: spec.runId,
        version: '0.0.0',
        target: spec.target,
        credentials: spec.credentials,
        exclude: [],
        answered,
        audit,
        signal,
      }),
    launchBrowser,
    openOutOfBand: (heard) => createOobInbox({ key: KEY, domain: null, address: '127.0.0.1', httpPort: 9 }, heard),
    send: async (message) => {
      // As the channel to the worker would: what cannot be cloned cannot be sent.
      structuredClone(message)
      if (message.type === 'module') seen.set(message.module, message)
      if (message.type === 'ended') ended = message.result === 'failed' ? message.error.kind : message.result
    },
    signal: new AbortController().signal,
    log: () => undefined,
  })
  // As at the end of the run: judged once more from what is stored.
  const stored = [...seen.values()].map(({ module, facts, outcome, coverage }) => ({
    module,
    facts,
    outcome,
    coverage,
  }))
  judgeStored(
    JSON.parse(JSON.stringify(stored)),
    { target: spec.target, options: spec.options, now: spec.now },
    modules,
  )
  return { modules: seen, ended }
}

const KEY = Buffer.alloc(32, 7).toString('base64url')

interface Baseline extends Seen {
  readonly crossed: ReadonlySet<Boundary>
}
const baselines = new Map<string, Promise<Baseline>>()
const baselineOf = (id: string): Promise<Baseline> => {
  const known = baselines.get(id) ?? lookWithout(id)
  baselines.set(id, known)
  return known
}
const lookWithout = async (id: string): Promise<Baseline> => {
  const crossed = new Set<Boundary>()
  const plan = planFor(id).map((module) => (module.id === id ? watched(module, (one) => crossed.add(one)) : module))
  return { ...(await look(plan, id)), crossed }
}

const printsOf = (findings: readonly JudgedFinding[]): string =>
  findings
    .map(({ check_id: check, fingerprint }) => `${check} ${fingerprint.slice(0, 8)}`)
    .toSorted()
    .join('\n')

const dependents = (modules: readonly AnyModule[], id: string): ReadonlySet<string> => {
  const found = new Set([id])
  for (const { id: one, needs, uses = [] } of modules)
    if ([...needs, ...uses].some((need) => found.has(need))) found.add(one)
  return found
}

const carryOut = async (fault: Fault): Promise<Row> => {
  const began = performance.now()
  const plan = planFor(fault.module)
  const before = await baselineOf(fault.module)
  let reached = false
  const struck = plan.map((module) =>
    module.id === fault.module
      ? withFault(module, fault, () => {
          reached = true
        })
      : module,
  )
  const { modules, ended } = await look(struck, fault.module)
  const wrong: string[] = []
  if (ended !== 'completed') wrong.push(`the run ended ${ended}`)
  const touched = dependents(plan, fault.module)
  for (const { id } of plan) {
    const [now, then] = [modules.get(id), before.modules.get(id)]
    if (!now) wrong.push(`${id} did not end`)
    else if (touched.has(id)) continue
    else if (printsOf(now.findings) !== printsOf(then?.findings ?? [])) wrong.push(`${id} found something else`)
    else if (now.outcome.state !== then?.outcome.state) wrong.push(`${id} ended ${now.outcome.state}`)
  }
  const own = modules.get(fault.module)
  const coverage: Record<string, number> = {}
  for (const { state, reason_kind: kind } of own?.coverage ?? [])
    coverage[kind ?? state] = (coverage[kind ?? state] ?? 0) + 1
  if (own?.outcome.state === 'failed' && own.coverage.some(({ state }) => state === 'pass'))
    wrong.push('it failed and calls something clean')
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const state = own?.outcome.state ?? 'none'
  return { fault, reached, ended, state, coverage, wrong, crossed: [...before.crossed], seconds }
}

await serveFaultZone(address, resolver)
raiseLastWall((module) => {
  if (module === null) console.error('something was thrown where no module was at work')
})
const waiting: Fault[] = []
for await (const line of createInterface({ input: process.stdin })) waiting.push(JSON.parse(line) as Fault)
const lane = async (): Promise<void> => {
  for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
    try {
      process.stdout.write(`${JSON.stringify(await carryOut(fault))}\n`)
    } catch (error) {
      const wrong = [`${nameOf(fault)}: ${error instanceof Error ? error.stack : String(error)}`]
      const row: Row = {
        ...{ fault, reached: true, ended: 'threw', state: 'none', coverage: {}, wrong, crossed: [], seconds: 0 },
      }
      process.stdout.write(`${JSON.stringify(row)}\n`)
    }
  }
}
await Promise.all(Array.from({ length: Number(lanes) }, lane))
process.exit(0)

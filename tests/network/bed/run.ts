/**
 * `run.ts SCENARIO RUNS`: starts the scenario's servers in this namespace and scans so often, each scan with the
 * modules and the egress of the product. One line of JSON for each run; a process that dies is a run that is lost.
 */
import { createEgress } from '../../../src/egress/door/create-egress.ts'
import type { FromChild, RunSpec } from '../../../src/engine/protocol.ts'
import { scan } from '../../../src/engine/scan.ts'
import { ModuleEnding } from '../../../src/modules/endings.ts'
import { MODULES } from '../../../src/modules/index.ts'
import { type Given, HOST, SCENARIOS, type ScenarioName } from './scenarios.ts'

/** What a run came to. */
export interface BedRun {
  readonly ended: Extract<FromChild, { type: 'ended' }>
  readonly seconds: number
  readonly modules: Readonly<
    Record<string, { readonly state: string; readonly reason: string | null; readonly findings: readonly string[] }>
  >
  /** `check: state` to its reason, of everything but passes. */
  readonly gaps: Readonly<Record<string, string>>
  /** What passes do not speak for, by check. */
  readonly notes: Readonly<Record<string, string>>
  /** Times that each address was asked a DNS question, or tried. */
  readonly asked: Readonly<Record<string, number>>
}

const specOf = (given: Given): RunSpec => ({
  runId: '00000000-0000-4000-8000-00000000000a',
  target: { host: given.host ?? HOST, port: null, context: null, tier: given.tier ?? 'passive' },
  options: {
    active: given.tier === 'active',
    privacy: false,
    cve_include_possible: false,
    template_full: false,
    make_pdf: false,
  },
  egress: {
    hosts: given.hosts ?? {},
    allowNetworks: ['127.0.0.0/8', '2001:db8::/32', '198.51.100.0/24', '192.0.2.0/24'],
    resolvers: given.resolvers,
    ...(given.trustAnchors ? { trustAnchors: given.trustAnchors } : {}),
    requestsPerSecond: 500,
    concurrency: 10,
    contact: 'ops@example.org',
    trafficKey: Buffer.from('test key').toString('base64url'),
  },
  settings: { ports: '21,22,25,80,443,993' },
  credentials: { cookie: null, header: null },
  now: Date.now(),
  deadline: 600,
  activeRefused: null,
  completed: {},
})

const once = async (spec: RunSpec): Promise<BedRun> => {
  const messages: FromChild[] = []
  const began = performance.now()
  await scan(spec, {
    modules: MODULES,
    openEgress: (audit, signal, answered) =>
      createEgress({
        settings: spec.egress,
        runId: spec.runId,
        version: '0.0.0',
        target: spec.target,
        credentials: spec.credentials,
        unvalidated: true,
        answered,
        audit,
        signal,
      }),
    launchBrowser: () => Promise.reject(new ModuleEnding('skipped', 'no browser in the bed')),
    send: async (message) => void messages.push(message),
    signal: new AbortController().signal,
    log: (line) => console.error(line),
  })
  const ended = messages.find((message) => message.type === 'ended')
  if (ended?.type !== 'ended') throw new Error('the scan did not end')
  const modules = messages.flatMap((message) => (message.type === 'module' ? [message] : []))
  const coverage = modules.flatMap((module) => module.coverage)
  const lines = coverage.filter(({ state }) => state !== 'pass' && state !== 'fail')
  const entries = messages.flatMap((message) => (message.type === 'audit' ? message.entries : []))
  const addresses = entries.flatMap(({ event, address }) =>
    event === 'dns' && typeof address === 'string' ? [address] : [],
  )
  return {
    ended,
    seconds: Math.round((performance.now() - began) / 1_000),
    modules: Object.fromEntries(
      modules.map(({ module, outcome: { state, reason }, findings }) => [
        module,
        {
          state,
          reason,
          findings: findings.map(({ check_id, fingerprint }) => `${check_id} ${fingerprint}`).toSorted(),
        },
      ]),
    ),
    notes: Object.fromEntries(
      coverage.flatMap(({ check_id, state, reason }) => (state === 'pass' && reason ? [[check_id, reason]] : [])),
    ),
    gaps: Object.fromEntries(lines.map(({ check_id, state, reason }) => [`${check_id}: ${state}`, reason ?? ''])),
    asked: Object.fromEntries(
      [...Map.groupBy(addresses, (address) => address)].map(([address, all]) => [address, all.length]),
    ),
  }
}

const [name = 'healthy', count = '1'] = process.argv.slice(2)
const given = await SCENARIOS[name as ScenarioName].start()
for (let run = 0; run < Number(count); run += 1) {
  process.stdout.write(`${JSON.stringify(await once(specOf(given)))}\n`)
}
process.exit(0)

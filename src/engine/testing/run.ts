/** A whole scan of small modules, without a target. */
import type { AuditEntry } from '../../contract/event.ts'
import type { AnyModule } from '../../modules/any-module.ts'
import { ModuleEnding } from '../../modules/endings.ts'
import { caseAnswer } from '../../modules/testing/answers.ts'
import { caseContext } from '../../modules/testing/judge-cases.ts'
import type { FromChild, RunSpec } from '../protocol.ts'
import type { ScanEgress, ScanHandle } from '../run.ts'
import { type ScanPorts, scan } from '../scan.ts'

export const SECRET = 'correct-horse-battery'

/** Egress that reaches nothing: these tests are about the scan around the modules. */
export const noEgress: ScanPorts['openEgress'] = (_audit, _signal, answered): ScanEgress => {
  const text = (input: string): string => input.replaceAll(SECRET, '[redacted]')
  return {
    forModule: (id) =>
      ({
        requests: () => 3,
        close: async () => undefined,
        http: async ({ url }: { readonly url: string }) => answered(caseAnswer({ path: url, body: '' }), id, false),
      }) as unknown as ScanHandle,
    redact: {
      text,
      bytes: (bytes) => Buffer.from(text(bytes.toString())),
      value: (value) => JSON.parse(text(JSON.stringify(value))),
    },
    become: () => undefined,
    watch: () => undefined,
    hide: () => undefined,
    other: () => ({ become: () => undefined, watch: () => undefined }),
    close: async () => undefined,
  }
}

export const noBrowser = (): Promise<never> => Promise.reject(new ModuleEnding('skipped', 'no browser in this test'))

/** One scan of these modules, and what it sent. */
export const run = async (
  modules: readonly AnyModule[],
  change: Partial<RunSpec> & {
    readonly openEgress?: ScanPorts['openEgress']
    readonly signal?: AbortSignal
    readonly onMessage?: (message: FromChild) => void
  } = {},
) => {
  const { signal, onMessage, openEgress = noEgress, ...spec } = change
  const { target, options, now } = caseContext()
  const sent: FromChild[] = []
  const log: string[] = []
  await scan(
    {
      runId: '00000000-0000-4000-8000-00000000000a',
      target,
      options,
      egress: {
        hosts: {},
        allowNetworks: [],
        resolvers: [],
        requestsPerSecond: 20,
        concurrency: 10,
        contact: 'ops@example.org',
        trafficKey: 'a2V5',
      },
      credentials: { cookie: null, header: null },
      now,
      deadline: 30,
      activeRefused: null,
      completed: {},
      ...spec,
    },
    {
      modules,
      openEgress,
      launchBrowser: noBrowser,
      send: async (message) => {
        sent.push(message)
        onMessage?.(message)
      },
      signal: signal ?? new AbortController().signal,
      log: (line) => log.push(line),
    },
  )
  const of = <Type extends FromChild['type']>(type: Type) =>
    sent.filter((message): message is Extract<FromChild, { type: Type }> => message.type === type)
  return {
    sent,
    log,
    ended: sent.at(-1),
    modules: Object.fromEntries(of('module').map((message) => [message.module, message])),
    audit: of('audit').flatMap((message): readonly AuditEntry[] => message.entries),
    progress: of('progress'),
    evidence: of('evidence'),
    faults: of('fault'),
  }
}

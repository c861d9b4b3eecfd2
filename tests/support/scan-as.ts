/** A scan of an application as several people: what each of them may do in the name of the others, or what else is asked for. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AuditEntry } from '../../src/contract/event.ts'
import { createEgress } from '../../src/egress/door/create-egress.ts'
import type { JudgedFinding } from '../../src/engine/judge.ts'
import { VOCABULARY } from '../../src/engine/product.ts'
import type { FromChild, RunSpec } from '../../src/engine/protocol.ts'
import type { LaunchBrowser } from '../../src/engine/run.ts'
import { scan } from '../../src/engine/scan.ts'
import type { AuthorizationFacts } from '../../src/modules/attack/authorization/facts.ts'
import { ModuleEnding } from '../../src/modules/endings.ts'
import { MODULES } from '../../src/modules/index.ts'
import { serveCase } from '../../src/modules/testing/collecting.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'
import { secretsOf } from '../../src/sign-in/secrets.ts'

const MODULE_IDS = ['site', 'crawl', 'authorization']

type ModuleEnd = Extract<FromChild, { type: 'module' }>

export interface ScannedAs {
  /** By module. */
  readonly ends: ReadonlyMap<string, ModuleEnd>
  /** These and what follows: of authorization. */
  readonly facts: AuthorizationFacts
  readonly findings: readonly JudgedFinding[]
  readonly coverage: Readonly<Record<string, string>>
  readonly audit: readonly AuditEntry[]
  readonly told: string
}

type Credentials = NonNullable<RunSpec['credentials']>

export interface WantedAs {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  /** The first is the run's own. */
  readonly people: readonly { readonly name: string; readonly role: string; readonly credentials: Credentials }[]
  readonly environment: 'test' | 'production'
  /** Modules beside those that these scans have. */
  readonly besides?: readonly string[]
  /** By default there is none. */
  readonly launchBrowser?: LaunchBrowser
}

const NO_BROWSER: LaunchBrowser = () => Promise.reject(new ModuleEnding('skipped', 'no browser in this test'))

export const scanAs = async ({
  answer,
  people,
  environment,
  besides = [],
  launchBrowser = NO_BROWSER,
}: WantedAs): Promise<ScannedAs> => {
  const servers = await serveCase(63, { http: answer })
  try {
    const { target, options: usual } = caseContext()
    const [first, ...others] = people
    const spec: RunSpec = {
      ...{
        runId: '00000000-0000-4000-8000-00000000000e',
        options: { ...usual, active: true },
        now: Date.UTC(2026, 0, 1),
      },
      ...{ target: { ...target, tier: 'active', environment } },
      credentials: first?.credentials ?? { cookie: null, header: null },
      ...(first === undefined ? {} : { identities: [{ ...first, credentials: null }, ...others] }),
      ...{ deadline: 900, activeRefused: null, completed: {} },
      egress: {
        ...{ hosts: { [target.host]: [servers.address] }, allowNetworks: ['127.0.0.0/8'] },
        ...{ resolvers: [`${servers.address}:9`], requestsPerSecond: 1_000, concurrency: 8 },
        ...{ contact: 'ops@example.org', trafficKey: 'dGVzdA' },
      },
    }
    const typed = people.flatMap(({ credentials }) =>
      credentials.signIn === undefined ? [] : secretsOf(credentials.signIn),
    )
    const ids: readonly string[] = [...MODULE_IDS, ...besides]
    const messages: FromChild[] = []
    await scan(spec, {
      modules: MODULES.filter(({ id }) => ids.includes(id)).map((module) =>
        module.uses === undefined ? module : { ...module, uses: module.uses.filter((id) => ids.includes(id)) },
      ),
      openEgress: (audit, signal, answered) =>
        createEgress({
          ...{
            settings: spec.egress,
            runId: spec.runId,
            version: '0.0.0',
            target: spec.target,
            answered,
            audit,
            signal,
          },
          ...{ credentials: { ...spec.credentials, typed }, vocabulary: VOCABULARY },
        }),
      launchBrowser,
      send: async (message) => void messages.push(message),
      signal: new AbortController().signal,
      log: () => undefined,
    })
    const ends = new Map(messages.flatMap((one) => (one.type === 'module' ? [[one.module, one] as const] : [])))
    const ended = ends.get('authorization')
    if (ended === undefined) throw new Error(`the module did not end: ${JSON.stringify(messages.at(-1))}`)
    return {
      ends,
      ...{ facts: ended.facts as AuthorizationFacts, findings: ended.findings },
      coverage: Object.fromEntries(ended.coverage.map(({ check_id, state }) => [check_id, state])),
      audit: messages.flatMap((message) => (message.type === 'audit' ? message.entries : [])),
      told: JSON.stringify(messages),
    }
  } finally {
    await servers.close()
  }
}

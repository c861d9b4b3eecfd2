/** Scans of the application of two companies and three roles, as some of its people: what was found, and whether it was planted. */
import type { AuditEntry } from '../../src/contract/event.ts'
import { createEgress } from '../../src/egress/door/create-egress.ts'
import type { JudgedFinding } from '../../src/engine/judge.ts'
import { VOCABULARY } from '../../src/engine/product.ts'
import type { FromChild, RunSpec } from '../../src/engine/protocol.ts'
import { scan } from '../../src/engine/scan.ts'
import type { AuthorizationFacts } from '../../src/modules/attack/authorization/facts.ts'
import { ModuleEnding } from '../../src/modules/endings.ts'
import { MODULES } from '../../src/modules/index.ts'
import { serveCase } from '../../src/modules/testing/collecting.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'
import { secretsOf } from '../../src/sign-in/secrets.ts'
import { asIdentity, type TenantsOptions, type TenantsSite, tenantsSite } from '../../testbed/tenants/server.ts'
import { signInOf } from '../../testbed/tenants/sign-in.ts'
import { FLAWS } from '../../testbed/tenants/truth.ts'

const ROLES = ['administrator', 'member', 'administrator', 'member', 'viewer']
const MODULE_IDS = ['site', 'crawl', 'authorization']

export interface TenantsScanned {
  readonly site: TenantsSite
  readonly facts: AuthorizationFacts
  readonly findings: readonly JudgedFinding[]
  readonly coverage: Readonly<Record<string, string>>
  readonly audit: readonly AuditEntry[]
  readonly told: string
}

export interface TenantsWanted extends TenantsOptions {
  /** Places of users, the first being the run's own. */
  readonly who: readonly number[]
  readonly environment: 'test' | 'production'
}

export const scanTenants = async ({ who, environment, ...options }: TenantsWanted): Promise<TenantsScanned> => {
  const site = tenantsSite(options)
  const servers = await serveCase(63, { http: site.answer })
  try {
    const { target, options: usual } = caseContext()
    const people = who.map((n) => {
      const user = site.data.users[n]
      if (user === undefined) throw new Error('no such user')
      const credentials =
        options.signIn === undefined
          ? asIdentity(user)
          : { cookie: null, header: null, signIn: signInOf(options.signIn, user) }
      return { name: user.name.split(' ')[0] ?? '', role: ROLES[n] ?? '', credentials }
    })
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
    const typed = people.flatMap(({ credentials }) => ('signIn' in credentials ? secretsOf(credentials.signIn) : []))
    const messages: FromChild[] = []
    await scan(spec, {
      modules: MODULES.filter(({ id }) => MODULE_IDS.includes(id)),
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
      launchBrowser: () => Promise.reject(new ModuleEnding('skipped', 'no browser in this test')),
      send: async (message) => void messages.push(message),
      signal: new AbortController().signal,
      log: () => undefined,
    })
    const ended = messages.find((one) => one.type === 'module' && one.module === 'authorization')
    if (ended?.type !== 'module') throw new Error(`the module did not end: ${JSON.stringify(messages.at(-1))}`)
    return {
      ...{ site, facts: ended.facts as AuthorizationFacts, findings: ended.findings },
      coverage: Object.fromEntries(ended.coverage.map(({ check_id, state }) => [check_id, state])),
      audit: messages.flatMap((message) => (message.type === 'audit' ? message.entries : [])),
      told: JSON.stringify(messages),
    }
  } finally {
    await servers.close()
  }
}

const KINDS = {
  object: 'object-level',
  function: 'function-level',
  authentication: 'missing-authentication',
  open: 'open-administration',
} as const
/** `object-level GET /api/orders/{}`, places without names. */
export const flawsOf = ({ facts }: TenantsScanned, confidence = 'confirmed'): ReadonlySet<string> =>
  new Set(
    facts.flaws
      .filter((flaw) => flaw.confidence === confidence)
      .map(({ kind, name }) => `${KINDS[kind]} ${name.replace(/\?.*$/, '')}`),
  )
export const nameless = (route: string): string => route.replace(/\{\w+\}/g, '{}')
export const PLANTED = Object.entries(FLAWS).map(([route, kind]) => `${kind} ${nameless(route)}`)

/** The most requests that one operation was asked by others than the first, and by each on average. That of the proof is asked as often as it is proven. */
export const requestsOf = ({ site, facts }: TenantsScanned): { readonly most: number; readonly average: number } => {
  const others = site.data.users.slice(1).map(({ name }) => name)
  const counts = [...site.counts].filter(
    ([key]) => others.some((name) => key.endsWith(`as ${name}`)) && !(site.door && key.startsWith('GET /api/me ')),
  )
  return {
    most: Math.max(0, ...counts.map(([, n]) => n)),
    average: Math.max(...Object.values(facts.requests)) / facts.rows.length,
  }
}

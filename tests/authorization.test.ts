/** Whole scans of an application of two companies and three roles, of which every flaw of authorization is known. */
import { beforeAll, describe, expect, test } from 'vitest'
import { accessRows, findingOf } from '../src/contract/matrix.ts'
import { createEgress } from '../src/egress/door/create-egress.ts'
import type { JudgedFinding } from '../src/engine/judge.ts'
import type { FromChild, RunSpec } from '../src/engine/protocol.ts'
import { scan } from '../src/engine/scan.ts'
import type { AuthorizationFacts } from '../src/modules/attack/authorization/facts.ts'
import { ModuleEnding } from '../src/modules/endings.ts'
import { MODULES } from '../src/modules/index.ts'
import { type CaseServers, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { asIdentity, type TenantsSite, tenantsSite } from '../testbed/tenants/server.ts'
import { FLAWS, LOOKALIKES } from '../testbed/tenants/truth.ts'

const ROLES = ['administrator', 'member', 'administrator', 'member', 'viewer']
const MODULE_IDS = ['site', 'crawl', 'authorization']

interface Scanned {
  readonly site: TenantsSite
  readonly facts: AuthorizationFacts
  readonly findings: readonly JudgedFinding[]
  readonly coverage: Readonly<Record<string, string>>
  readonly told: string
}

let servers: CaseServers

/** `who`: places of users, the first being the run's own. */
const scanAs = async (who: readonly number[], environment: 'test' | 'production'): Promise<Scanned> => {
  const site = tenantsSite()
  servers = await serveCase(63, { http: site.answer })
  const { target, options } = caseContext()
  const people = who.map((n) => {
    const user = site.data.users[n]
    if (user === undefined) throw new Error('no such user')
    return { name: user.name.split(' ')[0] ?? '', role: ROLES[n] ?? '', credentials: asIdentity(user) }
  })
  const [first, ...others] = people
  const spec: RunSpec = {
    ...{
      runId: '00000000-0000-4000-8000-00000000000e',
      options: { ...options, active: true },
      now: Date.UTC(2026, 0, 1),
    },
    ...{
      target: { ...target, tier: 'active', environment },
      credentials: first?.credentials ?? { cookie: null, header: null },
    },
    ...(first === undefined ? {} : { identities: [{ ...first, credentials: null }, ...others] }),
    ...{ deadline: 900, activeRefused: null, completed: {} },
    egress: {
      ...{
        hosts: { [target.host]: [servers.address] },
        allowNetworks: ['127.0.0.0/8'],
        resolvers: [`${servers.address}:9`],
      },
      ...{ requestsPerSecond: 1_000, concurrency: 8, contact: 'ops@example.org', trafficKey: 'dGVzdA' },
    },
  }
  const messages: FromChild[] = []
  await scan(spec, {
    modules: MODULES.filter(({ id }) => MODULE_IDS.includes(id)),
    openEgress: (audit, signal, answered) =>
      createEgress({
        ...{ settings: spec.egress, runId: spec.runId, version: '0.0.0', target: spec.target, answered, audit, signal },
        credentials: spec.credentials,
      }),
    launchBrowser: () => Promise.reject(new ModuleEnding('skipped', 'no browser in this test')),
    send: async (message) => void messages.push(message),
    signal: new AbortController().signal,
    log: () => undefined,
  })
  await servers.close()
  const ended = messages.find((one) => one.type === 'module' && one.module === 'authorization')
  if (ended?.type !== 'module') throw new Error('the module did not end')
  return {
    ...{ site, facts: ended.facts as AuthorizationFacts, findings: ended.findings },
    coverage: Object.fromEntries(ended.coverage.map(({ check_id, state }) => [check_id, state])),
    told: JSON.stringify(messages),
  }
}

const KINDS = { object: 'object-level', function: 'function-level', authentication: 'missing-authentication' } as const
/** `object-level GET /api/orders/{}`, places without names. */
const flawsOf = ({ facts }: Scanned, confidence = 'confirmed'): ReadonlySet<string> =>
  new Set(
    facts.flaws
      .filter((flaw) => flaw.confidence === confidence)
      .map(({ kind, name }) => `${KINDS[kind]} ${name.replace(/\?.*$/, '')}`),
  )
const nameless = (route: string): string => route.replace(/\{\w+\}/g, '{}')
const PLANTED = Object.entries(FLAWS).map(([route, kind]) => `${kind} ${nameless(route)}`)

describe('four people of two companies, on a test system', () => {
  let scanned: Scanned
  beforeAll(async () => {
    scanned = await scanAs([0, 1, 3, 4], 'test')
  }, 300_000)

  test('every flaw that is planted is confirmed, and nothing that only looks like one is said', () => {
    const found = flawsOf(scanned)
    expect(PLANTED.filter((one) => !found.has(one))).toEqual([])
    expect([...found, ...flawsOf(scanned, 'firm')].filter((one) => !PLANTED.includes(one))).toEqual([])
    expect(scanned.findings.length).toBe(found.size)
  })

  test('the matrix has a row for each operation, those that only look like a flaw among them', () => {
    const rows = new Map(scanned.facts.rows.map((row) => [row.name.replace(/\?.*$/, ''), row]))
    expect(LOOKALIKES.filter((route) => !rows.has(nameless(route)))).toEqual([])
    expect(LOOKALIKES.filter((route) => rows.get(nameless(route))?.verdict === 'flaw')).toEqual([])
    expect(rows.get('GET /api/quotes/{}')).toMatchObject({
      cells: {
        Alice: { state: 'granted' },
        Bob: { state: 'refused', status: 200 },
        '': { state: 'refused', status: 401 },
      },
      verdict: 'restricted',
    })
  })

  test('every cell that should not be leads to the finding that says so, and every finding stands in a cell', () => {
    const { facts, findings } = scanned
    const flawed = accessRows(facts).flatMap(({ row, cells }) =>
      cells.flatMap(({ access, flaw }) => (access === 'should_not' ? [{ name: row.name, flaw }] : [])),
    )
    expect(flawed.length).toBeGreaterThanOrEqual(PLANTED.length)
    const told = flawed.map(({ name, flaw }) => [name, flaw === null ? null : findingOf(flaw, findings)] as const)
    expect(told.filter(([, finding]) => finding === null)).toEqual([])
    const places = new Map(facts.rows.map(({ name, method, url }) => [name, { method, url }]))
    for (const [name, finding] of told)
      expect(finding?.places).toContainEqual(expect.objectContaining(places.get(name)))
    expect(findings.filter((finding) => !told.some(([, one]) => one === finding))).toEqual([])
    const cell = accessRows(facts).find(({ row }) => row.name === 'GET /api/quotes/{}')?.cells
    expect(cell?.map(({ access }) => access)).toContain('may')
  })

  test('at most twelve requests an operation and identity, and nothing secret is told', () => {
    const others = scanned.site.data.users.slice(1).map(({ name }) => name)
    const most = Math.max(
      ...[...scanned.site.counts]
        .filter(([key]) => others.some((name) => key.endsWith(`as ${name}`)))
        .map(([, n]) => n),
    )
    expect(most).toBeLessThanOrEqual(12)
    const operations = scanned.facts.rows.length
    for (const asked of Object.values(scanned.facts.requests)) expect(asked / operations).toBeLessThanOrEqual(12)
    expect(scanned.site.data.users.filter(({ token }) => scanned.told.includes(token))).toEqual([])
  })
})

test('on a production system nothing that writes is sent as others', { timeout: 300_000 }, async () => {
  const scanned = await scanAs([0, 3], 'production')
  expect([...scanned.site.counts.keys()].filter((key) => /^(?:PATCH|POST \/api\/admin)/.test(key))).toEqual([])
  expect(flawsOf(scanned)).toContain('object-level GET /api/orders/{}')
  expect([...flawsOf(scanned)].filter((one) => !PLANTED.includes(one))).toEqual([])
})

test('with one identity the missing sign-in is found, and the rest is said not to be tested', {
  timeout: 300_000,
}, async () => {
  const scanned = await scanAs([1], 'production')
  expect(scanned.coverage).toEqual({
    'authorization/object-level': 'not_tested',
    'authorization/function-level': 'not_tested',
    'authorization/missing-authentication': 'fail',
  })
  expect([...flawsOf(scanned)].toSorted()).toEqual(PLANTED.filter((one) => one.startsWith('missing')).toSorted())
})

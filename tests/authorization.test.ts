/** Whole scans of an application of two companies and three roles, of which every flaw of authorization is known. */
import { beforeAll, describe, expect, test } from 'vitest'
import { accessRows, findingOf } from '../src/contract/matrix.ts'
import { LOOKALIKES } from '../testbed/tenants/truth.ts'
import { flawsOf, nameless, PLANTED, requestsOf, scanTenants, type TenantsScanned } from './support/tenants-scan.ts'

describe('four people of two companies, on a test system', () => {
  let scanned: TenantsScanned
  beforeAll(async () => {
    scanned = await scanTenants({ who: [0, 1, 3, 4], environment: 'test' })
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
    expect(
      scanned.facts.rows.filter(({ name, owner }) => name === 'GET /api/quotes/{}' && owner === 'Alice'),
    ).toMatchObject([
      {
        cells: {
          Alice: { state: 'granted' },
          Bob: { state: 'refused', status: 200 },
          '': { state: 'refused', status: 401 },
        },
        verdict: 'restricted',
      },
    ])
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
    expect(requestsOf(scanned).most).toBeLessThanOrEqual(12)
    const operations = scanned.facts.rows.length
    for (const asked of Object.values(scanned.facts.requests)) expect(asked / operations).toBeLessThanOrEqual(12)
    expect(scanned.site.data.users.filter(({ token }) => scanned.told.includes(token))).toEqual([])
  })
})

test('on a production system nothing that writes is sent as others', { timeout: 300_000 }, async () => {
  const scanned = await scanTenants({ who: [0, 3], environment: 'production' })
  expect([...scanned.site.counts.keys()].filter((key) => /^(?:PATCH|POST \/api\/admin)/.test(key))).toEqual([])
  expect(flawsOf(scanned)).toContain('object-level GET /api/orders/{}')
  expect([...flawsOf(scanned)].filter((one) => !PLANTED.includes(one))).toEqual([])
})

test('with one identity the missing sign-in is found, and what is named for others than a member', {
  timeout: 300_000,
}, async () => {
  const scanned = await scanTenants({ who: [1], environment: 'production' })
  expect(scanned.coverage).toEqual({
    'authorization/object-level': 'not_tested',
    'authorization/function-level': 'fail',
    'authorization/missing-authentication': 'fail',
    'authorization/open-administration': 'pass',
    'authorization/access-bypass': 'pass',
  })
  expect([...flawsOf(scanned)].toSorted()).toEqual(PLANTED.filter((one) => one.startsWith('missing')).toSorted())
  const firm = flawsOf(scanned, 'firm')
  expect(firm.size).toBeGreaterThan(0)
  expect([...firm].filter((one) => !PLANTED.includes(one))).toEqual([])
})

test('behind a form, with sessions that die three times and a token for all that writes, the same is found', {
  timeout: 300_000,
}, async () => {
  const scanned = await scanTenants({ who: [0, 1, 3, 4], environment: 'test', signIn: 'form', lasts: [40, 60, 80] })
  const found = flawsOf(scanned)
  expect(PLANTED.filter((one) => !found.has(one))).toEqual([])
  expect([...found, ...flawsOf(scanned, 'firm')].filter((one) => !PLANTED.includes(one))).toEqual([])
  expect([...(scanned.site.door?.deaths ?? [])].map(([, count]) => count)).toEqual([3, 3, 3, 3])
  expect(scanned.audit.filter(({ event }) => event === 'session_lost')).toEqual([])
  expect(requestsOf(scanned).average).toBeLessThanOrEqual(12)
  expect(scanned.site.door?.secrets().filter((secret) => scanned.told.includes(secret))).toEqual([])
})

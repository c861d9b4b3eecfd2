/** Lists of problems stay quick however many there are. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain } from '../../tests/support/seed.ts'
import type { ListDomainFindings } from '../contract/domain-finding.ts'
import { listProblems, listStatement, type Searched } from './problems.ts'

type Site = Awaited<ReturnType<typeof seedDomain>>

/** Enough that to read all of them costs more than any index; a hundred thousand are half a minute of a processor to write. */
const MANY = process.env.SONDE_LONG ? 100_000 : 20_000
const ASSIGNED = 200

describe.each(SQL_ENGINES)(`${MANY} problems on $kind`, ({ open }) => {
  let t: TestDatabase
  let at: Site
  beforeAll(async () => {
    t = await open()
    at = await seedDomain(t.db)
    const other = await seedDomain(t.db, { domain: 'other.test' })
    await t.db.query(
      `insert into problems (organisation_id, domain_id, domain, fingerprint, identity_rule, check_id, module, title, location,
              places, place, cwe, kev, confidence, seen_severity, state, first_seen, last_seen, last_run, finding_id, seen_passive, assignee, due)
       select $1, case when n % 5 = 0 then $3::uuid else $2::uuid end, 'shop.test', lpad(to_hex(n), 64, '0'), 2, 'headers/c' || n % 200,
              case when n % 200 < 5 then 'cookies' else 'headers' end, 'Problem ' || n % 200, '{}', 1, 'GET http://shop.test/p/' || n,
              case when n % 100 = 0 then 614 else 200 end, n % 1000 = 0, 'firm',
              (array['critical', 'high', 'medium', 'low', 'info'])[1 + n % 5],
              (array['open', 'fixed', 'accepted', 'reopened'])[1 + (n / 5) % 4], now() - n * interval '1 minute', now(), $2, $2, true,
              case when n % ${MANY / ASSIGNED} = 0 then 'A. Ruiz' end, case when n % 300 = 0 then date '2026-01-01' + n / 300 end
         from generate_series(1, ${MANY}) as n`,
      [at.organisationId, at.domainId, other.domainId],
    )
    await t.db.query('analyze problems', [])
  }, 240_000)
  afterAll(() => t.drop())

  const OPEN = { state: ['open', 'reopened'] as ListDomainFindings['state'] }
  test.each<[string, Partial<ListDomainFindings> & Pick<Searched, 'named'>]>([
    ['as it opens', OPEN],
    ['all states', {}],
    ['by sight', { ...OPEN, sort: 'last_seen' }],
    ['by due day', { ...OPEN, sort: 'due' }],
    ['a module', { ...OPEN, module: 'cookies' }],
    ['a check', { check_id: 'headers/c7' }],
    ['an assignee', { assignee: 'A. Ruiz' }],
    ['overdue', { ...OPEN, due_before: '2026-02-01', sort: 'due' }],
    ['exploited', { kev: true }],
    ['a weakness', { cwe: 614 }],
    ['new', { since: new Date(Date.now() - 3_600_000).toISOString() }],
    ['words', { ...OPEN, q: 'p 777' }],
    [
      'words of another language',
      { ...OPEN, q: 'p schwach', named: [{ word: 'schwach', checks: ['headers/c22', 'headers/c23'] }] },
    ],
    ['a severity', { ...OPEN, severity: ['info'] }],
  ])('no list reads the whole table: %s', async (_, { sort = 'severity', ...filters }) => {
    const [first] = await listProblems(t.db, at.organisationId, filters, { sort, after: null, limit: 1 })
    for (const after of [null, first?.position ?? null]) {
      const [sql, params] = listStatement(at.organisationId, filters, { sort, after, limit: 101 })
      const plan = await t.db.query<Record<string, string>>(`explain ${sql}`, params)
      expect(plan.map((row) => Object.values(row)[0]).join('\n')).not.toContain('Seq Scan on problems')
    }
    expect(first).toBeDefined()
  })

  test.each(['severity', 'last_seen', 'due'] as const)('page after page by %s tells each once', async (sort) => {
    const seen = new Set<string>()
    let after: readonly string[] | null = null
    for (let page = 0; page < 6; page++) {
      const found = await listProblems(t.db, at.organisationId, { assignee: 'A. Ruiz' }, { sort, after, limit: 40 })
      for (const { finding: one } of found) seen.add(`${one.domain_id} ${one.fingerprint}`)
      after = found.at(-1)?.position ?? after
    }
    expect(seen.size).toBe(ASSIGNED)
  })
})

import { describe, expect, it } from 'vitest'
import { MODULES } from '../modules/index.ts'
import { casePage, caseSite } from '../modules/testing/site-facts.ts'
import { judgeModule } from './judge.ts'
import { judgeStored, type StoredModule } from './judge-stored.ts'
import { about, check, definition, fakeModule, finding } from './testing/modules.ts'

const ended = (state: StoredModule['outcome']['state'], reason: string | null = null) => ({
  state,
  reason,
  duration_ms: 1,
  requests: 1,
})
const a = definition('a/found', { severity: 'high' })
const modules = [
  fakeModule('a', {
    checks: [check([a], () => [finding(a)])],
    tables: () => [{ id: 'a/table', module: 'a', title: 'A', columns: ['x'], rows: [['1']] }],
    grade: () => ({ id: 'a', title: 'A', grade: 'B', score: 80 }),
  }),
  fakeModule('b', { needs: ['a'] }),
  fakeModule('c', { conduct: 'active' }),
  fakeModule('d'),
]
const completed = (module: string): StoredModule => ({ module, facts: {}, outcome: ended('completed') })
const lines = (stored: readonly StoredModule[]) =>
  Object.fromEntries(
    judgeStored(stored, about(), modules).coverage.map((line) => [line.check_id, [line.state, line.reason]]),
  )

describe('a stored run', () => {
  it('gives findings, tables, parts and a grade', () => {
    const run = judgeStored([completed('a'), completed('b'), completed('d')], about(), modules)
    expect(run.findings.map((one) => one.check_id)).toEqual(['a/found'])
    expect(run.tables.map((table) => table.id)).toEqual(['a/table'])
    expect(run.grade).toMatchObject({ grade: 'C', score: 85, provisional: false, parts: [{ id: 'a', grade: 'B' }] })
  })

  it('says of every check what became of it', () => {
    const failed: StoredModule = { module: 'a', facts: null, outcome: ended('failed', 'no luck') }
    const blocked: StoredModule = { module: 'd', facts: null, outcome: ended('blocked', 'kept out') }
    const skipped: StoredModule = { module: 'b', facts: null, outcome: ended('skipped', 'it builds on a') }
    expect(lines([failed, blocked, skipped])).toEqual({
      'a/found': ['not_tested', 'the module failed: no luck'],
      'b/thing': ['not_tested', 'it builds on a'],
      'd/thing': ['blocked', 'kept out'],
      'c/*': ['not_tested', 'only an active run looks at this'],
    })
  })

  it('keeps what a module had found when it failed, and nothing of it is clean', () => {
    const failed: StoredModule = { module: 'a', facts: {}, outcome: ended('failed', 'no luck') }
    const other: StoredModule = { module: 'd', facts: {}, outcome: ended('failed', 'no luck') }
    const run = judgeStored([failed, other], about(), modules)
    expect(run.findings.map((one) => one.check_id)).toEqual(['a/found'])
    expect(run.tables).toEqual([])
    expect(lines([failed, completed('b'), other])).toMatchObject({
      'a/found': ['fail', 'the module failed: no luck'],
      'b/thing': ['not_tested', 'no reason was given'],
      'd/thing': ['inconclusive', 'the module failed: no luck'],
    })
  })

  it('that ended early leaves the rest not tested', () => {
    expect(lines([completed('a')])).toMatchObject({
      'd/thing': ['not_tested', 'the run ended before this was looked at'],
    })
  })

  it('without facts of a need does not judge what builds on it', () => {
    expect(lines([completed('b')])['b/thing']?.[0]).toBe('not_tested')
  })

  it('ignores rows of modules that exist no longer', () => {
    expect(judgeStored([completed('gone'), completed('a')], about(), modules).findings).toHaveLength(1)
  })

  it('survives a grade or table that throws', () => {
    const bad = fakeModule('a', {
      grade: () => {
        throw new Error('bug')
      },
    })
    const run = judgeStored([completed('a')], about(), [bad])
    expect([run.failures.length, run.coverage[0]?.state]).toEqual([1, 'pass'])
  })

  it('does not count what the tier leaves out against the coverage', () => {
    const run = judgeStored([completed('d')], about(), [
      fakeModule('d'),
      ...['x', 'y', 'z'].map((id) => fakeModule(id, { conduct: 'active' })),
    ])
    expect(run.grade.provisional).toBe(false)
  })
})

it('judges facts from the database as it judged them in the scan', () => {
  const site = MODULES.find((module) => module.id === 'site')
  if (!site) throw new Error('there is a site module')
  const facts = caseSite({ page: { status: 500 }, missing: [casePage(), casePage()] })
  const inScan = judgeModule(site, facts, {}, about()).findings
  const stored: StoredModule = { module: 'site', facts: JSON.parse(JSON.stringify(facts)), outcome: ended('completed') }
  expect(judgeStored([stored], about(), [site]).findings).toEqual(inScan)
  expect(inScan.map((one) => one.check_id)).toEqual(['site/server-error', 'site/soft-404'])
})

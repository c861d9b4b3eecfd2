/** Feeds bring news over a mirror on loopback, and stored runs follow; a target counts that nobody asks it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bringKev, bringRecords } from '../../tests/support/feed-mirror.ts'
import { EXPLOITED, jquery, LONG, NEW, newsBench } from '../../tests/support/news-bench.ts'
import { seedDomain } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { KEY } from '../../tests/support/worker.ts'
import type { FindingsFile } from '../contract/findings-file.ts'
import { readActive } from '../knowledge/feeds/active.ts'
import { importFeed } from '../knowledge/feeds/import.ts'
import { allFindings } from '../store/findings.ts'
import { listProblems } from '../store/problems.ts'
import type { RunRecord } from '../store/run-row.ts'
import { createWebhook } from '../store/webhooks.ts'

describe('stored runs and news of feeds', { timeout: 180_000 }, () => {
  const {
    db,
    askedOfTarget,
    questions,
    home,
    folder,
    start,
    idle,
    scanned,
    state,
    judged,
    filesOf,
    file,
    signed,
    cves,
    told,
    history,
  } = newsBench()

  test('a new KEV entry is a new version, its signature, a webhook and a line of history; the target is not asked', async () => {
    await bringKev(folder(), 'CVE-1999-0001')
    const at = await seedDomain(db(), { domain: 'ok.test' })
    await createWebhook(db(), KEY, at.organisationId, {
      ...{ url: 'https://hook.test/', description: '' },
      events: ['finding.changed', 'finding.opened'],
    })
    const run = await scanned('ok.test', [jquery()], { at })
    await start()
    await idle()
    const before = await told()
    await bringKev(folder(), 'CVE-1999-0001', EXPLOITED)
    const now = await judged(run, 2)

    expect(await cves(run)).toContain(`${EXPLOITED} exploited`)
    const version = readActive(folder(), 'kev')?.version
    expect(now.judged_again).toMatchObject({ version: 2, feeds: { kev: version }, reason: null })
    const [first, second] = [await file(run, 1), await file(run, 2)]
    const named = (of: FindingsFile) => of.findings.map(({ id }) => id)
    expect(named(second)).toEqual(named(first))
    expect(second.judged_again?.feeds).toEqual({ kev: version })
    expect(second.findings).toEqual(await allFindings(db(), run.id))
    expect(second.counts).toEqual(now.counts)
    expect(second.grade.grade).toBe(now.grade)
    const listed = (of: FindingsFile) =>
      of.findings.flatMap(({ cve }) => cve.filter(({ id, kev: at }) => id === EXPLOITED && at))
    expect([listed(first).length, listed(second).length]).toEqual([0, 1])
    expect(second.coverage.map(({ check_id }) => check_id)).toEqual(first.coverage.map(({ check_id }) => check_id))
    await until(async () => (await filesOf(run, 2)).some(({ kind }) => kind === 'signature'), LONG)
    // By a signer that the test names no key of.
    expect([await signed(run, 1), await signed(run, 2)]).toEqual(['unknown_signer', 'unknown_signer'])

    const sent = (await told()).slice(before.length)
    expect(sent.map(({ event }) => event)).toEqual(['finding.changed'])
    expect(sent[0]?.payload.data).toMatchObject({
      run_id: run.id,
      judged_again: { version: 2, feeds: { kev: version } },
    })
    const [problem] = await listProblems(db(), at.organisationId, {}, { sort: 'severity', after: null, limit: 1 })
    expect(problem?.finding).toMatchObject({ kev: true, state: 'open', last_run: run.id })
    const events = await history(at.domainId, problem?.finding.fingerprint ?? '')
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'judged_again',
        actor: null,
        run_id: run.id,
        data: { version: 2, feeds: { kev: version } },
      }),
    )
    expect(askedOfTarget()).toBe(0)
  })

  test('a new CVE record is a new finding, and its problem is opened', async () => {
    // The product is followed already, so that a version in no range has passed.
    const OLD = ['CVE-2026-40000', 'jquery', '1.0.0'] as const
    await bringRecords(folder(), OLD)
    const at = await seedDomain(db(), { domain: 'ok.test' })
    const other = await seedDomain(db(), { domain: 'other.test' })
    const run = await scanned('ok.test', [jquery('3.8.0')], { at })
    const untouched = await scanned('other.test', [jquery('3.9.9')], { at: other })
    expect(await cves(run)).toEqual([])
    await start()
    await idle()
    await bringRecords(folder(), OLD, [NEW, 'jquery'])
    const now = await judged(run, 2)
    await idle()
    expect(await cves(run)).toEqual([NEW])
    expect(now.counts.critical).toBe(1)
    const [first, second] = [await file(run, 1), await file(run, 2)]
    expect(second.counts.critical - first.counts.critical).toBe(1)
    expect(second.grade.score).toBeLessThan(first.grade.score)
    const line = ({ coverage }: FindingsFile) =>
      coverage.find(({ check_id }) => check_id === 'cve/vulnerable-component')?.state
    expect(line(second)).toBe('fail')
    const [problem] = await listProblems(db(), at.organisationId, {}, { sort: 'severity', after: null, limit: 1 })
    expect(problem?.finding).toMatchObject({
      severity: 'critical',
      state: 'open',
      first_seen: run.finished_at,
      kev: false,
    })
    expect((await history(at.domainId, problem?.finding.fingerprint ?? '')).map(({ kind }) => kind).toSorted()).toEqual(
      ['judged_again', 'opened'],
    )
    expect((await state(untouched)).report.version).toBe(1)
    expect((await state(untouched)).judged_again).toBeUndefined()
    expect(askedOfTarget()).toBe(0)
  })

  test('a record that is withdrawn leaves the problem open, and says so in its history', async () => {
    await bringRecords(folder(), [NEW, 'jquery'], ['CVE-2026-40000', 'jquery_ui'])
    const at = await seedDomain(db(), { domain: 'ok.test' })
    const run = await scanned('ok.test', [jquery('3.8.0')], { at })
    expect(await cves(run)).toEqual([NEW])
    await start()
    await idle()
    await bringRecords(folder(), [NEW, 'elsewhere'], ['CVE-2026-40000', 'jquery_ui'])
    await judged(run, 2)
    expect(await cves(run)).toEqual([])
    expect((await file(run, 2)).findings.filter(({ module }) => module === 'cve')).toEqual([])
    const [problem] = await listProblems(db(), at.organisationId, {}, { sort: 'severity', after: null, limit: 1 })
    expect(problem?.finding).toMatchObject({ severity: 'critical', state: 'open' })
    expect(await history(at.domainId, problem?.finding.fingerprint ?? '')).toContainEqual(
      expect.objectContaining({ kind: 'judged_again', data: expect.objectContaining({ found: false }) }),
    )
  })

  test('only the latest run of a domain follows, and news that touch nothing ask once a component', async () => {
    await bringKev(folder(), 'CVE-1999-0001')
    const at = await seedDomain(db(), { domain: 'ok.test' })
    const older = await scanned('ok.test', [jquery()], { at })
    const latest = await scanned('ok.test', [jquery()], { at })
    const others: RunRecord[] = []
    for (const name of ['a.test', 'b.test', 'c.test']) others.push(await scanned(name, [jquery()]))
    await start()
    await idle()
    questions.length = 0
    await bringKev(folder(), 'CVE-1999-0001', 'CVE-1999-0002')
    await idle()
    // Four domains with one component: its records, and its release line.
    expect(questions).toHaveLength(2)
    for (const run of [older, latest, ...others]) expect((await state(run)).report.version).toBe(1)
    await bringKev(folder(), 'CVE-1999-0001', 'CVE-1999-0002', EXPLOITED)
    for (const run of [latest, ...others]) await judged(run, 2)
    await idle()
    expect((await state(older)).report.version).toBe(1)
  })

  test('facts that do not hold enough: it says why, and nothing else happens', async () => {
    await bringKev(folder(), 'CVE-1999-0001')
    const old = { technologies: [{ name: 'jQuery', version: '3.4.1' }], favicon: null, endOfLife: [], knowledge: {} }
    const first = await scanned('old.test', [jquery()])
    await db().query(`update run_modules set facts = $2 where run_id = $1 and module = 'technology'`, [
      first.id,
      JSON.stringify(old),
    ])
    const without = await scanned('none.test', [jquery()], { facts: null })
    await start()
    const isSaid = async (run: RunRecord): Promise<boolean> => (await state(run)).judged_again !== undefined
    // One after the other.
    await until(async () => (await isSaid(first)) && (await isSaid(without)), LONG)
    const said = async (run: RunRecord) => (await state(run)).judged_again
    expect(await said(first)).toMatchObject({
      version: null,
      feeds: {},
      reason: expect.stringMatching(/^not judged again: .*older version/),
    })
    expect(await said(without)).toMatchObject({ reason: 'not judged again: the run has no facts of “Technology”' })
    expect((await state(first)).report.version).toBe(1)
  })

  test('a release line whose end became known', async () => {
    const at = await seedDomain(db(), { domain: 'ok.test' })
    const run = await scanned('ok.test', [{ ...jquery('3.8.0'), name: 'Shopware', cpe: [] }], { at })
    await start()
    await until(async () => (await db().query('select 1 from components', [])).length > 0, LONG)
    const product = '---\ntitle: Shopware\nreleases:\n  - releaseCycle: "3.8"\n    eol: 2024-01-31\n---\n'
    const path = join(home(), 'products')
    mkdirSync(path)
    writeFileSync(join(path, 'shopware.md'), product)
    importFeed(folder(), 'endoflife', home(), new Date())
    await judged(run, 2)
    expect((await allFindings(db(), run.id, 'technology')).map(({ check_id }) => check_id)).toEqual([
      'technology/end-of-life',
    ])
    expect(Object.keys((await state(run)).judged_again?.feeds ?? {})).toEqual(['endoflife'])
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import {
  abandoned,
  artifactOfKind,
  confirmEvidence,
  expired,
  getArtifact,
  listArtifacts,
  markDeleted,
  type NewArtifact,
  removeAbandoned,
  reserveArtifact,
  reserveArtifacts,
} from './artifacts.ts'
import { confirmClosing, reserveClosing, runsToClose } from './closing.ts'
import { fail, finish, type LeasedRun, reap } from './lease.ts'
import { saveModule } from './modules.ts'

const stored = (id: string) => ({ id, sizeBytes: 5, sha256: 'a'.repeat(64), pageCount: null })

const file = (change: Partial<NewArtifact> = {}): NewArtifact => {
  const id = change.id ?? randomUUID()
  return {
    id,
    kind: 'evidence',
    module: 'site',
    filename: 'page.txt',
    contentType: 'text/plain',
    objectKey: `runs/x/${id}`,
    retentionDays: 7,
    watermarked: false,
    ...change,
  }
}

describe.each(SQL_ENGINES)('artifacts on $kind', ({ open }) => {
  let t: TestDatabase
  let held: LeasedRun
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    await seedRun(t.db, await seedDomain(t.db))
    held = await takeAndStart(t.db)
  })

  const names = async () => (await listArtifacts(t.db, held.runId)).map(({ filename }) => filename)

  test('evidence is visible once confirmed', async () => {
    const evidence = file()
    expect(await reserveArtifact(t.db, held, evidence)).toBe('ok')
    expect(await listArtifacts(t.db, held.runId)).toEqual([])
    expect(await getArtifact(t.db, held.runId, evidence.id)).toBeNull()
    expect(await confirmEvidence(t.db, held, stored(evidence.id))).toBe('ok')
    const [listed] = await listArtifacts(t.db, held.runId)
    expect(listed).toMatchObject({ id: evidence.id, size_bytes: 5, deleted: false, page_count: null })
    expect(Date.parse(listed?.expires_at ?? '') - Date.parse(listed?.created_at ?? '')).toBe(7 * 86_400_000)
    expect(await getArtifact(t.db, held.runId, evidence.id)).toEqual(listed)
  })

  test('reports appear with done, in one moment', async () => {
    const pdf = file({ kind: 'report_pdf', module: null, filename: 'report.pdf', watermarked: true })
    const log = file({ kind: 'audit_log', module: null, filename: 'audit-log.jsonl', retentionDays: null })
    for (const one of [pdf, log]) await reserveArtifact(t.db, held, one)
    expect(await names()).toEqual([])
    await finish(t.db, held, { grade: 'A', artifacts: [{ ...stored(pdf.id), pageCount: 9 }, stored(log.id)] })
    expect(await names()).toEqual(['audit-log.jsonl', 'report.pdf'])
    expect(await artifactOfKind(t.db, held.runId, 'report_pdf')).toMatchObject({ page_count: 9, watermarked: true })
    expect((await artifactOfKind(t.db, held.runId, 'audit_log'))?.expires_at).toBeNull()
  })

  test('confirming what was never reserved takes the end back too', async () => {
    await expect(finish(t.db, held, { grade: 'A', artifacts: [stored(randomUUID())] })).rejects.toThrow(/not reserved/)
    expect(await t.db.query('select status from runs')).toEqual([{ status: 'running' }])
  })

  test('nothing of a fenced worker is ever visible; it is swept after an hour', async () => {
    const [early, report] = [file(), file({ kind: 'report_pdf', module: null, filename: 'report.pdf' })]
    await reserveArtifact(t.db, held, early)
    await reserveArtifact(t.db, held, report)
    await expireLease(t.db, held)
    await reap(t.db)
    expect(await confirmEvidence(t.db, held, stored(early.id))).toBe('lost')
    expect(await reserveArtifact(t.db, held, file())).toBe('lost')
    expect(await finish(t.db, held, { grade: 'A', artifacts: [stored(report.id)] })).toBe('lost')
    const fresh = await takeAndStart(t.db)
    await finish(t.db, fresh, { grade: 'A', artifacts: [] })
    expect(await names()).toEqual([])
    expect(await abandoned(t.db, 10)).toEqual([])
    await t.db.query(`update artifacts set created_at = now() - interval '61 minutes'`)
    const left = await abandoned(t.db, 10)
    expect(new Set(left.map(({ objectKey }) => objectKey))).toEqual(new Set([early.objectKey, report.objectKey]))
    for (const { id } of left) await removeAbandoned(t.db, id)
    expect(await abandoned(t.db, 10)).toEqual([])
  })

  test('evidence that came together is reserved and confirmed together, or none of it', async () => {
    const [one, two] = [file({ filename: 'one.txt' }), file({ module: 'tls', filename: 'two.txt' })]
    expect(await reserveArtifacts(t.db, held, [one, two])).toBe('ok')
    expect(await names()).toEqual([])
    expect(await confirmEvidence(t.db, held, stored(one.id), stored(two.id))).toBe('ok')
    expect(await names()).toEqual(['one.txt', 'two.txt'])
    const [listed] = await listArtifacts(t.db, held.runId)
    const days = (Date.parse(listed?.expires_at ?? '') - Date.parse(listed?.created_at ?? '')) / 86_400_000
    expect(Math.round(days)).toBe(7)
    await expect(confirmEvidence(t.db, held, stored(one.id), stored(randomUUID()))).rejects.toThrow('reserved')
    expect(await reserveArtifacts(t.db, { ...held, token: randomUUID() }, [file()])).toBe('lost')
  })

  test('a reservation of the present lease is not abandoned', async () => {
    await reserveArtifact(t.db, held, file())
    await t.db.query(`update artifacts set created_at = now() - interval '61 minutes'`)
    expect(await abandoned(t.db, 10)).toEqual([])
  })

  test('evidence of a scan that broke off disappears when the module is saved by the next', async () => {
    const [site, tls] = [file(), file({ module: 'tls', filename: 'tls.txt' })]
    for (const one of [site, tls]) {
      await reserveArtifact(t.db, held, one)
      await confirmEvidence(t.db, held, stored(one.id))
    }
    await expireLease(t.db, held)
    await reap(t.db)
    const fresh = await takeAndStart(t.db)
    expect(await names()).toEqual(['page.txt', 'tls.txt'])
    const again = file({ filename: 'again.txt' })
    await reserveArtifact(t.db, fresh, again)
    await confirmEvidence(t.db, fresh, stored(again.id))
    await saveModule(t.db, fresh, {
      module: 'site',
      facts: {},
      outcome: { state: 'completed', reason: null, duration_ms: 1, requests: 1 },
      coverage: [],
      findings: [],
      evidence: [again.id],
    })
    expect(await names()).toEqual(['again.txt', 'tls.txt'])
  })

  test('after its time the object goes and the row stays', async () => {
    const evidence = file()
    await reserveArtifact(t.db, held, evidence)
    await confirmEvidence(t.db, held, stored(evidence.id))
    expect(await expired(t.db, 10)).toEqual([])
    await t.db.query(`update artifacts set expires_at = now() - interval '1 second'`)
    expect(await expired(t.db, 10)).toEqual([{ id: evidence.id, objectKey: evidence.objectKey }])
    await markDeleted(t.db, evidence.id)
    expect(await expired(t.db, 10)).toEqual([])
    expect(await listArtifacts(t.db, held.runId)).toMatchObject([{ id: evidence.id, deleted: true }])
  })

  test('a run that ended without its worker is closed once', async () => {
    await fail(t.db, held, { kind: 'storage_failed', detail: 'x', artifacts: [] })
    expect(await runsToClose(t.db, 10)).toEqual([{ runId: held.runId, plan: 'enterprise' }])
    const logs = [0, 1].map(() => file({ kind: 'audit_log', module: null, filename: 'audit-log.jsonl' }))
    for (const log of logs) await reserveClosing(t.db, held.runId, log)
    const results = []
    for (const log of logs) results.push(await confirmClosing(t.db, held.runId, [stored(log.id)]))
    expect(results).toEqual(['ok', 'taken'])
    expect(await names()).toEqual(['audit-log.jsonl'])
    expect(await runsToClose(t.db, 10)).toEqual([])
  })
})

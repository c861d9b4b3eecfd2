import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addFindings, finishWith, keyWith, openApi, startNext, type TestApi, verify } from '../../tests/support/api.ts'
import { silentLogger } from '../../tests/support/worker.ts'
import { webhookCreated } from '../contract/after-examples.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { readGiven } from '../signature/given.ts'
import { verifyFiles } from '../signature/verify.ts'
import { createKey } from '../store/api-keys.ts'
import { eraseOrganisation } from '../store/erasures.ts'
import { eraseFiles } from '../worker/erasing.ts'

/** In no other name. */
const NAME = 'to-be-forgotten.example.com'
const KEYS = oneKey(Buffer.alloc(32, 1))

let api: TestApi
let domainId: string
beforeAll(async () => {
  api = await openApi({ mail: true })
})
afterAll(() => api.app.close())
beforeEach(async () => {
  const made = await api.send('POST', '/v1/domains', { body: { domain: NAME } })
  domainId = made.statusCode === 201 ? made.json().id : domainId
})

const run = async (id: string, secret = api.mine.secret): Promise<string> => {
  const { id: runId } = (await api.send('POST', '/v1/scans', { secret, body: { domain_id: id } })).json()
  const held = await startNext(api.db)
  await addFindings(api.db, held, [{ location: { url: `https://${NAME}/` } }, {}])
  await finishWith(api, held, [
    { kind: 'findings_json', filename: 'findings.json', body: '{}' },
    { kind: 'audit_log', filename: 'audit-log.jsonl', body: '' },
    { kind: 'evidence', module: 'headers', filename: 'page.txt', body: 'a page' },
  ])
  return runId
}
const done = async (method: 'POST' | 'PUT', path: string, body: object): Promise<void> => {
  const { statusCode, body: said } = await api.send(method, path, { body })
  expect(statusCode, `${path}: ${said}`).toBeLessThan(300)
}
/** Everything that knows of the name: runs, findings, decisions, schedules, messages, batches, logins, the log of activity. */
const used = async (): Promise<string> => {
  await verify(api.db, domainId)
  const runId = await run(domainId)
  const { url, events } = webhookCreated
  await done('POST', '/v1/webhooks', { url, events })
  await run(domainId)
  const { items } = (await api.send('GET', `/v1/scans/${runId}/findings`)).json()
  const decision = { state: 'accepted', reason: `meant so at ${NAME}`, owner: 'A. Ruiz' }
  await done('PUT', `/v1/scans/${runId}/findings/${items[0].id}/triage`, decision)
  const every = { domain_id: domainId, rhythm: { every: 'day', at: '03:00' }, time_zone: 'UTC' }
  await done('POST', '/v1/schedules', every)
  await done('POST', '/v1/batches', { domains: [NAME] })
  await api.db.query(`update batches set state = 'canceled', finished_at = clock_timestamp()`)
  await done('PUT', `/v1/domains/${domainId}/login`, { auth_cookie: 'a=b', page: '/account' })
  return runId
}
/** Tables in which the name stands anywhere, but for what says that it was erased. */
const named = async (): Promise<string[]> => {
  const tables = await api.db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await api.db.query(`select 1 from ${name} t where t::text like '%to-be-forgotten%' limit 1`)
      return rows.length > 0 ? [name] : []
    }),
  )
  return found.flat().filter((name) => name !== 'erasures')
}
const erase = (body: object = { domain: NAME, confirm: NAME }, secret = api.mine.secret) =>
  api.send('POST', '/v1/erasures', { secret, body })
const worker = () => ({ db: api.db, storage: api.storage, keys: KEYS, logger: silentLogger() })
const checked = (text: string, keys: readonly string[] = []) => {
  const reading = readGiven('erased.json')
  reading.add(Buffer.from(text))
  return verifyFiles([reading.end()], keys)
}

describe('a domain', () => {
  test('is erased with every row that names it and every file, and the receipt says so', async () => {
    await used()
    const before = await named()
    for (const table of ['domains', 'runs', 'findings', 'activity', 'problems']) expect(before).toContain(table)
    const keys = (await api.db.query<{ object_key: string }>('select object_key from artifacts')).map(
      (row) => row.object_key,
    )
    expect(keys.length).toBe(6)
    const quota = (await api.send('GET', '/v1/organisation')).json().runs_this_month

    const made = await erase()
    expect(made.statusCode).toBe(202)
    expect(made.json()).toMatchObject({
      ...{ domain: NAME, receipt: null, ended_at: null },
      counts: { domains: 1, runs: 2, findings: 4, files: 6 },
    })
    expect(await named()).toEqual([])
    expect((await api.send('GET', '/v1/organisation')).json().runs_this_month).toBe(quota)

    await eraseFiles(worker(), new AbortController().signal)
    for (const key of keys) await expect(api.storage.get(key)).rejects.toMatchObject({ code: 'missing' })
    const ended = (await api.send('GET', `/v1/erasures/${made.json().id}`)).json()
    expect(ended.ended_at).not.toBeNull()
    const { fingerprint } = (await api.send('GET', '/.well-known/sonde-signing-key', { secret: null })).json()
    expect(checked(ended.receipt, [fingerprint])).toMatchObject({
      ...{ outcome: 'verified', files: [{ state: 'signature' }] },
      receipts: [{ domain: NAME, counts: ended.counts, expected: true }],
    })
    expect(checked(ended.receipt)).toMatchObject({ outcome: 'unknown_signer' })
    expect(checked(ended.receipt.replace(/"payload": "(.)/, '"payload": "Z')).outcome).toBe('altered')
  })

  test('of another organisation stays, and so does every other domain', async () => {
    const kept = await run(api.mine.domainId)
    await run(domainId)
    expect((await erase({ domain: NAME, confirm: NAME }, api.other.secret)).json().code).toBe('domain_not_found')
    expect((await erase()).statusCode).toBe(202)
    expect((await api.send('GET', `/v1/scans/${kept}`)).statusCode).toBe(200)
  })

  test('that was removed before is erased by its name, its runs with it', async () => {
    const runId = await run(domainId)
    expect((await api.send('DELETE', `/v1/domains/${domainId}`)).statusCode).toBe(204)
    expect((await erase({ domain: NAME.toUpperCase(), confirm: NAME.toUpperCase() })).json().counts).toMatchObject({
      ...{ domains: 0, runs: 1 },
    })
    expect((await api.send('GET', `/v1/scans/${runId}`)).json().code).toBe('scan_not_found')
    expect((await erase()).json().code).toBe('domain_not_found')
  })

  test('is refused while a run has not ended, without its name once more, and to whoever may not', async () => {
    await api.send('POST', '/v1/scans', { body: { domain_id: domainId } })
    expect((await erase()).json().code).toBe('domain_in_use')
    const held = await startNext(api.db)
    await addFindings(api.db, held, [])
    expect((await erase()).json().code).toBe('domain_in_use')
    await finishWith(api, held, [{ kind: 'findings_json', filename: 'findings.json', body: '{}' }])
    await api.db.query(`update reports set state = 'pending' where run_id = $1`, [held.runId])
    expect((await erase()).json().code).toBe('domain_in_use')
    await api.db.query(`update reports set state = 'none' where run_id = $1`, [held.runId])
    expect((await erase({ domain: NAME, confirm: 'yes' })).json()).toMatchObject({
      ...{ code: 'validation_failed', errors: [{ path: 'confirm' }] },
    })
    const { secret } = await createKey(api.db, keyWith(api.mine.organisationId, ['domains:write', 'scans:write']))
    expect((await erase(undefined, secret)).json().code).toBe('api_key_scope_insufficient')
    expect((await erase()).statusCode).toBe(202)
  })

  test('whose files cannot be deleted now has its receipt later', async () => {
    await run(domainId)
    const { id } = (await erase()).json()
    const away = { ...api.storage, delete: () => Promise.reject(new Error('the storage is away')) }
    const options = worker()
    await eraseFiles({ ...options, storage: away }, new AbortController().signal)
    expect(options.logger.lines.join()).toContain('could not be deleted')
    const receiptOf = async () => (await api.send('GET', `/v1/erasures/${id}`)).json().receipt
    expect(await receiptOf()).toBeNull()
    await eraseFiles(worker(), new AbortController().signal)
    const first = await receiptOf()
    await eraseFiles(worker(), new AbortController().signal)
    expect([typeof first, await receiptOf()]).toEqual(['string', first])
  })
})

test('an organisation is erased with its keys and domains, and what was erased stays known', async () => {
  await used()
  const about = { organisationId: api.mine.organisationId, askedBy: 'the operator' }
  const made = await eraseOrganisation(api.db, about)
  expect(made).toMatchObject({ domain: null, counts: { domains: 2 } })
  expect(await named()).toEqual([])
  expect((await api.send('GET', '/v1/domains')).statusCode).toBe(401)
  expect((await api.send('GET', '/v1/domains', { secret: api.other.secret })).statusCode).toBe(200)
  await eraseFiles(worker(), new AbortController().signal)
  expect(await api.db.query('select 1 from erasures where receipt is null')).toEqual([])
  expect(await eraseOrganisation(api.db, about)).toBe('organisation_not_found')
})

test('addresses of scans are public', async () => {
  const { statusCode, ...said } = await api.send('GET', '/v1/scan-addresses', { secret: null })
  expect([statusCode, said.json()]).toEqual([
    200,
    {
      ...{ addresses: ['192.0.2.16/28'], header: 'Sonde-Run' },
      verify: 'http://sonde.test/v1/verify-traffic?sonde_run={value}',
    },
  ])
})

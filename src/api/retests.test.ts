import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFindings, createTenant, finishWith, openApi, startNext, type TestApi } from '../../tests/support/api.ts'

let api: TestApi
let path: string
beforeAll(async () => {
  api = await openApi()
  const run = (await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })).json()
  const held = await startNext(api.db)
  await addFindings(api.db, held, [{ check_id: 'headers/a' }])
  await finishWith(api, held, [])
  const [finding] = (await api.send('GET', `/v1/scans/${run.id}/findings`)).json().items
  path = `/v1/scans/${run.id}/findings/${finding.id}/retest`
})
afterAll(() => api.close())

test('is queued, can be watched as a run, and answers with the proof', async () => {
  expect((await api.send('GET', path)).json().code).toBe('retest_not_found')
  const made = await api.send('POST', path, { body: {} })
  expect([made.statusCode, made.json()]).toEqual([202, expect.objectContaining({ state: 'waiting', finding: null })])
  expect(made.headers.location).toBe(`/v1/scans/${made.json().id}`)
  const held = await startNext(api.db)
  expect(held.runId).toBe(made.json().id)
  await addFindings(api.db, held, [{ check_id: 'headers/a', detail: 'seen again' }])
  await finishWith(api, held, [])
  const [listed, whole] = (await api.send('GET', '/v1/scans')).json().items
  const [, , , scan_id, , finding_id] = path.split('/')
  expect([listed.retest_of, whole.retest_of]).toEqual([{ scan_id, finding_id }, null])
  expect((await api.send('GET', `/v1/scans/${held.runId}`)).json().retest_of).toEqual({ scan_id, finding_id })
  expect((await api.send('GET', path)).json()).toMatchObject({
    state: 'still_there',
    finding: { detail: 'seen again' },
  })
})

test('those before it are listed, the latest first', async () => {
  await api.send('POST', path, { body: {} })
  await finishWith(api, await startNext(api.db), [])
  const { items } = (await api.send('GET', `${path}s`)).json()
  expect(items.map(({ state }: { state: string }) => state)).toEqual(['not_tested', 'still_there'])
})

test("another organisation's finding is not there", async () => {
  const { secret } = await createTenant(api.db, 'stranger.example.com')
  for (const method of ['GET', 'POST'] as const) {
    expect((await api.send(method, path, { secret })).json().code).toBe('scan_not_found')
  }
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addFindings,
  createTenant,
  finishWith,
  openApi,
  startNext,
  type Tenant,
  type TestApi,
} from '../../tests/support/api.ts'

let api: TestApi
let tenant: Tenant
beforeAll(async () => {
  api = await openApi()
  tenant = await createTenant(api.db, 'compared.example.com')
})
afterAll(() => api.close())

const scan = async ({ secret, domainId }: Tenant, check_id: string): Promise<string> => {
  await api.send('POST', '/v1/scans', { secret, body: { domain_id: domainId } })
  const leased = await startNext(api.db)
  await addFindings(api.db, leased, [{ check_id }])
  await finishWith(api, leased, [])
  return leased.runId
}
const diff = (run: string, base?: string) =>
  api.send('GET', `/v1/scans/${run}/diff${base === undefined ? '' : `?base=${base}`}`, { secret: tenant.secret })

test('the run before is the base unless another is named', async () => {
  const first = await scan(tenant, 'headers/a')
  const second = await scan(tenant, 'headers/b')
  const third = await scan(tenant, 'headers/a')
  expect((await diff(first)).json()).toMatchObject({ base: null, unchanged: 1 })
  expect((await diff(third)).json()).toMatchObject({ base: { id: second }, run: { id: third } })
  expect((await diff(third, first)).json()).toMatchObject({ base: { id: first }, new: [], unchanged: 1 })
})

test('a base of another domain, of nobody, or the run itself is refused in the same words', async () => {
  const run = await scan(tenant, 'headers/a')
  const other = await createTenant(api.db, 'stranger.example.com')
  const answers = await Promise.all([run, randomUUID(), await scan(other, 'headers/a')].map((base) => diff(run, base)))
  for (const answer of answers) {
    expect([answer.statusCode, answer.json().errors]).toEqual([
      400,
      [{ path: 'base', message: 'must be another run of the same domain' }],
    ])
  }
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finishWith, openApi, startNext, type TestApi, verify } from '../../tests/support/api.ts'
import { addMatrix, matrixFacts } from '../../tests/support/matrix.ts'
import { MatrixPage } from '../contract/matrix.ts'
import { saveModule } from '../store/modules.ts'

const MORE = 250
let api: TestApi
let run = ''
const start = async (more: object = { active: true }) => {
  await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId, ...more } })
  return startNext(api.db)
}
const matrix = async (query = '', id = run) => api.send('GET', `/v1/scans/${id}/matrix${query}`)
const page = async (query = '') => MatrixPage.parse((await matrix(query)).json())

beforeAll(async () => {
  api = await openApi()
  await verify(api.db, api.mine.domainId)
  const held = await start()
  await addMatrix(api.db, held, matrixFacts(MORE))
  await finishWith(api, held, [])
  run = held.runId
})
afterAll(() => api.close())

test('has a cell for every operation and person, and each flawed one leads to its finding', async () => {
  const { people, items, operations, flawed, left, coverage } = await page()
  expect(people.map(({ name, requests, left }) => [name, requests, left])).toEqual([
    ['ada', 214, null],
    ['ben', 203, null],
    ['cleo', 90, 'its session was lost'],
    ['', 120, null],
  ])
  expect([operations, flawed, left, coverage.length]).toEqual([258, 4, 0, 3])
  const access = items.slice(0, 8).map(({ operation, cells }) => [operation, ...cells.map((cell) => cell.access)])
  expect(access).toEqual([
    ['GET /api/orders/{}', 'empty', 'may', 'should_not', 'refused'],
    ['GET /api/admin/export', 'may', 'should_not', 'could', 'should_not'],
    ['POST /graphql Query orders', 'may', 'refused', 'should_not', 'refused'],
    ['POST /graphql Query reports', 'may', 'refused', 'should_not', 'refused'],
    ['GET /api/products', 'may', 'may', 'may', 'may'],
    ['GET /api/me', 'may', 'may', 'may', 'refused'],
    ['GET /api/admin/users', 'may', 'refused', 'refused', 'refused'],
    ['GET /api/admin/audit', 'may', 'unclear', 'not_asked', 'refused'],
  ])
  const told: string[] = []
  for (const { operation, cells } of items)
    for (const { access: what, finding_id } of cells) {
      expect(finding_id !== null).toBe(what === 'should_not')
      if (finding_id === null) continue
      const { proof, check_id } = (await api.send('GET', `/v1/scans/${run}/findings/${finding_id}`)).json()
      expect(proof.excerpt).toBe(operation)
      told.push(check_id)
    }
  expect(told.map((id) => id.replace('authorization/', ''))).toEqual([
    ...['object-level', 'function-level', 'missing-authentication', 'function-level', 'function-level'],
  ])
})

test('comes in pages, filtered, and a cursor is of its filters alone', async () => {
  const all: string[] = []
  let cursor: string | null = null
  do {
    const one: MatrixPage = await page(`?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`)
    expect(one.operations).toBe(258)
    all.push(...one.items.map(({ operation }) => operation))
    cursor = one.next_cursor
  } while (cursor !== null)
  expect([all.length, new Set(all).size]).toEqual([258, 258])
  expect((await page('?verdict=flaw')).items).toHaveLength(4)
  expect((await page('?q=ADMIN')).items.map(({ operation }) => operation)).toEqual([
    ...['GET /api/admin/export', 'GET /api/admin/users', 'GET /api/admin/audit'],
  ])
  const { next_cursor } = await page('?limit=1')
  for (const query of [`?q=api&cursor=${next_cursor}`, '?limit=501', '?verdict=nothing'])
    expect((await matrix(query)).json().code).toBe('validation_failed')
})

describe('says why there is none', () => {
  const refused = async (id: string) => {
    const { statusCode, body } = await matrix('', id)
    const { code, detail } = JSON.parse(body)
    return [statusCode, code, detail]
  }
  test('of a passive run, of one under way, and of one that had no such part', async () => {
    const passive = await start({})
    expect(await refused(passive.runId)).toEqual([
      ...[404, 'matrix_not_found', 'Who may do what is asked by active runs alone.'],
    ])
    await finishWith(api, passive, [])
    const held = await start()
    expect((await refused(held.runId))[2]).toBe('The run has not come to who may do what yet.')
    await finishWith(api, held, [])
    expect((await refused(held.runId))[2]).toBe('The run had no part that asks who may do what.')
  })

  test('of a run that looked as nobody', async () => {
    const held = await start()
    const outcome = { state: 'skipped', reason: 'the run looks as nobody', duration_ms: 0, requests: 0 } as const
    await saveModule(api.db, held, { module: 'authorization', facts: null, outcome, coverage: [], findings: [] })
    expect((await refused(held.runId))[2]).toBe('It was not asked who may do what: the run looks as nobody.')
    await finishWith(api, held, [])
  })

  test("of nobody's, and of another organisation's", async () => {
    expect((await matrix('', crypto.randomUUID())).json().code).toBe('scan_not_found')
    const answer = await api.send('GET', `/v1/scans/${run}/matrix`, { secret: api.other.secret })
    expect(answer.json().code).toBe('scan_not_found')
  })
})

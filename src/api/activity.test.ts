/** What is changed at once is written to the activity log together, and none is kept from it by another. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApi, type TestApi } from '../../tests/support/api.ts'
import type { Queryable } from '../store/database.ts'
import { activityRecorder } from './activity.ts'

let api: TestApi
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const entry = (organisationId: string, subject: string) => ({
  ...{ organisationId, actor: { kind: 'key', id: randomUUID(), name: 'ci' } as const, action: 'startScan', subject },
})

test('entries of one moment are one statement, and one that cannot be written keeps no other from the log', async () => {
  const statements: string[] = []
  const watched: Queryable = {
    query: (sql, params) => {
      statements.push(sql)
      return api.db.query(sql, params)
    },
  }
  const record = activityRecorder(watched)
  const { organisationId } = api.mine
  const subjects = ['one', 'with a \0', 'three']
  expect(await Promise.all(subjects.map((subject) => record(entry(organisationId, subject))))).toEqual([
    null,
    null,
    null,
  ])
  expect(statements).toHaveLength(1)

  const [gone, kept] = await Promise.all([
    record(entry(randomUUID(), 'of nobody')),
    record(entry(organisationId, 'kept')),
  ])
  expect(gone).toBeInstanceOf(Error)
  expect(kept).toBeNull()
  const { items } = (await api.send('GET', '/v1/activity')).json()
  expect(items.map(({ subject }: { subject: string }) => subject).toSorted()).toEqual([
    'kept',
    'one',
    'three',
    'with a \uFFFD',
  ])
})

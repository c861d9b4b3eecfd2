/** Properties that the server alone should set, against a server that keeps whatever it is sent. */
import { afterEach, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { Left } from '../asking.ts'
import type { AssignedHit } from '../facts.ts'
import { assignmentWork } from './assignment.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const asked = async (last: number, body: object) => {
  const record: Record<string, unknown> = { name: 'Ida', balance: 20 }
  const site = await serveCase(last, {
    http: (request, response) => {
      let text = ''
      request.on('data', (part) => {
        text += part
      })
      request.on('end', () => {
        if (request.method === 'PUT') Object.assign(record, JSON.parse(text))
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(record))
      })
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
  cleanups.push(close)
  const request = caseRequest({
    ...{ method: 'PUT', url: 'http://shop.test/profile', encoding: 'json', body: JSON.stringify(body), sent: false },
  })
  const hits: AssignedHit[] = []
  const left = await assignmentWork(ctx)({ request, operation: null }, (hit) => void hits.push(hit)).catch(
    (error) => error,
  )
  return { names: hits.map(({ name }) => name), left, record }
}

test('what an answer shows beside what is sent is sent, too, and set back', async () => {
  const { names, left, record } = await asked(71, { name: 'Ida' })
  expect([names, left]).toEqual([['balance'], undefined])
  expect(record.balance).toBe(20)
})

test('a right that the application sends itself is not changed, and the place is not said to be asked', async () => {
  const { names, left, record } = await asked(72, { name: 'Ida', role: 'member' })
  expect(names).toEqual(['balance'])
  expect(left).toBeInstanceOf(Left)
  expect(left.message).toContain('"role"')
  expect(record.role).toBe('member')
})

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

const asked = async (last: number, body: object, more: object = {}) => {
  const record: Record<string, unknown> = { name: 'Ida', balance: 20, ...more }
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

test('what others have given it is told as well', async () => {
  const { names, record } = await asked(75, { name: 'Ida' }, { likes: 3, featured: false, color: 'red' })
  expect(names).toEqual(['balance', 'likes', 'featured'])
  expect(record).toMatchObject({ likes: 3, featured: false })
})

test('a right that the application sends itself is not changed, and the place is not said to be asked', async () => {
  const { names, left, record } = await asked(72, { name: 'Ida', role: 'member' })
  expect(names).toEqual(['balance'])
  expect(left).toBeInstanceOf(Left)
  expect(left.message).toContain('"role"')
  expect(record.role).toBe('member')
})

/** A registration that says no more than that it went well, and a list of people. `takes`: properties of the request that it copies. */
const registered = async (last: number, takes: readonly string[]) => {
  const people: Record<string, unknown>[] = [{ id: 1, name: 'Tom', staff: false }]
  const site = await serveCase(last, {
    http: (request, response) => {
      let text = ''
      request.on('data', (part) => {
        text += part
      })
      request.on('end', () => {
        const send = (status: number, body: unknown): void =>
          void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
        // What everybody is shown of people is their names.
        if (request.url === '/names')
          return send(
            200,
            people.map(({ id, name }) => ({ id, name })),
          )
        if (request.method === 'GET') return send(200, request.url === '/people' ? { people } : [])
        const taken = Object.entries(JSON.parse(text)).filter(([name]) => takes.includes(name))
        people.push({ id: people.length + 1, staff: false, ...Object.fromEntries(taken) })
        send(201, { status: 'success' })
      })
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
  cleanups.push(close)
  const body = JSON.stringify({ name: 'ida', password: 'Pine-Gold' })
  const request = caseRequest({
    ...{ method: 'POST', url: 'http://shop.test/register', encoding: 'json', body, sent: false },
  })
  const hits: AssignedHit[] = []
  const lists = ['http://shop.test/news', 'http://shop.test/names', 'http://shop.test/people']
  await assignmentWork(ctx, lists)({ request, operation: null }, (hit) => void hits.push(hit))
  return hits.map(({ name, stays, excerpt }) => [name, stays, excerpt.includes('GET http://shop.test/people')])
}

test('what a registration made is looked for in lists', async () => {
  expect(await registered(73, ['name', 'password', 'staff'])).toEqual([['staff', true, true]])
})

test('a registration that takes its own properties alone is silent', async () => {
  expect(await registered(74, ['name', 'password'])).toEqual([])
})

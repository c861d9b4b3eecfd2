/** One host has several applications: what one of them wants is not brought to the others. */
import { expect, it } from 'vitest'
import type { Egress, HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { createAdmission } from './admission.ts'
import { learnAll } from './learn-all.ts'

const SITE = 'http://shop.test'
const answered = (status: number, body = ''): HttpExchange =>
  ({ status, headers: [['Content-Type', 'text/html']], body: Buffer.from(body) }) as unknown as HttpExchange
const tokenIn = ({ headers = [] }: HttpRequest) =>
  headers.find(([name]) => name.toLowerCase() === 'x-csrf-token')?.[1] ?? ''

it('a token is brought to the part of the site that refused without, and to what is unknown', async () => {
  const posts: string[] = []
  const answer = (request: HttpRequest): HttpExchange => {
    const path = new URL(request.url).pathname
    if (request.method !== 'POST') return answered(200, '<meta name=csrf-token content="a1b2c3d4e5f6">')
    posts.push(`${path} ${tokenIn(request)}`.trim())
    return path.startsWith('/office/') && tokenIn(request) === '' ? answered(403) : answered(200, 'Done')
  }
  const send = async (request: HttpRequest) => answer(request)
  const egress = { http: async (request: HttpRequest) => answer(request) } as unknown as Pick<Egress, 'http'>
  const parts = { egress, send, pages: () => [`${SITE}/office/`], mayRead: () => true, signedIn: true }
  const admission = createAdmission(parts)
  const requests = ['/office/find', '/api/find', '/office/look'].map((path) =>
    caseRequest({
      id: path,
      method: 'POST',
      url: `${SITE}${path}`,
      encoding: 'json',
      body: '{"q":"a"}',
      seenOn: [`${SITE}/office/`],
    }),
  )
  const by: string[] = []
  const learning = { send, mayRead: () => true, careful: false, admission, cookies: () => new Set<string>() }
  await learnAll(
    requests,
    learning,
    () => false,
    ({ id }, { antiForgery }) => void by.push(`${id} ${antiForgery !== undefined}`),
  )
  expect(by.toSorted()).toEqual(['/api/find false', '/office/find true', '/office/look true'])
  expect(posts.filter((line) => line.startsWith('/api/'))).not.toContainEqual(expect.stringContaining('a1b2'))
  expect(posts.filter((line) => line === '/office/look')).toEqual([])
  expect(['/office/x', '/api/x', '/shop/x'].map((path) => admission.likely(`${SITE}${path}`) !== null)).toEqual([
    true,
    false,
    true,
  ])
})

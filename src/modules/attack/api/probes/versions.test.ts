/** Old versions beside the one in use, asked of real servers. */
import { afterEach, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import type { VersionHit } from '../facts.ts'
import { isVersioned, olderOf, versionsWork } from './versions.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const RECORD = { id: 31, street: 'Harbour Road 4', mail: 'nora.l@post.example' }
type Answer = readonly [status: number, body: unknown]
const REFUSED: Answer = [401, { error: 'Please sign in' }]
const MISSING: Answer = [404, { error: 'not found' }]

let last = 200
/** What is found of `/v3/customers/31`, which its owner alone is shown, unless the site says otherwise. */
const found = async (
  site: (path: string, known: boolean) => Answer | null,
  present = '/v3/customers/31',
): Promise<readonly VersionHit[]> => {
  last += 1
  const server = await serveCase(last, {
    http: ({ url = '', headers }, response) => {
      const known = (headers.cookie ?? '').includes('session=1')
      const usual = url === present ? (known ? ([200, RECORD] as const) : REFUSED) : MISSING
      const [status, body] = site(url, known) ?? usual
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    },
  })
  cleanups.push(server.close)
  const { ctx, close } = collectContext(server.address, { module: 'api', cookie: 'session=1' })
  cleanups.push(close)
  const request = caseRequest({ method: 'GET', url: `http://shop.test${present}`, sent: true })
  const hits: VersionHit[] = []
  await versionsWork(ctx)({ request, operation: null }, (hit) => void hits.push(hit))
  return hits
}
const at = (path: string, answer: Answer) => (url: string) => (url === path ? answer : null)

test('a version that gives the record to nobody is told, with its address', async () => {
  const [hit, ...more] = await found(at('/v1/customers/31', [200, RECORD]))
  expect(more).toEqual([])
  expect(hit).toMatchObject({ url: 'http://shop.test/v1/customers/31', present: 'http://shop.test/v3/customers/31' })
  expect(hit?.names).toEqual(['/street', '/mail'])
  expect(hit?.replay).toContain('/v1/customers/31')
  expect(JSON.stringify(hit)).not.toMatch(/Harbour|nora\.l/)
})

test.each<[string, (path: string, known: boolean) => Answer | null]>([
  ['no older version', () => null],
  ['one that refuses, too', at('/v2/customers/31', REFUSED)],
  ['one that refuses under a status of success', at('/v2/customers/31', [200, { message: 'Please sign in' }])],
  ['one that shows another record', at('/v2/customers/31', [200, { id: 31, street: 'North Quay 9' }])],
  [
    'one that gives it to the account alone',
    (path, known) => (path.startsWith('/v2/') && known ? [200, RECORD] : null),
  ],
  ['what the present version gives to everybody', () => [200, RECORD]],
  ['what answers every address below the old version', (path) => (path.startsWith('/v2/') ? [200, RECORD] : null)],
])('%s is silent', async (_name, site) => {
  expect(await found(site)).toEqual([])
})

test('a list of an old version that shows the record among others is told', async () => {
  const all = [{ id: 30, street: 'North Quay 9', mail: 'ole.m@post.example' }, RECORD]
  const [hit] = await found(at('/v0/customers', [200, all]))
  expect(hit).toMatchObject({ url: 'http://shop.test/v0/customers', present: 'http://shop.test/v3/customers/31' })
  expect(await found(at('/v0/customers', [200, all.slice(0, 1)]))).toEqual([])
})

test('a list of an old version that stands by itself shows what is kept below something now', async () => {
  const [hit] = await found(at('/v2/orders', [200, [RECORD]]), '/v3/shops/4/orders')
  expect(hit).toMatchObject({ url: 'http://shop.test/v2/orders', present: 'http://shop.test/v3/shops/4/orders' })
})

test.each(['/v0/customers/31', '/customers/31'])(
  'what was there before the first version is asked, too: %s',
  async (path) => {
    const [hit] = await found(at(path, [200, RECORD]))
    expect(hit).toMatchObject({ url: `http://shop.test${path}` })
  },
)

test('older versions are those before the own, the nearest first, and none at last', () => {
  expect(olderOf('http://shop.test/api/v2/orders?of=v2')).toEqual([
    'http://shop.test/api/v1/orders?of=v2',
    'http://shop.test/api/v0/orders?of=v2',
    'http://shop.test/api/orders?of=v2',
  ])
  const paths = (path: string) => olderOf(`http://shop.test${path}`).map((url) => new URL(url).pathname)
  expect(paths('/V9/a')).toEqual(['/V8/a', '/V7/a', '/V6/a', '/a'])
  expect(paths('/v1')).toEqual(['/v0'])
  for (const path of ['/orders', '/v2x/orders', '/video/2', '/v0/orders'])
    expect(olderOf(`http://shop.test${path}`)).toEqual([])
  const of = (method: string) => ({ request: caseRequest({ method, url: 'http://shop.test/v2/a' }), operation: null })
  expect([isVersioned(of('GET')), isVersioned(of('DELETE'))]).toEqual([true, false])
})

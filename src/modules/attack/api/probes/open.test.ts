/** Files of operations that ask for a sign-in, asked by nobody. */
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { Left } from '../asking.ts'
import type { OpenHit } from '../facts.ts'
import { openWork } from './open.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

let last = 150
const found = async (file: (known: boolean) => string): Promise<readonly OpenHit[]> => {
  last += 1
  const server = await serveCase(last, {
    http: ({ headers }, response) =>
      response.writeHead(200, { 'Content-Type': 'text/csv' }).end(file((headers.cookie ?? '').includes('session=1'))),
  })
  cleanups.push(server.close)
  const { ctx, close } = collectContext(server.address, { module: 'api', cookie: 'session=1' })
  cleanups.push(close)
  const request = caseRequest({ method: 'GET', url: 'http://shop.test/v1/ledgers', sent: true })
  const hits: OpenHit[] = []
  await openWork(ctx)({ request, operation: null }, (hit) => void hits.push(hit))
  return hits
}

test('the same file for nobody and for the account is told', async () => {
  expect(await found(() => 'number,amount\n7,12.50\n')).toMatchObject([{ kind: 'open', names: ['a file (text/csv)'] }])
})

test.each<[string, (known: boolean) => string]>([
  ['another one each time', () => `number,amount\n7,${randomUUID()}\n`],
  ['another one for the account', (known) => `number,amount\n7,${known ? '12.50' : '--.--'}\n`],
])('%s is neither told nor passed', async (_name, file) => {
  await expect(found(file)).rejects.toThrow(Left)
})

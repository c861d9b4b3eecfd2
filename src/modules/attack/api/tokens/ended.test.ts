/** Tokens of the run that have ended, sent where the one of now is told from nonsense. */
import { createHmac, randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { targetsOf } from '../operations.ts'
import { askTokens } from './ask.ts'
import { createGivenTokens } from './sources.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const KEY = randomBytes(32)
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = (input: string): string => `${input}.${createHmac('sha256', KEY).update(input).digest('base64url')}`
const seconds = Math.floor(Date.now() / 1_000)
const token = (exp: number): string =>
  signed(`${part({ alg: 'HS256' })}.${part({ sub: 'u-1', iat: seconds - 9_000, exp })}`)
const NOW = token(seconds + 3_600)

/** Whether an ended token is taken where the server looks at the end, or does not. */
const asked = async (last: number, looks: boolean, ended: number) => {
  const site = await serveCase(last, {
    http: ({ headers }, response) => {
      const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
      const [head = '', body = ''] = given.split('.')
      const isSigned = given !== '' && signed(`${head}.${body}`) === given
      const isFresh = () => JSON.parse(Buffer.from(body, 'base64url').toString()).exp > seconds
      const isIn = isSigned && (!looks || isFresh())
      response
        .writeHead(isIn ? 200 : 401, { 'Content-Type': 'application/json' })
        .end(isIn ? '{"orders":[4711]}' : '{}')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 200 })
  cleanups.push(close)
  const crawl = caseCrawl({ requests: [caseRequest({ url: 'http://shop.test/api/orders', source: 'script' })] })
  const carrying = (text: string) => [['Authorization', `Bearer ${text}`] as const]
  const egress = {
    ...ctx.egress,
    credentialsFor: async () => carrying(NOW),
    formerCredentialsFor: () => [carrying(token(ended))],
  }
  const until = performance.now() + 60_000
  return askTokens({ ...ctx, egress }, crawl, targetsOf(crawl), createGivenTokens(), until)
}

test('one that is taken after its end is told', async () => {
  const { hits, seen } = await asked(161, false, seconds - 1_000)
  expect(hits.map(({ kind, variant }) => [kind, variant])).toEqual([['expired', 'its own end, which has passed']])
  expect(seen).toMatchObject([{ placed: true, ended: true }])
})

test('one that is refused has been asked', async () => {
  const { hits, seen } = await asked(162, true, seconds - 1_000)
  expect(hits).toEqual([])
  expect(seen).toMatchObject([{ placed: true, ended: true }])
})

test('one that ended within what libraries let pass says nothing', async () => {
  const { hits, seen } = await asked(163, false, seconds - 100)
  expect(hits).toEqual([])
  expect(seen[0]).not.toHaveProperty('ended')
})

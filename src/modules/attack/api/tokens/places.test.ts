/** A token that an answer gave, and addresses of which most are open to everybody. */
import { createHmac } from 'node:crypto'
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

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = (input: string): string =>
  `${input}.${createHmac('sha256', 'k8Vw-2pQ').update(input).digest('base64url')}`
const TOKEN = signed(`${part({ alg: 'HS256' })}.${part({ sub: 'u-1', exp: 4_000_000_000 })}`)

test('is found in the page whose scripts send it', async () => {
  const site = await serveCase(72, {
    http: ({ url = '', headers }, response) => {
      if (url === '/desk') return response.end(`<meta name="api-token" content="${TOKEN}"><h1>Desk</h1>`)
      const [head = '', body = ''] = (/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '').split('.')
      const isIn = body !== '' && Buffer.from(head, 'base64url').toString().includes('"alg"')
      response.writeHead(isIn ? 200 : 401, { 'Content-Type': 'application/json' }).end(isIn ? '{"me":"ada"}' : '{}')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 200 })
  cleanups.push(close)
  const seenOn = ['http://shop.test/js/desk.js', 'http://shop.test/desk']
  const crawl = caseCrawl({ requests: [caseRequest({ url: 'http://shop.test/api/me', source: 'browser', seenOn })] })
  const tokens = await askTokens(ctx, crawl, targetsOf(crawl), createGivenTokens(), performance.now() + 60_000)
  expect(tokens.hits.map(({ kind, where, url }) => [kind, where, url])).toContainEqual([
    ...['signature', 'answer of GET /desk', 'http://shop.test/api/me'],
  ])
})

test('is tried where it was given, before what everybody is shown', async () => {
  const site = await serveCase(71, {
    http: ({ url = '', headers }, response) => {
      const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
      const [head = '', body = ''] = given.split('.')
      const isUnsigned = Buffer.from(head, 'base64url').toString().includes('"none"')
      const isIn = given === TOKEN || (body !== '' && isUnsigned)
      const isOpen = url.startsWith('/api/v1/goods')
      response
        .writeHead(isIn || isOpen ? 200 : 401, { 'Content-Type': 'application/json' })
        .end(isOpen ? '{"goods":[1]}' : isIn ? `{"me":"ada","token":"${TOKEN}"}` : '{}')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 200 })
  cleanups.push(close)
  const paths = [1, 2, 3, 4, 5, 6, 7].map((number) => `goods/${number}/parts`)
  const requests = [...paths, 'me'].map((path) =>
    caseRequest({ id: path, url: `http://shop.test/api/v1/${path}`, source: 'script' }),
  )
  const crawl = caseCrawl({ requests })
  const given = createGivenTokens()
  given.see(
    await ctx.egress.http({ url: 'http://shop.test/api/v1/me', headers: [['Authorization', `Bearer ${TOKEN}`]] }),
  )
  const tokens = await askTokens(ctx, crawl, targetsOf(crawl), given, performance.now() + 60_000)
  expect(tokens.hits.map(({ kind, url }) => [kind, url])).toContainEqual(['none', 'http://shop.test/api/v1/me'])
})

test('is tried at an older version that is served still, and reads tokens as it did then', async () => {
  const site = await serveCase(73, {
    http: ({ url = '', headers }, response) => {
      const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
      const [head = ''] = given.split('.')
      const isUnsigned = Buffer.from(head, 'base64url').toString().includes('"none"')
      const isKnown = url === '/v2/me' || url === '/v1/me'
      const isIn = given === TOKEN || (isUnsigned && url === '/v1/me')
      response
        .writeHead(isKnown ? (isIn ? 200 : 401) : 404, { 'Content-Type': 'application/json' })
        .end(isKnown && isIn ? '{"me":"ada"}' : '{}')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { header: `Authorization: Bearer ${TOKEN}`, requests: 200 })
  cleanups.push(close)
  const requests = ['goods', 'me'].map((path) =>
    caseRequest({ id: path, url: `http://shop.test/v2/${path}`, source: 'script' }),
  )
  const crawl = caseCrawl({ requests })
  const given = createGivenTokens()
  given.see(await ctx.egress.http({ url: 'http://shop.test/v2/me', headers: [['Authorization', `Bearer ${TOKEN}`]] }))
  const tokens = await askTokens(ctx, crawl, targetsOf(crawl), given, performance.now() + 60_000)
  expect(tokens.hits.map(({ kind, url }) => [kind, url])).toContainEqual(['none', 'http://shop.test/v1/me'])
})

test('is altered at each program, as one of many may decode it alone', async () => {
  const site = await serveCase(73, {
    http: ({ url = '', headers }, response) => {
      const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
      const body = Buffer.from(given.split('.')[1] ?? '', 'base64url').toString()
      const isIn = url === '/rest/me' || given === TOKEN || (url === '/rest/wallet' && body.includes('"sub":"u-1"'))
      response
        .writeHead(isIn ? 200 : 401, { 'Content-Type': 'application/json' })
        .end(isIn ? `{"me":"ada","token":"${TOKEN}"}` : '{}')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 2_000 })
  cleanups.push(close)
  const paths = [...Array.from({ length: 24 }, (_, number) => `plots${number}`), 'wallet']
  const crawl = caseCrawl({
    requests: paths.map((path) => caseRequest({ id: path, url: `http://shop.test/rest/${path}`, source: 'script' })),
  })
  const given = createGivenTokens()
  given.see(await ctx.egress.http({ url: 'http://shop.test/rest/me' }))
  const tokens = await askTokens(ctx, crawl, targetsOf(crawl), given, performance.now() + 60_000)
  expect(tokens.hits.map(({ kind, url }) => [kind, url])).toEqual([['signature', 'http://shop.test/rest/wallet']])
})

/** Public keys that a site tells, and tokens that are made with them. */
import { createHmac, createVerify, generateKeyPairSync, sign } from 'node:crypto'
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

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const PEM = String(publicKey.export({ type: 'spki', format: 'pem' }))
const SET = JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] })
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const INPUT = `${part({ alg: 'RS256' })}.${part({ sub: 'u-1', exp: Math.floor(Date.now() / 1_000) + 3_600 })}`
const NOW = `${INPUT}.${sign('sha256', Buffer.from(INPUT), privateKey).toString('base64url')}`

/** `confuses`: the server takes the algorithm that the token names, and has one key for all of them. */
const verified = (token: string, confuses: boolean): boolean => {
  const [head = '', body = '', signature = ''] = token.split('.')
  const input = `${head}.${body}`
  const [, alg] = /"alg":"(\w+)"/.exec(Buffer.from(head, 'base64url').toString()) ?? []
  if (alg === 'HS256') return confuses && createHmac('sha256', PEM).update(input).digest('base64url') === signature
  return alg === 'RS256' && createVerify('sha256').update(input).verify(publicKey, signature, 'base64url')
}

/** `led`: files that pages lead to. */
const asked = async (
  last: number,
  files: Readonly<Record<string, string>>,
  confuses: boolean,
  led: readonly string[] = Object.keys(files),
) => {
  const site = await serveCase(last, {
    http: ({ headers, url = '' }, response) => {
      const file = files[url]
      if (file !== undefined) return void response.writeHead(200, { 'Content-Type': 'text/plain' }).end(file)
      const given = /^Bearer ([\w-]+\.[\w-]+\.[\w-]*)$/.exec(headers.authorization ?? '')?.[1] ?? ''
      const isIn = url === '/api/orders' && given !== '' && verified(given, confuses)
      response.writeHead(isIn ? 200 : 401, { 'Content-Type': 'application/json' }).end(isIn ? '{"orders":[1]}' : '{}')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 200 })
  cleanups.push(close)
  const row = { status: 200, contentType: 'text/plain', title: '', depth: 1, source: 'link' } as const
  const crawl = caseCrawl({
    requests: [caseRequest({ url: 'http://shop.test/api/orders', source: 'script' })],
    urls: led.map((path) => ({ ...row, url: `http://shop.test${path}` })),
  })
  const egress = { ...ctx.egress, credentialsFor: async () => [['Authorization', `Bearer ${NOW}`] as const] }
  const until = performance.now() + 60_000
  return askTokens({ ...ctx, egress }, crawl, targetsOf(crawl), createGivenTokens(), until)
}

test.each([
  ['a file of the key', { '/keys/public.pem': PEM }],
  ['a set of keys where a page leads', { '/app/jwks': SET }],
  ['a set of keys where such sets lie', { '/.well-known/jwks.json': SET }],
])('one of %s makes a token that is taken', async (_what, files) => {
  const { hits, keys } = await asked(164, files, true)
  expect([hits.map(({ kind }) => kind), keys]).toEqual([['confusion'], 1])
})

test('a certificate of somebody else that lies there stands for no set of keys at its usual address', async () => {
  const other = String(
    generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ type: 'spki', format: 'pem' }),
  )
  const files = { '/files/partner.pem': other, '/.well-known/jwks.json': SET }
  const { hits, keys } = await asked(167, files, true, ['/files/partner.pem'])
  expect([hits.map(({ kind }) => kind), keys]).toEqual([['confusion'], 2])
})

test('a server that keeps to its algorithm takes none', async () => {
  const { hits, keys } = await asked(165, { '/keys/public.pem': PEM }, false)
  expect([hits, keys]).toEqual([[], 1])
})

test('where the site tells none, that is known', async () => {
  const { hits, keys } = await asked(166, { '/keys/readme.pem': '-----BEGIN PUBLIC KEY-----\nnone of ours\n' }, true)
  expect([hits, keys]).toEqual([[], 0])
})

/** Tokens that are taken as a value of a request, asked of a real server. */
import { execFile } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../../crawl/testing/crawl-facts.ts'
import type { Target } from '../operations.ts'
import { askTokens } from './ask.ts'
import { createGivenTokens } from './sources.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const run = promisify(execFile)
const KEY = randomBytes(32)
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = (input: string): string => createHmac('sha256', KEY).update(input).digest('base64url')
const INPUT = `${part({ alg: 'HS256' })}.${part({ sub: 'u-1', exp: 4_000_000_000 })}`
const TOKEN = `${INPUT}.${signed(INPUT)}`
const isWhole = (token: string): boolean => signed(token.slice(0, token.lastIndexOf('.'))) === token.split('.')[2]
const isReadable = (token: string): boolean =>
  /"sub"/.test(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

let last = 30
/** A profile by a variable of GraphQL, and the same by a parameter of an address; `takes` says which token is let in. */
const ask = async (takes: (token: string) => boolean) => {
  last += 1
  const site = await serveCase(last, {
    http: async (request, response) => {
      const sent = await text(request)
      const token =
        sent === ''
          ? new URL(request.url ?? '', 'http://shop.test').searchParams.get('access_token')
          : JSON.parse(sent).variables.token
      const body = takes(token ?? '')
        ? { data: { profile: { name: 'Nora' } } }
        : { data: { profile: null }, errors: [{ message: 'no' }] }
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', cookie: `session=${TOKEN}`, requests: 500 })
  cleanups.push(close)
  const query = 'query($token: String!) { profile(token: $token) { name } }'
  const requests = [
    caseRequest({
      ...{ id: 'a', method: 'POST', url: 'http://shop.test/graphql', encoding: 'json' },
      body: JSON.stringify({ query, variables: { token: 'test' } }),
    }),
    caseRequest({ id: 'b', method: 'GET', url: 'http://shop.test/profile?access_token=test', sent: true }),
    caseRequest({ id: 'c', method: 'GET', url: 'http://shop.test/profile?csrf_token=test', sent: true }),
  ]
  const targets = requests.map((request): Target => ({ request, operation: null }))
  const topic = await askTokens(ctx, caseCrawl({ requests }), targets, createGivenTokens(), performance.now() + 60_000)
  return { topic, address: site.address }
}

test('one that is only decoded there is told at each place, with a command that shows it', async () => {
  const { topic, address } = await ask(isReadable)
  const found = topic.hits.filter(({ kind }) => kind === 'signature')
  expect(found.map(({ where, method }) => `${method} ${where}`)).toEqual([
    'POST argument token',
    'GET argument access_token',
  ])
  for (const { replay, excerpt } of found) {
    expect(excerpt).not.toContain(TOKEN)
    const command = (replay ?? '')
      .replace('<a token of yours>', TOKEN)
      .replace('curl -isk', `curl -isk --connect-to ::${address}:80`)
    expect((await run('bash', ['-c', command], { timeout: 20_000 })).stdout).toContain('Nora')
  }
})

test('one whose signature is looked at is silent, and so is a value that is no token of an account', async () => {
  expect((await ask(isWhole)).topic.hits).toEqual([])
  const { topic } = await ask(() => true)
  expect(topic.hits).toEqual([])
  // That a value of the name takes no token leaves nothing unasked.
  expect(Object.keys(topic.left).filter((reason) => reason.includes('argument'))).toEqual([])
})

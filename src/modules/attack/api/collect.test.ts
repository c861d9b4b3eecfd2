import { afterEach, describe, expect, it } from 'vitest'
import { readDescriptions } from '../../../descriptions/read.ts'
import { asSent } from '../../../safety/asked.ts'
import { fullBorder } from '../../../safety/border.ts'
import { collect as collectSite } from '../../passive/site/collect.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { CASE_TIME, caseContext } from '../../testing/judge-cases.ts'
import { collectCrawl } from '../crawl/collect.ts'
import { collectApi } from './collect.ts'
import { api } from './module.ts'
import { description, service, TOKEN } from './testing/service.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

let last = 40
const scan = async (environment: 'production' | 'test', cookie: string | null = `session=${TOKEN}`) => {
  last += 1
  const seen: string[] = []
  const site = await serveCase(last, { http: service(seen) })
  cleanups.push(site.close)
  const { ctx, close, faults } = collectContext(site.address, { module: 'api', requests: 5_000, cookie })
  cleanups.push(close)
  const descriptions = readDescriptions([{ name: 'a.json', text: description() }], {
    ...{ path: null, host: 'shop.test', foundAt: null },
  })
  const asked = { ...ctx, descriptions, target: { ...ctx.target, environment } }
  const crawl = await collectCrawl(asked, await collectSite(ctx))
  const from = seen.length
  const facts = await collectApi(asked, crawl)
  const found = api.checks
    .flatMap((check) => {
      const judgement = check.judge(facts, { crawl }, caseContext({ now: CASE_TIME }))
      return 'state' in judgement ? (judgement.findings ?? []) : judgement
    })
    .map(
      ({ definition, at, confidence }) =>
        `${definition.id} ${at.method} ${new URL(at.url ?? '').pathname} ${confidence}`,
    )
  return { facts, found: found.toSorted(), sent: seen.slice(from), faults }
}

const READING = [
  'api/jwt-none GET /v1/exports confirmed',
  'api/jwt-signature GET /v1/reports confirmed',
  'api/old-version-open GET /v1/addresses confirmed',
  'api/personal-data GET /v1/guests firm',
  'api/personal-data GET /v1/readers firm',
  'api/personal-data GET /v1/reviews firm',
  'api/secret-in-answer GET /v1/members confirmed',
  'api/sign-in-missing GET /v1/customers confirmed',
  'api/sign-in-missing GET /v1/ledgers confirmed',
  'api/sign-in-missing-state GET /v1/pulse confirmed',
  'api/undocumented-property GET /v1/products confirmed',
  'api/unhandled-input POST /v1/quotes confirmed',
  'api/user-enumeration POST /v1/auth/login confirmed',
]

describe('a service with flaws beside the same done right', () => {
  it('on a test system all are found, and nothing else', async () => {
    const { found, facts, sent, faults } = await scan('test')
    const long = 'api/jwt-long-life undefined / confirmed'
    const assigned = ['api/mass-assignment PUT /v1/profile confirmed']
    expect(found).toEqual([...READING, ...assigned, long].toSorted())
    expect(faults).toEqual([])
    // It was set back, and whoever has the account was named twice in all, however many sign-ins there are.
    expect(sent.findLast((line) => line.startsWith('PUT /v1/profile'))).toContain('"balance":20')
    expect(sent.filter((line) => line.includes('nora.l') && /^POST \/v\d\/auth/.test(line))).toHaveLength(2)
    // Nothing that opens an account is kept.
    expect(JSON.stringify(facts)).not.toContain(TOKEN.slice(-30))
    expect(JSON.stringify(facts)).not.toMatch(/ida\.berg|K7Lq1v0|nora\.l/)
  })

  it('on what its owner uses nothing is written', async () => {
    const { found, facts, sent } = await scan('production')
    expect(found.filter((line) => line.startsWith('api/mass-assignment'))).toEqual([])
    expect(facts.assigned.left).toEqual({ 'that may write, on a production system': facts.assigned.known })
    expect(sent.filter((line) => /^(?:PUT|PATCH|DELETE)/.test(line))).toEqual([])
  })

  it('without an account what needs one says so', async () => {
    const { found, facts } = await scan('test', null)
    expect(found).toContain('api/sign-in-missing GET /v1/customers confirmed')
    expect(found.filter((line) => /jwt|enumeration|secret/.test(line))).toEqual([])
    expect(facts.tokens.known).toBe(0)
    expect(Object.keys(facts.accounts.left)).toEqual([
      'where more wrong passwords might lock the account',
      'as the run knows no account that exists',
    ])
  })
})

it('every kind of request that it makes passes the border of a production run, and those that write do not', () => {
  const border = fullBorder(
    { environment: 'production', signedIn: true, staff: false, excludes: () => false },
    new Map(),
  )
  const sent = (method: string, url: string, body: string | null) =>
    border({ method, url, body, contentType: body === null ? null : 'application/json' })
  const graphql = 'http://shop.test/graphql'
  expect(sent('GET', 'http://shop.test/v1/orders', null)).toBeNull()
  expect(sent('POST', graphql, JSON.stringify({ query: '{a0:__typename}' }))).toBeNull()
  expect(sent('POST', graphql, JSON.stringify({ query: 'mutation{__typename}' }))).not.toBeNull()
  expect(sent('PUT', 'http://shop.test/v1/profile', '{"balance":7}')).not.toBeNull()
  expect(asSent({ method: 'GET', url: graphql, contentType: null, body: null }).encoding).toBe('none')
})

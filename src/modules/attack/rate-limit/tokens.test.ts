/** Sign-ins that look at the token of their page before they look at a password. */
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { CHECKS } from './checks.ts'
import { collectRateLimit } from './collect.ts'
import type { RateLimitFacts } from './facts.ts'
import { OF_TOKEN } from './refusing.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Who has no session, or another token than the one in it, is refused before the password is looked at. */
const measured = async (last: number, page: string, isOnce = false): Promise<RateLimitFacts> => {
  const used = new Set<string | null>()
  const tokens = Array.from({ length: 99 }, (_one, index) => `fresh${index}`)
  const site = await serveCase(last, {
    http: async (request, response) => {
      if (request.method === 'GET')
        return response
          .writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 's=1; Path=/' })
          .end(isOnce ? page.replace('fresh', tokens.pop() ?? '') : page)
      const csrf = new URLSearchParams(await text(request)).get('csrf')
      const isOwn = csrf?.startsWith('fresh') && request.headers.cookie === 's=1' && !(isOnce && used.has(csrf))
      used.add(csrf)
      return response.writeHead(isOwn ? 200 : 422).end(isOwn ? '<p>Wrong password' : '<p>The form has run out')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'rate-limit', requests: 300 })
  cleanups.push(close)
  const request = caseRequest({
    ...{ method: 'POST', url: 'http://shop.test/login', encoding: 'urlencoded', seenOn: ['http://shop.test/'] },
    fields: [
      { name: 'user', type: 'text', value: 'test' },
      { name: 'pass', type: 'password', value: 'x' },
      { name: 'csrf', type: 'hidden', value: 'stale' },
    ],
    sent: false,
  })
  return collectRateLimit(ctx, caseCrawl({ requests: [request] }))
}

it('the token of a form that has more in it than the request that is known', async () => {
  const { endpoints } = await measured(
    141,
    '<form method=post action=/login><input type=hidden name=utf8 value=1><input name=user><input type=password name=pass><input type=hidden name=csrf value=fresh></form>',
  )
  expect(endpoints[0]?.answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
})

it('nothing is said of passwords where the token alone was refused', async () => {
  const facts = await measured(142, '<p>Please sign in with the application')
  expect(facts.endpoints).toMatchObject([{ aborted: OF_TOKEN, answers: [{ status: 422 }] }])
  const check = CHECKS.find(({ findings }) => findings[0]?.id === 'rate-limit/login')
  expect(check?.judge(facts, {}, caseContext())).toMatchObject({ state: 'inconclusive' })
})

it('a token that is good once: each attempt brings its own', async () => {
  const page =
    '<form method=post action=/login><input name=user><input type=password name=pass><input type=hidden name=csrf value=fresh></form>'
  const { endpoints } = await measured(143, page, true)
  expect(endpoints[0]?.answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
})

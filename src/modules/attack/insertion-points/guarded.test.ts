/** Sign-ins with a guard against guessing: what it answers is no answer to what was asked, and nothing more is asked there. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import type { RequestTemplate } from '../crawl/facts.ts'
import { GUARDED } from './facts.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'
import { judgeProbed } from './verdict.ts'

afterEach(closeProbed)

const POINTS = [pointOf('login', 'form', 'user'), pointOf('login', 'form', 'pass'), pointOf('news', 'query', 'q')]

const sent = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return new URLSearchParams(Buffer.concat(parts).toString())
}

const WRONG = html('<form><input type="password" name="pass"></form> Wrong name or password.')

/** `answer`: what the sign-in answers to somebody's attempt of a number, from 1 on; null: it is looked at. */
const site = (answer: (attempt: number, user: string) => { status: number; text: string } | null, attempts: string[]) =>
  ((request, response) => {
    const say = (status: number, text: string): void =>
      void response.writeHead(status, { 'Content-Type': 'text/html' }).end(text)
    if (!request.url?.startsWith('/login')) return say(200, html('News.'))
    void sent(request).then((body) => {
      const user = body.get('user') ?? ''
      attempts.push(user)
      const turned = answer(attempts.length, user)
      if (turned) say(turned.status, turned.text)
      else if (body.toString().includes('%27')) say(500, html('boom'))
      else say(200, WRONG)
    })
  }) satisfies RequestListener

const login: RequestTemplate = {
  ...{ id: 'login', method: 'POST', url: 'http://shop.test/login', shape: '/login', encoding: 'urlencoded' },
  ...{
    body: 'user=ada%40shop.test&pass=test',
    source: 'form',
    seenOn: ['http://shop.test/login'],
    sent: true,
    harm: null,
  },
  ...{ effect: 'reads', fields: [] },
  fields: [
    { name: 'user', value: 'ada@shop.test', type: 'text' },
    { name: 'pass', value: 'test', type: 'password' },
  ],
}
const crawl = (() => {
  const made = crawlOf(POINTS)
  return { ...made, requests: made.requests.map((one) => (one.id === 'login' ? login : one)) }
})()
const ask = (http: RequestListener) => probed(http, crawl, null, null, { groups: false })

it.each([
  ['by words', { status: 200, text: html('You have been banned after too many failed login attempts.') }],
  ['by a status', { status: 403, text: html('No.') }],
  ['by a captcha', { status: 200, text: `${WRONG}<div class="g-recaptcha"></div>` }],
])('an address that is shut out asks no more, and says so: %s', async (_kind, ban) => {
  const attempts: string[] = []
  const { facts, ends } = await ask(site((attempt) => (attempt > 4 ? ban : null), attempts))
  expect(ends).toEqual(['cut', 'cut', 'tested'])
  // What looked like it, the request as it is, and another name; of those that were on their way no more than they.
  expect(attempts.length).toBeLessThan(12)
  expect(judgeProbed(facts, () => [])).toMatchObject({
    state: 'inconclusive',
    reached: { reasons: [{ reason: GUARDED, count: 2 }] },
  })
})

it('one account that is locked leaves the others to be asked', async () => {
  const counts = new Map<string, number>()
  const locked = { status: 200, text: html('This account is locked.') }
  const answer = (_: number, user: string) => {
    counts.set(user, (counts.get(user) ?? 0) + 1)
    return (counts.get(user) ?? 0) > 4 ? locked : null
  }
  const { ends, hits } = await ask(site(answer, []))
  expect(ends).toEqual(['tested', 'cut', 'tested'])
  expect(hits).toEqual(['form user'])
})

it('a sign-in that was shut before it was asked is not asked', async () => {
  const attempts: string[] = []
  const ban = { status: 401, text: html('Too many failed login attempts, try again later.') }
  const { ends } = await ask(site(() => ban, attempts))
  expect(ends).toEqual(['cut', 'cut', 'tested'])
  expect(attempts.length).toBeLessThan(4)
})

it('what answers a probe alone in another way is no guard', async () => {
  const firewall = { status: 403, text: html('Forbidden.') }
  const { ends } = await ask(site((_, user) => (user.endsWith('c') ? firewall : null), []))
  expect(ends.at(1)).toBe('tested')
})

it('what a page says beforehand is no guard', async () => {
  const warns = html('<input type="password" name="pass"> After too many attempts you are locked out.')
  const { ends } = await ask(site(() => ({ status: 200, text: warns }), []))
  expect(ends).toEqual(['tested', 'tested', 'tested'])
})

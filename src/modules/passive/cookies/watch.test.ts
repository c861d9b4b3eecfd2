import { describe, expect, it } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import { type CaseAnswer, caseAnswer } from '../../testing/answers.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { observeCookies } from './collect.ts'
import { cookies } from './module.ts'
import { watchCookies } from './watch.ts'

const target = { host: 'shop.test', port: null, context: null, tier: 'active' } as const
const SITE = caseSite()

const watched = (answers: readonly CaseAnswer[]) => {
  const watcher = watchCookies({ target, resumed: false, signedIn: false })
  for (const answer of answers) watcher.see(caseAnswer(answer), 'crawl')
  const facts = watcher.conclude(observeCookies(SITE))
  const { findings } = judgeModule(cookies, facts, { site: SITE }, { ...caseContext(), target })
  return { facts, findings }
}
const setting = (path: string, line: string, change: Partial<CaseAnswer> = {}): CaseAnswer => ({
  ...{ path, body: '', headers: [['Set-Cookie', line] as const] },
  ...change,
})

describe('cookies of all answers', () => {
  it('where the crawl was cut off nothing passes', () => {
    const watcher = watchCookies({ target, resumed: false, signedIn: false })
    watcher.see(caseAnswer(setting('/', 'sid=Zq8vN2mXc7Lp4RtY; Path=/; HttpOnly; Secure; SameSite=Lax')), 'crawl')
    const coverageOf = (unread: string | null) =>
      judgeModule(cookies, watcher.conclude(observeCookies(SITE), unread), { site: SITE }, { ...caseContext(), target })
        .coverage
    const unread = 'what the crawl did not come to may hold more: 40 not read: its share of the time was used up'
    expect(coverageOf(null).map(({ state }) => state)).toContain('pass')
    expect(coverageOf(unread).map(({ state }) => state)).not.toContain('pass')
  })

  it('one that only the answer to a form sets is judged, and its command sends the form', () => {
    const signIn = setting('/in', 'sid=Zq8vN2mXc7Lp4RtY; Path=/', {
      status: 302,
      method: 'POST',
      sent: 'user=a&password=b',
    })
    const { findings, facts } = watched([setting('/', ''), signIn])
    expect(findings.map(({ check_id }) => check_id)).toContain('cookies/session-httponly-missing')
    expect(findings[0]?.proof?.replay).toBe(
      "curl -sik --path-as-is -X POST --data-binary 'user=a&password=***' 'https://shop.test/in' | grep -i '^set-cookie:'",
    )
    expect(facts.answers).toBeGreaterThanOrEqual(2)
  })

  it('a token that a page of the site puts into an address is told, without it; one that a probe put there is not', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.c2lnbmF0dXJl'
    const answer = setting(`/events?access_token=${token}&since=3`, '')
    const { findings, facts } = watched([answer])
    expect(facts.addresses).toEqual([
      {
        page: 'https://shop.test/events?access_token=…&since=3',
        url: 'https://shop.test/events?access_token=…&since=3',
      },
    ])
    expect(findings.map(({ check_id, confidence }) => [check_id, confidence])).toContainEqual([
      'cookies/token-in-url',
      'confirmed',
    ])
    const watcher = watchCookies({ target, resumed: false, signedIn: false })
    watcher.see(caseAnswer(answer), 'api')
    expect(watcher.conclude(observeCookies(SITE)).addresses).toBeUndefined()
  })

  it.each<[string, Partial<CaseAnswer>]>([
    ['a link', { body: '<a href="/contact;jsessionid=7F2AB0C4D98E41B6A3">Write to us</a>' }],
    ['a redirect', { status: 302, headers: [['Location', '/login;jsessionid=7F2AB0C4D98E41B6A3?next=%2F']] }],
  ])('a session that a server writes into %s for whoever brings no cookie is told', (_where, change) => {
    const watcher = watchCookies({ target, resumed: false, signedIn: true })
    watcher.see(caseAnswer({ path: '/help', body: '', ...change }), 'authorization')
    const facts = watcher.conclude(observeCookies(SITE))
    expect(facts.addresses?.map(({ page, url }) => [page, /;jsessionid=…/.test(url)])).toEqual([
      ['https://shop.test/help', true],
    ])
  })

  it('one that is called by a word of the run is none of the site', () => {
    const { facts } = watched([
      setting('/named', 'sonde0123abcd07=1; Path=/'),
      setting('/again', 'a_qx0123456789_b=1; Path=/'),
      setting('/own', 'sondering=1; Path=/'),
    ])
    expect(facts.observations.map(({ line }) => line)).toEqual(['sondering=1; Path=/'])
  })

  it('one that the sign-in of the run alone was given is judged, whatever it is called', () => {
    const watcher = watchCookies({ target, resumed: false, signedIn: true })
    const line = 'app.sid=s%3AaB3-dE6_gH9kL2mN5xY8zQ4wV7.rT1; Path=/'
    watcher.seeSignIn?.(caseAnswer(setting('/in', line, { method: 'POST' })))
    const facts = watcher.conclude({ observations: [], answers: 0 })
    const { findings } = judgeModule(cookies, facts, { site: SITE }, { ...caseContext(), target })
    expect(findings.map(({ check_id }) => check_id)).toEqual(
      expect.arrayContaining(['cookies/session-httponly-missing', 'cookies/session-samesite-missing']),
    )
    // Whoever asks the address without the password is given none: no command shows it.
    expect(findings.map(({ proof }) => proof?.replay ?? null)).toEqual(findings.map(() => null))
  })

  it('one that each page sets is one, at a few places', () => {
    const { facts, findings } = watched(
      Array.from({ length: 60 }, (_, index) =>
        setting(`/p/${index}?x=${index}`, `sid=Zq8vN2mXc7Lp4RtY${index}; Path=/`),
      ),
    )
    expect(facts.observations.length).toBeLessThanOrEqual(5)
    expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(findings.length)
  })

  it('what a probe planted, and what another host sets, is none of the site', () => {
    const planted = setting(`/go?to=${encodeURIComponent('x\r\nSet-Cookie: sid=1')}`, 'sid=1')
    expect(watched([planted, setting('/', 'sid=1; Path=/', { host: 'cdn.test' })]).facts.observations).toEqual(
      observeCookies(SITE).observations,
    )
  })
})

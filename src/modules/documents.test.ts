import { expect, it } from 'vitest'
import { judgeModule } from '../engine/judge.ts'
import { observeCookies } from './passive/cookies/collect.ts'
import { headers } from './passive/headers/module.ts'
import { NO_FACTS } from './passive/headers/testing/cases.ts'
import { markup, takeInventory } from './passive/markup/module.ts'
import { type CaseAnswer, caseAnswer } from './testing/answers.ts'
import { caseContext } from './testing/judge-cases.ts'
import { caseSite } from './testing/site-facts.ts'

const target = { host: 'shop.test', port: null, context: null, tier: 'active' } as const
const SAFE = { 'X-Frame-Options': 'DENY', 'Set-Cookie': 'PHPSESSID=b; SameSite=None; Secure; HttpOnly' }
const SITE = caseSite({ page: { headers: SAFE } })
const FRAMED = [['X-Frame-Options', 'DENY']] as const

/** What both modules judge of the site and these answers of its crawl; stored and read again, as facts are. */
const judged = (answers: readonly CaseAnswer[], module = 'crawl') => {
  const watching = { target, resumed: false, signedIn: false }
  const [ofHeaders, ofMarkup] = [headers.watch?.(watching), markup.watch?.(watching)]
  for (const answer of answers) for (const one of [ofHeaders, ofMarkup]) one?.see(caseAnswer(answer), module)
  const facts = JSON.parse(
    JSON.stringify({ headers: ofHeaders?.conclude(NO_FACTS), markup: ofMarkup?.conclude(takeInventory(SITE)) }),
  )
  const about = { ...caseContext(), target }
  return [
    ...judgeModule(headers, facts.headers, { site: SITE }, about).findings,
    ...judgeModule(markup, facts.markup, { site: SITE, cookies: observeCookies(SITE) }, about).findings,
  ].map(({ check_id, places }) => [check_id, ...places.map(({ url }) => url)])
}
const of = (id: string, found: ReturnType<typeof judged>) => found.find(([check]) => check === id)?.slice(1)

it('a page deep in the site that can be framed is judged, though the start page cannot', () => {
  const found = judged([
    { path: '/a', body: '<p>a', headers: FRAMED },
    { path: '/admin/users', body: '<form method=post><input name=a></form>' },
  ])
  expect(of('headers/framing-missing', found)).toEqual(['https://shop.test/admin/users'])
})

it('a form without a token on a page deep in the site is judged', () => {
  const body = '<form method=post action="/transfer"><input name=amount><input name=to></form>'
  expect(of('markup/form-csrf', judged([{ path: '/account/7', body, headers: FRAMED }]))).toEqual([
    'https://shop.test/account/7',
  ])
})

it('pages alike are shown by three, however many there are', () => {
  const pages = Array.from({ length: 200 }, (_, index) => ({ path: `/p/${index}`, body: `<p>${index}` }))
  expect(of('headers/framing-missing-plain', judged(pages))).toHaveLength(3)
})

const MADE_UP = '/contact?s=qx00c0ffee&page=qxdeadbeef'
it.each([
  ['after the page', ['/contact', MADE_UP], ['/contact']],
  ['where nothing else leads to it', [MADE_UP], [MADE_UP]],
])('a page asked by names and values of ours is the page that it is: %s', (_trick, paths, expected) => {
  const found = judged(paths.map((path) => ({ path, body: `<p>${path}` })))
  expect(of('headers/framing-missing-plain', found)).toEqual(expected.map((path) => `https://shop.test${path}`))
})

it('a filter that a page deep in the site switches on is judged, whatever else counts requests', () => {
  const off = Array.from({ length: 100 }, (_, index) => ({
    ...{ path: `/p/${index}`, body: '<p>' },
    headers: [['X-XSS-Protection', '0'] as const, ['X-Request-Id', `${index}`] as const],
  }))
  const on = { path: '/deep', body: '<p>', headers: [['X-XSS-Protection', '1'] as const] }
  expect(of('headers/x-xss-protection-enabled', judged([...off, on]))).toEqual(['https://shop.test/deep'])
})

it('documents of a site whose start page shows nothing are judged all the same', () => {
  const nothing = caseSite({ page: { status: 404 } })
  const watcher = headers.watch?.({ target, resumed: false, signedIn: false })
  watcher?.see(caseAnswer({ path: '/app/', body: '<p>a' }), 'crawl')
  const facts = watcher?.conclude(NO_FACTS) ?? NO_FACTS
  const { findings } = judgeModule(headers, facts, { site: nothing }, { ...caseContext(), target })
  expect(findings.map(({ check_id }) => check_id)).toContain('headers/content-security-policy-missing')
})

it('documents for which there was no room let nothing pass', () => {
  const watcher = markup.watch?.({ target, resumed: false, signedIn: false })
  const letters = (index: number): string => String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))
  for (let index = 0; index < 250; index += 1)
    watcher?.see(caseAnswer({ path: `/f/${index}`, body: `<form action="/${letters(index)}">` }), 'crawl')
  const facts = watcher?.conclude(takeInventory(SITE))
  expect(facts).toMatchObject({ beyond: 10 })
  const { coverage } = judgeModule(markup, facts, { site: SITE }, { ...caseContext(), target })
  expect(new Set(coverage.map(({ state }) => state))).not.toContain('pass')
  expect(coverage.find(({ check_id }) => check_id === 'markup/link-opener')).toMatchObject({ state: 'inconclusive' })
})

it('a crawl that was cut off lets nothing of its documents pass', () => {
  const unread = 'what the crawl did not come to may hold more: 40 not read: its share of the time was used up'
  const facts = markup.watch?.({ target, resumed: false, signedIn: false }).conclude(takeInventory(SITE), unread)
  const { coverage } = judgeModule(markup, facts ?? NO_FACTS, { site: SITE }, { ...caseContext(), target })
  expect(coverage.filter(({ state }) => state === 'pass')).toEqual([])
  expect(coverage.map(({ reason }) => reason)).toContain(unread)
})

it.each<[string, CaseAnswer, string?]>([
  ['an error', { path: '/x', body: '<p>', status: 500 }],
  ['no document', { path: '/x', body: '{}', type: 'application/json' }],
  ['another host', { path: '/x', body: '<p>', host: 'cdn.test' }],
  ['the answer to a probe', { path: '/x?q=%3Cform%3E', body: '<form method=post>' }, 'xss'],
  ['the answer to a form', { path: '/x', body: '<p>', method: 'POST', sent: 'a=b' }],
])('%s is none of the pages', (_name, answer, module) => {
  expect(of('headers/framing-missing-plain', judged([answer], module))).toBeUndefined()
  expect(of('headers/framing-missing', judged([answer], module))).toBeUndefined()
})

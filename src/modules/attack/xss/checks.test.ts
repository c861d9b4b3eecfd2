import { describe, expect, it } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import { STAFF } from '../../../safety/policy.ts'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { CASE_CRAWL, casePoint, caseProbed } from '../insertion-points/testing/probed-facts.ts'
import { blind } from './blind.ts'
import { dom } from './dom.ts'
import type { DomHit, ForeignHit, HeaderHit, RedirectHit, ReflectedHit, StoredHit, XssFacts, XssHit } from './facts.ts'
import { foreignContent } from './foreign.ts'
import { headerInjection, openRedirect } from './heads.ts'
import { xss } from './module.ts'
import { leadsTo } from './probes/heads.ts'
import { reflected } from './reflected.ts'
import { stored } from './stored.ts'

const known = CASE_CRAWL
const facts = (hits: readonly XssHit[], change: Partial<XssFacts> & { place?: string } = {}): XssFacts => ({
  ...caseProbed<XssHit>(hits, {
    at: { url: 'https://shop.test/find', method: 'GET', place: change.place ?? 'query', name: 'q' },
  }),
  browser: null,
  stored: { planted: 1, pages: 3, hits: [] },
  dom: { pages: 1, left: 0, hits: [] },
  blind: { planted: 1, hits: [] },
  ...change,
})
const hit = (change: Partial<ReflectedHit> = {}): ReflectedHit => ({
  kind: 'reflected',
  context: { kind: 'text', tag: 'p', attribute: null, quote: '' },
  payload: '<svg onload=qxproof(1)>',
  parsed: true,
  ran: 'load',
  refused: false,
  unproven: null,
  excerpt: '<p><svg onload=qxproof(1)></p>',
  mark: '<svg onload=qxproof(1)>',
  replay: 'curl',
  address: null,
  screenshot: null,
  ...change,
})
const NONE = 'no Chromium is installed'

const foreign = (change: Partial<ForeignHit> = {}): ForeignHit => ({
  kind: 'foreign',
  what: 'style',
  host: 'qx1.other-site.example',
  context: { kind: 'raw-text', tag: 'style', attribute: null, quote: '' },
  payload: 'x]{}*{background:url(//qx1.other-site.example/)}',
  excerpt: 'x]{}*{background:url(//qx1.other-site.example/)}',
  mark: 'qx1.other-site.example',
  replay: 'curl',
  address: null,
  screenshot: null,
  ...change,
})

judgeCases(foreignContent, [
  { name: 'a rule of style', known, facts: facts([foreign()]), expect: ['xss/style-injection'] },
  { name: 'the base', known, facts: facts([foreign({ what: 'base' })]), expect: ['xss/resource-injection'] },
  { name: 'a form', known, facts: facts([foreign({ what: 'form' })]), expect: ['xss/resource-injection'] },
  { name: 'a frame', known, facts: facts([foreign({ what: 'frame' })]), expect: ['xss/resource-injection'] },
  { name: 'a script', known, facts: facts([hit()]), expect: [] },
  { name: 'no browser looked', known, facts: facts([], { browser: NONE }), expect: [], unjudged: 'not_tested' },
])

const storedHit = (change: Partial<StoredHit> = {}): StoredHit => ({
  at: { url: 'https://shop.test/review', method: 'POST', place: 'form', name: 'text' },
  page: 'https://shop.test/reviews',
  context: { kind: 'text', tag: 'p', attribute: null, quote: '' },
  payload: '<svg onload=qxproof(1)>',
  ran: true,
  seenBy: 'anyone',
  excerpt: '<p><svg onload=qxproof(1)></p>',
  mark: '<svg onload=qxproof(1)>',
  replay: 'curl',
  screenshot: null,
  ...change,
})
const FOUND = { url: 'https://shop.test/find', method: 'GET', place: 'query', name: 'q' } as const
/** What is found at the place behind the form, and stored there as well. */
const behind = (seen: Partial<ReflectedHit>, kept: Partial<StoredHit>) =>
  facts([hit(seen)], {
    stored: { planted: 1, pages: 3, hits: [storedHit({ at: FOUND, ...kept })] },
  })
const REVIEWS = 'https://shop.test/reviews'

judgeCases(reflected, [
  { name: 'stored, and shown where the form leads to', known, facts: behind({ behind: REVIEWS }, {}), expect: [] },
  {
    name: 'and by a tab of that page',
    known,
    facts: behind({ behind: REVIEWS }, { page: `${REVIEWS}?a` }),
    expect: [],
  },
  {
    name: 'stored, and shown by another page of a front controller',
    ...{ known, facts: behind({ behind: `${REVIEWS}?own` }, { page: `${REVIEWS}?all` }), expect: ['xss/reflected'] },
  },
  {
    name: 'stored for the account alone',
    ...{ known, facts: behind({ behind: REVIEWS }, { seenBy: 'account' }), expect: ['xss/reflected'] },
  },
  { name: 'stored, and in the answer itself', known, facts: behind({}, {}), expect: ['xss/reflected'] },
  { name: 'stored elsewhere', known, facts: behind({ behind: `${REVIEWS}/new` }, {}), expect: ['xss/reflected'] },
  { name: 'a browser ran it', known, facts: facts([hit()]), expect: ['xss/reflected'] },
  {
    name: 'from a host that it names',
    known,
    facts: facts([hit({ foreign: 'x.example' })]),
    expect: ['xss/reflected'],
  },
  { name: 'after a click', known, facts: facts([hit({ ran: 'click' })]), expect: ['xss/reflected-click'] },
  {
    name: 'only with a token that no other site knows',
    ...{ known, facts: facts([hit({ guarded: true })]), expect: ['xss/reflected-own-request'] },
  },
  {
    name: 'only with a header that no other site sends',
    known,
    facts: facts([hit({ guarded: true, ran: null })]),
    expect: ['xss/reflected-own-request'],
  },
  {
    name: 'the policy refused it',
    known,
    facts: facts([hit({ ran: null, refused: true })]),
    expect: ['xss/reflected-mitigated'],
  },
  { name: 'it did not run', known, facts: facts([hit({ ran: null })]), expect: ['xss/html-injection'] },
  {
    name: 'it did not run and is no element',
    known,
    facts: facts([hit({ ran: null, payload: '" onfocus=x' })]),
    expect: [],
  },
  {
    name: 'no browser looked',
    known,
    facts: facts([hit({ ran: null, unproven: NONE })], { browser: NONE }),
    expect: ['xss/reflected'],
    unjudged: 'not_tested',
  },
  {
    name: 'from a header',
    known,
    facts: facts([hit({ ran: null, unproven: 'x' })], { place: 'header' }),
    expect: ['xss/reflected-own-request'],
  },
  {
    name: 'elements only',
    known,
    facts: facts([{ kind: 'markup', payload: '<b>', excerpt: '<b id=q>', mark: '<b id=q>', replay: 'curl' }]),
    expect: ['xss/html-injection'],
  },
  {
    name: 'elements only, from a cookie',
    known,
    facts: facts([{ kind: 'markup', payload: '<b>', excerpt: '<b id=q>', mark: '<b id=q>', replay: 'curl' }], {
      place: 'cookie',
    }),
    expect: [],
  },
  { name: 'encoded', known, facts: facts([]), expect: [] },
])

const domHit = (change: Partial<DomHit> = {}): DomHit => ({
  kind: 'script',
  page: 'https://shop.test/a?x=1',
  source: 'fragment',
  name: null,
  sink: 'html',
  address: 'https://shop.test/a?x=1#<img>',
  message: null,
  payload: '<img>',
  ran: 'load',
  screenshot: null,
  alsoOn: ['https://shop.test/b'],
  ...change,
})
const withDom = (...hits: readonly DomHit[]) => facts([], { dom: { pages: 1, left: 0, hits } })

it('of pages that an earlier version counted under each of their reasons, none were asked in full, and no fewer', () => {
  const short = ['with something that must not be pressed', 'still at work'].map((reason) => ({ reason, count: 2 }))
  const judged = dom.judge(facts([], { dom: { pages: 3, left: 0, hits: [], short } }), known, caseContext())
  expect(judged).toMatchObject({ state: 'inconclusive', reached: { asked: 0, known: 3 } })
})

judgeCases(dom, [
  { name: 'from the fragment', known, facts: withDom(domHit()), expect: ['xss/fragment'] },
  ...(['query', 'referrer', 'window-name', 'message'] as const).map((source) => ({
    name: `from ${source}`,
    known,
    facts: withDom(domHit({ source, message: source === 'message' ? '"<img>"' : null })),
    expect: ['xss/dom'],
  })),
  { name: 'after a click', known, facts: withDom(domHit({ ran: 'click' })), expect: ['xss/dom-click'] },
  {
    name: 'from storage',
    known,
    facts: withDom(domHit({ source: 'storage', name: 'k' })),
    expect: ['xss/dom-storage'],
  },
  { name: 'a redirect is told elsewhere', known, facts: withDom(domHit({ kind: 'redirect' })), expect: [] },
  { name: 'nothing ran', known, facts: withDom(), expect: [] },
  { name: 'no browser', known, facts: facts([], { browser: NONE }), expect: [], unjudged: 'not_tested' },
  {
    name: 'the session was lost',
    known,
    facts: facts([], { sessionLost: true }),
    expect: [],
    unjudged: 'not_tested',
  },
  {
    name: 'pages not reached',
    known,
    facts: facts([], { dom: { pages: 1, left: 1, hits: [] } }),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'pages that the crawl did not read',
    known,
    facts: facts([], { dom: { pages: 3, left: 0, hits: [] }, unread: [{ reason: 'not read: one of many', count: 9 }] }),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'no page with scripts',
    known,
    facts: facts([], { dom: { pages: 0, left: 0, hits: [] } }),
    expect: [],
    unjudged: 'not_applicable',
  },
])

const withStored = (...hits: readonly StoredHit[]) => facts([], { stored: { planted: 1, pages: 3, hits } })

judgeCases(stored, [
  { name: 'ran for a stranger', known, facts: withStored(storedHit()), expect: ['xss/stored'] },
  {
    name: 'ran for the same account',
    known,
    facts: withStored(storedHit({ seenBy: 'account' })),
    expect: ['xss/stored-in-account'],
  },
  { name: 'nothing came out', known, facts: withStored(), expect: [] },
  {
    name: 'nothing can be stored',
    known,
    facts: facts([], { stored: { planted: 0, pages: 0, hits: [] } }),
    expect: [],
    unjudged: 'not_applicable',
  },
  {
    name: 'nothing that stores was sent, signed in as staff',
    known: { crawl: caseCrawl({ requests: [caseRequest({ method: 'POST', harm: STAFF })] }) },
    facts: facts([], { stored: { planted: 0, pages: 0, hits: [] } }),
    expect: [],
    unjudged: 'not_tested',
  },
  {
    name: 'no browser looked',
    known,
    facts: facts([], { browser: NONE, stored: { planted: 1, pages: 3, hits: [storedHit({ ran: false })] } }),
    expect: ['xss/stored'],
    unjudged: 'inconclusive',
  },
  {
    name: 'the time was over before anybody looked',
    known,
    facts: facts([], { stored: { planted: 0, pages: 0, hits: [], isCut: true } }),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'pages in which nobody looked',
    known,
    facts: facts([], { stored: { planted: 1, pages: 300, hits: [], left: 12 } }),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'places that show and were sent no script',
    known,
    facts: facts([], { stored: { planted: 50, pages: 3, hits: [storedHit()], untried: 9 } }),
    expect: ['xss/stored'],
    unjudged: 'inconclusive',
  },
  {
    name: 'the session was lost',
    known,
    facts: facts([], { sessionLost: true }),
    expect: [],
    unjudged: 'not_tested',
  },
])

judgeCases(blind, [
  {
    name: 'called from where it ran',
    known,
    facts: facts([], {
      blind: {
        planted: 1,
        hits: [
          {
            at: { url: 'https://shop.test/contact', method: 'POST', place: 'form', name: 'text' },
            payload: '<img>',
            replay: 'curl',
            call: { from: '192.0.2.7', agent: 'Mozilla/5.0', detail: 'GET /qv12' },
          },
        ],
      },
    }),
    expect: ['xss/blind'],
  },
  { name: 'no call came', known, facts: facts([]), expect: [] },
  {
    name: 'a place that was sent no script for others',
    known,
    facts: facts([], { points: [casePoint<XssHit>([], { leftWays: [{ way: 'blind', reason: 'beyond the first' }] })] }),
    expect: [],
    unjudged: 'inconclusive',
  },
  { name: 'no listener', known, facts: facts([], { blind: null }), expect: [], unjudged: 'not_tested' },
])

const redirect = (...locations: string[]): RedirectHit => ({
  kind: 'redirect',
  by: 'header',
  trials: locations.map((location) => ({ payload: location, host: 'qx1.example', location, replay: 'curl' })),
})
judgeCases(openRedirect, [
  {
    name: 'twice',
    known,
    facts: facts([redirect('https://qx1.example/', '//qx1.example/')]),
    expect: ['xss/open-redirect'],
  },
  {
    name: 'by a script of the page',
    known,
    facts: withDom(domHit({ kind: 'redirect' })),
    expect: ['xss/open-redirect'],
  },
  { name: 'once', known, facts: facts([redirect('https://qx1.example/')]), expect: [] },
  {
    name: 'by a header that no link can fill',
    known,
    facts: facts([redirect('https://qx1.example/', '//qx1.example/')], { place: 'header' }),
    expect: [],
  },
  {
    name: 'as a parameter of the own host',
    known,
    facts: facts([redirect('/go?to=https://qx1.example/', '/x')]),
    expect: [],
  },
])
const header = (...seen: boolean[]): HeaderHit => ({
  kind: 'header',
  trials: seen.map((one, index) => ({ payload: 'x', name: `qx${index}`, seen: one, replay: 'curl' })),
})
judgeCases(headerInjection, [
  { name: 'twice', known, facts: facts([header(true, true)]), expect: ['xss/header-injection'] },
  { name: 'once', known, facts: facts([header(true, false)]), expect: [] },
])

describe('where a redirect leads', () => {
  it.each([
    ['//qx.example/', true],
    ['/\\qx.example/', true],
    ['https://shop.test@qx.example/', true],
    ['https://shop.test.qx.example/', true],
    ['/go?to=https://qx.example/', false],
    ['https://shop.test/qx.example', false],
  ])('%s leads away: %s', (location, expected) =>
    expect(leadsTo(location, 'https://shop.test/a', 'qx.example')).toBe(expected),
  )
})

it.each([
  ['cookie', 1],
  ['query', 2],
])('a %s in one place of several pages is %i flaw(s)', (place, flaws) => {
  const one = facts([hit()], { place })
  const [point] = one.points
  const other = point && { ...point, id: 'other', at: { ...point.at, url: 'https://shop.test/cart' } }
  const { findings } = judgeModule(
    xss as never,
    { ...one, points: [...one.points, ...(other ? [other] : [])] },
    known as never,
    caseContext(),
  )
  const found = findings.filter(({ module }) => module === 'xss')
  expect([found.length, found.flatMap(({ places }) => places).length]).toEqual([flaws, 2])
})

import { describe, expect, it } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import type { CrawledUrl, RequestTemplate } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { caseProbed } from '../insertion-points/testing/probed-facts.ts'
import { followedAfterSignIn } from './after-sign-in.ts'
import type { XssFacts } from './facts.ts'
import { xss } from './module.ts'
import { askAfterSignIn } from './probes/after-sign-in.ts'

const SITE = 'https://shop.test'
const field = (name: string, value: string, type = 'hidden') => ({ name, value, type })
const form = (change: Partial<RequestTemplate> = {}, ...fields: RequestTemplate['fields'][number][]): RequestTemplate =>
  caseRequest({
    ...{ method: 'POST', url: `${SITE}/enter`, encoding: 'urlencoded', source: 'form', seenOn: [`${SITE}/enter`] },
    fields: [field('mail', '', 'email'), field('secret', '', 'password'), ...fields],
    ...change,
  })
const page = (path: string): CrawledUrl => ({
  ...{ url: `${SITE}${path}`, status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' },
})

it.each([
  ['a hidden field', [form({}, field('next', '/orders'))], [], ['next of /enter']],
  ['a hidden field without a value', [form({}, field('returnTo', ''))], [], ['returnTo of /enter']],
  ['a program beside the page', [form({}, field('return', 'index.php'))], [], ['return of /enter']],
  ['the address of the page', [form({ seenOn: [`${SITE}/in?continue=/a`] })], [], ['continue of /in']],
  [
    'an address that a link has, where the form was read without it',
    [form()],
    ['/enter?next=%2Fa'],
    ['next of /enter'],
  ],
  [
    'a page whose script sends the password',
    [form({ encoding: 'json', fields: [], body: '{"password":"x"}' })],
    ['/enter?next=/a'],
    ['next of /enter'],
  ],
  ['a field that leads nowhere', [form({}, field('next', '2'))], [], []],
  ['a page without a password', [form({ fields: [field('next', '/a')] })], ['/enter?next=/a'], []],
  ['another page', [form()], ['/list?next=/a'], []],
])('%s', (_name, requests, paths, expected) => {
  expect(followedAfterSignIn({ requests, urls: paths.map(page) }, {}, [])).toEqual(expected)
})

it('what was found to lead away needs no sign-in', () => {
  const crawl = { requests: [form({}, field('next', '/a'))], urls: [] }
  expect(followedAfterSignIn(crawl, {}, [{ url: `${SITE}/enter`, name: 'next' }])).toEqual([])
})

it('what scripts read beside a field for a password, where it may lead on', () => {
  const atPassword = ['next', 'tab', 'returnUrl', 'ref', 'from'].map((name) => ({ name, path: '/enter' }))
  expect(followedAfterSignIn({ requests: [], urls: [] }, { atPassword }, [])).toEqual([
    'next of /enter',
    'returnUrl of /enter',
  ])
})

it.each([
  ['no requests tell where a script goes', 'header', null, []],
  ['an answer tells that the server goes there as well', 'header', 'https://away.test/', ['next 2 header']],
  ['nothing is told where nobody got in', 'page', false, []],
  ['a browser tells that it goes nowhere else', 'page', null, ['next 0 page']],
  ['a browser tells where it goes', 'page', 'https://away.test/', ['next 2 page']],
] as const)('of what a script reads %s', async (_, by, led, expected) => {
  const leads = { by, paths: new Set(['/enter']), to: async () => led }
  const ctx = { session: { leads, proofAt: `${SITE}/me` }, egress: { excludes: () => false }, options: {} }
  const dom = { atPassword: [{ name: 'next', path: '/enter' }] }
  const given = ctx as unknown as Parameters<typeof askAfterSignIn>[0]
  const { afterSignIn: said = [] } = await askAfterSignIn(given, caseCrawl({}), dom)
  expect(said.map(({ name, trials }) => `${name} ${trials.length} ${by}`)).toEqual(expected)
})

it('no sign-in is begun that takes longer than what is left', async () => {
  let left = 20_000
  const wanted: number[] = []
  const to = async (): Promise<null> => null
  const leads = { by: 'page', paths: new Set(['/enter']), at: `${SITE}/enter`, to }
  const ctx = { session: { leads, proofAt: `${SITE}/me` }, egress: { excludes: () => false }, options: {} }
  const given = ctx as unknown as Parameters<typeof askAfterSignIn>[0]
  const { unnamedLeft } = await askAfterSignIn(given, caseCrawl({}), {}, (milliseconds) => {
    wanted.push(milliseconds)
    left -= 10_000
    return milliseconds < left
  })
  expect([unnamedLeft, wanted.every((milliseconds) => milliseconds >= 5_000)]).toEqual([true, true])
})

it('a sign-in that comes to no end costs what was left alone', async () => {
  const to = (): Promise<null> => new Promise(() => undefined)
  const leads = { by: 'page', paths: new Set(['/enter']), at: `${SITE}/enter`, to }
  const ctx = { session: { leads, proofAt: `${SITE}/me` }, egress: { excludes: () => false }, options: {} }
  const given = ctx as unknown as Parameters<typeof askAfterSignIn>[0]
  const until = performance.now() + 300
  const left = (): number => until - performance.now()
  const said = await askAfterSignIn(given, caseCrawl({}), {}, () => left() > 50, left)
  expect(said).toEqual({ unnamedLeft: true })
})

it('what the time was over for is not said to have been asked', async () => {
  let signIns = 0
  const to = async (): Promise<null> => {
    signIns += 1
    return null
  }
  const leads = { by: 'page', paths: new Set(['/enter']), to }
  const ctx = { session: { leads, proofAt: `${SITE}/me` }, egress: { excludes: () => false }, options: {} }
  const dom = { atPassword: ['next', 'back'].map((name) => ({ name, path: '/enter' })) }
  const given = ctx as unknown as Parameters<typeof askAfterSignIn>[0]
  const { afterSignIn: said = [], unnamedLeft } = await askAfterSignIn(given, caseCrawl({}), dom, () => signIns < 4)
  expect([said.map(({ name }) => name), signIns, unnamedLeft]).toEqual([['next'], 4, true])
})

/** `reads`: the parameter that the sign-in follows, if its address begins so. */
const unnamed = async (reads: string, begins: string, by: 'header' | 'page' = 'header', options = {}) => {
  const asked: number[] = []
  const to = async (given: readonly (readonly [string, string])[], host: string) => {
    asked.push(given.length)
    const address = given.find(([name]) => name === reads)?.[1] ?? ''
    const led = address.startsWith(begins) ? new URL(address, SITE) : null
    return led && `.${led.hostname}`.endsWith(`.${host}`) ? led.href : null
  }
  const leads = { by, paths: new Set(['/in.php']), at: `${SITE}/in.php?page=enter`, to }
  const ctx = { session: { leads, proofAt: `${SITE}/me` }, egress: { excludes: () => false }, options }
  const given = ctx as unknown as Parameters<typeof askAfterSignIn>[0]
  const { afterSignIn: said = [] } = await askAfterSignIn(given, caseCrawl({}), {})
  return { said: said.map(({ name, url, trials }) => `${name} ${url.slice(SITE.length)} ${trials.length}`), asked }
}

it('names that nothing shows are asked in one sign-in, and the one that leads away alone', async () => {
  const { said, asked } = await unnamed('next', 'https://')
  expect(said).toEqual(['next /in.php?page=enter 2'])
  expect(asked[0]).toBeGreaterThan(15)
  expect(asked.slice(1)).toEqual([1, 1])
})

it('names that nothing shows are no part of a run of one place', async () => {
  expect(await unnamed('next', 'https://', 'header', { hypothesis: {} })).toEqual({ said: [], asked: [] })
})

it.each([
  ['by another way', ['returnTo', '//'], ['returnTo /in.php?page=enter 2']],
  ['to pages of the site alone', ['next', '/account'], []],
  ['in a browser once', ['next', '//', 'page'], []],
] as const satisfies readonly (readonly [string, readonly [string, string, 'page'?], readonly string[]])[])(
  'names that nothing shows lead %s',
  async (_name, args, expected) => {
    const [reads, begins, by] = args
    expect((await unnamed(reads, begins, by)).said).toEqual(expected)
  },
)

describe('the check for open redirects', () => {
  const facts = {
    ...caseProbed([], { at: { url: `${SITE}/enter`, method: 'POST', place: 'form', name: 'next' } }),
    ...{ browser: null, stored: { planted: 0, pages: 0, hits: [] }, dom: { pages: 1, left: 0, hits: [] }, blind: null },
  } as XssFacts
  const stateOf = (...fields: RequestTemplate['fields'][number][]) => {
    const crawl = caseCrawl({ requests: [form({}, ...fields)] })
    const { coverage } = judgeModule(xss as never, facts, { crawl } as never, caseContext())
    const { state, reason } = coverage.find(({ check_id }) => check_id === 'xss/open-redirect') ?? {}
    return `${state} ${reason ?? ''}`.trim()
  }
  it('does not pass beside a page that leads on once somebody has signed in', () => {
    expect(stateOf(field('next', '/orders'))).toBe(
      'inconclusive followed only once somebody has signed in: next of /enter',
    )
  })
  it('passes where the sign-in of the run was led nowhere, and tells where it was led away', () => {
    const crawl = caseCrawl({ requests: [form({}, field('next', '/orders'))] })
    const trials = ['a.example', 'b.example'].map((host) => ({
      ...{ host, payload: `https://${host}/`, location: `https://${host}/` },
    }))
    const judged = (led: typeof trials) => {
      const asked = { ...facts, afterSignIn: [{ name: 'next', url: `${SITE}/enter`, trials: led }] }
      const { coverage, findings } = judgeModule(xss as never, asked, { crawl } as never, caseContext())
      const { state } = coverage.find(({ check_id }) => check_id === 'xss/open-redirect') ?? {}
      return [state, ...findings.map(({ location }) => location.parameter)]
    }
    expect(judged([])).toEqual(['pass'])
    expect(judged(trials)).toEqual(['fail', 'next'])
  })
  it('passes beside one that does not', () => expect(stateOf()).toBe('pass'))
})

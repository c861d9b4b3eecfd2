/** Sites whose sessions have a flaw each, and one that has none. */
import { afterEach, describe, expect, test } from 'vitest'
import type { SignIn } from '../../../contract/identity.ts'
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import { field, lookAt, template } from './testing/asked.ts'
import { type Flaw, type Site, serveSite } from './testing/site.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const HOW = {
  request: { requests: [{ url: '/login' }, { url: '/login', form: { user: 'ada', password: 'right' } }] },
  proof: { path: '/account', text: 'Signed in as ada' },
} as SignIn

const requestsFor = (flaws: readonly Flaw[]) => [
  template('GET', '/logout', [], { harm: ENDS_SESSION, source: 'link' }),
  template('POST', '/visit', []),
  template('POST', '/phone', [
    ...(flaws.includes('has no token') ? [] : [field('csrf_token', 'old', 'hidden')]),
    field('phone', '040-123456'),
  ]),
  template('GET', '/city?city=Bremen', [], { effect: 'writes', bound: 40 }),
  template('GET', '/unread?callback=show', [], { source: 'link' }),
  template('GET', '/who.js?callback=show', [], { source: 'link' }),
  template('GET', '/who', [], { source: 'script' }),
  template('GET', '/live', [], { source: 'browser' }),
]

let last = 70
const look = async (
  flaws: readonly Flaw[],
  {
    sameSite = '',
    environment = 'test',
  }: Partial<{ sameSite: '' | '; SameSite=Strict' | '; SameSite=Lax'; environment: 'test' | 'production' }> = {},
) => {
  last += 1
  const site: Site = await serveSite(last, flaws, sameSite)
  closing.push(site.close)
  return { ...(await lookAt(site.address, requestsFor(flaws), HOW, environment)), site }
}

describe('a flaw each', () => {
  test.each<readonly [readonly Flaw[], readonly string[]]>([
    [['keeps the identifier'], ['sessions/fixation confirmed']],
    [['keeps the identifier', 'takes any identifier'], ['sessions/fixation confirmed']],
    [['keeps the identifier', 'writes the identifier anew'], ['sessions/fixation confirmed']],
    [['writes the identifier anew'], []],
    [['takes any identifier'], []],
    [['signs out the browser alone'], ['sessions/alive-after-sign-out confirmed']],
    [['counts visits'], ['sessions/predictable-identifier confirmed']],
    [['hashes the time'], ['sessions/predictable-identifier confirmed']],
    [['draws four digits'], ['sessions/short-identifier firm']],
    [['counts sign-ins'], ['sessions/predictable-identifier confirmed']],
    [['begins with the sign-in'], []],
    [['has no token'], ['sessions/forged-request confirmed']],
    [['does without the token'], ['sessions/forged-request confirmed']],
    [['tells once what it refused'], []],
    [['changes by a link'], ['sessions/forged-request confirmed']],
    [['opens to any origin'], ['sessions/websocket-hijacking confirmed']],
    [['opens to any origin', 'closes without a word'], ['sessions/websocket-hijacking confirmed']],
    [['closes without a word'], []],
    [['believes a number'], ['sessions/trusted-cookie confirmed']],
    [['remembers by a number'], ['sessions/trusted-cookie confirmed']],
    [['counts rows in a cookie'], []],
    [['tells in a script'], ['sessions/script-inclusion confirmed']],
    [['tells in a file of scripts'], ['sessions/script-inclusion confirmed']],
    [['tells behind a loop'], []],
    [['wraps what it answers'], ['sessions/script-inclusion confirmed']],
    [['opens to any origin', 'opens to nobody too'], ['sessions/websocket-hijacking confirmed']],
  ])('%j', { timeout: 60_000 }, async (flaws, expected) => {
    const { found, facts, site, cookies } = await look(flaws)
    expect(found).toEqual(expected)
    // Written back, and nothing that opens an account is kept.
    expect(site.account).toEqual({ phone: '040-123456', city: 'Bremen' })
    for (const cookie of cookies) expect(JSON.stringify(facts)).not.toContain(cookie.split('=')[1])
  })
})

test.each([
  [['keeps the identifier'], ['sessions/fixation confirmed']],
  [['keeps the identifier', 'begins with forms alone'], ['sessions/fixation confirmed']],
  [['begins with forms alone'], []],
  [['remembers by a number'], ['sessions/trusted-cookie confirmed']],
  [['remembers by a name'], ['sessions/trusted-cookie confirmed']],
  [[], []],
] as const)(
  'a sign-in of one request brings what a page has given before: %j',
  { timeout: 60_000 },
  async (flaws, expected) => {
    last += 1
    const site = await serveSite(last, flaws)
    closing.push(site.close)
    const how = {
      ...HOW,
      request: { requests: [{ url: '/login', form: { user: 'ada', password: 'right' } }] },
    } as SignIn
    const { found, cookies, facts } = await lookAt(site.address, [template('POST', '/visit')], how, 'test', [], ['ben'])
    expect(found).toEqual(expected)
    for (const cookie of cookies) expect(JSON.stringify(facts)).not.toContain(cookie.split('=')[1])
  },
)

test('a control on each page that signs out is pressed once', { timeout: 60_000 }, async () => {
  last += 1
  const site = await serveSite(last, ['signs out the browser alone'])
  closing.push(site.close)
  const fields = [{ name: '__EVENTTARGET', value: 'ctl00$lnkSignOut', type: 'submit' }]
  const controls = ['/account', '/orders', '/news'].map((path) =>
    template('POST', path, fields, { harm: ENDS_SESSION, source: 'form', seenOn: [`http://shop.test${path}`] }),
  )
  const { found, short } = await lookAt(site.address, controls, HOW, 'test')
  expect(found).toEqual(['sessions/alive-after-sign-out confirmed'])
  expect(short['sessions/alive-after-sign-out']).toBeUndefined()
})

test('a site without one is found to have none, in full but for what has no effect', { timeout: 60_000 }, async () => {
  const { found, short } = await look([])
  expect(found).toEqual([])
  expect(short).toEqual({
    'sessions/trusted-cookie': 'not_applicable: no cookie of the sign-in says in clear whose it is',
    'sessions/password-change-unverified': 'not_applicable: no form was found by which an account sets its password',
    'sessions/forged-request':
      'inconclusive: of 2 forms that change something of the account: 1 whose effect is not seen on its pages',
  })
})

test.each<readonly [string, readonly Flaw[], readonly string[]]>([
  ['is forged', ['takes transfers from anywhere'], ['sessions/forged-request confirmed']],
  ['is taken of its own page alone', [], []],
])('what shows on a page apart from its form %s', { timeout: 60_000 }, async (_name, flaws, expected) => {
  last += 1
  const site = await serveSite(last, flaws)
  closing.push(site.close)
  const form = template('POST', '/transfer', [field('purpose', 'rent')])
  const { found, short } = await lookAt(site.address, [form], HOW, 'test', ['/account', '/transfers'])
  expect(found).toEqual(expected)
  expect(short['sessions/forged-request']).toBeUndefined()
})

/** The proof reads the header alone; pages read the cookie. */
const BOTH = {
  request: { ...HOW.request, header: 'Authorization: Bearer right' },
  proof: { path: '/api/me', text: 'ada' },
} as SignIn

test.each<readonly [string, readonly Flaw[], readonly string[]]>([
  ['are forged', ['has no token'], ['sessions/forged-request confirmed']],
  ['are asked for their token', [], []],
])('forms of pages that cookies open beside a header %s', { timeout: 60_000 }, async (_name, flaws, expected) => {
  last += 1
  const site = await serveSite(last, flaws)
  closing.push(site.close)
  const form = requestsFor(flaws).filter(({ url }) => url.endsWith('/phone'))
  const { found, short } = await lookAt(site.address, form, BOTH)
  expect(found).toEqual(expected)
  expect(short['sessions/fixation']).toContain(
    'not_tested: the identity signs in to pages by cookies beside the header',
  )
})

test('what a script alone sends is forged like a form', { timeout: 60_000 }, async () => {
  last += 1
  const site = await serveSite(last, ['takes transfers from anywhere'])
  closing.push(site.close)
  const sent = { source: 'script', seenOn: ['http://shop.test/scripts/bank.js'] } as const
  const form = template('POST', '/transfer', [field('purpose', 'rent')], sent)
  const { found } = await lookAt(site.address, [form], HOW, 'test', ['/account', '/transfers'])
  expect(found).toEqual(['sessions/forged-request confirmed'])
})

test('what asks for a header that a page of another site cannot set is not', { timeout: 60_000 }, async () => {
  last += 1
  const site = await serveSite(last, ['takes transfers of scripts alone'])
  closing.push(site.close)
  const sent = { source: 'script', seenOn: ['http://shop.test/transfer'] } as const
  const headers = [['X-Requested-With', 'XMLHttpRequest']] as const
  const form = template('POST', '/transfer', [field('purpose', 'rent')], { ...sent, headers })
  const { found } = await lookAt(site.address, [form], HOW, 'test', ['/account', '/transfers'])
  expect(found).toEqual([])
})

test('of a sign-in that a value of ours keeps from working nothing is said', { timeout: 60_000 }, async () => {
  const { found, facts, short } = await look(['turns made-up identifiers away'])
  expect(found).toEqual([])
  expect(facts.fixation.left).toEqual({ 'as signing in with a value of our own did not work': 1 })
  expect(short['sessions/fixation']).toMatch(
    /^(?:inconclusive|not_tested): .*as signing in with a value of our own did not work/,
  )
})

test('what the cookie keeps from other sites is no flaw', { timeout: 60_000 }, async () => {
  const flaws: readonly Flaw[] = ['has no token', 'changes by a link', 'opens to any origin', 'tells in a script']
  const strict = await look(flaws, { sameSite: '; SameSite=Strict' })
  expect(strict.found).toEqual([])
  expect(strict.short['sessions/forged-request']).toContain('SameSite=Strict')
  const lax = await look(flaws, { sameSite: '; SameSite=Lax' })
  expect(lax.facts.forged.seen.map(({ guard }) => guard)).toEqual(['link'])
  const posted = requestsFor(['has no token']).filter(({ method }) => method === 'POST')
  const forms = await lookAt(lax.site.address, posted, HOW)
  expect(forms.short['sessions/forged-request']).toContain('SameSite=Lax, and comes with no form')
})

test('on what its owner uses nothing is written, pressed or signed out', { timeout: 60_000 }, async () => {
  const flaws: readonly Flaw[] = [
    'keeps the identifier',
    'has no token',
    'signs out the browser alone',
    'counts visits',
  ]
  const { found, short, site } = await look(flaws, { environment: 'production' })
  expect(found).toEqual(['sessions/fixation confirmed'])
  expect(short['sessions/alive-after-sign-out']).toBe('not_tested: a session is signed out on a test system alone')
  expect(short['sessions/forged-request']).toContain('on a test system alone')
  expect(site.asked.filter((line) => /^POST \/(?!login)|logout/.test(line))).toEqual([])
})

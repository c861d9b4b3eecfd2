/** Whole scans that sign in by themselves, at sites whose sessions die: what is seen, what is sent, and what is told. */
import { afterEach, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../src/contract/event.ts'
import type { Coverage } from '../src/contract/finding.ts'
import type { SignIn } from '../src/contract/identity.ts'
import { createEgress } from '../src/egress/door/create-egress.ts'
import { launchBrowser } from '../src/engine/browser/launch.ts'
import { judgeStored } from '../src/engine/judge-stored.ts'
import { VOCABULARY } from '../src/engine/product.ts'
import type { FromChild, RunSpec } from '../src/engine/protocol.ts'
import { scan } from '../src/engine/scan.ts'
import type { CrawlFacts } from '../src/modules/attack/crawl/facts.ts'
import { ModuleEnding } from '../src/modules/endings.ts'
import { MODULES } from '../src/modules/index.ts'
import { type CaseServers, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { secretsOf } from '../src/sign-in/secrets.ts'
import {
  CLIENT_SECRET,
  type MemberOptions,
  type MemberSite,
  memberSite,
  PASSWORD,
  SEED,
} from './support/member-site.ts'

const PROOF = { path: '/account', text: 'Hello Ada' }
const FORM: SignIn = {
  request: {
    requests: [
      { url: '/login', read: { csrf: { field: '_csrf' } } },
      { url: '/login', form: { user: 'ada', password: PASSWORD, _csrf: '{{csrf}}' } },
    ],
  },
  proof: PROOF,
}
const TOTP: SignIn = {
  request: {
    requests: [...(FORM.request?.requests ?? []), { url: '/code', form: { code: '{{totp}}' } }],
  },
  totp: { secret: SEED, period: 10 },
  proof: PROOF,
}
const JSON_BEARER: SignIn = {
  request: {
    requests: [
      { url: '/api/session', json: { user: 'ada', password: PASSWORD }, read: { token: { pointer: '/data/token' } } },
    ],
    header: 'Authorization: Bearer {{token}}',
  },
  proof: PROOF,
}

const CLIENT: SignIn = {
  oauth2: {
    ...{ grant: 'client_credentials', token_url: '/token', client_id: 'scanner', client_secret: CLIENT_SECRET },
    client_auth: 'basic',
  },
  proof: PROOF,
}

/** In a browser, as a page of one's own would. */
const STEPS: SignIn = {
  steps: {
    steps: [
      { do: 'goto', url: '/login' },
      { do: 'fill', on: '#user', value: 'ada' },
      { do: 'fill', on: '#password', value: PASSWORD },
      { do: 'press', key: 'Enter' },
      { do: 'wait', text: 'Hello Ada' },
    ],
  },
  proof: PROOF,
}

let servers: CaseServers | null = null
afterEach(async () => {
  await servers?.close()
  servers = null
})

interface Scanned {
  readonly site: MemberSite
  readonly messages: readonly FromChild[]
  readonly audit: readonly AuditEntry[]
  readonly told: string
}

const needed = (ids: readonly string[]): readonly string[] =>
  ids.flatMap((id) => {
    const { needs = [], uses = [] } = MODULES.find((module) => module.id === id) ?? {}
    return [id, ...needed([...needs, ...uses])]
  })

const scanAs = async (signIn: SignIn, options: MemberOptions, ids: readonly string[]): Promise<Scanned> => {
  const site = memberSite(options)
  const served = await serveCase(62, { http: site.answer })
  servers = served
  const { target, options: usual } = caseContext()
  const spec: RunSpec = {
    ...{
      runId: '00000000-0000-4000-8000-00000000000d',
      options: { ...usual, active: true },
      now: Date.UTC(2026, 0, 1),
    },
    ...{ target: { ...target, tier: 'active' }, credentials: { cookie: null, header: null, signIn } },
    ...{ deadline: 900, activeRefused: null, completed: {} },
    egress: {
      ...{
        hosts: { [target.host]: [served.address] },
        allowNetworks: ['127.0.0.0/8'],
        resolvers: [`${served.address}:9`],
      },
      ...{ requestsPerSecond: 1_000, concurrency: 4, contact: 'ops@example.org', trafficKey: 'dGVzdA' },
    },
  }
  const messages: FromChild[] = []
  const log: string[] = []
  const wanted = new Set(needed(ids))
  await scan(spec, {
    modules: MODULES.filter(({ id }) => wanted.has(id)),
    openEgress: (audit, signal, answered) =>
      createEgress({
        ...{ settings: spec.egress, runId: spec.runId, version: '0.0.0', target: spec.target, answered, audit, signal },
        ...{ credentials: { ...spec.credentials, typed: secretsOf(signIn) }, vocabulary: VOCABULARY },
      }),
    launchBrowser:
      signIn.steps === undefined
        ? async () => {
            throw new ModuleEnding('skipped', 'no browser in this test')
          }
        : launchBrowser,
    send: async (message) => {
      messages.push(structuredClone(message))
    },
    signal: new AbortController().signal,
    log: (line) => log.push(line),
  })
  const audit = messages.flatMap((message) => (message.type === 'audit' ? message.entries : []))
  return { site, messages, audit, told: JSON.stringify([messages, log]) }
}

const events = ({ audit }: Scanned, event: string): readonly string[] =>
  audit.filter((entry) => entry.event === event).map(({ detail }) => detail ?? '')

const factsOf = ({ messages }: Scanned, id: string): Readonly<Record<string, unknown>> => {
  const found = messages.find((message) => message.type === 'module' && message.module === id)
  if (found?.type !== 'module') throw new Error(`no facts of ${id}`)
  return found.facts as Record<string, unknown>
}
const crawled = (scanned: Scanned): readonly { url: string; status: number }[] =>
  factsOf(scanned, 'crawl').urls as { url: string; status: number }[]

/** No secret of the sign-in and of any session in anything that leaves the child. */
const expectNothingTold = ({ told, site }: Scanned): void => {
  for (const secret of [PASSWORD, SEED, CLIENT_SECRET, ...site.sessions]) expect(told).not.toContain(secret)
}

/** With SONDE_LONG=1 those too of which another way has all: a form, and a token. */
const WAYS = [
  ['a form, then the code of a one-time password', TOTP, { totp: true }],
  ['JSON that answers a bearer token', JSON_BEARER, {}],
  ['steps in a browser', STEPS, {}],
  ['a form with a token of its page', FORM, {}],
  ['client credentials of OAuth 2.0', CLIENT, {}],
] as const

describe.each(process.env.SONDE_LONG ? WAYS : WAYS.slice(0, 3))('by %s', (_name, signIn, more) => {
  const lasts = [30, 45, 60]

  test('a session that dies is begun anew, and what was answered to nobody is asked again', {
    timeout: 240_000,
  }, async () => {
    const scanned = await scanAs(signIn, { ...more, lasts }, ['crawl', 'injection'])
    expect(scanned.messages.at(-1)).toEqual({ type: 'ended', result: 'completed' })
    expect(scanned.site.sessions.length).toBeGreaterThanOrEqual(lasts.length + 1)
    expect(events(scanned, 'session_renewed').length).toBeGreaterThanOrEqual(lasts.length)
    expect(events(scanned, 'session_lost')).toEqual([])
    // Every page of members was seen as a member, none as the form.
    for (const path of ['/account', '/orders', '/profile', '/news', '/help', '/team', '/terms'])
      expect(crawled(scanned)).toContainEqual(
        expect.objectContaining({ url: expect.stringContaining(path), status: 200 }),
      )
    expect(events(scanned, 'session_ended_by')).toEqual(['GET /adieu'])
    // What only members see is found.
    expect(JSON.stringify(scanned.messages.filter(({ type }) => type === 'module'))).toContain('injection/template')
    expectNothingTold(scanned)
  })
})

test.each([
  ['gently', ['crawl', 'injection']],
  ['strictly', ['crawl']],
] as const)('a session that each answer renews %s goes on', { timeout: 240_000 }, async (rotates, modules) => {
  const scanned = await scanAs(FORM, { rotates }, modules)
  expect(scanned.messages.at(-1)).toEqual({ type: 'ended', result: 'completed' })
  expect(scanned.site.sessions.length).toBeGreaterThan(20)
  expect(events(scanned, 'session_lost')).toEqual([])
  // The page that ends it costs one or two.
  expect(events(scanned, 'session_renewed').length).toBeLessThanOrEqual(2)
  for (const path of ['/orders', '/profile', '/news', '/help'])
    expect(crawled(scanned)).toContainEqual(
      expect.objectContaining({ url: expect.stringContaining(path), status: 200 }),
    )
})

test('where it fails from the first the run says so in a sentence, and no module begins', async () => {
  const wrong = structuredClone(FORM)
  if (wrong.request?.requests[1]?.form) wrong.request.requests[1].form.password = 'falsch-kanarie-12'
  const scanned = await scanAs(wrong, {}, ['site'])
  expect(scanned.messages.at(-1)).toEqual({
    type: 'ended',
    result: 'failed',
    error: {
      kind: 'auth_rejected',
      detail:
        'Signing in did not work: it is not proven: /account answered 302 and leads to /login, without “Hello Ada”.',
    },
  })
  expect(scanned.messages.filter(({ type }) => type === 'module')).toEqual([])
  expect(scanned.told).not.toContain('falsch-kanarie-12')
})

test('after five sessions it gives up, and what was to be asked signed in says why it was not', {
  timeout: 120_000,
}, async () => {
  const scanned = await scanAs(FORM, { lasts: Array.from({ length: 60 }, () => 9) }, ['crawl', 'injection'])
  expect(scanned.messages.at(-1)).toEqual({ type: 'ended', result: 'completed' })
  expect(scanned.site.sessions.length).toBeGreaterThanOrEqual(6)
  expect(events(scanned, 'session_lost')).toEqual([expect.stringContaining('it was begun anew 5 times')])
  expect(factsOf(scanned, 'crawl')).toMatchObject({ cut: 'the session was lost', session: { state: 'lost' } })
  const { reach } = factsOf(scanned, 'crawl') as unknown as Pick<CrawlFacts, 'reach'>
  expect(reach?.rows.filter(({ reason }) => reason?.startsWith('auth_lost')).map(({ fate }) => fate)).toContain(
    'cut_off',
  )
  const refused = scanned.audit.filter(
    ({ event, error }) => event === 'refused' && error?.startsWith('the session was lost'),
  )
  const after = scanned.audit.findIndex(({ event }) => event === 'session_lost')
  expect(after).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThanOrEqual(0)
  // From then on nothing was asked of members' pages by who was to be signed in.
  const coverage = scanned.messages.flatMap((message) => (message.type === 'module' ? message.coverage : []))
  expect(coverage.filter(({ check_id, state }) => check_id.startsWith('injection/') && state === 'pass')).toEqual([])
})

test('what was asked since the last proof of a session that is lost for good is no answer, in whichever module', {
  timeout: 240_000,
}, async () => {
  const modules = ['crawl', 'sqli', 'xss', 'injection', 'api', 'authorization']
  // A page ends one session, and another where that is asked again; one looks as somebody new. The crawl comes through with the fourth, and the
  // others do not.
  const scanned = await scanAs(FORM, { lasts: [600, 600, 600, 150, ...Array.from({ length: 60 }, () => 9)] }, modules)
  expect(scanned.messages.at(-1)).toEqual({ type: 'ended', result: 'completed' })
  expect(events(scanned, 'session_lost')).toHaveLength(1)
  expect(factsOf(scanned, 'crawl')).toMatchObject({ cut: null, session: { state: 'live' } })
  const ended = scanned.messages.filter((message) => message.type === 'module')
  const lost = ended.filter(({ outcome }) => outcome.auth_lost !== undefined)
  expect(lost.map(({ module }) => module)).toEqual(
    expect.arrayContaining(['sqli', 'xss', 'injection', 'authorization']),
  )
  for (const { coverage } of lost)
    for (const { check_id, state, reason } of coverage) {
      expect([check_id, state]).not.toEqual([check_id, 'pass'])
      expect([check_id, state]).not.toEqual([check_id, 'not_applicable'])
      if (state === 'inconclusive') expect(reason).toContain('auth_lost')
    }
  const { target, options } = caseContext()
  const again = judgeStored(ended, {
    target: { ...target, tier: 'active' },
    options: { ...options, active: true },
    now: 0,
  })
  const told = (lines: readonly Coverage[]) => lines.map(({ check_id, state, reason }) => [check_id, state, reason])
  for (const { module, coverage } of lost)
    expect(told(again.coverage.filter((line) => line.module === module))).toEqual(told(coverage))
  const rows = again.reach?.rows.filter(({ reason }) => reason?.startsWith('auth_lost')) ?? []
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ fate }) => fate !== 'cut_off')).toEqual([])
  expect(again.reach?.reasons.map(({ reason }) => reason)).toContainEqual(expect.stringContaining('auth_lost'))
  expectNothingTold(scanned)
})

test('an address that ends the session is learned and left alone', { timeout: 120_000 }, async () => {
  const scanned = await scanAs(FORM, {}, ['crawl'])
  expect(events(scanned, 'session_ended_by')).toEqual(['GET /adieu'])
  expect(scanned.site.asked.filter(({ url, member }) => url.startsWith('/adieu') && member)).toHaveLength(2)
  expect(events(scanned, 'session_renewed')).toEqual([expect.stringContaining('1 of 5'), 'GET /adieu ended it'])
})

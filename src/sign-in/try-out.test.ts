import { afterEach, expect, test } from 'vitest'
import { memberSite, PASSWORD } from '../../tests/support/member-site.ts'
import type { Proof } from '../contract/sign-in.ts'
import { createEgress } from '../egress/door/create-egress.ts'
import { type CaseServers, serveCase } from '../modules/testing/collecting.ts'
import { secretsOf } from './secrets.ts'
import { tryOut } from './try-out.ts'

let servers: CaseServers | null = null
let close: () => Promise<void> = async () => undefined
afterEach(async () => {
  await close()
  await servers?.close()
})

const FORM = [{ url: '/login', read: { csrf: { field: '_csrf' } } }]
const entering = (password: string) => ({
  requests: [...FORM, { url: '/login', form: { user: 'ada', password, _csrf: '{{csrf}}' } }],
})

const trying = async (how: { password?: string; proof: Proof; cookie?: string }) => {
  const site = memberSite()
  servers = await serveCase(66, { http: site.answer })
  const signIn = {
    ...(how.password === undefined ? {} : { request: entering(how.password) }),
    proof: how.proof,
  } as Parameters<typeof tryOut>[0]
  const given = { cookie: how.cookie ?? null, header: null }
  const run = createEgress({
    settings: {
      ...{
        hosts: { 'shop.test': [servers.address] },
        allowNetworks: ['127.0.0.0/8'],
        resolvers: [`${servers.address}:9`],
      },
      ...{ requestsPerSecond: 1_000, concurrency: 4, contact: '', trafficKey: 'dGVzdA' },
    },
    ...{ runId: '00000000-0000-4000-8000-00000000000c', version: '0', target: { host: 'shop.test', port: null } },
    credentials: { ...given, typed: secretsOf(signIn) },
    audit: () => undefined,
    signal: new AbortController().signal,
  })
  close = run.close
  const door = run.forModule('sign-in', { requests: 100, signal: new AbortController().signal, signsIn: true })
  return tryOut(signIn, how.cookie === undefined ? null : given, {
    ...{ egress: door, place: { domain: 'shop.test', hosts: [] }, clock: Date.now, sleep: async () => undefined },
    browser: { open: () => Promise.reject(new Error('no browser in this test')) },
    become: run.become,
    text: run.redact.text,
    picture: () => undefined,
  })
}

const PROOF = { path: '/account', text: 'Hello Ada' }

test('what works is said with each step', async () => {
  expect(await trying({ password: PASSWORD, proof: PROOF })).toEqual({
    state: 'works',
    reason: 'Signed in, /account shows and answers what the proof says; to nobody it does not.',
    ...{ without: null, with: null },
    steps: [
      { title: 'GET /login', ok: true, detail: null, picture: false },
      { title: 'POST /login', ok: true, detail: null, picture: false },
    ],
  })
})

test.each([
  ['a password that is refused', { password: 'falsch-kanarie' }, 'rejected', 'It is not proven: /account answered 302'],
  [
    'a proof that everybody gets',
    { password: PASSWORD, proof: { path: '/', status: 200 } },
    'no_difference',
    'it proves nothing',
  ],
  ['a cookie that is dead', { cookie: 'sid=dead-kanarie' }, 'rejected', 'It is not proven: /account answered 302'],
] as const)('%s', async (_name, how, state, reason) => {
  const answer = await trying({ proof: PROOF, ...how })
  expect(answer).toMatchObject({ state, reason: expect.stringContaining(reason) })
  expect(JSON.stringify(answer)).not.toContain('kanarie')
})

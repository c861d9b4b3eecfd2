import { expect, it } from 'vitest'
import type { OobHit, OobRun } from '../egress/oob/out-of-band.ts'
import { newKey } from '../egress/oob/token.ts'
import { createOobInbox } from './out-of-band.ts'

const RUN: OobRun = { key: newKey().toString('base64url'), domain: 'oob.test', address: '192.0.2.7', httpPort: 80 }
const hitOf = (token: string, change: Partial<OobHit> = {}): OobHit => ({
  ...{ token, protocol: 'http', at: 1, from: '192.0.2.9', detail: 'GET /', agent: '' },
  ...change,
})
const open = (change: Partial<OobRun> = {}) => {
  const heard: string[] = []
  return { heard, inbox: createOobInbox({ ...RUN, ...change }, (kind) => heard.push(kind)) }
}

it.each([
  ['a domain', {}, /^http:\/\/[a-z2-7]{26}\.oob\.test\/$/],
  ['another port', { httpPort: 8080 }, /^http:\/\/[a-z2-7]{26}\.oob\.test:8080\/$/],
  ['an address alone', { domain: null }, /^http:\/\/192\.0\.2\.7\/[a-z2-7]{26}\/$/],
  ['an IPv6 address', { domain: null, address: '2001:db8::7' }, /^http:\/\/\[2001:db8::7\]\/[a-z2-7]{26}\/$/],
])('addresses by %s', (_name, change, expected) => {
  const { inbox } = open(change)
  const { host, url, token } = inbox.issue('ssrf')
  expect(url).toMatch(expected)
  expect(host).toBe('domain' in change ? null : `${token}.oob.test`)
})

it('a call that comes while somebody waits ends the wait', async () => {
  const { inbox, heard } = open()
  const { token } = inbox.issue('ssrf')
  const waiting = inbox.hits(token, 10_000)
  inbox.arrived(hitOf(token))
  expect(await waiting).toHaveLength(1)
  expect(heard).toEqual(['ssrf'])
})

it('a call of another kind than wanted does not', async () => {
  const { inbox } = open()
  const { token } = inbox.issue('ssrf')
  inbox.arrived(hitOf(token, { protocol: 'dns' }))
  const waiting = inbox.hits(token, 10_000, (hit) => hit.protocol === 'http')
  inbox.arrived(hitOf(token))
  expect((await waiting).map((hit) => hit.protocol)).toEqual(['dns', 'http'])
})

it('nothing comes: an empty list when the time is over', async () => {
  const { inbox } = open()
  expect(await inbox.hits(inbox.issue('ssrf').token, 20)).toEqual([])
})

it('what was never issued is dropped, and of one token sixteen calls are kept', async () => {
  const { inbox, heard } = open()
  const { token } = inbox.issue('ssrf')
  inbox.arrived(hitOf('abcdefghijklmnopqrstuvwxyz'))
  for (let at = 0; at < 100; at += 1) inbox.arrived(hitOf(token, { at }))
  expect(await inbox.hits(token, 0)).toHaveLength(16)
  expect(heard).toHaveLength(16)
})

it('of relayed calls, silence is no answer before the other end has said so', async () => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const inbox = createOobInbox(
    { ...RUN, relayed: true },
    () => undefined,
    () => {
      asked.resolve()
      return answered.promise
    },
  )
  const { token } = inbox.issue('ssrf')
  const waiting = inbox.hits(token, 1)
  await asked.promise
  // It had come, and the line was cut.
  inbox.arrived(hitOf(token))
  answered.resolve()
  expect(await waiting).toHaveLength(1)
})

import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import builtIn from '../../../knowledge/tls/ct-logs.json' with { type: 'json' }
import { BUILT_IN_LOGS, type CtLogs, logId } from '../../../knowledge/tls/ct-logs.ts'
import { issue } from '../../../modules/passive/tls/testing/authority.ts'
import {
  caseLog,
  logsOf,
  precertEntry,
  timestampList,
  wholeEntry,
  withTimestamps,
} from '../../../modules/passive/tls/testing/log.ts'
import { embeddedTimestamps } from './certificate.ts'
import { checkTimestamps, readTimestampList, withoutTimestamps } from './timestamps.ts'

const TIME = Date.UTC(2026, 9, 1)
const authority = await issue({ subject: 'CN=Authority', issuer: null, authority: true })
const other = await issue({ subject: 'CN=Authority', issuer: null, authority: true })
const before = await issue({ subject: 'CN=shop.test', issuer: authority, names: ['shop.test'] })
const [one, two] = [caseLog('One'), caseLog('Two')]
const stamped = async (...stamps: readonly Buffer[]): Promise<X509Certificate> =>
  new X509Certificate(await withTimestamps(before.der, timestampList(...stamps), authority))
const entry = precertEntry(before.der, authority.der)
const issuer = new X509Certificate(authority.der)

const statesOf = (leaf: X509Certificate, logs: CtLogs, from: X509Certificate | null = issuer) =>
  checkTimestamps(embeddedTimestamps(leaf.raw) ?? [], { source: 'certificate', leaf, issuer: from }, logs).map(
    ({ state }) => state,
  )

describe('timestamps inside a certificate', () => {
  it('of two logs that signed it', async () => {
    const leaf = await stamped(one.stamp(entry, TIME), two.stamp(entry, TIME))
    expect(leaf.verify(issuer.publicKey)).toBe(true)
    expect(withoutTimestamps(leaf.raw).equals(withoutTimestamps(before.der))).toBe(true)
    expect(statesOf(leaf, logsOf(one, two))).toEqual(['valid', 'valid'])
  })

  const cases: [trick: string, stamp: () => Buffer, logs: CtLogs, from: X509Certificate | null, state: string][] = [
    ['a log that nobody lists', () => one.stamp(entry, TIME), logsOf(two), issuer, 'unknown-log'],
    ['the issuer was not sent', () => one.stamp(entry, TIME), logsOf(one), null, 'unchecked'],
    [
      'another issuer of that name',
      () => one.stamp(entry, TIME),
      logsOf(one),
      new X509Certificate(other.der),
      'invalid',
    ],
    [
      'the time was changed',
      () => {
        const stamp = one.stamp(entry, TIME)
        stamp[40] = (stamp[40] ?? 0) ^ 1
        return stamp
      },
      logsOf(one),
      issuer,
      'invalid',
    ],
    [
      'for another certificate',
      () => one.stamp(precertEntry(other.der, authority.der), TIME),
      logsOf(one),
      issuer,
      'invalid',
    ],
    [
      'a signature that is no DER',
      () => {
        const stamp = one.stamp(entry, TIME)
        stamp[47] = 0
        return stamp
      },
      logsOf(one),
      issuer,
      'invalid',
    ],
    [
      'an algorithm that no log may use',
      () => {
        const stamp = one.stamp(entry, TIME)
        stamp[43] = 2
        return stamp
      },
      logsOf(one),
      issuer,
      'invalid',
    ],
  ]
  it.each(cases)('%s', async (_trick, stamp, logs, from, state) => {
    expect(statesOf(await stamped(stamp()), logs, from)).toEqual([state])
  })

  it('of a log that was retired before, and of one that was retired after', async () => {
    const [early, late] = [caseLog('Early', TIME - 1), caseLog('Late', TIME + 1)]
    const leaf = await stamped(early.stamp(entry, TIME), late.stamp(entry, TIME))
    expect(statesOf(leaf, logsOf(early, late))).toEqual(['retired-log', 'valid'])
  })
})

describe('timestamps beside a certificate', () => {
  const leaf = new X509Certificate(before.der)
  it('cover it whole, and need no issuer', () => {
    const list = readTimestampList(timestampList(one.stamp(wholeEntry(before.der), TIME), one.stamp(entry, TIME)))
    const checked = checkTimestamps(list, { source: 'handshake', leaf, issuer: null }, logsOf(one))
    expect(checked.map(({ state }) => state)).toEqual(['valid', 'invalid'])
    expect(checked[0]).toMatchObject({ operator: 'One', time: TIME, source: 'handshake' })
  })

  it.each([
    ['empty', Buffer.alloc(0)],
    ['a length that lies', Buffer.from([0, 9, 1])],
    ['one that is cut', timestampList(Buffer.alloc(20))],
    [
      'extensions longer than the whole',
      timestampList(Buffer.concat([Buffer.alloc(41), Buffer.from([0xff, 0xff]), Buffer.alloc(8)])),
    ],
    ['a thousand', timestampList(...Array.from({ length: 1_000 }, () => Buffer.alloc(50)))],
  ])('a list that is none: %s', (_name, list) => {
    expect(() => readTimestampList(list)).toThrow(expect.objectContaining({ name: 'DerError' }))
  })
})

describe('the logs in the product', () => {
  it.each(builtIn.logs.map((log) => [`${log.operator} ${log.name}`, log] as const))(
    '%s has its own id',
    (_name, log) => {
      expect(logId(log.key)).toBe(Buffer.from(log.id, 'base64').toString('hex'))
      expect(BUILT_IN_LOGS.find(logId(log.key))).toMatchObject({ operator: log.operator })
    },
  )
})

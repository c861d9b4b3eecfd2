import { describe, expect, test } from 'vitest'
import { Timing } from '../contract/schedule.ts'
import { cronFault, nextFiring } from './firing.ts'

const timing = (given: object): Timing => Timing.parse(given)
const day = { every: 'day', at: '02:30' }

describe('the next firing', () => {
  test.each([
    ['the same day', { rhythm: day }, '2026-11-21T01:00:00Z', '2026-11-21T02:30:00.000Z'],
    ['not the moment itself', { rhythm: day }, '2026-11-21T02:30:00Z', '2026-11-22T02:30:00.000Z'],
    ['in its own zone', { rhythm: day, time_zone: 'Asia/Kolkata' }, '2026-11-21T00:00:00Z', '2026-11-21T21:00:00.000Z'],
    [
      'an hour that the clock leaves out comes when it is over',
      { rhythm: day, time_zone: 'Europe/Berlin' },
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:30:00.000Z',
    ],
    [
      'an hour that the clock has twice counts once',
      { rhythm: day, time_zone: 'Europe/Berlin' },
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00.000Z',
    ],
    [
      'a weekday',
      { rhythm: { every: 'week', at: '03:00', weekday: 'sunday' } },
      '2026-11-21T12:00:00Z',
      '2026-11-22T03:00:00.000Z',
    ],
    [
      'the last of a short month',
      { rhythm: { every: 'month', at: '03:00', day: 'last' } },
      '2027-02-01T00:00:00Z',
      '2027-02-28T03:00:00.000Z',
    ],
    [
      'a cron expression',
      { rhythm: { every: 'cron', cron: '15 4 * * 1-5' } },
      '2026-11-21T00:00:00Z',
      '2026-11-23T04:15:00.000Z',
    ],
    [
      'quiet hours move it to their end',
      { rhythm: { every: 'day', at: '09:00' }, quiet_hours: { from: '08:00', to: '18:00' } },
      '2026-11-21T00:00:00Z',
      '2026-11-21T18:00:00.000Z',
    ],
    [
      'quiet hours over midnight',
      { rhythm: { every: 'day', at: '23:30' }, quiet_hours: { from: '22:00', to: '06:00' } },
      '2026-11-21T00:00:00Z',
      '2026-11-22T06:00:00.000Z',
    ],
  ])('%s', (_, given, now, wanted) => {
    expect(nextFiring(timing(given), new Date(now), 0).toISOString()).toBe(wanted)
  })

  test('jitter delays, never beyond its bound, and cannot lead into quiet hours', () => {
    const given = timing({ rhythm: day, jitter_minutes: 60, quiet_hours: { from: '03:00', to: '05:00' } })
    const at = (chance: number) => nextFiring(given, new Date('2026-11-21T00:00:00Z'), chance).toISOString()
    expect([at(0), at(0.25), at(0.9)]).toEqual([
      '2026-11-21T02:30:00.000Z',
      '2026-11-21T02:45:00.000Z',
      '2026-11-21T05:00:00.000Z',
    ])
  })
})

describe('a cron expression is refused', () => {
  const fault = (cron: string) => cronFault({ rhythm: { every: 'cron', cron }, time_zone: 'UTC' })
  test.each([
    ['every minute', '* * * * *', /once an hour/],
    ['twice in an hour of one weekday only', '0,30 3 * * 2', /once an hour/],
    ['a day that no month has', '0 0 31 2 *', /./],
    ['words', 'a b c d e', /./],
    ['too large a number', '61 * * * *', /./],
  ])('%s', (_, cron, wanted) => {
    expect(fault(cron)).toMatch(wanted)
  })
  test('not a good one', () => {
    expect(fault('0 3 * * 1-5')).toBeNull()
    expect(fault('0 * * * *')).toBeNull()
  })
  test.each([
    ['with seconds', { every: 'cron', cron: '0 0 3 * * *' }],
    ['with an alias', { every: 'cron', cron: '@daily' }],
    ['without its field', { every: 'week', at: '03:00' }],
    ['with a field that means nothing', { every: 'day', at: '03:00', weekday: 'monday' }],
  ])('a rhythm %s', (_, rhythm) => {
    expect(Timing.safeParse({ rhythm }).success).toBe(false)
  })
  test.each(['Mars/Olympus', '../etc', ''])('a time zone %j', (time_zone) => {
    expect(Timing.safeParse({ rhythm: day, time_zone }).success).toBe(false)
  })
})

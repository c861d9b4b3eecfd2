import { describe, expect, it } from 'vitest'
import { followsDelays, regressionOf } from './delay-times.ts'
import { askDelays, type Delays } from './delays.ts'
import { Bounded, type Probe, type Reply } from './prober.ts'
import { createTurns } from './turns.ts'

const EVEN = [20, 22, 19, 21, 20, 23, 20, 21]
const trials = (ms: (delay: number, index: number) => number): Delays['trials'] =>
  [1.4, 0, 2.6, 0.8, 0, 3, 1.9].map((delay, index) => ({ delay, ms: ms(delay, index) }))

describe('answers follow the waits that were asked for', () => {
  it.each([
    ['exactly', EVEN, trials((delay) => delay * 1_000 + 20), true],
    [
      'with jitter of 100 ms',
      EVEN.map((one, index) => one + (index % 3) * 50),
      trials((delay, index) => delay * 1_000 + 20 + (index % 2) * 100),
      true,
    ],
    ['twice as long: the term stands there twice', EVEN, trials((delay) => delay * 2_000 + 20), true],
    ['half as long: what waits is something else', EVEN, trials((delay) => delay * 500 + 400), false],
    [
      'in steps: one of a few fixed times',
      EVEN,
      trials((delay) => (delay === 0 ? 20 : delay > 2 ? 5_020 : 2_520)),
      false,
    ],
    ['not at all', EVEN, trials(() => 1_500), false],
    ['in one case only: a slow moment', EVEN, trials((_delay, index) => (index === 0 ? 1_600 : 20)), false],
    ['growing by themselves', EVEN, trials((_delay, index) => index * 500 + 20), false],
    [
      'but an answer without a wait was as slow',
      EVEN,
      trials((delay, index) => (index === 4 ? 900 : delay * 1_000 + 20)),
      false,
    ],
    [
      'from a page that is always that slow now and then',
      [20, 900, 20, 1_800, 30, 20, 2_400, 20],
      trials((delay) => delay * 1_000 + 20),
      false,
    ],
    ['with too few ordinary answers to compare', EVEN.slice(0, 7), trials((delay) => delay * 1_000 + 20), false],
    ['in too few trials', EVEN, trials((delay) => delay * 1_000 + 20).slice(0, 5), false],
  ])('%s', (_name, baseline, list, expected) => expect(followsDelays({ baseline, trials: list })).toBe(expected))

  it('a line through nothing has no slope', () =>
    expect(regressionOf([{ delay: 1, ms: 5 }])).toEqual({ slope: 0, r: 0 }))
})

/** A place whose answers take a virtual time; 0 for none that comes in time. */
const slow = (
  ms: (asked: number, before: number) => number,
  times: number[] = [],
): { probe: Probe; asked: number[] } => {
  const asked: number[] = []
  const send: Probe['send'] = async (value, asking = {}) => {
    const seconds = Number(/wait(\d+\.\d+)/.exec(value)?.[1] ?? 0)
    const before = asked.length
    if (asking.timeout === undefined) times.push(20)
    else asked.push(seconds)
    const took = asking.timeout === undefined ? 20 : ms(seconds, before)
    return {
      value,
      status: took === 0 ? 0 : 200,
      text: '',
      contentType: '',
      location: '',
      headers: [],
      ms: took === 0 ? (asking.timeout ?? 0) : took,
      replay: '',
    } satisfies Reply
  }
  const request = {
    id: 'r',
    method: 'GET',
    url: 'http://shop.test/',
    headers: [],
    body: null,
    effect: 'reads',
    seenOn: [],
  } as const
  const point = { request, place: 'query', name: 'q', value: '1' } as const
  return {
    asked,
    probe: {
      request,
      point,
      send,
      baseline: () => Promise.reject(new Error('unused')),
      control: () => Promise.reject(new Error('unused')),
      broken: () => Promise.reject(new Error('unused')),
      sentinel: () => Promise.reject(new Error('unused')),
      word: () => Promise.reject(new Error('unused')),
      doubt: () => Promise.reject(new Error('unused')),
      joined: () => Promise.reject(new Error('unused')),
      timings: () => times,
      alone: (work) => work(),
      end: () => undefined,
      anew: () => Promise.reject(new Error('unused')),
      turns: createTurns(3),
      sleepers: 2,
      sent: () => 0,
      pursue: () => undefined,
      leave: () => undefined,
    },
  }
}

describe('asking for waits', () => {
  const ask = (probe: Probe) => askDelays(probe, (seconds) => `wait${seconds}`, 'sql', 'time')

  it('one request where nothing waits', async () => {
    const { probe, asked } = slow(() => 20)
    expect(await ask(probe)).toBeNull()
    expect(asked).toEqual([1.4])
  })

  it('eight where something does, two of them without a wait', async () => {
    const { probe, asked } = slow((seconds) => seconds * 1_000 + 20)
    const delays = await ask(probe)
    expect(asked).toHaveLength(8)
    expect(asked.filter((one) => one === 0)).toHaveLength(2)
    expect(delays && followsDelays(delays)).toBe(true)
  })

  it('two of several places as one that may be sent a few times: each is proven alone', async () => {
    const { probe, asked } = slow((seconds) => seconds * 1_000 + 20, [...EVEN])
    const { point, request } = probe
    const few = { ...request, bound: 40 }
    const group = { ...probe, request: few, point: { ...point, request: few, members: [point, point] } }
    expect(await ask(group)).toMatchObject({ trials: [{ delay: 1.4 }, { delay: 0 }] })
    expect(asked).toEqual([1.4, 0])
  })

  it.each([2, 5, 6])('go on where they stopped once a form could be sent no more, after %i', async (most) => {
    const { probe, asked } = slow((seconds) => seconds * 1_000 + 20, [...EVEN])
    let isOver = true
    const send: Probe['send'] = async (value, asking) => {
      if (isOver && asked.length === most) throw new Bounded()
      return probe.send(value, asking)
    }
    const few = { ...probe, send, request: { ...probe.request, bound: 40 } }
    await expect(ask(few)).rejects.toThrow(Bounded)
    isOver = false
    const delays = await ask(few)
    expect(delays && followsDelays(delays)).toBe(true)
    expect(asked).toHaveLength(7)
  })

  it.each([3, 12, 90])('where the wait is kept %i times over, shorter ones', async (often) => {
    const { probe, asked } = slow((seconds) => (seconds * often > 11 ? 0 : seconds * often * 1_000 + 20))
    const delays = await ask(probe)
    expect(delays && followsDelays(delays)).toBe(true)
    expect(Math.max(...asked.slice(2)) * often).toBeLessThan(3.2)
  })

  it('one where the page takes its two seconds whatever is asked', async () => {
    const { probe, asked } = slow(
      () => 2_000,
      Array.from({ length: 8 }, () => 2_000),
    )
    expect(await ask(probe)).toBeNull()
    expect(asked).toEqual([1.4])
  })

  it('and finds the wait that such a page keeps', async () => {
    const { probe } = slow(
      (seconds) => seconds * 1_000 + 2_000,
      Array.from({ length: 8 }, (_, index) => 2_000 + (index % 2) * 30),
    )
    const delays = await ask(probe)
    expect(delays && followsDelays(delays)).toBe(true)
  })

  it('again where one moment was slow', async () => {
    const { probe, asked } = slow((seconds, before) => seconds * 1_000 + (before === 5 ? 1_700 : 20))
    const delays = await ask(probe)
    expect(asked.length).toBeGreaterThan(9)
    expect(delays && followsDelays(delays)).toBe(true)
  })

  it('with ordinary times of their own where those of a busy hour would hide every wait', async () => {
    const { probe } = slow((seconds) => seconds * 1_000 + 20, [20, 20, 1_400, 20, 20, 900, 20, 20])
    const delays = await ask(probe)
    expect(delays?.baseline).toEqual(EVEN.map(() => 20))
    expect(delays && followsDelays(delays)).toBe(true)
  })

  it('again where the first answer without a wait met a slow moment', async () => {
    const { probe } = slow((seconds, before) => seconds * 1_000 + (before === 2 ? 1_700 : 20))
    const delays = await ask(probe)
    expect(delays && followsDelays(delays)).toBe(true)
  })

  it('nothing that every second answer belies', async () => {
    const { probe, asked } = slow((seconds, before) => (before % 2 === 0 ? seconds * 1_000 + 1_500 : 20))
    expect(await ask(probe)).toBeNull()
    expect(asked.length).toBeLessThanOrEqual(8)
  })

  it('a longer one where the page takes now this, now that', async () => {
    const uneven = [300, 1_900, 400, 1_500, 250, 1_700, 350, 1_600]
    const { probe, asked } = slow((_seconds, before) => uneven[before % 8] ?? 0, [...uneven])
    expect(await ask(probe)).toBeNull()
    expect(asked).toEqual([expect.toSatisfy((seconds: number) => seconds > 2 && seconds <= 3)])
  })

  it('and few where such a page is late whatever is asked', async () => {
    const times = [20, 20, 1_400, 20, 20, 900, 20, 20]
    const { probe, asked } = slow(() => 1_500, times)
    expect(await ask(probe)).toBeNull()
    expect(asked).toHaveLength(5)
    expect(times.length).toBeLessThanOrEqual(16)
  })

  it('three where the first answer was late by chance, one of them without a wait', async () => {
    const { probe, asked } = slow((_seconds, before) => (before === 0 ? 2_000 : 20))
    expect(await ask(probe)).toBeNull()
    expect(asked).toEqual([1.4, 0, expect.toSatisfy((seconds: number) => seconds < 2)])
  })

  it('six where the page is slow whatever is asked', async () => {
    const { probe, asked } = slow(() => 2_000)
    expect(await ask(probe)).toBeNull()
    expect(asked).toHaveLength(6)
  })
})

import { expect, it } from 'vitest'
import { disturbed } from './disturbed.ts'
import type { ProbePoint } from './inventory.ts'
import type { Reply } from './prober.ts'
import { memory, SHARED } from './shared.ts'

const page = (text: string): Reply => ({
  ...{ value: '', status: 200, contentType: 'text/html', location: '', headers: [], ms: 1, replay: '' },
  text: `<header>${text}</header><p>Tents and packs for everybody who sleeps outside.</p>`,
})
const pointOf = (id: string, change: Partial<ProbePoint['request']> = {}): ProbePoint => ({
  request: {
    ...{ id, method: 'GET', url: `http://shop.test/${id}`, headers: [], body: null, effect: 'reads', seenOn: [] },
    ...change,
  },
  ...{ place: 'query', name: 'q', value: 'tent' },
})

it('places of pages that are others by now are asked again, with nothing kept of before', async () => {
  const baselines = memory<readonly [Reply, Reply]>(() => 1)
  const replies = memory<Reply>(() => 1)
  const points = ['same', 'named', 'between', 'noisy', 'unasked'].map((id) => pointOf(id))
  const posted = pointOf('posted', { method: 'POST' })
  for (const id of ['same', 'named', 'posted']) await baselines(id, async () => [page('Hello Ann'), page('Hello Ann')])
  await baselines('noisy', async () => [page('1 ab'), page('2 abab')])
  await baselines('between', async () => [page('Hello Ann'), page('Hello Bo')])
  await replies('named query q control', async () => page('Hello Ann'))
  const asked: string[] = []
  const again = async ({ request: { id } }: ProbePoint): Promise<Reply> => {
    asked.push(id)
    if (id === 'noisy') return page(`${asked.length} ${'ab'.repeat(asked.length)}`)
    return page(id === 'same' ? 'Hello Ann' : 'Hello Bo')
  }
  const { writes } = SHARED.make()
  const shared = { baselines, replies, writes, seenAt: new Map<string, number>() }
  expect(await disturbed({ again }, shared, [...points, posted])).toEqual([points[1], points[2]])
  expect(asked.toSorted()).toEqual(['between', 'between', 'named', 'named', 'noisy', 'noisy', 'same'])
  expect([baselines.known('named'), replies.known('named query q control')]).toEqual([undefined, undefined])
  expect(baselines.known('same')).toBeDefined()
  // Nothing was written since they were looked at.
  expect(await disturbed({ again }, shared, [...points, posted])).toEqual([])
  expect(asked).toHaveLength(7)
})

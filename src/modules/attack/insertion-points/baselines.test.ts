import { expect, it } from 'vitest'
import { createBaselines } from './baselines.ts'
import type { ProbePoint } from './inventory.ts'
import { noiseOf } from './likeness.ts'
import type { Reply } from './prober.ts'
import { SHARED } from './shared.ts'

const pointOf = (change: Partial<ProbePoint> = {}, request: Partial<ProbePoint['request']> = {}): ProbePoint => ({
  request: {
    ...{ id: 'r', method: 'GET', url: 'http://shop.test/', headers: [], body: null, effect: 'reads', seenOn: [] },
    ...request,
  },
  ...{ place: 'query', name: 'q', value: 'tent', ...change },
})

const HEADER = pointOf({ place: 'header', name: 'Referer', value: 'http://example.org/' })

/** What a page says from request to request, the last of them from then on. */
const saying = (...texts: readonly string[]) => {
  const asked: ProbePoint[] = []
  const shared = SHARED.make()
  const baselines = createBaselines(shared, async (point): Promise<Reply> => {
    const text = texts[Math.min(asked.length, texts.length - 1)] ?? ''
    asked.push(point)
    return {
      ...{ value: '', status: 200, contentType: 'text/html', location: '', headers: [], ms: 1, replay: '' },
      text: `<main>Tents and packs for everybody.</main><footer>${text}</footer>`,
    }
  })
  return { baselines, shared, asked }
}

it.each([
  ['first', [HEADER, pointOf()]],
  ['last', [pointOf(), HEADER]],
])(
  'a header that leaves the page as it is has a baseline for one request more at most: asked %s',
  async (_when, points) => {
    const { baselines, asked } = saying('same')
    for (const point of points) expect(noiseOf(await baselines.of(point))).toBe(0)
    expect(asked.length).toBeLessThanOrEqual(3)
  },
)

it('a header that the page shows has two answers of its own', async () => {
  const { baselines, asked } = saying('from example.org', 'from nowhere', 'from example.org')
  const [first, second] = await baselines.of(HEADER)
  expect(first.text).toBe(second.text)
  expect(asked.filter((point) => point === HEADER)).toHaveLength(2)
})

it('a page that seemed to stay the same and does not is known to change, and what was compared with it is forgotten', async () => {
  const { baselines, shared } = saying('ten lakes', 'ten lakes', 'a week of soup', 'wool or not')
  const point = pointOf()
  expect(noiseOf(await baselines.of(point))).toBe(0)
  await shared.replies('r query q control', async () => (await baselines.of(point))[0])
  expect(await baselines.doubt(point)).toBe(true)
  expect((await baselines.of(point))[0].varying).not.toBeUndefined()
  expect(shared.replies.known('r query q control')).toBeUndefined()
})

it('a page that is another by now is known as it is now', async () => {
  const { baselines } = saying('no comments', 'no comments', 'one comment')
  expect(await baselines.doubt(pointOf())).toBe(true)
  expect((await baselines.of(pointOf()))[0].text).toContain('one comment')
})

it('a page that stays as it is is doubted a few times, and one that may write is not asked for it', async () => {
  const { baselines, asked } = saying('same')
  for (let time = 0; time < 9; time += 1) expect(await baselines.doubt(pointOf())).toBe(false)
  expect(asked).toHaveLength(2 + 4)
  expect(await baselines.doubt(pointOf({}, { id: 'w', effect: 'writes', bound: 40 }))).toBe(false)
  expect(asked).toHaveLength(2 + 4)
})

it.each([
  ['as often as the run has written since', true],
  ['a few times where it has written nothing', false],
])('a page that is another each time is doubted %s', async (_when, writes) => {
  let [said, written, asked] = [0, 0, 0]
  const shared = SHARED.make()
  const counting = { ...shared, writes: { ...shared.writes, written: () => written } }
  const baselines = createBaselines(counting, async (): Promise<Reply> => {
    asked += 1
    return {
      ...{ value: '', status: 200, contentType: 'text/html', location: '', headers: [], ms: 1, replay: '' },
      text: `<main>Tents and packs for everybody.</main>${'<p>One comment more.</p>'.repeat(said)}`,
    }
  })
  await baselines.of(pointOf())
  for (let time = 0; time < 9; time += 1) {
    said += 1
    written += writes ? 1 : 0
    expect(await baselines.doubt(pointOf())).toBe(true)
  }
  expect(asked).toBe(2 + 2 * (writes ? 9 : 4))
  const [usual] = await baselines.of(pointOf())
  expect(usual.text.split('comment').length - 1).toBe(writes ? 9 : 4)
})

/** Headers that a statement writes down, where no page shows anything of it. */
import { expect, it } from 'vitest'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { askVisits, type Visit, visitsOf } from './visits.ts'

const header = (id: string, url: string, name: string, method = 'GET'): ProbePoint => ({
  request: { id, method, url: `http://shop.test${url}`, headers: [], body: null, effect: 'reads', seenOn: [] },
  ...{ place: 'header', name, value: 'Mozilla/5.0' },
})
const page = (id: string, url: string, method?: string): readonly ProbePoint[] =>
  ['User-Agent', 'Referer', 'X-Forwarded-For', 'Accept-Language'].map((name) => header(id, url, name, method))

it('are those of a few pages of other paths, as one place each', () => {
  const all = [
    page('a', '/'),
    page('b', '/?page=2'),
    page('c', '/list'),
    page('d', '/buy', 'POST'),
    page('e', '/x'),
    page('f', '/y'),
    page('g', '/z'),
  ]
  expect(visitsOf(all.flat()).map((members) => [members[0]?.request.id, members.length])).toEqual([
    ['a', 3],
    ['c', 3],
    ['e', 3],
    ['f', 3],
  ])
})

/** `slow`: the header that a statement has, on one page. */
const asked = async (slow: { readonly id: string; readonly name: string } | null, usual = 20, until?: number) => {
  const found: Visit[] = []
  let sent = 0
  const waits = ({ request, name, members }: ProbePoint): boolean =>
    request.id === slow?.id && (members?.some((one) => one.name === slow.name) ?? name === slow.name)
  await askVisits(
    [...page('a', '/'), ...page('b', '/list')],
    (point) => {
      const answer = (value: string) => {
        sent += 1
        const seconds = waits(point)
          ? Number(/'Xor\(Select\(0\)From\(Select\(Sleep\(([\d.]+)/.exec(value)?.[1] ?? 0)
          : 0
        return { text: 'Welcome', ms: usual + seconds * 1_000 }
      }
      const { place, name, value, members } = point
      return fakeProbe(answer, { place, name, value, ...(members ? { members } : {}) }).probe
    },
    (visit) => found.push(visit),
    until,
  )
  return { found: found.map(({ point, hit }) => [point.request.id, point.name, hit.technique]), sent }
}

it('which of them waits is asked of each alone', async () => {
  expect((await asked({ id: 'b', name: 'User-Agent' })).found).toEqual([['b', 'User-Agent', 'time']])
})

it('cost a few requests for each page where nothing waits', async () => {
  const { found, sent } = await asked(null)
  expect(found).toEqual([])
  expect(sent).toBeLessThan(30)
})

it('are not asked of pages that take long by themselves, nor when the time is over', async () => {
  const slow = { id: 'b', name: 'User-Agent' }
  expect(await asked(slow, 6_000)).toEqual({ found: [], sent: 4 })
  expect(await asked(slow, 20, 0)).toEqual({ found: [], sent: 0 })
})

/** What a place is asked hangs on what its request does; no rule of the one refuses what the other chose. */
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it } from 'vitest'
import type { Plan } from '../../insertion-points/plan.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from '../../insertion-points/testing/probing.ts'
import { probePoint } from '../collect.ts'

afterEach(closeProbed)

const probe: Plan<string>['probe'] = (one, found) => probePoint(one, (hit) => found(hit.technique))

it.each(['reads', 'unknown', 'writes'] as const)(
  'a place whose example finds nothing is asked without a fault where its request %s',
  async (effect) => {
    const crawl = crawlOf([pointOf('a', 'query', 'q', 'none')])
    const requests = crawl.requests.map((one) => ({ ...one, effect }))
    const { ends, hits } = await probed(
      (_request, response) => response.end(html('Nothing.')),
      { ...crawl, requests },
      null,
      null,
      { probe },
    )
    expect(ends).toEqual(['tested'])
    expect(hits).toEqual([])
  },
)

const SIGN_IN = 'login=nobody&pass=x'

it.each([
  ['a sign-in that looks a person up', true, 'reads', ['boolean']],
  ['one that has not shown to read', true, 'unknown', []],
  ['a form that is no sign-in', false, 'reads', []],
] as const)('asks for more rows behind POST: %s', async (_kind, signsIn, effect, expected) => {
  const people = new DatabaseSync(':memory:')
  people.exec("Create Table people(login, pass); Insert Into people Values('ada', 'a'), ('bob', 'b')")
  const rows = (login: string): number => {
    try {
      return people.prepare(`Select * From people Where login = '${login}' And pass = 'qz'`).all().length
    } catch {
      return 0 // As pages do that hide errors.
    }
  }
  const { probe: one } = fakeProbe(
    (login) => (rows(login) === 1 ? { status: 302, text: '', location: '/admin' } : { text: 'Wrong name or password' }),
    { place: 'form', name: 'login', value: 'nobody', request: { method: 'POST', body: SIGN_IN, effect, signsIn } },
  )
  const hits: string[] = []
  await probePoint(one, ({ technique }) => hits.push(technique))
  expect(hits).toEqual(expected)
  people.close()
})

it.each([
  ['of which only the number is read gets no conditions', (value: string) => Number.parseInt(value, 10) === 7, 2],
  ['that a filter leaves as it is gets them all', (value: string) => value === '7', 16],
] as const)('a place %s', async (_name, isThere, most) => {
  const { probe: one, sent } = fakeProbe((value) => ({ text: isThere(value) ? 'A ridge tent for two.' : 'Nothing.' }), {
    value: '7',
  })
  await probePoint(one, () => undefined)
  expect(sent.length).toBeLessThanOrEqual(most)
  expect(sent.some((value) => /And|Case/.test(value))).toBe(most > 2)
})

it('what shows nothing is asked to wait before all places were asked all else', async () => {
  const seconds = (value: string) => Number(/^7-\(Select\(0\)From\(Select\(Sleep\(([\d.]+)\)/.exec(value)?.[1] ?? 0)
  const asked = async (shows: (value: string) => string, guessed = false, waits = true) => {
    const point = { value: '7', ...(guessed ? { guessed: true as const } : {}) }
    const msOf = (value: string): number => 5 + (waits ? seconds(value) : 0) * 1_000
    const { probe: one, sent } = fakeProbe((value) => ({ text: shows(value), ms: msOf(value) }), point)
    const hits: string[] = []
    await probePoint(one, ({ technique }) => hits.push(technique))
    return { hits, waits: sent.filter((value) => value.includes('Sleep')).length }
  }
  expect((await asked(() => 'In stock.')).hits).toEqual(['time'])
  expect(await asked(() => 'In stock.', false, false)).toEqual({ hits: [], waits: 1 })
  expect(await asked((value) => (value.includes("'") ? 'That went wrong.' : 'In stock.'))).toEqual({
    hits: [],
    waits: 0,
  })
  expect(await asked(() => 'In stock.', true)).toEqual({ hits: [], waits: 0 })
})

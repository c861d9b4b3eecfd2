/** How often the pages of a form are read around its values, and what that tells. */
import { expect, it } from 'vitest'
import { createLastReads } from '../effects/pages.ts'
import { page } from './testing/page.ts'
import { type Asker, createWrites } from './writes.ts'

const PAGE = 'https://shop.test/things'
const FORM = '<form method=post><input name=word></form>'
const READING = {
  ...{ id: 'form', method: 'POST', url: PAGE, headers: [], body: '', seenOn: [PAGE], watched: [PAGE] },
  effect: 'reads',
} as const

it.each([
  ['as it was', FORM, 'test', [1, 1, 1]],
  ['changed by others since: values of its own are looked at', `${FORM}<p>News`, 'test', [10, 10, 10]],
  ['of a production system, that is read anew', FORM, 'production', [2, 2, 2]],
] as const)('pages that the crawl has read before, %s', async (_name, now, environment, reads) => {
  let gets = 0
  const known = createLastReads()
  known.note([PAGE], [FORM])
  const asker: Asker = {
    ...{ kept: () => 0, used: new Map(), careful: environment === 'production', known: known.of },
    get: async () => {
      gets += 1
      return page(now)
    },
  }
  const writes = createWrites()
  const looks: number[] = []
  for (let index = 0; index < 3; index += 1) {
    const work = async () => ({ status: 200 })
    await writes.send(asker, { request: READING, changes: true, pursues: false, work, another: async () => undefined })
    looks.push(gets)
  }
  expect(looks).toEqual(reads)
  expect(writes.effectOf(READING)).toBe('reads')
  expect(writes.counts()).toEqual({})
})

it('forgets the oldest pages that the crawl has read', () => {
  const known = createLastReads(10)
  known.note(['a'], ['123456'])
  known.note(['b'], ['123456'])
  expect([known.of(['a']), known.of(['b'])]).toEqual([null, ['123456']])
})

it.each([
  ['that reads, of a test system', false, false, [1, 1, 1, 2, 2], 'reads'],
  ['that stores all the same, of a test system', true, false, [1, 1, 1, 3, 3], 'writes'],
  ['that reads, of a production system', false, true, [2, 2, 2, 3, 3], 'reads'],
] as const)(
  'behind values that mean nothing pages of a form are read once: one %s',
  async (_name, stores, careful, reads, effect) => {
    let gets = 0
    const rows: string[] = []
    const get = async () => {
      gets += 1
      return page(`${FORM}${rows.join('')}`)
    }
    const asker: Asker = { kept: () => 0, used: new Map(), careful, get }
    const writes = createWrites()
    const looks: number[] = []
    const work = async () => {
      if (stores) rows.push(`<li>${rows.length}`)
      return { status: 200 }
    }
    for (const quiet of [true, true, true, undefined, undefined] as const) {
      await writes.send(asker, {
        request: READING,
        changes: true,
        pursues: false,
        quiet,
        work,
        another: async () => undefined,
      })
      looks.push(gets)
    }
    expect(looks).toEqual(reads)
    expect(writes.effectOf(READING)).toBe(effect)
  },
)

it('one that stores is known by its first value that means something, though the crawl has read its pages long before', async () => {
  const rows = ['<li>of others']
  const known = createLastReads()
  known.note([PAGE], [FORM])
  const get = async () => page(`${FORM}${rows.join('')}`)
  const asker: Asker = { kept: () => 0, used: new Map(), careful: false, known: known.of, get }
  const writes = createWrites()
  const store = async () => {
    rows.push(`<li>${rows.length}`)
    return { status: 200 }
  }
  const another = async () => void (await store())
  await writes.send(asker, { request: READING, changes: true, pursues: false, work: store, another })
  expect(writes.effectOf(READING)).toBe('writes')
})

it('behind values that mean nothing, no second one goes before the first that means something was looked at', async () => {
  const done: string[] = []
  const get = async () => {
    done.push('read')
    return page(FORM)
  }
  const asker: Asker = { kept: () => 0, used: new Map(), careful: false, get }
  const writes = createWrites()
  const send = (value: string, quiet?: true) =>
    writes.send(asker, {
      ...{ request: READING, changes: true, pursues: false, quiet },
      work: async () => {
        done.push(value)
        return { status: 200 }
      },
      another: async () => undefined,
    })
  await send('nothing', true)
  await Promise.all(['first', 'second', 'third'].map((value) => send(value)))
  expect(done).toEqual(['read', 'nothing', 'first', 'read', 'second', 'third'])
})

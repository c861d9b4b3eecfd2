/** What may be sent how often, against small applications that store in all manners, or do not. */

import { expect, it } from 'vitest'
import fc from '../../../../tests/support/properties.ts'
import type { ProbeRequest } from './inventory.ts'
import { page } from './testing/page.ts'
import { type Asker, createWrites, type Pursues } from './writes.ts'

const PAGE = 'https://shop.test/things'

interface App {
  /** The page that the form stands on. */
  readonly page: () => string
  /** The status of the answer. */
  readonly post: (value: string) => number
}

const FORM = '<form method=post><input name=word></form>'
const UNKNOWN = { effect: 'unknown', bound: 40 } as const
const READS = { effect: 'reads' } as const

/** How many of so many values went through, those of the looks beside them included. */
const sent = async (
  { page: body, post }: App,
  request: Pick<ProbeRequest, 'effect' | 'bound' | 'watched'>,
  { values = 200, careful = false } = {},
): Promise<{ readonly posts: number; readonly counted: number }> => {
  let posts = 0
  const posted = async (value: string) => {
    posts += 1
    return { status: post(value) }
  }
  const writes = createWrites()
  const asker: Asker = { kept: () => 0, used: new Map(), careful, get: async () => page(body()) }
  const whole = { id: 'form', method: 'POST', url: PAGE, headers: [], body: '', seenOn: [PAGE], ...request }
  const work = (value: string) => () => posted(value)
  const another = async () => void (await posted(`other ${posts}`))
  await writes.send(asker, { request: whole, changes: false, pursues: false, work: work('own'), another })
  for (let index = 0; index < values; index += 1)
    await writes.send(asker, { request: whole, changes: true, pursues: false, work: work(`value ${index}`), another })
  return { posts, counted: writes.counts().form ?? 0 }
}

const WATCHED = { watched: [PAGE] }
const list = () => {
  const rows: string[] = []
  const shown = () => `${FORM}<ul>${rows.map((row) => `<li>${row}`).join('')}</ul>`
  return { rows, shown }
}

it.each([
  ['a refusal that stores nothing', { ...UNKNOWN, ...WATCHED }, 500, 201, 0],
  ['a refusal, and no page to look at', UNKNOWN, 500, 40, 40],
  ['an answer that says nothing', { ...UNKNOWN, ...WATCHED }, 200, 40, 40],
  ['a redirect that says nothing', { ...UNKNOWN, ...WATCHED }, 302, 40, 40],
  [
    'a refusal by what was seen to write, so often',
    { ...UNKNOWN, ...WATCHED, effect: 'writes' as const },
    422,
    120,
    40,
  ],
  ['an error of what was seen to write', { ...UNKNOWN, ...WATCHED, effect: 'writes' as const }, 500, 40, 40],
  ['what proved to read', { ...READS, ...WATCHED }, 200, 201, 0],
  ['what reads by its method', READS, 200, 201, 0],
])('%s', async (_name, request, status, posts, counted) => {
  expect(await sent({ page: () => FORM, post: () => status }, request)).toEqual({ posts, counted })
})

it('a page that counts its visits shows no write', async () => {
  let visits = 0
  const counting = () => `${FORM}<p>Visit<b>${++visits}</b>`
  expect(await sent({ page: counting, post: () => 500 }, { ...UNKNOWN, ...WATCHED })).toEqual({
    posts: 201,
    counted: 0,
  })
})

it.each([
  ['each value, behind an error', { ...UNKNOWN, ...WATCHED }, () => true, 500, 40],
  ['what was taken to read stores other values', { ...READS, ...WATCHED }, (value: string) => value !== 'own', 200, 40],
  ['some values alone', { ...READS, ...WATCHED }, (value: string) => /[36]$/.test(value), 200, 40],
])('is bounded: %s', async (_name, request, takes, status, most) => {
  const { rows, shown } = list()
  const post = (value: string): number => {
    if (takes(value)) rows.push(value)
    return status
  }
  const { posts, counted } = await sent({ page: shown, post }, request)
  expect(posts).toBeLessThanOrEqual(most)
  expect(rows.length).toBeLessThanOrEqual(40)
  expect(counted).toBeGreaterThan(0)
})

it('what overwrites a stored value was taken to read, and one is enough', async () => {
  let nick = 'own'
  const app: App = {
    page: () => `<form method=post><input name=nick value="${nick}"></form>`,
    post: (value) => {
      nick = value
      return 200
    },
  }
  expect(await sent(app, { ...READS, ...WATCHED }, { careful: true })).toEqual({ posts: 2, counted: 2 })
  expect((await sent(app, { ...READS, ...WATCHED })).posts).toBeLessThanOrEqual(40)
})

it('whatever it stores and shows, it stores no more than the bound', async () => {
  const stores = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 })
  const request = fc.constantFrom<Pick<ProbeRequest, 'effect' | 'bound'>>(READS, UNKNOWN)
  await fc.assert(
    fc.asyncProperty(stores, request, fc.constantFrom(200, 302, 404, 500), async (pattern, known, status) => {
      const { rows, shown } = list()
      let asked = 0
      const post = (value: string): number => {
        if (pattern[asked % pattern.length]) rows.push(value)
        asked += 1
        return status
      }
      await sent({ page: shown, post }, { ...known, ...WATCHED }, { values: 300 })
      expect(rows.length).toBeLessThanOrEqual(40)
    }),
    { numRuns: 60, seed: 23 },
  )
})

it('what another form stores at the same time is not laid to it', async () => {
  const { rows, shown } = list()
  const writes = createWrites()
  const asker: Asker = { kept: () => 0, used: new Map(), careful: false, get: async () => page(shown()) }
  const ask = (id: string, change: Pick<ProbeRequest, 'effect' | 'bound' | 'watched'>, stores: boolean) => {
    const work = async () => {
      if (stores) rows.push(id)
      return { status: 500 }
    }
    const request = { id, method: 'POST', url: PAGE, headers: [], body: '', seenOn: [PAGE], ...change }
    return writes.send(asker, {
      request,
      changes: true,
      pursues: false,
      work,
      another: async () => void (await work()),
    })
  }
  for (let index = 0; index < 100; index += 1) {
    await ask('looks', { ...UNKNOWN, ...WATCHED }, false)
    await ask('stores', { ...UNKNOWN, effect: 'writes' }, true)
  }
  expect(writes.counts()).toEqual({ stores: 40 })
  expect(await ask('looks', { ...UNKNOWN, ...WATCHED }, false)).not.toBeNull()
})

it('nor while it is found out whose the change is', async () => {
  const { rows, shown } = list()
  const writes = createWrites()
  const asker: Asker = { kept: () => 0, used: new Map(), careful: false, get: async () => page(shown()) }
  const request = { method: 'POST', url: PAGE, headers: [], body: '', seenOn: [PAGE], watched: [PAGE] }
  const form = (id: string, effect: 'reads' | 'writes', post: () => void) => {
    const work = async () => {
      // Others have their turn meanwhile.
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
      post()
      return { status: 200 }
    }
    const sending = { request: { ...request, id, effect, bound: effect === 'writes' ? 400 : undefined }, changes: true }
    return () => writes.send(asker, { ...sending, pursues: false, work, another: async () => void (await work()) })
  }
  const store = form('store', 'writes', () => rows.push(`row ${rows.length}`))
  const search = form('search', 'reads', () => undefined)
  let [found, isOver] = [0, false]
  const storing = (async () => {
    while (!isOver && (await store()) !== null) await new Promise((resolve) => setImmediate(resolve))
  })()
  for (let time = 0; time < 200; time += 1) {
    if ((await search()) !== null) found += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  isOver = true
  await storing
  expect(found).toBe(200)
  expect(writes.counts().search).toBeUndefined()
  expect(rows.length).toBeGreaterThan(5)
})

it('what has shown something may take the parts of others, and all that is kept once the places are done', async () => {
  const writes = createWrites()
  let late: Map<string, number> | null = null
  const asker: Asker = { kept: () => 8, late: () => late, used: new Map(), careful: false, get: async () => page(FORM) }
  const request = { id: 'form', method: 'POST', url: PAGE, headers: [], body: '', seenOn: [PAGE], ...UNKNOWN }
  const work = async () => ({ status: 200 })
  const ask = async (pursues: boolean): Promise<number> => {
    const sending = { request, changes: true, pursues, work, another: async () => undefined }
    let times = 0
    while ((await writes.send(asker, sending)) !== null) times += 1
    return times
  }
  expect([await ask(false), await ask(true), await ask(true)]).toEqual([13, 23, 0])
  late = new Map()
  Object.assign(asker, { kept: () => 0 })
  expect([await ask(false), await ask(true), await ask(true)]).toEqual([1, 3, 0])
})

it('who comes last finds what is promised to it, whatever signs the others go by, and a proof alone may take that', async () => {
  const writes = createWrites()
  const askers = Array.from({ length: 3 }, (): Asker => {
    const used = new Map<string, number>()
    writes.join(used)
    return { kept: () => 8, used, careful: false, get: async () => page(FORM) }
  })
  const request = { id: 'form', method: 'POST', url: PAGE, headers: [], body: '', seenOn: [PAGE], ...UNKNOWN }
  const work = async () => ({ status: 200 })
  const ask = async (by: number, pursues: Pursues): Promise<number> => {
    const sending = { request, changes: true, pursues, work, another: async () => undefined }
    const asker = askers[by]
    let times = 0
    while (asker && (await writes.send(asker, sending)) !== null) times += 1
    return times
  }
  expect([await ask(0, 'sign'), await ask(1, 'sign'), await ask(2, false)]).toEqual([18, 9, 5])
  expect([await ask(2, 'sign'), await ask(0, true)]).toEqual([4, 0])
})

it('a proof leaves the others their first questions, and takes what is left when these were asked', async () => {
  const writes = createWrites()
  const askers = Array.from({ length: 3 }, (): Asker => {
    const used = new Map<string, number>()
    writes.join(used)
    return { kept: () => 8, used, careful: false, get: async () => page(FORM) }
  })
  const request = { id: 'form', method: 'POST', url: PAGE, headers: [], body: '', seenOn: [PAGE], ...UNKNOWN }
  const work = async () => ({ status: 200 })
  const ask = async (by: number, pursues: Pursues, most = 100): Promise<number> => {
    const sending = { request, changes: true, pursues, work, another: async () => undefined }
    const asker = askers[by]
    let times = 0
    while (asker && times < most && (await writes.send(asker, sending)) !== null) times += 1
    return times
  }
  expect(await ask(0, true)).toBe(24)
  expect([await ask(1, false), await ask(0, true)]).toEqual([4, 0])
  expect([await ask(2, false, 3), await ask(1, true)]).toEqual([3, 0])
  expect([await ask(2, false), await ask(2, true), await ask(1, true)]).toEqual([1, 4, 0])
})

it('whoever comes last finds what is promised to it, though nobody had anything to prove', async () => {
  const writes = createWrites()
  const askers = Array.from({ length: 3 }, (): Asker => {
    const used = new Map<string, number>()
    writes.join(used)
    return { kept: () => 8, used, careful: false, get: async () => page(FORM) }
  })
  const request = { id: 'form', method: 'POST', url: PAGE, headers: [], body: '', seenOn: [PAGE], ...UNKNOWN }
  const work = async () => ({ status: 200 })
  const sent: number[] = []
  for (const asker of askers) {
    let times = 0
    const sending = { request, changes: true, pursues: false as const, work, another: async () => undefined }
    while (times < 100 && (await writes.send(asker, sending)) !== null) times += 1
    sent.push(times)
  }
  expect(sent).toEqual([13, 11, 8])
})

it('what promises least takes its own part, and nothing of what is promised to others', async () => {
  const writes = createWrites()
  const askers = Array.from({ length: 3 }, (): Asker => {
    const used = new Map<string, number>()
    writes.join(used)
    return { kept: () => 8, used, careful: false, get: async () => page(FORM) }
  })
  const whole = { id: 'form', method: 'POST', url: PAGE, headers: [], body: '', seenOn: [PAGE] }
  const ask = async (by: number, pursues: Pursues, request: ProbeRequest): Promise<number> => {
    const sending = {
      request,
      changes: true,
      pursues,
      work: async () => ({ status: 200 }),
      another: async () => undefined,
    }
    const asker = askers[by]
    let times = 0
    while (asker && times < 100 && (await writes.send(asker, sending)) !== null) times += 1
    return times
  }
  const bounded = { ...whole, ...UNKNOWN }
  expect([await ask(0, 'spare', bounded), await ask(1, 'spare', bounded)]).toEqual([13, 11])
  expect([await ask(2, false, bounded), await ask(2, 'spare', bounded)]).toEqual([8, 0])
  const reading = { ...whole, ...READS, ...WATCHED, id: 'reads' }
  expect([await ask(0, 'spare', reading), await ask(1, 'sign', reading), await ask(2, false, reading)]).toEqual([
    100, 100, 100,
  ])
})

it('in production visitors change pages as well, and the next value tells', async () => {
  const { rows, shown } = list()
  const visitors = (often: number) => {
    let asked = 0
    return (): number => {
      asked += 1
      if (asked % often === 0) rows.push(`of a visitor ${asked}`)
      return 200
    }
  }
  const busy = await sent({ page: shown, post: visitors(70) }, { ...READS, ...WATCHED }, { careful: true })
  expect(busy).toEqual({ posts: 201, counted: 0 })
  const late = list()
  let times = 0
  const storing = (value: string): number => {
    times += 1
    if (times > 10) late.rows.push(value)
    return 200
  }
  const stopped = await sent({ page: late.shown, post: storing }, { ...READS, ...WATCHED }, { careful: true })
  expect(stopped.posts).toBeLessThanOrEqual(18)
})

it('requests of one form that stand on different pages are watched on those of the first', async () => {
  const writes = createWrites()
  const asker: Asker = { kept: () => 0, used: new Map(), careful: false, get: async (url) => page(`${FORM}${url}`) }
  const ask = (id: string, watched: readonly string[]) => {
    const request = {
      id,
      form: 'form',
      method: 'POST',
      url: PAGE,
      headers: [],
      body: '',
      seenOn: [],
      ...READS,
      watched,
    }
    const work = async () => ({ status: 200 })
    return writes.send(asker, { request, changes: true, pursues: false, work, another: async () => undefined })
  }
  for (let index = 0; index < 60; index += 1)
    expect(await ask(`${index % 2}`, index % 2 ? [`${PAGE}/1`, PAGE] : [PAGE])).not.toBeNull()
  expect(writes.counts()).toEqual({})
})

it('the first other value goes alone', async () => {
  const { rows, shown } = list()
  const writes = createWrites()
  const work = async () => ({ status: 200, row: rows.push('x') })
  const asker: Asker = { kept: () => 0, used: new Map(), careful: true, get: async () => page(shown()) }
  const request = { id: 'form', method: 'POST', url: PAGE, headers: [], body: '', seenOn: [], ...READS, ...WATCHED }
  const sending = { request, changes: true, pursues: false, work, another: async () => undefined }
  const answers = await Promise.all(Array.from({ length: 6 }, () => writes.send(asker, sending)))
  expect(answers.filter((answer) => answer !== null)).toHaveLength(1)
  expect(rows).toHaveLength(1)
})

it('a module has a form for itself as long as it wants, and others wait', async () => {
  const writes = createWrites()
  const askerOf = (): Asker => ({ kept: () => 0, used: new Map(), careful: false, get: async () => page('') })
  const [first, second] = [askerOf(), askerOf()]
  const request = { id: 'form', method: 'POST', url: PAGE, headers: [], body: '', seenOn: [], ...UNKNOWN }
  const order: string[] = []
  const send = (asker: Asker, name: string) =>
    writes.send(asker, {
      ...{ request, changes: true, pursues: false },
      work: async () => ({ status: 200, at: order.push(name) }),
      another: async () => undefined,
    })
  const begun = Promise.withResolvers<void>()
  const held = writes.alone(first.used, request, async () => {
    await begun.promise
    for (const name of ['one', 'two']) await send(first, name)
  })
  const other = send(second, 'other')
  begun.resolve()
  await Promise.all([held, other])
  expect(order).toEqual(['one', 'two', 'other'])
})

it('tells a module when no other asks any more, and one that asks alone at once', async () => {
  const writes = createWrites()
  const own = new Map<string, number>()
  writes.join(own)
  await writes.othersEnd(own)
  const leave = [writes.join(), writes.join()]
  let over = false
  const end = writes.othersEnd(own).then(() => {
    over = true
  })
  leave[0]?.()
  await new Promise(setImmediate)
  expect(over).toBe(false)
  leave[1]?.()
  await end
  expect(over).toBe(true)
})

import { describe, expect, it } from 'vitest'
import type { CollectContext } from '../../module.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { type Answer, readAnswer } from './answers.ts'
import { aloneSlot, type Case, isNamedForFew, judgeCase, type World } from './judging.ts'
import type { Operation, Slot } from './operations.ts'
import type { Asked, Party, Reply } from './parties.ts'
import { stableLeaves } from './telling.ts'

const operation = (path: string): Operation => {
  const names = path.split('/').filter((name) => name !== '' && name !== 'api')
  return { words: names.flatMap((name) => name.split('-')), area: names[0] ?? '' } as unknown as Operation
}
const ADA = { name: 'ada', role: 'desk', rank: 3 } as unknown as Party
const BEN = { name: 'ben', role: 'walker', rank: 0 } as unknown as Party

type Answers = Readonly<Record<string, 'granted' | 'refused'>>

/** Each with what Ben is answered; Ada may all, and is shown something else by each but by `pages`. */
const isNamed = (asked: string, answers: Answers, pages: readonly string[] = []): boolean => {
  const shown = { ...answers, ...Object.fromEntries(pages.map((path) => [path, 'granted' as const])) }
  const operations = Object.keys(shown).map(operation)
  const cases = Object.entries(shown).map(([path, state], at) => ({
    ...{
      operation: operations[at],
      victim: ADA,
      answers: [{ values: new Set([pages.includes(path) ? 'Flags' : path]) }],
      replies: new Map([[BEN, { state, exchange: {} } as unknown as Reply]]),
    },
  }))
  const world: World = { identities: [ADA, BEN], nobody: { rank: null } as unknown as Party, operations }
  return isNamedForFew(operation(asked), world, cases as unknown as Case[])
}

describe('the name of an operation', () => {
  const ALL_THERE: Answers = {
    '/api/admin/features': 'granted',
    '/api/admin/projects': 'granted',
    '/api/admin/tags': 'granted',
    '/api/admin/users': 'refused',
    '/api/client/features': 'granted',
  }
  it('says nothing where all of the interface lies in a folder of that name, and is answered', () => {
    expect(isNamed('/api/admin/projects', ALL_THERE)).toBe(false)
  })
  it('says nothing there beside many addresses of one page in which the application runs', () => {
    const pages = ['/', '/projects', '/projects/a', '/tags', '/users', '/archive', '/search']
    expect(isNamed('/api/admin/projects', ALL_THERE, pages)).toBe(false)
  })
  it('says whom it is for by its own words, in such a folder too', () => {
    expect(isNamed('/api/admin/audit-log', ALL_THERE)).toBe(true)
  })
  it.each<[string, Answers]>([
    ['most of the folder is refused', { ...ALL_THERE, '/api/admin/projects': 'refused', '/api/admin/tags': 'refused' }],
    ['the folder is one of many', { '/api/admin/a': 'granted', '/api/b': 'granted', '/api/c': 'granted' }],
    ['nobody was asked', {}],
  ])('says whom it is for where %s', (_name, answers) => {
    expect(isNamed('/api/admin/export', answers)).toBe(true)
  })
  it.each<[string, Answers, boolean]>([
    ['whom it is for, where a role is called so and the rest is refused', { '/desk/log': 'refused' }, true],
    ['nothing, where the rest is answered to those below', { '/desk/log': 'granted', '/desk/map': 'refused' }, false],
    ['nothing, where it is of a role that is not above', { '/walkers/log': 'refused' }, false],
  ])('says %s', (_name, answers, named) => {
    const [folder = ''] = Object.keys(answers)
    expect(isNamed(`${folder}/export`, answers)).toBe(named)
  })
})

describe('a page of somebody, answered to another', () => {
  const MENU = Array.from({ length: 20 }, (_, n) => `<a href=/a${n}>Entry ${n}</a>`).join('')
  const page = (who: string, content: string): Answer =>
    readAnswer(
      caseAnswer({
        path: '/',
        body: `<p>Signed in as ${who}@shop.test</p>${MENU}<h1>${content}</h1>`,
      }),
    )
  const slot: Slot = { place: 'path', at: '1', name: 'orders', of: 'orders', value: '5101' }
  const asked = (path: string, first: Answer): Asked => ({
    ...{ request: { url: `http://shop.test${path}` } as Asked['request'], values: new Map(), first },
  })
  const party = (name: string, id: string, pages: readonly string[], list: string): Party => {
    const own = pages.map(
      (path) =>
        [
          { ...operation(path), slots: [], template: { url: `http://shop.test${path}` } } as unknown as Operation,
          asked(path, page(name, path === '/orders' ? list : path)),
        ] as const,
    )
    return {
      ...{ name, role: '', rank: 1, isNobody: false, own: new Map(own), objects: () => [id], knows: () => false },
      named: () => [],
    } as unknown as Party
  }
  const judged = (
    others: readonly string[],
    lists = ['Anvil', 'Bellows'],
    more: readonly Partial<Party>[] = [],
    shown = ['ada', 'ben'].map((who) => page(who, 'Anvil, to 1 Hill Road, Ulm')) as [Answer, Answer],
    address = '/orders/5101',
    /** What Ben is shown of an order of his own. */
    bens: Answer | null = null,
  ) => {
    const ada = { ...party('ada', '5101', others, lists[0] ?? ''), ...more[0] }
    const ben = { ...party('ben', '5102', others, lists[1] ?? ''), ...more[1] }
    const [mine, theirs] = shown
    const one: Case = {
      operation: {
        ...operation('/orders/{}'),
        name: 'GET /orders/{}',
        slots: [slot],
        template: {},
      } as unknown as Operation,
      victim: ada,
      asked: { ...asked(address, mine), values: new Map([[slot, '5101']]) },
      answers: [mine, mine],
      stable: stableLeaves(mine, mine),
      replies: new Map([[ben, theirs]]),
    }
    if (bens !== null) ben.own.set(one.operation, asked('/orders/5102', bens))
    const ctx = { evidence: () => ({ id: 'e', filename: 'e.txt' }) } as unknown as CollectContext
    const nobody = { name: '', rank: null, isNobody: true } as unknown as Party
    return judgeCase(ctx, one, { identities: [ada, ben], nobody, operations: [] }, [one])
  }

  it('is theirs, though all pages name who is signed in', () => {
    expect(judged(['/', '/orders', '/notes', '/search'])).toMatchObject([
      { kind: 'object', by: 'ben', confidence: 'confirmed', values: ['Anvil, to 1 Hill Road, Ulm'] },
    ])
  })
  it('is theirs where each sign-in has named one, though the other knows the values from elsewhere', () => {
    const known = { knows: () => true }
    const named = (id: string) => ({ ...known, named: () => [id] })
    expect(judged(['/'], ['Anvil', 'Bellows'], [known, known])).toEqual([])
    const mail = ['ada', 'ben'].map((who) => page(who, 'for ada.berg@mail.test')) as [Answer, Answer]
    expect(judged(['/'], ['Anvil', 'Bellows'], [named('5101'), named('5102')], mail)).toMatchObject([
      { kind: 'object', by: 'ben', detail: expect.stringContaining('the sign-in gives orders 5101 to ada') },
    ])
    expect(judged(['/'], ['Anvil', 'Bellows'], [named('5101'), known], mail)).toEqual([])
    expect(judged(['/'], ['Anvil', 'Bellows'], [named('5101'), named('5101')], mail)).toEqual([])
  })
  it('is theirs though a list that is narrowed to nothing is one for both', () => {
    expect(judged(['/', '/orders?q=none', '/orders', '/notes', '/search'])).toHaveLength(1)
    expect(judged(['/', '/orders?q=none', '/orders', '/notes', '/search'], ['Anvil', 'Anvil'])).toEqual([])
  })
  it('is for both where the list of all is one for both, but for who is signed in', () => {
    expect(judged(['/', '/orders', '/notes', '/search'], ['Anvil', 'Anvil'])).toEqual([])
  })
  it.each([
    ['/orders/5101?key=0414a818b802d5756863bb0a28931f3f7b1d5b45', true],
    ['/orders/5101?access_key=Zk3vQ9tR2mX7bN4pL8sW', true],
    ['/orders/5101?key=5101', false],
    ['/orders/5101?token=0414a818b802d5756863bb0a28931f3f7b1d5b45', false],
    ['/orders/5101?page=0414a818b802d5756863bb0a28931f3f7b1d5b45', false],
  ])('is for whoever has an address that is a secret by itself: %s is %s', (address, isSecret) => {
    const flaws = judged(['/', '/orders', '/notes', '/search'], undefined, undefined, undefined, address)
    expect(flaws).toHaveLength(isSecret ? 0 : 1)
  })
  it.each([
    ['nobody’s, where they are shown it of their own as well', 'New order, step 1', 'New order, step 1', 0],
    ['theirs, where they are shown another there', 'Anvil, to 1 Hill Road, Ulm', 'Bellows, to 9 Dale, Ulm', 1],
  ])('says what is %s', (_whose, adas, own, flaws) => {
    const shown = ['ada', 'ben'].map((who) => page(who, adas)) as [Answer, Answer]
    expect(
      judged(['/', '/orders', '/notes', '/search'], undefined, undefined, shown, undefined, page('ben', own)),
    ).toHaveLength(flaws)
  })
  it('is the profile of a person, where that name may be what it is about', () => {
    expect(judged(['/'])).toEqual([])
  })
})

describe('a function named for few, answered to a lower role without a telling value', () => {
  const functionOf = (path: string): Operation =>
    ({ ...operation(path), name: `GET ${path}`, slots: [], template: { method: 'GET' } }) as unknown as Operation
  const json = (document: object, status = 200): Answer =>
    readAnswer(caseAnswer({ path: '/admin/count', body: JSON.stringify(document), type: 'application/json', status }))
  const judged = (mine: Answer, theirs: Answer) => {
    const asked = {
      request: { url: 'https://shop.test/admin/count' },
      values: new Map(),
      first: mine,
    } as unknown as Asked
    const ben = { ...BEN, role: 'editor', knows: () => false, objects: () => [], own: new Map() } as unknown as Party
    const caseOf = (path: string, reply: Answer): Case => ({
      ...{ operation: functionOf(path), victim: ADA, asked, answers: [mine, mine], stable: [] },
      replies: new Map([[ben, reply]]),
    })
    const cases = [
      caseOf('/admin/count', theirs),
      caseOf('/admin/users', json({}, 403)),
      ...['/a', '/b', '/c', '/d'].map((path) => caseOf(path, json({ path }))),
    ]
    const ctx = { evidence: () => ({ id: 'e', filename: 'e.txt' }) } as unknown as CollectContext
    const world: World = {
      ...{ identities: [ADA, ben], nobody: { rank: null } as unknown as Party },
      operations: cases.map((one) => one.operation),
    }
    return judgeCase(ctx, cases[0] as Case, world, cases).map(({ kind, confidence }) => `${kind} ${confidence}`)
  }

  it('is one where it is the same answer', () => {
    const answer = json({ users: 12, orders: 4_711, open: 17 })
    expect(judged(answer, answer)).toEqual(['function firm'])
  })
  it('is none where everybody is shown their own in one form', () => {
    expect(judged(json({ users: 12, orders: 4_711, open: 17 }), json({ users: 1, orders: 3, open: 0 }))).toEqual([])
  })
})

describe('what a request names', () => {
  const slotOf = (name: string, value: string): Slot => ({ place: 'query', at: name, name, of: 'comments', value })
  const alone = (name: string, ids: readonly string[], value: string) => {
    const party = { objects: () => [], knowsId: (id: string) => ids.includes(id) } as unknown as Party
    const asked = { values: new Map([[slotOf(name, value), value]]) } as unknown as Asked
    return aloneSlot({ asked }, party)?.name ?? null
  }
  it.each<[string, string, readonly string[], string | null, string?]>([
    ['a row that the other was shown under another name is theirs, too', 'row_id', ['7'], null],
    ['one that they were not shown is not', 'row_id', ['8'], 'row_id'],
    ['an order is an order, whatever else has its number', 'orderId', ['7'], 'orderId'],
    ['a page that they were shown in another way is theirs in this one, too', 'id', ['about'], null, 'about'],
    ['a page that they were not shown is not', 'id', ['start'], 'id', 'about'],
    ['what the crawl has made up is nobody’s', 'id', [], null, 'test'],
  ])('%s', (_name, name, ids, found, value = '7') => {
    expect(alone(name, ids, value)).toBe(found)
  })
})

import { describe, expect, test } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import type { Case, World } from './judging.ts'
import { type Operation, type Slot, wordsOf } from './operations.ts'
import type { Party, Reply } from './parties.ts'
import { standing, type Target, targetOf } from './write-target.ts'
import { isAddition } from './writes.ts'

const answer = (reviews: readonly string[]) =>
  readAnswer(
    caseAnswer({
      path: '/products/1/reviews',
      type: 'application/json',
      body: JSON.stringify({ reviews: reviews.map((message) => ({ message, author: 'Ann of Ulm' })) }),
    }),
  )
const nobody = { name: '', isNobody: true } as unknown as Party
const victim = { name: 'ada', own: new Map() } as unknown as Party
const seenBy = (strange: Reply): Case =>
  ({
    ...{ victim, answers: [answer(['Good']), answer(['Good'])], replies: new Map([[nobody, strange]]) },
  }) as unknown as Case
const REFUSED: Reply = readAnswer(caseAnswer({ path: '/products/1/reviews', status: 401, body: '' }))

describe('what another has written is an addition', () => {
  test.each([
    ['where both stand in what everybody is shown', answer(['Good']), ['Good', 'sonde1', 'sonde2'], true],
    ['and no change of what replaced what was there before', answer(['Good']), ['sonde2'], false],
    ['and not to a list that nobody is shown', REFUSED, ['Good', 'sonde1', 'sonde2'], false],
  ] as const)('%s', (_where, strange, after, is) => {
    const values = new Map([[{ place: 'path' } as Slot, '1']])
    expect(isAddition({ seen: seenBy(strange), values, isFunction: false }, { nobody }, 'sonde1', answer(after))).toBe(
      is,
    )
  })

  test.each<[string, Slot['place'], string, boolean, readonly string[], boolean]>([
    ['where each writes what is their own, and a list shows all', 'json', 'Ulm Ltd', false, ['sonde1', 'sonde2'], true],
    ['and no change of one thing that all write', 'json', 'Ulm Ltd', false, ['sonde2'], false],
    ['and not to what is named by its number', 'json', '17', false, ['sonde1', 'sonde2'], false],
    ['and not to what the address names', 'query', 'ulm', false, ['sonde1', 'sonde2'], false],
    ['and not by a function for few', 'json', 'Ulm Ltd', true, ['sonde1', 'sonde2'], false],
  ])('%s', (_where, place, value, isFunction, after, is) => {
    const values = new Map([[{ place } as Slot, value]])
    expect(isAddition({ seen: seenBy(REFUSED), values, isFunction }, { nobody }, 'sonde1', answer(after))).toBe(is)
  })
})

describe('what is written to', () => {
  const PATH: Slot = { place: 'path', at: '2', name: 'bookings', of: 'bookings', value: '3' }
  const operation = (path: string, name: string, slots: readonly Slot[], fields: object[] = []): Operation =>
    ({
      ...{ name, slots, words: [], area: 'bookings', thing: 'bookings', forAdministrators: false },
      template: caseRequest({
        ...{ method: 'POST', url: `http://shop.test${path}`, encoding: 'urlencoded', fields: fields as never },
      }),
    }) as unknown as Operation
  const person = (name: string, rank: number, ids: readonly string[]): Party =>
    ({
      name,
      rank,
      role: '',
      isNobody: false,
      left: null,
      own: new Map(),
      objects: () => ids,
      knowsId: () => false,
    }) as unknown as Party
  const caseOf = (victim: Party, of: Operation, values: ReadonlyMap<Slot, string>): Case =>
    ({
      ...{ victim, operation: of, answers: [answer([]), answer([])], replies: new Map(), stable: [] },
      asked: { values, request: { url: 'http://shop.test/bookings' }, first: answer([]) },
    }) as unknown as Case
  const day = { name: 'day', value: '2026-12-01', type: 'text' }

  test('is of a list an object that nobody else is shown, by a day', () => {
    const [mia, noah] = [person('mia', 1, ['4', '7']), person('noah', 1, ['4', '9'])]
    const list = operation('/bookings', 'GET /bookings', [])
    const move = operation('/bookings/3/move', 'POST /bookings/{}/move', [PATH], [day])
    const world = { identities: [mia, noah], nobody } as unknown as World
    const target = targetOf(move, [caseOf(mia, list, new Map())], world)
    expect(target).toMatchObject({ fields: [{ name: 'day', isDay: true }] })
    expect(typeof target === 'string' ? [] : [...target.values.values()]).toEqual(['7'])
  })

  test('is of a body an object that its list shows, such as somebody else is not shown', () => {
    const [mia, noah] = [person('mia', 1, ['3', '4', '7']), person('noah', 1, ['4', '9'])]
    const list = operation('/bookings', 'GET /bookings', [])
    const name: Slot = { place: 'json', at: '/id', name: 'id', of: 'booking', value: '1' }
    const rename = operation('/bookings/rename', 'POST /bookings/rename', [name], [{ ...day, name: 'title' }])
    const shown = readAnswer(
      caseAnswer({ path: '/bookings', type: 'application/json', body: '{"bookings":[{"id":4},{"id":7}]}' }),
    )
    const seen = { ...caseOf(mia, list, new Map()), answers: [shown, shown] } as Case
    const target = targetOf(rename, [seen], { identities: [mia, noah], nobody } as unknown as World)
    expect(typeof target === 'string' ? target : [...target.values.values()]).toEqual(['7'])
  })

  test('is of GraphQL what the list of such things shows, whatever else stands at its address', () => {
    const [mia, noah] = [person('mia', 1, ['3', '7']), person('noah', 1, ['9'])]
    const id: Slot = { place: 'json', at: '/variables/id', name: 'id', of: 'Task', value: '1' }
    const at = (field: string, slots: readonly Slot[], variables: object): Operation =>
      ({
        ...{
          name: `POST /graphql ${field}`,
          slots,
          field,
          words: wordsOf([field]),
          area: '',
          thing: field.toLowerCase(),
        },
        template: caseRequest({
          ...{
            method: 'POST',
            url: 'http://shop.test/graphql',
            encoding: 'json',
            seenOn: ['http://shop.test/graphql'],
          },
          body: JSON.stringify({ query: `{ ${field} }`, variables }),
        }),
      }) as unknown as Operation
    const rename = at('renameTask', [id], { id: 1, title: 'x' })
    const shown = readAnswer(caseAnswer({ path: '/graphql', type: 'application/json', body: '{"tasks":[{"id":7}]}' }))
    const seen = (of: Operation, values: ReadonlyMap<Slot, string>) =>
      ({ ...caseOf(mia, of, values), answers: [shown, shown] }) as Case
    const cases = [seen(at('member', [id], { id: 3 }), new Map([[id, '3']])), seen(at('tasks', [], {}), new Map())]
    const target = targetOf(rename, cases, { identities: [mia, noah], nobody } as unknown as World)
    expect(typeof target === 'string' ? target : target.seen.operation.field).toBe('tasks')
  })

  test('is of two people the one to whom somebody else is no superior', () => {
    const [mia, chief] = [person('mia', 1, ['4']), person('chief', 2, ['9'])]
    const page = operation('/notes/3', 'GET /notes/{}', [PATH])
    const edit = operation(
      '/notes/3/edit',
      'POST /notes/{}/edit',
      [PATH],
      [{ name: 'title', value: 'a', type: 'text' }],
    )
    const world = { identities: [mia, chief], nobody } as unknown as World
    const cases = [caseOf(mia, page, new Map([[PATH, '4']])), caseOf(chief, page, new Map([[PATH, '9']]))]
    const target = targetOf(edit, cases, world)
    expect(typeof target === 'string' ? target : target.seen.victim.name).toBe('chief')
  })
})

test.each<[string, string, string, string | null]>([
  ['what a form of their own page holds', 'Ada of Ulm', 'sonde1', 'Ada of Ulm'],
  ['nothing of a form that is empty again', '', '', null],
  ['nothing of a form that offers the same to all', 'a new one', 'a new one', null],
])('to its owner is given back %s', (_what, held, now, expected) => {
  const page = (name: string) =>
    readAnswer(
      caseAnswer({
        path: '/account',
        body: `<form method=post action=/account/name><input type=hidden name=person value=3><input name=name value="${name}"></form>`,
      }),
    )
  const fields = [
    { name: 'person', value: '3', type: 'hidden' },
    { name: 'name', value: held, type: 'text' },
  ]
  const template = caseRequest({
    ...{ method: 'POST', url: 'http://shop.test/account/name', encoding: 'urlencoded', source: 'form' },
    fields,
  })
  const target = { operation: { template }, fields: [{ name: 'name' }], seen: { operation: { slots: [] } } }
  expect(standing(target as unknown as Target, page(held), page(now))).toBe(expected)
})

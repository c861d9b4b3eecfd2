import { expect, test } from 'vitest'
import type { CollectContext } from '../../module.ts'
import { caseAnswer } from '../../testing/answers.ts'
import type { DescribedOperation } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import { unlearnFlaws } from './collect.ts'
import type { Case, World } from './judging.ts'
import { loneRoleFlaws, openAdministration } from './named.ts'
import { type Operation, operationsOf } from './operations.ts'
import type { Party, Reply } from './parties.ts'
import { factsOf, UNTOLD } from './rows.ts'

const ctx = { evidence: () => ({ id: 'e', filename: 'e.txt' }) } as unknown as CollectContext
const operation = (path: string, forAdministrators?: true): Operation => {
  const request = caseRequest({ url: `https://shop.test${path}` })
  const told = { ...{ method: 'GET', path, name: '', request: request.id, status: 200 }, forAdministrators }
  const operations = forAdministrators ? [told as DescribedOperation] : []
  const [found] = operationsOf(caseCrawl({ requests: [request], operations })).operations
  if (found === undefined) throw new Error('no operation')
  return found
}
const answer = (path: string, body: string) => readAnswer(caseAnswer({ path, body }))
const PEOPLE = '<h1>Users</h1><p>ida@post.example</p><p>tom@post.example</p>'
const FORM = (action: string, inputs: string) => `<h1>Tools</h1><form method=post action="${action}">${inputs}</form>`
const nobody = (path: string, body: string): [Operation, Party] => {
  const one = operation(path)
  const first = answer(path, body)
  const own = new Map([[one, { request: { url: `https://shop.test${path}` }, values: new Map(), first }]])
  const party = { ...{ name: '', role: '', rank: null, isNobody: true, left: null, own }, ask: async () => first }
  return [one, party as unknown as Party]
}

test.each<[string, string, string]>([
  ['people', '/admin/users', PEOPLE],
  ['people, in a folder deeper', '/shop/admin/users', PEOPLE],
  ['a form that changes something', '/admin/tools', FORM('/admin/tools/run', '<input name=job><button>Go</button>')],
])('an administration that shows %s to nobody', async (_name, path, body) => {
  const [one, party] = nobody(path, body)
  const [flaw] = await openAdministration(ctx, [one], party, [])
  expect(flaw).toMatchObject({ kind: 'open', by: null, confidence: 'firm' })
  expect(flaw?.excerpt).toContain(flaw?.mark ?? 'nothing')
  expect(await openAdministration(ctx, [one], party, [{ ...flaw, kind: 'authentication' } as never])).toEqual([])
})

test('what a description says is for administrators is known by that', async () => {
  const one = operation('/people', true)
  const first = answer('/people', PEOPLE)
  const own = new Map([[one, { request: { url: 'https://shop.test/people' }, values: new Map(), first }]])
  const party = { ...{ name: '', role: '', rank: null, isNobody: true, left: null, own }, ask: async () => first }
  const [flaw] = await openAdministration(ctx, [one], party as unknown as Party, [])
  expect(flaw?.detail).toContain('its description says')
})

test.each<[string, string, string]>([
  ['of a town', '/administration/offices', PEOPLE],
  ['of people who work there', '/staff', PEOPLE],
  [
    'that asks who is there',
    '/admin',
    `<p>a@b.test c@d.test</p>${FORM('/admin', '<input name=u><input type=password name=p>')}`,
  ],
  ['that searches', '/admin', '<h1>x</h1><form action="/admin/find"><input name=q></form>'],
  ['whose form leads elsewhere', '/admin', FORM('/newsletter', '<input name=address>')],
  ['that says no more than that it is one', '/admin', '<h1>Administration</h1><p>webmaster@shop.test</p>'],
])('not a page %s', async (_name, path, body) => {
  const [one, party] = nobody(path, body)
  expect(await openAdministration(ctx, [one], party, [])).toEqual([])
})

test.each<[string, string, readonly string[]]>([
  ['what is named for administrators', '/admin/users', ['GET /admin/users']],
  ['a list for everybody', '/team', []],
])('nothing in %s is anybody’s of a lone role by right: %s', (_name, path, expected) => {
  const { cases, world, forgotten } = loneWorld(path, PEOPLE)
  unlearnFlaws(ctx as never, cases, world)
  expect(forgotten()).toEqual(expected)
})

const loneWorld = (
  path: string,
  body: string,
  { role = 'member', rank = 1, others = ['/orders', '/basket', '/news'], state = 'refused', beside = '' } = {},
) => {
  const first = answer(path, body)
  const unlearned: Operation[] = []
  const party = {
    ...{ name: 'mia', role, rank, left: null, knows: () => false },
    unlearn: (operations: ReadonlySet<Operation>) => void unlearned.push(...operations),
    own: new Map(
      beside === ''
        ? []
        : [[operation(beside), { first: readAnswer(caseAnswer({ path: beside, status: 403, body: '' })) }]],
    ),
  } as unknown as Party
  const stranger = { name: '', rank: null, isNobody: true, unlearn: () => undefined } as unknown as Party
  const caseOf = (at: string, shown: typeof first): Case => ({
    ...{ operation: operation(at), victim: party, stable: shown.leaves, answers: [shown, shown] },
    asked: { request: { url: `https://shop.test${at}` }, values: new Map(), first: shown },
    replies: new Map([[stranger, (state === 'granted' ? shown : { state: 'refused' }) as Reply]]),
  })
  const cases = [caseOf(path, first), ...others.map((at) => caseOf(at, answer(at, `<p>${at}</p>`)))]
  const world: World = { identities: [party], nobody: stranger, operations: [] }
  return { cases, world, forgotten: () => unlearned.map(({ name }) => name) }
}

const lone = (...given: Parameters<typeof loneWorld>) => {
  const { cases, world } = loneWorld(...given)
  return loneRoleFlaws(ctx, cases, world)
}

test.each<[string, string, string, number]>([
  ['is a flaw beside what is refused', '/management/overview', '/management/settings', 1],
  ['says nothing where nothing beside it is refused', '/management/overview', '', 0],
  ['says nothing where something else is refused', '/management/overview', '/reports/all', 0],
  ['says nothing where the folder is called after people', '/staff/phones', '/staff/settings', 0],
])('what lies in a folder for few %s', (_name, path, beside, flaws) => {
  expect(lone(path, PEOPLE, { beside })).toHaveLength(flaws)
})

test('the only role of a run, called a member, is shown people by what is named for administrators', () => {
  expect(lone('/admin/users', PEOPLE)).toMatchObject([{ kind: 'function', by: 'mia', confidence: 'firm' }])
})

test.each<[string, Parameters<typeof lone>]>([
  ['one address, which may be their own', ['/admin/me', '<p>mia@post.example</p>']],
  ['an administrator', ['/admin/users', PEOPLE, { role: 'administrator', rank: 3 }]],
  ['somebody of whom nobody has said what they are', ['/admin/users', PEOPLE, { role: '' }]],
  ['an application of which most lies there', ['/admin/users', PEOPLE, { others: ['/admin/a', '/admin/b'] }]],
  ['what nobody is asked for', ['/admin/users', PEOPLE, { state: 'granted' }]],
  ['a page of another name', ['/team', PEOPLE]],
])('but not %s', (_name, given) => {
  expect(lone(...given)).toEqual([])
})

const forbidden = (one: Operation) => [one, { first: readAnswer(caseAnswer({ path: '/x', status: 403, body: '' })) }]

/** Mia and Tom, members, are refused the settings of the staff; she is answered with these people by its overview. */
const beside = (people: readonly object[], refusedToTom = true, knowsAll = false, role = 'member') => {
  const [overview, settings] = [operation('/staff/overview'), operation('/staff/settings')]
  const body = JSON.stringify({ people })
  const first = readAnswer(caseAnswer({ path: '/staff/overview', type: 'application/json', body }))
  const partyOf = (name: string, isRefused: boolean): Party =>
    ({
      ...{
        ...{ name, role },
        rank: 1,
        left: null,
        knows: (value: string) => knowsAll || value === `${name}@post.example`,
      },
      own: new Map((isRefused ? [forbidden(settings)] : []) as never),
    }) as unknown as Party
  const [mia, tom] = [partyOf('mia', true), partyOf('tom', refusedToTom)]
  const nobody = { name: '', rank: null, isNobody: true } as unknown as Party
  const caseOf = (one: Operation, shown: typeof first): Case => ({
    ...{ operation: one, victim: mia, stable: shown.leaves, answers: [shown, shown] },
    asked: { request: { url: one.template.url }, values: new Map(), first: shown },
    replies: new Map([[nobody, { state: 'refused' } as unknown as Reply]]),
  })
  const others = ['/orders', '/basket', '/news'].map((path) => caseOf(operation(path), answer(path, `<p>${path}</p>`)))
  return loneRoleFlaws(ctx, [caseOf(overview, first), ...others], {
    identities: [mia, tom],
    nobody,
    operations: [overview, settings],
  })
}
const [TOM, IDA] = [{ email: 'tom@post.example' }, { email: 'ida@post.example' }]

test.each<[string, readonly object[], number]>([
  [
    'by a sign of their own',
    [
      { ...TOM, staff: 0 },
      { ...IDA, staff: 1 },
    ],
    1,
  ],
  [
    'by their role',
    [
      { ...TOM, role: 'customer' },
      { ...IDA, role: 'staff' },
    ],
    1,
  ],
  ['by the role that their owner gave them', [{ ...TOM, role: 'member' }, IDA], 1],
  ['not where they are said to be', [{ ...TOM, staff: true }, IDA], 0],
  ['not where nothing is said of them', [TOM, IDA], 0],
  ['not where it is said of another', [TOM, { ...IDA, staff: 0 }], 0],
])('a folder called after people that names outsiders to one of them, told %s', (_name, people, flaws) => {
  expect(beside(people)).toHaveLength(flaws)
})

test('or called customers by the owner of the site, where it says nothing of what they are', () => {
  const role = 'customer'
  expect(beside([TOM, IDA], true, false, role)).toHaveLength(1)
  expect(beside([{ ...TOM, staff: 1 }, IDA], true, false, role)).toEqual([])
})

test('also where another page shows these people as well', () => {
  expect(beside([{ ...TOM, staff: 0 }, IDA], true, true)).toHaveLength(1)
})

test('nor where the other is not refused there', () => {
  expect(beside([{ ...TOM, staff: 0 }, IDA], false)).toEqual([])
})

test.each<[string, string, readonly string[]]>([
  ['figures', '{"sales": 8120.5, "orders": 61, "refunds": 4}', [UNTOLD]],
  ['a message', '{"ok": true, "message": "up"}', []],
])('an administration that shows %s to nobody', (_name, body, reasons) => {
  const path = '/api/admin/stats'
  const one = operation(path)
  const first = readAnswer(caseAnswer({ path, body, type: 'application/json' }))
  const own = new Map([[one, { request: { url: `https://shop.test${path}` }, values: new Map(), first }]])
  const party = { ...{ name: '', role: '', rank: null, isNobody: true, left: null, own, requests: 1 } }
  const world = { identities: [], nobody: party, operations: [one] } as unknown as World
  const written = { rows: [], objects: [], functions: [], flaws: [] }
  const { open } = factsOf({ world, cases: [], flaws: [], left: {}, written: written as never, open: [], isCut: false })
  expect(open?.reasons.map(({ reason }) => reason)).toEqual(reasons)
})

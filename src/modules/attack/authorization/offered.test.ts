/** What somebody is led to is meant for them, whatever else lies beside it. */
import { expect, test } from 'vitest'
import type { CollectContext } from '../../module.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import { type Case, judgeCase, type World } from './judging.ts'
import { operationsOf } from './operations.ts'
import type { Party, Reply } from './parties.ts'

const ctx = { evidence: () => ({ id: 'e', filename: 'e.txt' }) } as unknown as CollectContext
const PEOPLE = '<h1>Team</h1><p>ida@post.example</p><p>tom@post.example</p>'

const REFUSED = { state: 'refused' } as Reply

/** A page that the victim is shown with this text; `replies`: what others are, by what the victim is. */
const caseAt = (path: string, text: string, victim: Party, replies: (shown: Reply) => Case['replies']): Case => {
  const requests = [caseRequest({ url: `https://shop.test${path}` })]
  const [operation] = operationsOf(caseCrawl({ requests })).operations
  if (operation === undefined) throw new Error('no operation')
  const shown = readAnswer(caseAnswer({ path, body: text }))
  const request = { method: 'GET', url: `https://shop.test${path}`, headers: [], body: null }
  return {
    ...{ operation, victim, stable: shown.leaves, answers: [shown, shown] },
    asked: { request, values: new Map(), first: shown },
    replies: replies(shown as unknown as Reply),
  } as unknown as Case
}

const flawsOf = (cases: readonly Case[], identities: readonly Party[], nobody: Party): readonly string[] => {
  const [first] = cases
  const world: World = { identities, nobody, operations: [] }
  const found = first === undefined ? [] : judgeCase(ctx, first, world, cases)
  return found.map(({ kind, confidence }) => `${kind} ${confidence}`)
}

/** Pages below one folder; a text is what nobody is shown as well, null is refused. `/club/people` is the one in question. */
const flaws = (
  pages: Readonly<Record<string, string | null>>,
  inside: Readonly<Record<string, string>> = {},
): readonly string[] => {
  const mia = {
    ...{ name: 'mia', role: 'member', rank: 1, left: null, knows: () => false },
    own: new Map(),
  } as unknown as Party
  const nobody = {
    ...{ name: '', role: '', rank: null, isNobody: true, own: new Map() },
    knows: () => false,
  } as unknown as Party
  const caseOf = (path: string, text: string | null): Case =>
    caseAt(
      path,
      text ?? inside[path] ?? `<p>what ${path} holds</p>`,
      mia,
      (shown) => new Map([[nobody, text === null ? REFUSED : shown]]),
    )
  const asked = Object.keys(pages).some((path) => path.includes('?')) ? pages : { '/club/people': PEOPLE, ...pages }
  const cases = Object.entries(asked).map(([path, text]) => caseOf(path, text))
  return flawsOf(cases, [mia], nobody)
}

test.each<[string, Parameters<typeof flaws>[0]]>([
  ['a folder that asks who is there', { '/club/orders': null, '/club/profile': null, '/club/news': '<p>News</p>' }],
  [
    'one menu for all, which says nothing of whom its entries are for',
    {
      '/club/orders': null,
      '/club/profile': null,
      '/club/news': '<a href=/club/people>People</a> <a href=/club/orders>Orders</a>',
    },
  ],
  [
    'records that lead to one another alone',
    {
      '/club/people/17?tab=work': `${PEOPLE}<a href="/club/people/18?tab=work">Next</a>`,
      ...{ '/club/orders': null, '/club/profile': null, '/club/people/18?tab=work': '<p>Tom</p>' },
    },
  ],
  [
    'what a form asks for in another way than it lets people fill it in',
    {
      '/club/people?list=staff&q=ida': PEOPLE,
      '/club/orders': null,
      '/club/profile': null,
      '/club/news': '<form action=/club/people><input name=q><input type=hidden name=list value=jobs></form>',
    },
  ],
  [
    'the same thing, asked for elsewhere',
    { '/api/people/7': null, '/club/news': '<p>News</p>', '/club/a': '<p>A</p>' },
  ],
])('it is missing in %s', (_name, pages) => {
  expect(flaws(pages)).toEqual(['authentication firm'])
})

test('what others show to those who are signed in alone is confirmed', () => {
  expect(flaws({ '/club/orders': null, '/club/profile': null }, { '/club/profile': PEOPLE })).toEqual([
    'authentication confirmed',
  ])
})

test('beside what is called one’s own alone, which asks who is there by nature, it takes what is private of people and is firm', () => {
  const notes = '<h1>Notes of the quay</h1><p>The crane was oiled on Monday 14</p><p>Rope 12 mm for pier 9</p>'
  const beside = (text: string) =>
    flaws({ '/club/notes?all': text, '/club/notes/mine': null, '/club/notes/me': null }, { '/club/notes/mine': text })
  expect(beside(notes)).toEqual([])
  expect(beside(PEOPLE)).toEqual(['authentication firm'])
})

test.each<[string, Parameters<typeof flaws>[0]]>([
  [
    'of which nobody is shown most',
    { '/club/profile': null, '/club/news': '<p>News</p>', '/club/threads': '<p>Old</p>' },
  ],
  [
    'where a page for everybody leads to it',
    {
      '/club/orders': null,
      '/club/profile': null,
      '/club/news': '<a href=/club/people>People</a> <a href=/club/about>About</a>',
    },
  ],
  [
    'where a page for everybody names it as its feed',
    {
      '/club/orders': null,
      '/club/profile': null,
      '/club/news': '<head><link rel=alternate type=application/atom+xml href=/club/people></head><p>News</p>',
    },
  ],
  [
    'that is one program, of which nobody is shown most',
    {
      '/wiki.php?id=team': PEOPLE,
      '/wiki.php?id=team&do=profile': null,
      '/wiki.php?id=news': '<a href="/wiki.php?do=old&amp;id=a:b">Old</a>',
      '/wiki.php?id=a%3Ab&do=old': '<p>Old</p>',
    },
  ],
  [
    'where a form on a page for everybody asks for it',
    {
      '/club/people?q=ida&place=': PEOPLE,
      '/club/orders': null,
      '/club/profile': null,
      '/club/news': '<form action=/club/people><input name=q><select name=place><option value=>all</select></form>',
    },
  ],
  [
    'where a list for everybody leads to others of its kind',
    {
      '/club/people/17?tab=work': PEOPLE,
      '/club/orders': null,
      '/club/profile': null,
      '/club/people/3': '<p>Another</p>',
      '/club/team': '<a href=/club/people/3>One</a>',
    },
  ],
  [
    'where another page, to which everybody is led, shows the same',
    { '/club/orders': null, '/club/profile': null, '/team': PEOPLE, '/club/news': '<a href=/team>Team</a>' },
  ],
])('but not in a folder %s', (_name, pages) => {
  expect(flaws(pages)).toEqual([])
})

test('what the run itself has stored is shown to nobody by mistake', () => {
  const own = '<p>name: qx7e30080b8c test@example.org</p><p>slug: qx9102515e53 too</p>'
  const pages = { '/club/people': own, '/club/orders': null, '/club/profile': null }
  expect(flaws({ '/club/team': own, ...pages }, { '/club/profile': own })).toEqual([])
})

/** Whether `/admin/news` is told as a function for Ida alone, which is answered to Mia as well; `pages`: what else both are shown, null is refused to Mia. */
const told = (
  pages: Readonly<Record<string, string | null>>,
  proof = '/me',
  at = '/admin/news',
  news = '<h1>News of version 6.1</h1><p>Write to ida@post.example, or call 040 12345</p>',
): readonly string[] => {
  const party = (name: string, rank: number | null) =>
    ({
      name,
      role: '',
      rank,
      left: null,
      isNobody: rank === null,
      knows: () => false,
      own: new Map(),
      session: rank === null ? null : { proofAt: `https://shop.test${proof}` },
    }) as unknown as Party
  const [ida, mia, nobody] = [party('ida', 3), party('mia', 1), party('', null)]
  const caseOf = (path: string, text: string | null): Case =>
    caseAt(
      path,
      text ?? `<p>what ${path} holds</p>`,
      ida,
      (shown) =>
        new Map([
          [nobody, REFUSED],
          [mia, text === null ? REFUSED : shown],
        ]),
    )
  const cases = Object.entries({ [at]: news, '/admin/users': null, '/admin/log': null, ...pages }).map(([path, text]) =>
    caseOf(path, text),
  )
  return flawsOf(cases, [ida, mia], nobody)
}

const MENU = '<a href=/admin/news>News</a> <a href=/orders>Orders</a>'

test('a function for few is none where a page for all leads who may not have it there', () => {
  expect(told({ '/orders': '<p>Orders</p>' })).toEqual(['function confirmed'])
  expect(told({ '/orders': '<p>Orders</p>', '/home': MENU })).toEqual([])
})

test('pages for few that let somebody in by mistake lead to each other', () => {
  expect(told({ '/orders': '<p>Orders</p>', '/admin/mail': MENU })).toEqual(['function confirmed'])
})

test('the page of the proof is its own by right, in whatever folder', () => {
  expect(told({ '/orders': '<p>Orders</p>', '/admin/profile': MENU }, '/admin/profile')).toEqual([])
  expect(told({ '/orders': '<p>Orders</p>', '/admin/profile': MENU })).toEqual(['function confirmed'])
})

test('a page that somebody is led to is theirs with a parameter more', () => {
  const menu = '<a href="/admin/admin.php?page=seats">Seats</a> <a href=/orders>Orders</a>'
  const people = '<h1>Seats</h1><p>ida@post.example, 040 12345</p>'
  const ofSeats = (query: string, proof: string) =>
    told({ '/orders': '<p>Orders</p>', '/admin/mine': menu }, proof, `/admin/admin.php?${query}`, people)
  expect(ofSeats('page=seats&sort=row', '/admin/mine')).toEqual([])
  expect(ofSeats('page=seats&sort=row', '/me')).toEqual(['function confirmed'])
  expect(ofSeats('page=seats&action=export', '/admin/mine')).toEqual(['function confirmed'])
  expect(ofSeats('page=staff&sort=row', '/admin/mine')).toEqual(['function confirmed'])
})

test('nor is that page itself for others alone', () => {
  expect(told({ '/orders': '<p>Orders</p>' }, '/admin/news')).toEqual([])
})

test('a folder in which somebody of a lower role has their own page is not for few', () => {
  const pages = { '/orders': '<p>Orders</p>', '/admin/profile': '<p>Mia</p>' }
  expect(told(pages, '/admin/profile')).toEqual([])
  expect(told(pages, '/account/profile')).toEqual(['function confirmed'])
})

test('where nothing is refused, a link that everybody is shown keeps nobody out', () => {
  const open = { '/admin/users': '<p>Users</p>', '/admin/log': '<p>Log</p>' }
  const others = ['orders', 'basket', 'team', 'jobs'].map((name) => [`/${name}`, `<p>${name}</p>`] as const)
  expect(told({ ...open, ...Object.fromEntries(others), '/home': MENU })).toEqual(['function confirmed'])
})

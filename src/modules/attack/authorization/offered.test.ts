/** What nobody has to sign in for is no missing sign-in, whatever else lies beside it. */
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

/** Pages below one folder; a text is what nobody is shown as well, null is refused. `/club/people` is the one in question. */
const flaws = (
  pages: Readonly<Record<string, string | null>>,
  inside: Readonly<Record<string, string>> = {},
): readonly string[] => {
  const mia = {
    ...{ name: 'mia', role: 'member', rank: 1, left: null, knows: () => false },
    own: new Map(),
  } as unknown as Party
  const nobody = { ...{ name: '', role: '', rank: null, isNobody: true }, knows: () => false } as unknown as Party
  const caseOf = (path: string, text: string | null): Case => {
    const [operation] = operationsOf(
      caseCrawl({ requests: [caseRequest({ url: `https://shop.test${path}` })] }),
    ).operations
    if (operation === undefined) throw new Error('no operation')
    const shown = readAnswer(caseAnswer({ path, body: text ?? inside[path] ?? `<p>what ${path} holds</p>` }))
    return {
      ...{ operation, victim: mia, stable: shown.leaves, answers: [shown, shown] },
      asked: {
        request: { method: 'GET', url: `https://shop.test${path}`, headers: [], body: null },
        values: new Map(),
        first: shown,
      },
      replies: new Map([[nobody, (text === null ? { state: 'refused' } : shown) as Reply]]),
    } as unknown as Case
  }
  const cases = Object.entries('/wiki.php?id=team' in pages ? pages : { '/club/people': PEOPLE, ...pages }).map(
    ([path, text]) => caseOf(path, text),
  )
  const [first] = cases
  const world: World = { identities: [mia], nobody, operations: [] }
  return first === undefined
    ? []
    : judgeCase(ctx, first, world, cases).map(({ kind, confidence }) => `${kind} ${confidence}`)
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
])('but not in a folder %s', (_name, pages) => {
  expect(flaws(pages)).toEqual([])
})

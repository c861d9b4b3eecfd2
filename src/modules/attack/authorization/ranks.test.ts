import { expect, test } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { readAnswer } from './answers.ts'
import type { Operation } from './operations.ts'
import type { Asked, Party } from './parties.ts'
import { rankBySight } from './ranks.ts'

const operation = (words: string): Operation => ({ words: words.split(' '), slots: [] }) as unknown as Operation
const PEOPLE = operation('desk people')
const LOG = operation('desk log')
const TRIPS = operation('trips')

const LIST = '<table><tr><td>Nora</td><td>nora@walks.test</td></tr></table>'

/** `pages`: what it is answered to each, null where that is refused. */
const party = (
  role: string,
  pages: readonly (readonly [Operation, string | null])[],
  rank: number | null = 1,
): Party => {
  const own = pages.map(([one, text]): [Operation, Asked] => {
    const first = readAnswer(caseAnswer({ path: '/', status: text === null ? 403 : 200, body: text ?? 'no' }))
    return [one, { request: { url: 'http://walks.test/' }, values: new Map(), first }]
  })
  const knows = (value: string): boolean => role === 'walker' && value === 'nora@walks.test'
  return { role, rank, left: null, own: new Map(own), knows } as unknown as Party
}
const nobody = party(
  '',
  [PEOPLE, LOG, TRIPS].map((one) => [one, null]),
  null,
)
const walker = (trips: string | null = 'My trips', rank = 1): Party =>
  party(
    'walker',
    [
      [PEOPLE, null],
      [LOG, null],
      [TRIPS, trips],
    ],
    rank,
  )
const desk = (people: string | null, trips: string | null = 'All trips', role = 'desk'): Party =>
  party(role, [
    [PEOPLE, people],
    [LOG, 'started'],
    [TRIPS, trips],
  ])

test.each<[string, Party, Party, boolean]>([
  ['is above whom it is shown among the people', desk(LIST), walker(), true],
  ['is not where that is refused to it, too', desk(null), walker(), false],
  ['is not where the others are shown something that is refused to it', desk(LIST, null), walker(), false],
  ['is not where nobody there is the other', desk('<p>Ada, ada@walks.test</p>'), walker(), false],
  ['is not where both are called alike', desk(LIST, 'All', 'Walker'), walker(), false],
  ['is not where words of the roles have told already', desk(LIST), walker('My trips', 2), false],
])('who has a role that no word tells %s', (_name, one, other, above) => {
  rankBySight([one, other], nobody)
  expect((one.rank ?? 0) > (other.rank ?? 0)).toBe(above)
})

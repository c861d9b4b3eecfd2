import { describe, expect, test } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { readAnswer } from './answers.ts'
import type { Case } from './judging.ts'
import type { Party, Reply } from './parties.ts'
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
    expect(isAddition(seenBy(strange), { nobody }, 'sonde1', answer(after))).toBe(is)
  })
})

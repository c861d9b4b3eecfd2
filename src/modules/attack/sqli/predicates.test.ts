import { expect, it } from 'vitest'
import { encodeCookie } from '../insertion-points/body.ts'
import { falsePredicate, malformedPredicate, randomPredicates, truePredicate } from './predicates.ts'

it('every condition arrives as it is in a cookie that nobody decodes, and in a list that is taken apart at commas', () => {
  const texts = Array.from({ length: 40 }, () => [
    ...[truePredicate().text, falsePredicate().text, malformedPredicate()],
    ...randomPredicates(12).map(({ text }) => text),
  ]).flat()
  for (const text of texts) {
    expect(encodeCookie(text)).toBe(text)
    expect(text).not.toMatch(/[ ,]/)
  }
})

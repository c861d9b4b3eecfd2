import { describe, expect, it } from 'vitest'
import { formDecoded, percentDecoded } from './percent.ts'

describe('percent-encoding', () => {
  it.each([
    ['a%20b', 'a b', 'a b'],
    ['a+b', 'a+b', 'a b'],
    ['a%2Bb', 'a+b', 'a+b'],
    ['%2525', '%25', '%25'],
    ['100%', '100%', '100%'],
    ['100%+off', '100%+off', '100%+off'],
    ['%ff+', '%ff+', '%ff+'],
  ])('%s', (text, percent, form) => {
    expect([percentDecoded(text), formDecoded(text)]).toEqual([percent, form])
  })
})

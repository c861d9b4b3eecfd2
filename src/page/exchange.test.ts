import { expect, it } from 'vitest'
import { pageRequest } from './exchange.ts'

it('a page is asked for in one language, the one that is given', () => {
  const languages = (headers: readonly (readonly [string, string])[]) =>
    (pageRequest('http://shop.test/', { headers }).headers ?? []).flatMap(([name, value]) =>
      name.toLowerCase() === 'accept-language' ? [value] : [],
    )
  expect(languages([])).toHaveLength(1)
  expect(languages([['accept-language', 'sv']])).toEqual(['sv'])
})

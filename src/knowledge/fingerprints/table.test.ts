import { expect, test } from 'vitest'
import { literalsOf } from './literal.ts'
import { detect } from './match.ts'
import { allProducts } from './products.ts'
import { productsIn, tableOf } from './table.ts'

const kept = productsIn(JSON.parse(JSON.stringify(tableOf(allProducts()))))

test('products out of a table are those that went into it, with the literals of their patterns', () => {
  const known = allProducts().map((one) => ({
    ...one,
    rules: one.rules.map((rule) => ({ ...rule, literals: literalsOf(rule.pattern) })),
  }))
  expect(known.length).toBeGreaterThan(300)
  expect(kept.map((one) => ({ ...one, rules: one.rules.map((rule) => ({ ...rule })) }))).toEqual(known)
})

test('each is found in its example, with the version that stands there, as from the files', () => {
  for (const [at, product] of kept.entries()) {
    const signals = product.rules.map(({ source, name, example }) => ({
      source,
      name,
      url: 'https://shop.test/',
      text: example,
    }))
    const files = allProducts().slice(at, at + 1)
    expect(detect(signals, [product])).toEqual(detect(signals, files))
  }
})

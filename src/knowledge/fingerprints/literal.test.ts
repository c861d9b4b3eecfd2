import { expect, test } from 'vitest'
import { literalsOf, mayMatch } from './literal.ts'
import { allProducts } from './products.ts'

test.each<[RegExp, readonly string[]]>([
  [/^nginx(?:\/(\d+))?/i, ['nginx']],
  [/Powered by WordPress/, ['powered by wordpress']],
  [/jquery[.-](\d+)\.min\.js/i, ['.min.js']],
  // Alternatives: one of them is enough, whichever; of one that has none, nothing is known of all.
  [/drupal|joomla\/(\d+)/, ['drupal', 'joomla/']],
  [/drupal|\d+/, []],
  [/drupal|/, []],
  [/drupal|caf\u00e9/, []],
  [/^(?:drupal|joomla) site/, [' site']],
  // A character that may be absent is none.
  [/colou?r/, ['colo']],
  [/colou*/, ['colo']],
  [/ab{0,1}cde/, ['cde']],
  [/ab{2}c/, ['a']],
  [/abc+d/, ['abc']],
  // A class may hold brackets, and a group a class with one.
  [/[(]typo3[\])]/, ['typo3']],
  [/(?:a[)]b)shop/, ['shop']],
  [/\/wp-content\/(?!themes\()x/, ['/wp-content/']],
  // Notations of characters, and what a group held.
  [/caf\u00e9 bar/, []],
  [/(a)\1bcd/, []],
  [/\bdjango\b/, ['django']],
  // Brackets that are none.
  [/x{y}zz/, ['y}zz']],
  // Foldings: the long s is an s to the one and not to the other.
  [/shopware/iu, []],
  [/café au lait/, [' au lait']],
])('%s', (pattern, literals) => expect(literalsOf(pattern)).toEqual(literals))

test('of no rule is it missing in what the rule matches', () => {
  const rules = allProducts().flatMap((product) => product.rules)
  const wrong = rules.filter(
    ({ pattern, example }) => pattern.test(example) && !mayMatch(literalsOf(pattern), example.toLowerCase()),
  )
  expect(wrong).toEqual([])
  // And most rules have one, else it spares nothing.
  expect(
    rules.filter(({ pattern }) => literalsOf(pattern).some((literal) => literal.length > 2)).length / rules.length,
  ).toBeGreaterThan(0.85)
})

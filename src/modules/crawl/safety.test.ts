import { expect, it } from 'vitest'
import { harmOf, harmOfAddress, isSearch } from './safety.ts'

it.each([
  ['log out', '/logout'],
  ['log out in camel case', '/api/logOut'],
  ['log out behind a parameter', '/?action=sign-out'],
  ['in German', '/konto/abmelden'],
  ['percent-coded', '/log%6Fut'],
  ['delete', '/users/3/delete'],
  ['delete with a suffix', '/items?do=deleteall'],
  ['remove', '/cart/remove/4'],
  ['put into the cart', '/cart/add?id=1'],
  ['buy', '/buy-now/3'],
  ['place an order', '/checkout/confirm'],
  ['unsubscribe', '/newsletter/unsubscribe?u=1'],
  ['reset', '/settings/reset'],
])('harmful: %s', (_name, path) => {
  expect(harmOfAddress(`https://shop.test${path}`)).not.toBeNull()
})

it.each([
  ['start', '/'],
  ['cart to look at', '/cart'],
  ['checkout to look at', '/checkout'],
  ['orders to look at', '/orders/12'],
  ['blog about logistics', '/blog/logistics-outlook'],
  ['model that holds a word', '/product/delta-dropper'],
  ['payments help', '/help/payments'],
  ['cancellation terms', '/cancellation-policy'],
])('harmless: %s', (_name, path) => {
  expect(harmOfAddress(`https://order.test${path}`)).toBeNull()
})

it('labels count as addresses do', () => {
  expect(harmOf('Delete my account')).toBe('it deletes')
  expect(harmOf('Jetzt kaufen')).toBe('it buys or pays')
  expect(harmOf('Show more')).toBeNull()
})

it.each([
  ['search field', '/x', [['q', 'text']], true],
  [
    'search place',
    '/search',
    [
      ['word', 'text'],
      ['kind', 'select'],
    ],
    true,
  ],
  [
    'contact form',
    '/contact',
    [
      ['name', 'text'],
      ['message', 'textarea'],
    ],
    false,
  ],
  [
    'login',
    '/login',
    [
      ['user', 'text'],
      ['pass', 'password'],
    ],
    false,
  ],
  ['newsletter at a search place', '/search', [['email', 'email']], false],
  ['button alone', '/search', [['go', 'submit']], false],
] as const)('search: %s', (_name, path, fields, expected) => {
  expect(
    isSearch(
      `https://shop.test${path}`,
      fields.map(([name, type]) => ({ name, type })),
    ),
  ).toBe(expected)
})

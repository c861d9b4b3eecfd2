import { expect, it } from 'vitest'
import { pageKindOf } from './page-kind.ts'

it.each([
  ['card number field', '/x', '<input name=cardnumber>', false, 'payment'],
  ['card by autocomplete', '/x', '<form><input autocomplete="billing cc-number"></form>', false, 'payment'],
  ['payment path', '/order/payment', '', false, 'payment'],
  ['a word that begins like pay', '/payload', '', false, 'plain'],
  ['checkout', '/checkout/step-2', '', false, 'checkout'],
  ['password field', '/', '<input type=password>', false, 'login'],
  ['login path', '/account/sign-in', '', false, 'login'],
  ['logout link with credentials', '/account', '<a href=/bye>Sign out</a>', true, 'authenticated'],
  ['logout link without credentials', '/account', '<a href=/bye>Sign out</a>', false, 'plain'],
  ['contact form', '/contact', '<form method=post><textarea name=m></textarea></form>', false, 'form'],
  ['search alone', '/', '<form><input name=q></form>', false, 'plain'],
  ['two fields asked with get', '/', '<form><input name=a><input name=b></form>', false, 'form'],
  ['nothing', '/', '<p>Hello</p>', false, 'plain'],
])('%s', (_name, path, html, signedIn, expected) => {
  expect(pageKindOf(`https://shop.test${path}`, html, signedIn)).toBe(expected)
})

import { expect, it } from 'vitest'
import type { ConsentWords } from '../../../knowledge/consent/label.ts'
import { subpagesOf } from './pages.ts'

/** Of no language: every label means nothing. */
const WORDS: ConsentWords = {
  ...{ roleOf: () => null, speaksOfConsent: () => false, namesCookies: () => false },
  ...{ asksToPay: () => false, meansNecessary: () => false, policyOf: () => null },
}
const START = 'https://shop.test/'

it.each([
  ['a page', '/about', 'About', true],
  ['where people type', '/contact', 'Contact', true],
  ['the cart', '/cart', 'Cart', false],
  ['a session is ended', '/x', 'Sign out', false],
  ['something is emptied', '/lists/4/clear', 'x', false],
  ['a switch', '/notes?action=trash&id=4', 'x', false],
  ['by a token of its own', '/notes/4/open-to?token=46abf01197cbce240c9089002e4978d1553ab20b', 'x', false],
  ['another host', 'https://other.test/about', 'About', false],
])('further pages: %s', (_name, path, label, visited) => {
  const url = new URL(path, START).href
  expect(subpagesOf([{ url, label }], START, WORDS, 5)).toEqual(visited ? [url] : [])
})

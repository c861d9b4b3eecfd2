/** Parameters that semicolons set apart are parameters; a value that holds one is a value. */
import { expect, it } from 'vitest'
import { withAmpersands } from './query.ts'

it.each([
  ['/?p=alpha.git;a=blob;f=src/m1.c', '/?p=alpha.git&a=blob&f=src/m1.c'],
  ['/mt.cgi?__mode=view;blog_id=1;#top', '/mt.cgi?__mode=view&blog_id=1#top'],
  ['/x?a=;b=2', '/x?a=&b=2'],
])('%s', (given, to) => {
  expect(withAmpersands(`http://shop.test${given}`)).toBe(`http://shop.test${to}`)
})

it.each([
  '/',
  '/x?a=1&b=2',
  '/x?a=1&amp;b=2',
  '/x?q=tents;packs',
  '/x?filter=a=1;b=2',
  '/x;v=1?a=1',
  '/x?a=1#b=2;c=3',
  '/x#/y?a=1;b=2',
  '/x?a=1;',
])('%s stays as it is', (address) => {
  expect(withAmpersands(`http://shop.test${address}`)).toBe(`http://shop.test${address}`)
})

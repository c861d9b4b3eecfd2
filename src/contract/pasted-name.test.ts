import { expect, test } from 'vitest'
import { pastedName, pastedStart } from './pasted-name.ts'

test.each([
  ['shop.example', 'shop.example'],
  ['  https://shop.example/basket?id=1#top\n', 'shop.example'],
  ['HTTPS://Shop.Example', 'shop.example'],
  ['https://shop.example:443/', 'shop.example'],
  ['http://shop.example:8080/', 'shop.example:8080'],
  ['shop.example/basket', 'shop.example'],
  ['shop.example:8080/', 'shop.example:8080'],
  ['shop.example:8080', 'shop.example:8080'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['https://me:secret@shop.example/', 'https://me:secret@shop.example/'],
  ['ftp://shop.example/', 'ftp://shop.example/'],
  ['https://', 'https://'],
  ['a b/c', 'a b/c'],
])('%j is %j', (text, name) => {
  expect(pastedName(text)).toBe(name)
})

test.each([
  ['https://shop.example.com/wiki/?p=1#top', '/wiki/?p=1'],
  ['shop.example.com/wiki', '/wiki'],
  ['https://shop.example.com/', null],
  ['shop.example.com', null],
  ['https://me@shop.example.com/wiki', null],
])('who pastes %s begins at %s', (text, start) => {
  expect(pastedStart(text)).toBe(start)
})

import { expect, test } from 'vitest'
import { pastedName } from './pasted-name.ts'

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

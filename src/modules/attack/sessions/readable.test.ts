import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { readableOf } from './readable.ts'

const base = (text: string): string => Buffer.from(text).toString('base64')
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

it.each([
  ['a number', '7', '8', '8'],
  ['the name', 'ada', 'root', 'root'],
  ['an address', 'ada%40shop.test', 'root', 'root'],
  ['a number in Base64', encodeURIComponent(base('7')), '8', encodeURIComponent(base('8'))],
  [
    'an address in hexadecimal',
    Buffer.from('ada@shop.test').toString('hex'),
    'eve',
    Buffer.from('eve').toString('hex'),
  ],
  ['a part of it', '7|member', '8', '8|member'],
  ['a member', base('{"user":"ada","lang":"en"}'), 'root', base('{"user":"root","lang":"en"}')],
  ['a pair', 'lang=3&uid=7', '8', 'lang=3&uid=8'],
  ['a hash of the name', md5('ada'), 'root', md5('root')],
  ['a hash of a number', md5('7'), '8', md5('8')],
])('%s is read, and written for another', (_name, value, other, expected) => {
  expect(readableOf(value, 'ada@shop.test')?.naming(other)).toBe(expected)
})

it.each([
  ['a random identifier', '0f8b5c9de3a74e0f9b2f4c1d7a6e5b3c'],
  ['a signed token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.4pcPyMD09olPSyXnrXCjTwXyr4BsezdI1AVTmud2fU4'],
  ['a time', '1795834696402'],
  ['a word', 'light'],
  ['nothing', ''],
])('%s names nobody', (_name, value) => {
  expect(readableOf(value, 'ada@shop.test')).toBeNull()
})

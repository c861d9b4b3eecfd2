import { expect, test } from 'vitest'
import { reverseName } from './reverse-name.ts'

test.each([
  ['192.0.2.25', '25.2.0.192.in-addr.arpa'],
  ['::ffff:192.0.2.25', '25.2.0.192.in-addr.arpa'],
  // RFC 3596, 2.5
  ['4321:0:1:2:3:4:567:89ab', 'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa'],
])('%s', (address, name) => expect(reverseName(address)).toBe(name))

test('what is no address has none', () => expect(() => reverseName('mx.shop.test')).toThrow())

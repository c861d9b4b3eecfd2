import { describe, expect, test } from 'vitest'
import { canonicalHost } from '../dns/resolve.ts'
import { createGuard } from './guard.ts'

const guard = createGuard({ allowNetworks: [], ownAddresses: ['198.41.0.4', '2001:500:2::c'] })

const refused: [trick: string, address: string][] = [
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private 10/8, first', '10.0.0.0'],
  ['private 10/8, last', '10.255.255.255'],
  ['shared, first', '100.64.0.0'],
  ['shared, last', '100.127.255.255'],
  ['metadata in shared space', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['loopback, far end', '127.255.255.254'],
  ['link-local', '169.254.0.1'],
  ['cloud metadata', '169.254.169.254'],
  ['container metadata', '169.254.170.2'],
  ['metadata at a public address', '168.63.129.16'],
  ['private 172.16/12, first', '172.16.0.0'],
  ['private 172.16/12, last', '172.31.255.255'],
  ['protocol assignments', '192.0.0.1'],
  ['metadata in protocol assignments', '192.0.0.192'],
  ['documentation 1', '192.0.2.1'],
  ['documentation 2', '198.51.100.255'],
  ['documentation 3', '203.0.113.7'],
  ['6to4 relay', '192.88.99.1'],
  ['private 192.168/16', '192.168.1.1'],
  ['benchmarking, first', '198.18.0.0'],
  ['benchmarking, last', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['multicast, last', '239.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['own address', '198.41.0.4'],
  ['v6 unspecified', '::'],
  ['v6 loopback', '::1'],
  ['v6 loopback, long', '0000:0000:0000:0000:0000:0000:0000:0001'],
  ['v4-compatible', '::8.8.8.8'],
  ['v4-mapped loopback', '::ffff:127.0.0.1'],
  ['v4-mapped loopback in hexadecimal', '::ffff:7f00:1'],
  ['v4-mapped private', '::ffff:10.0.0.1'],
  ['v4-mapped metadata', '::ffff:a9fe:a9fe'],
  ['NAT64 of loopback', '64:ff9b::7f00:1'],
  ['NAT64 of metadata', '64:ff9b::169.254.169.254'],
  ['NAT64 of a platform service', '64:ff9b::a83f:8110'],
  ['NAT64 of private', '64:ff9b::192.168.0.1'],
  ['NAT64, local use', '64:ff9b:1::808:808'],
  ['v4-translated (SIIT)', '::ffff:0:808:808'],
  ['discard-only', '100::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['benchmarking', '2001:2::1'],
  ['ORCHID', '2001:10::1'],
  ['ORCHIDv2', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['new documentation', '3fff::1'],
  ['6to4 of a private address', '2002:a00:1::1'],
  ['6to4 of a public address', '2002:808:808::1'],
  ['unique local fc', 'fc00::1'],
  ['unique local fd', 'fd12:3456:789a::1'],
  ['metadata v6', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local, last', 'febf:ffff::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['segment routing', '5f00::1'],
  ['not allocated', '4000::1'],
  ['NAT64 of the own address', '64:ff9b::198.41.0.4'],
  ['NAT64 of the own address in hexadecimal', '64:ff9b::c629:4'],
  ['NAT64 of the own address, local use', '64:ff9b:1::c629:4'],
  ['mapped form of the own address', '::ffff:198.41.0.4'],
  ['compatible form of the own address', '::198.41.0.4'],
  ['translated form of the own address', '::ffff:0:c629:4'],
  ['6to4 of the own address', '2002:c629:4::1'],
  ['Teredo of the own address', '2001:0:4136:e378:8000:63bf:39d6:fffb'],
  ['NAT64 of benchmarking', '64:ff9b::198.18.0.1'],
  ['NAT64 of multicast', '64:ff9b::224.0.0.1'],
  ['own address v6', '2001:500:2:0:0:0:0:c'],
  ['not an address', 'localhost'],
  ['octal, as text', '0177.0.0.1'],
  ['decimal, as text', '2130706433'],
  ['empty', ''],
]

test.each(refused)('refused: %s', (_, address) => {
  expect(guard.judge(address)).toMatchObject({ allowed: false, reason: expect.stringMatching(/./) })
})

const allowed: [trick: string, address: string, dialled: string][] = [
  ['public', '8.8.8.8', '8.8.8.8'],
  ['below 10/8', '9.255.255.255', '9.255.255.255'],
  ['above 10/8', '11.0.0.0', '11.0.0.0'],
  ['below shared', '100.63.255.255', '100.63.255.255'],
  ['above shared', '100.128.0.0', '100.128.0.0'],
  ['below 172.16/12', '172.15.255.255', '172.15.255.255'],
  ['above 172.16/12', '172.32.0.0', '172.32.0.0'],
  ['above benchmarking', '198.20.0.0', '198.20.0.0'],
  ['last unicast', '223.255.255.255', '223.255.255.255'],
  ['v6', '2606:4700::6810:84e5', '2606:4700::6810:84e5'],
  ['v6 in brackets', '[2a00:1450:4001:81b::200e]', '2a00:1450:4001:81b::200e'],
  ['mapped public is dialled as IPv4', '::ffff:8.8.8.8', '8.8.8.8'],
  ['NAT64 of a public address', '64:ff9b::808:808', '64:ff9b::808:808'],
  ['above Teredo and protocol assignments', '2001:200::1', '2001:200::1'],
]

test.each(allowed)('allowed: %s', (_, address, dialled) => {
  expect(guard.judge(address)).toEqual({ allowed: true, address: dialled })
})

const opened: [trick: string, networks: string[], address: string, allowed: boolean][] = [
  ['inside the network', ['10.1.0.0/16'], '10.1.2.3', true],
  ['mapped form of an opened address', ['127.0.0.0/8'], '::ffff:127.0.0.9', true],
  ['outside the network', ['10.1.0.0/16'], '10.2.0.1', false],
  ['a single address', ['10.0.0.5'], '10.0.0.5', true],
  ['beside the single address', ['10.0.0.5'], '10.0.0.6', false],
  ['v6 network', ['fd00:1::/32'], 'fd00:1::1', true],
  ['a broad network does not open metadata', ['0.0.0.0/0'], '169.254.169.254', false],
  ['metadata takes its own address', ['169.254.169.254/32'], '169.254.169.254', true],
  ['v4 network does not open NAT64 of it', ['127.0.0.0/8'], '64:ff9b::7f00:1', false],
  ['NAT64 opened, but not what it leads to: metadata', ['64:ff9b::/96'], '64:ff9b::a9fe:a9fe', false],
  ['6to4 opened, but not what it leads to: metadata', ['2002::/16'], '2002:a9fe:a9fe::1', false],
  ['local NAT64 opened, but not what it leads to: metadata', ['64:ff9b:1::/48'], '64:ff9b:1::a9fe:a9fe', false],
  ['own address when its network is opened', ['198.41.0.0/24'], '198.41.0.4', true],
]

test.each(opened)('opened: %s', (_, allowNetworks, address, expected) => {
  const made = createGuard({ allowNetworks, ownAddresses: ['198.41.0.4'] })
  expect(made.judge(address).allowed).toBe(expected)
})

test.each(['10.0.0.0/33', 'example.com/8', '', '10.0.0/8x'])('a bad network stops start-up: %j', (network) => {
  expect(() => createGuard({ allowNetworks: [network] })).toThrow(RangeError)
})

test('an inner address is named with what is wrong with it', () => {
  const reasons = ['64:ff9b::198.41.0.4', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe'].map((address) =>
    guard.judge(address),
  )
  expect(reasons).toMatchObject([
    { reason: "leads to 198.41.0.4: this machine's own address" },
    { reason: 'leads to 127.0.0.1: loopback (RFC 1122)' },
    { reason: 'leads to 169.254.169.254: cloud metadata service' },
  ])
})

test('knows the addresses of this machine', () => {
  expect(createGuard({ allowNetworks: [] }).judge('127.0.0.1').allowed).toBe(false)
})

describe('spellings of 127.0.0.1 in a URL', () => {
  const spellings = [
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
  ]
  test.each(spellings)('%s', (spelling) => {
    const host = canonicalHost(new URL(`http://${spelling}/`).hostname)
    expect(guard.judge(host)).toMatchObject({ allowed: false, address: '127.0.0.1' })
    expect(guard.judge(canonicalHost(spelling))).toMatchObject({ allowed: false, address: '127.0.0.1' })
  })
  test.each(['a b', 'a/b', 'a:80', 'user@host', 'a?b', 'a#b', '', '[::1', '256.256.256.256', '1.2.3.4.5'])(
    'no name: %j',
    (text) => {
      expect(() => canonicalHost(text)).toThrow(expect.objectContaining({ code: 'unresolvable' }))
    },
  )
})

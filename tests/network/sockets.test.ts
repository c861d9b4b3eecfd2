/** Every function that opens a socket, with every way it can fail: each ends as an error of egress, none ends the process. */
import { describe, expect, test } from 'vitest'
import { hasNamespaces, inNamespace, NEEDS } from '../support/namespace.ts'

const network = [
  'ip route add unreachable 198.51.100.0/24',
  'ip route add prohibit 192.0.2.0/24',
  'ip route add blackhole 198.18.0.0/15',
]

const found = async (args: readonly string[], files?: number): Promise<Readonly<Record<string, string>>> => {
  const inside = { network, deadline: 100_000, ...(files === undefined ? {} : { files }) }
  const { code, signal, out, err } = await inNamespace('sockets.ts', args, inside)
  expect({ code, signal }, err).toEqual({ code: 0, signal: null })
  return JSON.parse(out)
}

const NO_ROUTE = 'unreachable, no route'
const REFUSED = {
  'no IPv6 route': NO_ROUTE,
  'no IPv4 route': NO_ROUTE,
  unreachable: 'unreachable',
  prohibited: 'unreachable',
  blackhole: NO_ROUTE,
  broadcast: NO_ROUTE,
  'nobody listens': 'unreachable',
  'a name': 'protocol',
  nothing: 'protocol',
  'a port that is none': 'protocol',
  'stopped before': 'aborted',
  'stopped after': 'aborted',
}
const named = (way: string, outcomes: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(outcomes).map(([which, outcome]) => [`${way}: ${which}`, outcome]))
const swept = (way: string) =>
  named(way, {
    ...Object.fromEntries(
      ['no IPv6 route', 'no IPv4 route', 'unreachable', 'prohibited', 'blackhole', 'broadcast'].map((which) => [
        which,
        'unreachable',
      ]),
    ),
    'nobody listens': 'closed',
  })

describe.runIf(hasNamespaces())(`sockets ${NEEDS}`, () => {
  test('every way out, with every refusal of the system', { timeout: 110_000 }, async () => {
    const all = await found([])
    expect(all).toMatchObject({
      ...named('dial', REFUSED),
      ...named('connected UDP', REFUSED),
      // Without a connected socket the system does not tell of a port that is closed.
      ...named('unconnected UDP', { ...REFUSED, 'nobody listens': 'timeout' }),
      ...named('UDP that listens for a while', REFUSED),
      ...swept('sweep by handle'),
      ...swept('sweep by socket'),
    })
    const routes = ['no IPv6 route', 'no IPv4 route', 'unreachable', 'prohibited', 'blackhole', 'broadcast']
    expect(routes.map((which) => all[`route: ${which}`])).toEqual(routes.map(() => 'false'))
    expect(all['route: nobody listens']).toBe('true')
    expect(all).toMatchObject({
      'late error of a socket': 'closed',
      'reset of a socket': 'closed',
      'TLS: stopped before': 'aborted',
      'TLS: a cipher list that is none': 'protocol',
      'TLS: the peer goes': 'protocol',
      'request: a header that is none': 'protocol',
      'listening over HTTP where somebody does': expect.stringContaining('EADDRINUSE'),
      'listening over UDP at nobody’s address': expect.stringContaining('EADDRNOTAVAIL'),
    })
  })

  test('without descriptors every way out says so, and goes on when there are some', { timeout: 110_000 }, async () => {
    const all = await found(['files'], 120)
    const { 'descriptors again': after, ...without } = all
    expect(Object.keys(without)).toHaveLength(8)
    expect(new Set(Object.values(without))).toEqual(new Set(['exhausted']))
    expect(after).toBe('unreachable')
  })
})

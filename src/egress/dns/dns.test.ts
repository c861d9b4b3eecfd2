import packet from 'dns-packet'
import { describe, expect, test } from 'vitest'
import { benches } from '../testing/benches.ts'
import { type DnsListening, encodeReply, listenDns } from '../testing/dns-server.ts'
import { answering, ok } from '../testing/servers.ts'
import { parseServer, systemServers } from './dns.ts'

const { closing, bench } = benches()
const dns = async (...args: Parameters<typeof listenDns>): Promise<DnsListening> => {
  const made = await listenDns(...args)
  closing.push(made.close)
  return made
}

const a = (name: string, data: string): packet.Answer => ({ type: 'A', name, data, ttl: 60 })

describe('questions', () => {
  test('plain records, DNSSEC and flags', async () => {
    const server = await dns((question) => ({
      flags: packet.AUTHORITATIVE_ANSWER | packet.AUTHENTIC_DATA,
      answers:
        question.type === 'TXT'
          ? [{ type: 'TXT', name: question.name, data: ['v=spf1 ', '-all'], ttl: 5 }]
          : [
              {
                type: 'DS',
                name: question.name,
                data: { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.from('ab') },
              },
            ],
    }))
    const { egress, entries } = bench({ settings: { resolvers: [server.server] } })
    const txt = await egress.dns({ name: 'example.com', type: 'TXT' })
    expect(txt).toMatchObject({ rcode: 'NOERROR', authoritative: true, authenticated: true, server: server.server })
    expect(txt.answers).toMatchObject([{ name: 'example.com', type: 'TXT', ttl: 5, data: ['v=spf1 ', '-all'] }])
    const ds = await egress.dns({
      name: 'example.com',
      type: 'DS',
      dnssec: true,
      checkingDisabled: true,
      recursive: false,
    })
    expect(ds.answers[0]?.data).toMatchObject({ keyTag: 1, digest: Buffer.from('ab').toString('base64') })
    expect(server.asked[0]?.query).toMatchObject({ flag_rd: true, flag_cd: false })
    const second = server.asked[1]?.query
    expect(second).toMatchObject({ flag_rd: false, flag_cd: true })
    expect(second?.additionals?.[0]).toMatchObject({ type: 'OPT', flag_do: true, udpPayloadSize: 1232 })
    expect(entries.filter(({ event }) => event === 'dns')).toHaveLength(2)
  })

  test('an answer that does not fit is asked for over TCP', async () => {
    const many = Array.from({ length: 300 }, (_, index) => a('big.example', `192.0.2.${index % 250}`))
    const server = await dns((_, transport) =>
      transport === 'udp' ? { flags: packet.TRUNCATED_RESPONSE } : { answers: many },
    )
    const { egress } = bench({ settings: { resolvers: [server.server] } })
    expect((await egress.dns({ name: 'big.example', type: 'A' })).answers).toHaveLength(300)
    expect(server.asked.map(({ transport }) => transport)).toEqual(['udp', 'tcp'])
  })

  test('a server from before EDNS0 is asked without it', async () => {
    const server = await dns((_, __, query) =>
      query.additionals?.length ? { rcode: 1 } : { answers: [a('x.example', '192.0.2.1')] },
    )
    const { egress } = bench({ settings: { resolvers: [server.server] } })
    expect((await egress.dns({ name: 'x.example', type: 'A' })).answers).toHaveLength(1)
  })

  test('forged answers are not heard: another id, another question, garbage', async () => {
    const server = await dns((question, _, query) => [
      encodeReply({ ...query, id: (query.id ?? 0) ^ 1 }, { answers: [a(question.name, '192.0.2.66')] }),
      encodeReply(
        { ...query, questions: [{ type: 'A', name: 'other.example' }] },
        { answers: [a(question.name, '192.0.2.66')] },
      ),
      Buffer.from('not DNS at all'),
      encodeReply(query, { answers: [a(question.name, '192.0.2.1')] }),
    ])
    const { egress } = bench({ settings: { resolvers: [server.server] } })
    expect((await egress.dns({ name: 'x.example', type: 'A' })).answers[0]?.data).toBe('192.0.2.1')
  })

  test('the next server is asked when one fails, and the error of the last is kept', async () => {
    const failing = await dns(() => ({ rcode: 2 }))
    const good = await dns((question) => ({ answers: [a(question.name, '192.0.2.1')] }))
    const both = bench({ settings: { resolvers: [failing.server, good.server] } })
    expect((await both.egress.dns({ name: 'x.example', type: 'A' })).rcode).toBe('NOERROR')
    const one = bench({ settings: { resolvers: [failing.server] } })
    expect((await one.egress.dns({ name: 'x.example', type: 'A' })).rcode).toBe('SERVFAIL')
  })

  test('silence ends at the timeout', async () => {
    const server = await dns(() => null)
    const { egress } = bench({ settings: { resolvers: [server.server] } })
    await expect(egress.dns({ name: 'x.example', type: 'A', timeout: 200 })).rejects.toMatchObject({ code: 'timeout' })
  })

  test('listed names never leave the machine; other servers pass the guard', async () => {
    const server = await dns((question) => ({ answers: [a(question.name, '192.0.2.1')] }))
    const { egress } = bench({
      settings: { resolvers: [server.server], allowNetworks: [], hosts: { 'shop.test': ['127.0.0.9', '::1'] } },
    })
    expect((await egress.dns({ name: 'Shop.test.', type: 'A' })).answers.map(({ data }) => data)).toEqual(['127.0.0.9'])
    expect((await egress.dns({ name: 'shop.test', type: 'AAAA' })).answers.map(({ data }) => data)).toEqual(['::1'])
    expect(server.asked).toHaveLength(0)
    // The operator's own resolver may lie anywhere; another server on the same address may not.
    expect((await egress.dns({ name: 'x.example', type: 'A', server: server.server })).answers).toHaveLength(1)
    for (const refused of ['127.0.0.1', '127.0.0.1:5353', '10.0.0.53', '[::1]:53', '169.254.169.253']) {
      await expect(egress.dns({ name: 'x.example', type: 'A', server: refused })).rejects.toMatchObject({
        code: 'refused_by_guard',
      })
    }
    await expect(egress.dns({ name: 'x.example', type: 'A', server: 'ns.example' })).rejects.toMatchObject({
      code: 'unresolvable',
    })
  })
})

describe('names to addresses', () => {
  test('rebinding: the second answer changes nothing', async () => {
    let asked = 0
    const site = await answering(ok('the first'), '127.0.0.3')
    closing.push(site.close)
    const server = await dns((question) => {
      if (question.type !== 'A') return {}
      asked += 1
      return {
        answers: [{ ...a(question.name, asked === 1 ? '127.0.0.3' : '169.254.169.254'), ttl: 0 } as packet.Answer],
      }
    })
    const { run, egress } = bench({ settings: { resolvers: [server.server] } })
    const second = run.forModule('second', { requests: 10, signal: new AbortController().signal })
    for (const door of [egress, second, egress]) {
      const exchange = await door.http({ url: `http://rebind.example:${site.port}/` })
      expect(exchange).toMatchObject({ address: '127.0.0.3', status: 200 })
    }
    expect(await egress.resolve('REBIND.example.')).toEqual({
      name: 'rebind.example',
      addresses: ['127.0.0.3'],
      source: 'dns',
    })
    expect(asked).toBe(1)
  })

  const forbidden = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.1.1', '100.100.100.200', '0.0.0.0']
  test.each(forbidden)('a name that points at %s is refused by every way out', async (address) => {
    const server = await dns((question) => (question.type === 'A' ? { answers: [a(question.name, address)] } : {}))
    const { egress, entries } = bench({ settings: { resolvers: [server.server], allowNetworks: [] } })
    const host = 'evil.example'
    const ways = [
      egress.http({ url: `http://${host}/` }),
      egress.http({ url: `https://${host}/` }),
      egress.connect({ host, port: 22 }),
      egress.tls({ host, port: 443 }),
      egress.datagram({ host, port: 53, payload: Buffer.from('x') }),
    ]
    for (const way of await Promise.allSettled(ways)) {
      expect(way).toMatchObject({ status: 'rejected', reason: { code: 'refused_by_guard' } })
    }
    expect(entries.filter(({ event }) => event === 'refused')).toHaveLength(5)
  })

  test('a mixed answer: only the allowed address is dialled', async () => {
    const site = await answering(ok('x'), '127.0.0.4')
    closing.push(site.close)
    const server = await dns((question) =>
      question.type === 'A' ? { answers: [a(question.name, '169.254.169.254'), a(question.name, '127.0.0.4')] } : {},
    )
    const { egress } = bench({ settings: { resolvers: [server.server] } })
    expect((await egress.http({ url: `http://mixed.example:${site.port}/` })).address).toBe('127.0.0.4')
  })

  test('follows aliases, ignores records beside the chain', async () => {
    const server = await dns((question) =>
      question.type === 'A'
        ? {
            answers: [
              { type: 'CNAME', name: question.name, data: 'cdn.example', ttl: 1 },
              { type: 'CNAME', name: 'CDN.example', data: 'edge.example', ttl: 1 },
              a('beside.example', '192.0.2.66'),
              a('edge.example', '192.0.2.7'),
            ],
          }
        : {},
    )
    const { egress } = bench({ settings: { resolvers: [server.server] } })
    expect((await egress.resolve('www.example')).addresses).toEqual(['192.0.2.7'])
  })

  const failures: [trick: string, zone: Parameters<typeof encodeReply>[1], message: RegExp][] = [
    ['NXDOMAIN', { rcode: 3 }, /NXDOMAIN/],
    ['SERVFAIL', { rcode: 2 }, /SERVFAIL/],
    ['no records', {}, /no address/],
    ['a circle of aliases', { answers: [{ type: 'CNAME', name: 'x.example', data: 'x.example' }] }, /no address/],
  ]
  test.each(failures)('%s', async (_, zone, message) => {
    const server = await dns(() => zone)
    const { egress } = bench({ settings: { resolvers: [server.server] } })
    const error = await egress.http({ url: 'http://x.example/' }).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'unresolvable', message: expect.stringMatching(message) })
  })

  test('localhost never leaves the machine, whatever the resolver says', async () => {
    const { egress } = bench({ settings: { allowNetworks: [] } })
    for (const name of ['localhost', 'x.localhost', 'LOCALHOST.']) {
      expect((await egress.resolve(name)).addresses).toEqual(['127.0.0.1', '::1'])
      await expect(egress.http({ url: `http://${name}/` })).rejects.toMatchObject({ code: 'refused_by_guard' })
    }
  })
})

test('addresses of servers', () => {
  expect(parseServer('192.0.2.1')).toEqual({ address: '192.0.2.1', port: 53 })
  expect(parseServer('192.0.2.1:5353')).toEqual({ address: '192.0.2.1', port: 5353 })
  expect(parseServer('2001:db8::1')).toEqual({ address: '2001:db8::1', port: 53 })
  expect(parseServer('[2001:db8::1]:5353')).toEqual({ address: '2001:db8::1', port: 5353 })
  for (const bad of ['', 'dns.example', '192.0.2.1:0', '192.0.2.1:70000', '1.2.3'])
    expect(() => parseServer(bad)).toThrow(RangeError)
  expect(systemServers('/nonexistent/resolv.conf')).toEqual([{ address: '127.0.0.1', port: 53 }])
})

describe('names of the static table', () => {
  const hosts = { 'shop.test': ['127.0.0.1'] }

  test('are asked from resolvers that the operator named', async () => {
    const server = await dns((question) => ({ answers: [{ type: 'TXT', name: question.name, data: ['v=spf1 -all'] }] }))
    const { egress } = bench({ settings: { hosts, resolvers: [server.server] } })
    expect((await egress.dns({ name: 'shop.test', type: 'TXT' })).answers).toHaveLength(1)
    expect((await egress.dns({ name: '_dmarc.shop.test', type: 'TXT' })).server).toBe(server.server)
  })

  test('are never told to the system’s', async () => {
    const { egress } = bench({ settings: { hosts, resolvers: [] } })
    expect(await egress.dns({ name: 'shop.test', type: 'TXT' })).toMatchObject({ server: 'hosts', rcode: 'NOERROR' })
    expect(await egress.dns({ name: '_dmarc.Shop.test.', type: 'TXT' })).toMatchObject({
      server: 'hosts',
      rcode: 'NXDOMAIN',
    })
    expect(await egress.dns({ name: 'www.shop.test', type: 'A' })).toMatchObject({ server: 'hosts', rcode: 'NXDOMAIN' })
    for (const name of ['www.shop.test', 'a.b.SHOP.test.']) {
      await expect(egress.resolve(name)).rejects.toMatchObject({
        code: 'unresolvable',
        message: expect.stringContaining('table of names'),
      })
    }
  })

  test('and those below them are resolved by the ones that the operator named', async () => {
    const server = await dns((question) => ({ answers: [{ type: 'A', name: question.name, data: '192.0.2.9' }] }))
    const { egress } = bench({ settings: { hosts, resolvers: [server.server] } })
    expect((await egress.resolve('www.shop.test')).addresses).toContain('192.0.2.9')
  })
})

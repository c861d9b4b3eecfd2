import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostsOf } from '../src/contract/domain-host.ts'
import { judgeModule } from '../src/engine/judge.ts'
import { collectNameservers } from '../src/modules/network/nameservers/collect.ts'
import { nameservers } from '../src/modules/network/nameservers/module.ts'
import { askTransfer } from '../src/modules/network/nameservers/transfer.ts'
import { collectDns } from '../src/modules/passive/dns/collect.ts'
import { caseAddress } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { type Bind, bindAddresses, startBind } from './support/bind.ts'
import { dnsContext } from './support/dns-context.ts'

const at = bindAddresses()
let bind: Bind

beforeAll(async () => {
  bind = await startBind([
    { name: 'public.test', records: ['@ A 192.0.2.10', 'www A 192.0.2.10'] },
    { name: 'inner.test', records: ['@ A 192.0.2.10', 'db01 A 10.1.2.3', 'vpn A 192.0.2.11'] },
    {
      name: 'chain.test',
      records: [
        '@ A 192.0.2.10',
        'zq7-hidden A 192.0.2.30',
        'staging A 192.0.2.31',
        'six AAAA 2001:db8::6',
        'old CNAME gone.elsewhere.test.',
        'note TXT "no host"',
      ],
      sign: {},
      transfer: 'none',
    },
    {
      name: 'any.test',
      records: ['@ A 192.0.2.10', '* A 192.0.2.10', 'jenkins A 192.0.2.40', 'zq7-hidden A 192.0.2.41'],
      sign: { nsec3: { iterations: 0, salt: '-' } },
      transfer: 'none',
    },
    // The resolver as name server: it serves nothing itself and resolves for everybody.
    {
      name: 'open.test',
      records: ['@ A 192.0.2.10'],
      delegation: ['open.test. NS ns1.open.test.', `ns1.open.test. A ${at.child}`],
      ns: ['@ NS ns1', '@ NS ns2', `ns1 A ${at.child}`, `ns2 A ${at.resolver}`],
      transfer: 'none',
    },
  ])
})
afterAll(() => bind?.stop())

const idsOf = async (host: string) => {
  const { ctx, close } = dnsContext(bind, host, 'nameservers')
  try {
    const dns = await collectDns(ctx)
    const facts = await collectNameservers(ctx, dns)
    const { findings, failures } = judgeModule(nameservers, facts, { dns }, { ...caseContext(), now: Date.now() })
    expect(failures).toEqual([])
    return { facts, ids: findings.map(({ check_id, location }) => `${check_id} ${location.host}`) }
  } finally {
    await close()
  }
}

describe('name servers asked as a stranger', () => {
  it('a zone for everybody', async () => {
    const { facts, ids } = await idsOf('public.test')
    expect(new Set(ids)).toEqual(
      new Set(['nameservers/zone-transfer ns1.public.test', 'nameservers/zone-transfer ns2.public.test']),
    )
    expect(facts.transfers[0]?.sample).toContain('www.public.test A 192.0.2.10')
    expect(facts.recursion.every(({ open }) => !open)).toBe(true)
  })

  it('a zone with inner names', async () => {
    const { facts, ids } = await idsOf('inner.test')
    expect(ids[0]).toBe('nameservers/zone-transfer-internal ns1.inner.test')
    expect(facts.transfers[0]?.internal).toEqual(['db01.inner.test A 10.1.2.3', 'vpn.inner.test A 192.0.2.11'])
  })

  it('transfers refused, one server resolves for strangers', async () => {
    const { facts, ids } = await idsOf('open.test')
    expect(facts.transfers.map(({ outcome }) => outcome)).toEqual(['refused', 'refused'])
    expect(ids).toEqual(['nameservers/open-recursion ns2.open.test'])
  })
})

describe('hosts that nothing shows', () => {
  const hostsIn = async (host: string) => {
    const { facts } = await idsOf(host)
    const proposed = hostsOf(null, { runId: 'run', facts })
    return { facts, proposed: proposed.map(({ host: name, sources }) => `${name} ${sources}`) }
  }

  it('the chain of a signed zone names all of them, and ends where it began', async () => {
    const { facts, proposed } = await hostsIn('chain.test')
    expect(proposed).toEqual(
      [
        'chain.test',
        'ns1.chain.test',
        'ns2.chain.test',
        'old.chain.test',
        'six.chain.test',
        'staging.chain.test',
        'zq7-hidden.chain.test',
      ].map((name) => `${name} nsec`),
    )
    expect(facts.hosts?.found.find(({ name }) => name === 'old.chain.test')?.answer).toEqual(['gone.elsewhere.test'])
    expect([facts.hosts?.links, facts.hosts?.left]).toEqual([8, []])
  })

  it('what a wildcard answers is no host, what differs from it is, and hashed names stay hidden', async () => {
    const { facts, proposed } = await hostsIn('any.test')
    expect(proposed).toEqual(['jenkins.any.test guess', 'ns1.any.test guess', 'ns2.any.test guess'])
    expect(facts.hosts?.links).toBe(0)
  })

  it('a transfer names them too', async () => {
    const { proposed } = await hostsIn('inner.test')
    expect(proposed).toContain('db01.inner.test transfer')
  })
})

describe('peers that are no name servers', () => {
  const servers: Server[] = []
  afterAll(() => {
    for (const server of servers) server.close()
  })

  it.each([
    ['closes at once', (end: () => void) => end(), /closed/],
    [
      'speaks another protocol',
      (_end: () => void, write: (text: string) => void) => write('HTTP/1.1 400 Bad Request\r\n\r\n'.repeat(2000)),
      /not an answer|closed/,
    ],
  ] as const)('one that %s', async (_name, behave, detail) => {
    const address = caseAddress(220 + servers.length)
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      behave(
        () => socket.end(),
        (text) => socket.end(text),
      )
    })
    servers.push(server)
    server.listen(53, address)
    await once(server, 'listening')
    const { ctx, close } = dnsContext(bind, 'public.test', 'nameservers')
    expect(await askTransfer(ctx.egress, 'public.test', 'ns', address)).toMatchObject({
      outcome: 'failed',
      detail: expect.stringMatching(detail),
    })
    await close()
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeModule } from '../src/engine/judge.ts'
import { collectDns } from '../src/modules/passive/dns/collect.ts'
import type { DnsFacts } from '../src/modules/passive/dns/facts.ts'
import { dns } from '../src/modules/passive/dns/module.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { type Bind, bindAddresses, startBind } from './support/bind.ts'
import { dnsContext } from './support/dns-context.ts'

const at = bindAddresses()
const site = [
  '@ A 192.0.2.10',
  '@ AAAA 2001:db8::10',
  'www CNAME @',
  '@ MX 10 mail',
  'mail A 192.0.2.25',
  '@ TXT "v=spf1 -all"',
]
let bind: Bind

beforeAll(async () => {
  bind = await startBind([
    { name: 'good.test', records: [...site, '@ CAA 0 issue "ca.example"'], sign: {} },
    { name: 'nsec3.test', records: site, sign: { nsec3: { iterations: 10, salt: 'abcd' } } },
    {
      name: 'optout.test',
      records: [...site, 'sub NS ns1', 'www2 A 192.0.2.1'],
      sign: { nsec3: { iterations: 0, salt: '-', optOut: true } },
    },
    { name: 'expired.test', records: site, sign: { start: 'now-1000000', end: 'now-1000' } },
    { name: 'soon.test', records: site, sign: { start: 'now-1000000', end: 'now+86400' } },
    { name: 'tampered.test', records: site, sign: {}, tamper: (file) => file.replace('192.0.2.10', '192.0.2.66') },
    { name: 'wrongds.test', records: site, sign: { ds: 'wrong' } },
    { name: 'island.test', records: site, sign: { ds: 'none' } },
    { name: 'unsigned.test', records: site },
    { name: 'sha1.test', records: site, sign: { algorithm: 'NSEC3RSASHA1', bits: 1024, ds: 'sha1' } },
    { name: 'rsa.test', records: site, sign: { algorithm: 'RSASHA256', bits: 2048 } },
    { name: 'rsa512.test', records: site, sign: { algorithm: 'RSASHA512', bits: 2048 } },
    { name: 'p384.test', records: site, sign: { algorithm: 'ECDSAP384SHA384' } },
    { name: 'ed25519.test', records: site, sign: { algorithm: 'ED25519' } },
    { name: 'ed448.test', records: site, sign: { algorithm: 'ED448' } },
    { name: 'wild.test', records: [...site, '* A 192.0.2.99'], sign: {} },
    { name: 'wild3.test', records: [...site, '* A 192.0.2.99'], sign: { nsec3: { iterations: 0, salt: '-' } } },
    {
      name: 'lame.test',
      records: site,
      delegation: [
        'lame.test. NS ns1.lame.test.',
        'lame.test. NS gone.test.',
        `ns1.lame.test. A ${at.child}`,
        `gone.test. A ${at.silent}`,
      ],
      ns: ['@ NS ns1', '@ NS ns3', '@ NS gone.test.', `ns1 A ${at.child}`, `ns3 A ${at.parent}`],
    },
  ])
})
afterAll(() => bind?.stop())

const collect = async (host: string): Promise<DnsFacts> => {
  const { ctx, close } = dnsContext(bind, host, 'dns')
  try {
    return await collectDns(ctx)
  } finally {
    await close()
  }
}

const states = ({ dnssec }: DnsFacts) => Object.fromEntries(dnssec.links.map(({ zone, state }) => [zone, state]))

describe('DNSSEC against BIND', () => {
  it.each([
    ['good.test', 'NSEC'],
    ['nsec3.test', 'NSEC3'],
    ['rsa.test', 'NSEC'],
    ['rsa512.test', 'NSEC'],
    ['p384.test', 'NSEC'],
    ['ed25519.test', 'NSEC'],
    ['ed448.test', 'NSEC'],
    ['sha1.test', 'NSEC'],
    ['soon.test', 'NSEC'],
    ['wild.test', 'NSEC'],
    ['wild3.test', 'NSEC3'],
  ])('%s is secure, with every set and absence proven', async (host, kind) => {
    const began = performance.now()
    const facts = await collect(host)
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(states(facts)).toEqual({ '': 'secure', test: 'secure', [host]: 'secure' })
    expect(facts.dnssec.sets.filter(({ state }) => state !== 'secure')).toEqual([])
    if (!host.startsWith('wild')) expect(facts.dnssec.denial?.kind).toBe(kind)
  })

  it('a name under opt-out is not proven absent, all else is', async () => {
    const { dnssec } = await collect('optout.test')
    expect(dnssec.state).toBe('secure')
    expect(dnssec.denial).toEqual({ kind: 'NSEC3', iterations: 0, salt: 0, optOut: true })
    expect(dnssec.sets.filter(({ state }) => state !== 'secure').map(({ reason }) => reason)).toEqual([
      expect.stringContaining('opt-out'),
    ])
  })

  it.each([
    ['expired.test', 'bogus', 'its key set: its signature expired on'],
    ['wrongds.test', 'bogus', 'none of its keys'],
    ['unsigned.test', 'insecure', 'test has no DS records for it'],
    ['island.test', 'insecure', 'test has no DS records for it'],
  ])('%s is %s, with the failing link named', async (host, state, reason) => {
    const { dnssec } = await collect(host)
    expect(dnssec).toMatchObject({ state, reason: expect.stringContaining(reason) })
    expect(dnssec.resolver.plain).toBe(state === 'bogus' ? 'SERVFAIL' : 'NOERROR')
  })

  it('a changed record is bogus in a zone that is secure', async () => {
    const { dnssec } = await collect('tampered.test')
    expect(dnssec.state).toBe('secure')
    expect(dnssec.sets.filter(({ state }) => state === 'bogus')).toMatchObject([{ name: 'tampered.test', type: 'A' }])
  })

  it('another root than the one trusted proves nothing', async () => {
    const { ctx, close } = dnsContext({ ...bind, anchor: `. 1 13 2 ${'00'.repeat(32)}` }, 'good.test', 'dns')
    const { dnssec } = await collectDns(ctx)
    await close()
    expect(dnssec).toMatchObject({ state: 'indeterminate', reason: expect.stringContaining('trust anchor') })
  })
})

describe('findings about a zone on BIND', () => {
  it.each<[string, string[]]>([
    ['good.test', []],
    ['nsec3.test', ['dns/caa-absent', 'dns/dnssec-iterations']],
    ['rsa.test', ['dns/caa-absent']],
    ['sha1.test', ['dns/caa-absent', 'dns/dnssec-algorithm', 'dns/dnssec-digest']],
    ['soon.test', ['dns/caa-absent', 'dns/dnssec-signature-expiry']],
    ['expired.test', ['dns/caa-absent', 'dns/dnssec-bogus']],
    ['wrongds.test', ['dns/caa-absent', 'dns/dnssec-bogus']],
    ['tampered.test', ['dns/caa-absent', 'dns/dnssec-bogus']],
    ['island.test', ['dns/caa-absent', 'dns/dnssec-island']],
    ['unsigned.test', ['dns/caa-absent', 'dns/dnssec-absent']],
    ['wild.test', ['dns/caa-absent', 'dns/wildcard']],
    [
      'lame.test',
      [
        ...['dns/caa-absent', 'dns/dnssec-absent', 'dns/nameserver-delegation-mismatch', 'dns/nameserver-lame'],
        ...['dns/nameserver-lame', 'dns/nameserver-network'],
      ],
    ],
  ])('%s', async (host, expected) => {
    const facts = await collect(host)
    const { findings, failures } = judgeModule(dns, facts, {}, { ...caseContext(), now: Date.now() })
    expect(failures).toEqual([])
    // The small internet has one address for all of a zone's servers.
    const ids = findings.map(({ check_id }) => check_id)
    expect(ids.toSorted()).toEqual(expected.toSorted())
  })

  it('a name that does not exist ends the module as skipped', async () => {
    await expect(collect('nowhere.example')).rejects.toThrow(/does not exist/)
  })
})

/** The networks of the bed: what each has, and what a run in it is told. */
import { startBind, type ZoneSpec } from '../../support/bind.ts'
import { type Manners, type Records, serveDns } from './dns.ts'
import { serveServices, serveSilence, serveWebsite } from './hosts.ts'

export const HOST = 'shop.test'
const WEB = '127.0.10.1'
const SECOND_WEB = '127.0.10.2'
const RESOLVER = '127.0.0.53'
const NS1 = '127.0.0.54'
const NS2 = '127.0.0.55'
const OTHER = '127.0.0.56'
const PARENT = '127.0.0.57'
/** Of the documentation ranges: nobody has them, and the namespace has no way there. */
const NOWHERE_4 = '203.0.113.53'
const NOWHERE_6 = '2001:db8::53'

/** What the run gets of its network. */
export interface Given {
  readonly resolvers: readonly string[]
  readonly hosts?: Readonly<Record<string, readonly string[]>>
  readonly trustAnchors?: readonly string[]
  readonly tier?: 'active'
  /** The name that is scanned, where it is not HOST. */
  readonly host?: string
}

export interface Scenario {
  /** Lines of the shell, before anything listens. */
  readonly network?: readonly string[]
  /** Starts what listens. */
  readonly start: () => Promise<Given>
}

const soa = (zone: string) => ({
  mname: `ns1.${zone || 'test'}`,
  rname: `hostmaster.${zone || 'test'}`,
  serial: 7,
  refresh: 3600,
  retry: 600,
  expire: 86_400,
  minimum: 60,
})

const RECORDS: Records = {
  ' SOA': [soa('')],
  ' NS': ['ns.test'],
  'test SOA': [soa('test')],
  'test NS': ['ns.test'],
  'ns.test A': [PARENT],
  'shop.test SOA': [soa('shop.test')],
  'shop.test NS': ['ns1.shop.test', 'ns2.shop.test'],
  'shop.test A': [WEB],
  'www.shop.test A': [WEB],
  'shop.test MX': [{ preference: 10, exchange: 'mail.shop.test' }],
  'shop.test TXT': ['v=spf1 +all'],
  'mail.shop.test A': [WEB],
  'ns1.shop.test A': [NS1],
  'ns2.shop.test A': [NS2],
}

const serveParent = (): Promise<void> => {
  const to = { 'ns1.shop.test': NS1, 'ns2.shop.test': NS2 }
  return serveDns({ address: PARENT, records: RECORDS, authoritative: true, refers: { zone: HOST, to } })
}

/** The parent's server and two of the zone, then the resolvers as they are described. */
const names = async (records: Records, ...resolvers: readonly Partial<Manners>[]): Promise<void> => {
  await serveParent()
  for (const address of [NS1, NS2]) await serveDns({ address, records, authoritative: true })
  for (const manners of resolvers) await serveDns({ address: RESOLVER, records, ...manners })
}

const withNames =
  (records: Records, given: Given, ...resolvers: readonly Partial<Manners>[]) =>
  async (): Promise<Given> => {
    await names(records, ...(resolvers.length > 0 ? resolvers : [{}]))
    await serveWebsite(WEB)
    return given
  }

const SIX_TOO: Records = { ...RECORDS, 'ns1.shop.test AAAA': [NOWHERE_6], 'ns2.shop.test AAAA': ['2001:db8::54'] }

const SIGNED: ZoneSpec = {
  name: HOST,
  records: [`@ A ${WEB}`, `www A ${WEB}`, '@ MX 10 mail', `mail A ${WEB}`, '@ TXT "v=spf1 +all"'],
  sign: {},
}

/** Real BIND, validating, with a zone that is signed well or changed afterwards; its website is the same. */
const withBind = (tamper: boolean) => async (): Promise<Given> => {
  const changed = (file: string): string => file.replaceAll(WEB, SECOND_WEB)
  const bind = await startBind([tamper ? { ...SIGNED, tamper: changed } : SIGNED])
  await serveWebsite(tamper ? SECOND_WEB : WEB)
  return { resolvers: [bind.resolver], trustAnchors: [bind.anchor] }
}

export const SCENARIOS = {
  healthy: { start: withNames(RECORDS, { resolvers: [RESOLVER] }) },
  'name servers with AAAA, no IPv6': { start: withNames(SIX_TOO, { resolvers: [RESOLVER] }) },
  'name servers with AAAA, IPv6 switched off': {
    network: ['echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6'],
    start: withNames(SIX_TOO, { resolvers: [RESOLVER] }),
  },
  'a website and mail with AAAA, no IPv6': {
    start: withNames(
      {
        ...RECORDS,
        ...Object.fromEntries(
          ['shop.test', 'www.shop.test', 'mail.shop.test'].map((name) => [`${name} AAAA`, [NOWHERE_6]]),
        ),
      },
      { resolvers: [RESOLVER] },
    ),
  },
  'a second address that keeps silent': {
    start: async () => {
      await serveSilence(SECOND_WEB, 443)
      return withNames({ ...RECORDS, 'shop.test A': [WEB, SECOND_WEB] }, { resolvers: [RESOLVER] })()
    },
  },
  'an address that nobody routes': {
    network: ['ip route add unreachable 198.51.100.0/24', 'ip route add prohibit 192.0.2.0/24'],
    start: withNames(
      { ...RECORDS, 'ns1.shop.test A': [NS1, '198.51.100.54'], 'ns2.shop.test A': [NS2, '192.0.2.54'] },
      { resolvers: [RESOLVER] },
    ),
  },
  'no way to the resolver': {
    start: async () => {
      await serveWebsite(WEB)
      return { resolvers: [NOWHERE_4], hosts: { [HOST]: [WEB], 'www.shop.test': [WEB] } }
    },
  },
  'no way to the resolver, and no table': {
    start: async () => {
      await serveWebsite(WEB)
      return { resolvers: [NOWHERE_4] }
    },
  },
  'an IPv6 resolver first': { start: withNames(RECORDS, { resolvers: [NOWHERE_6, RESOLVER] }) },
  'a silent resolver first': {
    start: withNames(RECORDS, { resolvers: [OTHER, RESOLVER] }, {}, { address: OTHER, udp: 'silent', tcp: 'silent' }),
  },
  'DNS over TCP only': { start: withNames(RECORDS, { resolvers: [RESOLVER] }, { udp: 'silent' }) },
  'DNS over TCP only, UDP refused': { start: withNames(RECORDS, { resolvers: [RESOLVER] }, { udp: 'absent' }) },
  'a silent name server': {
    start: async () => {
      const records = { ...RECORDS, 'ns2.shop.test A': [OTHER] }
      await serveParent()
      await serveDns({ address: NS1, records, authoritative: true })
      await serveDns({ address: OTHER, records, udp: 'silent', tcp: 'silent' })
      await serveDns({ address: RESOLVER, records })
      await serveWebsite(WEB)
      return { resolvers: [RESOLVER] }
    },
  },
  'SERVFAIL with checking': {
    start: withNames(RECORDS, { resolvers: [RESOLVER] }, { fails: HOST }),
  },
  'SERVFAIL whatever the question says': {
    start: withNames(RECORDS, { resolvers: [RESOLVER] }, { fails: HOST, failsUnchecked: true }),
  },
  'signed, a validating resolver': { start: withBind(false) },
  'bogus, a validating resolver': { start: withBind(true) },
  'no website, passive': {
    start: async () => {
      await names(RECORDS, {})
      await serveServices(WEB)
      return { resolvers: [RESOLVER] }
    },
  },
  'no website, active': {
    start: async () => {
      await names(RECORDS, {})
      await serveServices(WEB)
      return { resolvers: [RESOLVER], tier: 'active' }
    },
  },
  'no website, and not in the DNS': {
    start: async () => ({ resolvers: [NOWHERE_4], hosts: { [HOST]: [WEB] } }),
  },
  'no such name': { start: withNames(RECORDS, { resolvers: [RESOLVER], host: 'nobody.test' }) },
  'a name for mail alone': {
    start: withNames(Object.fromEntries(Object.entries(RECORDS).filter(([key]) => key !== 'shop.test A')), {
      resolvers: [RESOLVER],
    }),
  },
} as const satisfies Readonly<Record<string, Scenario>>

export type ScenarioName = keyof typeof SCENARIOS

/**
 * Whole runs in networks as strangers have them, each in a namespace with servers of its own: the run ends as it should,
 * and the modules that the network does not concern find what they find in a healthy one.
 * SONDE_LONG=1 looks at the kin of these networks too, and repeats every one until 200 runs and more have lost nothing.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { hasNamespaces, inNamespace, NEEDS } from '../support/namespace.ts'
import type { BedRun } from './bed/run.ts'
import { SCENARIOS, type Scenario, type ScenarioName } from './bed/scenarios.ts'

const able = hasNamespaces()
const LONG = process.env.SONDE_LONG === '1'
/** Milliseconds for one namespace: the product's start, and on a busy machine that of BIND. */
const DEADLINE = 170_000
/** Runs of each network with SONDE_LONG. */
const REPEATS = 12

const runs = async (name: ScenarioName, count: number, deadline = DEADLINE): Promise<readonly BedRun[]> => {
  const { network = [] }: Scenario = SCENARIOS[name]
  const { code, signal, out, err } = await inNamespace('run.ts', [name, String(count)], { network, deadline })
  expect({ code, signal }, err).toEqual({ code: 0, signal: null })
  const lines = out.trim().split('\n')
  expect(lines, err).toHaveLength(count)
  return lines.map((line) => JSON.parse(line))
}
const run = async (name: ScenarioName): Promise<BedRun> => {
  const [one] = await runs(name, 1)
  if (!one) throw new Error('no run')
  return one
}

const found = ({ modules }: BedRun, without: readonly string[] = []) =>
  Object.fromEntries(
    Object.entries(modules)
      .filter(([id]) => !without.includes(id))
      .map(([id, { state, findings }]) => [id, { state, findings }]),
  )
const ids = ({ modules }: BedRun, module: string): readonly string[] =>
  (modules[module]?.findings ?? []).map((finding) => finding.split(' ')[0] ?? '')
const states = ({ modules }: BedRun, ...of: readonly string[]) => of.map((id) => modules[id]?.state)
const DONE = { type: 'ended', result: 'completed' }
const failed = (kind: string) => ({ type: 'ended', result: 'failed', error: { kind } })
const PAGES = ['headers', 'cookies', 'markup', 'disclosure', 'technology', 'cve']

let healthy: BedRun
beforeAll(async () => {
  if (able) healthy = await run('healthy')
}, DEADLINE)

describe.runIf(able)(`networks ${NEEDS}`, () => {
  test('the healthy one has something to lose', () => {
    expect(healthy.ended).toEqual(DONE)
    expect(new Set(Object.values(healthy.modules).map(({ state }) => state))).toEqual(new Set(['completed']))
    expect(Object.values(healthy.modules).flatMap(({ findings }) => findings).length).toBeGreaterThan(25)
  })

  const UNASKED = /2 of 4 addresses of name servers were not asked: no IPv6 route from this scanner/
  const UNROUTED: readonly [ScenarioName, RegExp][] = [
    ['name servers with AAAA, IPv6 switched off', UNASKED],
    ['an address that nobody routes', /2 of 4 addresses of name servers were not asked: no IPv4 route/],
  ]
  test.each<[ScenarioName, RegExp]>([['name servers with AAAA, no IPv6', UNASKED], ...(LONG ? UNROUTED : [])])(
    '%s',
    async (name, reason) => {
      const one = await run(name)
      expect(one.ended).toEqual(DONE)
      expect(found(one, ['dns'])).toEqual(found(healthy, ['dns']))
      expect(one.gaps['dns/nameserver-lame: inconclusive']).toMatch(reason)
      expect(ids(one, 'dns')).not.toContain('dns/nameserver-lame')
    },
    DEADLINE,
  )

  /** Of the healthy one, where the checks of the certificate pass or fail. */
  const OF_EACH_ADDRESS = ['tls/certificate-expired', 'tls/key-weak', 'tls/protocol-legacy']
  const passed = ({ gaps }: BedRun, check: string): boolean =>
    !Object.keys(gaps).some((line) => line.startsWith(`${check}:`))
  test(
    'a website and mail with AAAA, no IPv6: the other addresses are asked, and these are named',
    async () => {
      const one = await run('a website and mail with AAAA, no IPv6')
      expect(one.ended).toEqual(DONE)
      // With other records the DNS and the mail have other findings.
      expect(found(one, ['dns', 'mail'])).toEqual(found(healthy, ['dns', 'mail']))
      for (const check of OF_EACH_ADDRESS) {
        expect(passed(healthy, check), check).toBe(true)
        expect(passed(one, check), check).toBe(true)
        expect(healthy.notes[check]).toBeUndefined()
        expect(one.notes[check]).toBe('Judged on 1 of 2 addresses: no IPv6 route from this scanner to 2001:db8::53.')
      }
      expect(one.gaps['names/ipv6-broken: not_tested']).toMatch(/no way to IPv6/)
    },
    DEADLINE,
  )

  test.runIf(LONG)(
    'an address of the website that keeps silent: its certificate is open, whatever the other shows',
    async () => {
      const one = await run('a second address that keeps silent')
      expect(one.ended).toEqual(DONE)
      expect(found(one, ['dns'])).toEqual(found(healthy, ['dns']))
      for (const check of OF_EACH_ADDRESS)
        expect(one.gaps[`${check}: inconclusive`], check).toMatch(
          /1 of 2 addresses: .* 127\.0\.10\.2 \(.*no answer within/,
        )
    },
    DEADLINE,
  )

  /** Resolvers that do not answer and servers without UDP, which the client of the DNS is asked about, and another refusal to check. */
  const OF_THEIR_KIND: readonly ScenarioName[] = [
    'a silent resolver first',
    'DNS over TCP only',
    'an IPv6 resolver first',
    'DNS over TCP only, UDP refused',
    'SERVFAIL whatever the question says',
  ]
  test.each<ScenarioName>(['SERVFAIL with checking', ...(LONG ? OF_THEIR_KIND : [])])(
    '%s: nothing is lost',
    async (name) => {
      const one = await run(name)
      expect(one.ended).toEqual(DONE)
      expect(found(one)).toEqual(found(healthy))
    },
    DEADLINE,
  )

  // What the module of the DNS says of it is asked of it alone.
  test.runIf(LONG)(
    'a silent name server is asked twice, and told',
    async () => {
      const one = await run('a silent name server')
      expect(one.ended).toEqual(DONE)
      expect(found(one, ['dns'])).toEqual(found(healthy, ['dns']))
      expect(ids(one, 'dns')).toContain('dns/nameserver-lame')
      expect(one.asked['127.0.0.56']).toBe(2)
    },
    DEADLINE,
  )

  test(
    'no way to the resolver: what stands in the table is scanned, the DNS is told as not looked at',
    async () => {
      const one = await run('no way to the resolver')
      expect(one.ended).toEqual(DONE)
      expect(states(one, 'dns', 'mail', 'names')).toEqual(['skipped', 'skipped', 'skipped'])
      expect(one.modules.dns?.reason).toMatch(/no IPv4 route/)
      expect(found(one, ['dns', 'mail', 'names'])).toEqual(found(healthy, ['dns', 'mail', 'names']))
    },
    DEADLINE,
  )

  // What the module of the DNS says of it is asked of it alone.
  test.runIf(LONG)(
    'bogus DNSSEC behind a validating resolver is a finding of dns, and costs nothing else',
    async () => {
      const [signed, bogus] = [await run('signed, a validating resolver'), await run('bogus, a validating resolver')]
      expect([signed.ended, bogus.ended]).toEqual([DONE, DONE])
      expect(found(bogus, ['dns'])).toEqual(found(signed, ['dns']))
      expect(ids(signed, 'dns')).not.toContain('dns/dnssec-bogus')
      expect(bogus.modules.dns?.findings).toEqual(expect.arrayContaining([...(signed.modules.dns?.findings ?? [])]))
      expect(ids(bogus, 'dns')).toContain('dns/dnssec-bogus')
    },
    2 * DEADLINE,
  )

  // What the active one below says too.
  test.runIf(LONG)(
    'no website: names and mail speak, pages are told as not looked at',
    async () => {
      const one = await run('no website, passive')
      expect(one.ended).toEqual(DONE)
      expect(found(one, [...PAGES, 'tls', 'site'])).toEqual(found(healthy, [...PAGES, 'tls', 'site']))
      expect(states(one, ...PAGES)).toEqual(PAGES.map(() => 'skipped'))
      for (const id of PAGES) expect(one.modules[id]?.reason).toMatch(/answers neither over https \(.*refused\) nor/)
      expect(ids(one, 'tls')).toEqual([])
      expect(one.gaps['tls/https-absent: not_applicable']).toMatch(/no website/)
    },
    DEADLINE,
  )

  test(
    'no website, active: ports, services and TLS speak as well',
    async () => {
      const one = await run('no website, active')
      expect(one.ended).toEqual(DONE)
      expect(found(one, [...PAGES, 'tls', 'site'])).toMatchObject(found(healthy, [...PAGES, 'tls', 'site']))
      expect(states(one, 'ports', 'services', 'tls', 'tls-deep', 'nameservers')).toEqual(Array(5).fill('completed'))
      expect(ids(one, 'services')).toContain('services/version-shown')
      expect(ids(one, 'tls-deep')).toContain('tls-deep/starttls-absent')
      expect(states(one, 'crawl', 'waf', 'sqli', 'rate-limit')).toEqual(Array(4).fill('skipped'))
    },
    DEADLINE,
  )

  // Between the one above and a name that is none.
  test.runIf(LONG)(
    'a name for mail alone',
    async () => {
      const one = await run('a name for mail alone')
      expect(one.ended).toEqual(DONE)
      expect(found(one, [...PAGES, 'tls', 'site', 'dns'])).toEqual(found(healthy, [...PAGES, 'tls', 'site', 'dns']))
      expect(one.modules.headers).toMatchObject({ state: 'skipped', reason: 'shop.test has no address' })
    },
    DEADLINE,
  )

  // Each is asked of the scan child and of the module that looks for the site.
  test.runIf(LONG).each<[ScenarioName, string]>([
    ['no such name', 'target_unresolvable'],
    ['no way to the resolver, and no table', 'target_unresolvable'],
    ['no website, and not in the DNS', 'target_unreachable'],
  ])(
    '%s: the run fails, and says %s',
    async (name, kind) => {
      expect((await run(name)).ended).toMatchObject(failed(kind))
    },
    DEADLINE,
  )
})

test.runIf(able && LONG).each(Object.keys(SCENARIOS) as ScenarioName[])(
  `${REPEATS} runs lose nothing: %s${able ? '' : ` ${NEEDS}`}`,
  async (name) => {
    const all = await runs(name, REPEATS, 900_000)
    const [first] = all
    for (const one of all) {
      expect(one.ended).toEqual(first?.ended)
      expect(found(one)).toEqual(first && found(first))
      // In the order in which modules end, which no two runs share.
      expect(Object.keys(one.gaps).toSorted()).toEqual(first && Object.keys(first.gaps).toSorted())
    }
  },
  1_000_000,
)

import { type Ask, createAsk, type Lookup, textsOf } from '../../../protocols/dns/ask.ts'
import { registrable } from '../../../protocols/dns/domain.ts'
import { recordsOf } from '../../../protocols/dns/sets.ts'
import type { Validator } from '../../../protocols/dns/validator.ts'
import { parentOf, readDnskey } from '../../../protocols/dns/wire.ts'
import { briefKey } from '../../../protocols/dns/zones.ts'
import { assertInDns, nonce, validatorFor } from '../../dns-asking.ts'
import { ModuleEnding } from '../../endings.ts'
import type { CollectContext } from '../../module.ts'
import type { DnsFacts, DnssecFacts } from './facts.ts'
import { askNameservers, findDelegation, findZone } from './zone.ts'

export const collectDns = async (ctx: CollectContext): Promise<DnsFacts> => {
  const { host } = ctx.target
  const ask = createAsk(ctx.egress)
  const validator = validatorFor(ctx, ask)
  const domain = registrable(host)
  await assertInDns(ask, host)
  const zone = await existingZone(ask, host, domain)
  ctx.progress(`name servers and records of ${zone}`, 0.2)
  const ns = await ask.lookup(zone, 'NS')
  const [soa, addresses, nameservers, delegation, caa, wildcard, dnssec] = await Promise.all([
    ask.lookup(zone, 'SOA'),
    lookUpAddresses(ask, host, domain),
    askNameservers(ask, zone, textsOf(ns).toSorted()),
    findDelegation(ask, zone),
    climbCaa(ask, host, domain),
    Promise.all([nonce(), nonce()].map((label) => ask.lookup(`${label}.${domain}`, 'A'))),
    collectDnssec(ask, validator, host, domain, zone),
  ])
  return { host, zone, domain, soa, ns, addresses, nameservers, delegation, caa, wildcard, dnssec }
}

/** @throws ModuleEnding where the domain does not exist */
const existingZone = async (ask: Ask, host: string, domain: string): Promise<string> => {
  const zone = await findZone(ask, host)
  if (zone !== null && zone.length >= domain.length) return zone
  const own = await ask.lookup(domain, 'SOA')
  if (own.rcode === 'NXDOMAIN') throw new ModuleEnding('skipped', `${domain} does not exist in the DNS`)
  // No SOA came through (a broken zone does that): the registrable domain is where the delegation is.
  return zone === null || zone.length < domain.length ? domain : zone
}

const lookUpAddresses = (ask: Ask, host: string, domain: string): Promise<readonly Lookup[]> => {
  const names = [...new Set([host, domain, `www.${domain}`])]
  return Promise.all(names.flatMap((name) => [ask.lookup(name, 'A'), ask.lookup(name, 'AAAA')]))
}

/** RFC 8659, 3: the first name with records decides. Above the registrable domain nobody can act. */
const climbCaa = async (ask: Ask, host: string, domain: string): Promise<readonly Lookup[]> => {
  const steps: Lookup[] = []
  for (let name = host; name !== ''; name = parentOf(name)) {
    const step = await ask.lookup(name, 'CAA')
    steps.push(step)
    if (step.records.length > 0 || name === domain) break
  }
  return steps
}

const collectDnssec = async (
  ask: Ask,
  validator: Validator,
  host: string,
  domain: string,
  zone: string,
): Promise<DnssecFacts> => {
  const absent = `${nonce()}.${zone}`
  const [links, keys, plain, unchecked, denial, ...sets] = await Promise.all([
    validator.chain(zone),
    ask.signed(zone, 'DNSKEY'),
    ask.reply({ name: zone, type: 'SOA' }),
    ask.signed(zone, 'SOA'),
    validator.denial(absent),
    validator.check(zone, 'SOA'),
    validator.check(zone, 'NS'),
    validator.check(host, 'A'),
    validator.check(host, 'AAAA'),
    validator.check(domain, 'MX'),
    validator.check(domain, 'TXT'),
    validator.check(absent, 'A'),
  ])
  const last = links.at(-1)
  return {
    state: last?.state ?? 'indeterminate',
    reason: last?.reason ?? 'no chain',
    links,
    sets,
    denial,
    published: keys.ok
      ? recordsOf(keys.answer.answers, zone, 'DNSKEY').flatMap((rdata) => {
          const key = readDnskey(rdata)
          return key ? [briefKey(key)] : []
        })
      : [],
    resolver: {
      plain: plain.ok ? plain.answer.rcode : null,
      unchecked: unchecked.ok ? unchecked.answer.rcode : null,
      authenticated: plain.ok && plain.answer.authenticated,
    },
  }
}

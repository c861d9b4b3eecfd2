/**
 * Which addresses may be dialled. Refuses everything that is not an ordinary public unicast address, so that a
 * name in somebody else's hands cannot point a scan at this machine or its neighbours (CWE-918).
 * Ranges: IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates).
 */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export type Verdict =
  | { readonly allowed: true; readonly address: string }
  | { readonly allowed: false; readonly address: string; readonly reason: string }

export interface Guard {
  /** `address` in any textual form of one IP address; the verdict carries its canonical form, the one to dial. */
  readonly judge: (address: string) => Verdict
}

export interface GuardOptions {
  /** Networks in CIDR form, or single addresses, that are opened although the tables below refuse them. */
  readonly allowNetworks: readonly string[]
  /** Addresses of this machine. Default: those of its interfaces. */
  readonly ownAddresses?: readonly string[]
}

/** @throws RangeError when a network cannot be read. */
export const createGuard = (options: GuardOptions): Guard => {
  const opened = options.allowNetworks.map(parseNetwork)
  const own = new Set((options.ownAddresses ?? interfaceAddresses()).map((text) => canonical(text)?.toString() ?? text))
  return {
    judge: (text) => {
      const address = canonical(text)
      if (!address) return { allowed: false, address: text, reason: 'not an IP address' }
      const dialled = address.toString()
      const forms = [address, ...embedded(address)]
      const metadata = firstReason(forms, (form) => METADATA.get(form.toString()) ?? null)
      const network = opened.find((candidate) => contains(candidate, address))
      // A broad network never opens a metadata service by accident: it takes that one address.
      if (network && (!metadata || isSingle(network))) return { allowed: true, address: dialled }
      const reason =
        metadata ??
        firstReason(forms, refusal) ??
        firstReason(forms, (form) => (own.has(form.toString()) ? "this machine's own address" : null))
      return reason ? { allowed: false, address: dialled, reason } : { allowed: true, address: dialled }
    },
  }
}

/** The first form that a rule refuses; of an inner one it is said within what it was found. */
const firstReason = (forms: readonly Address[], rule: (form: Address) => string | null): string | null => {
  for (const [index, form] of forms.entries()) {
    const reason = rule(form)
    if (reason !== null) return index === 0 ? reason : `leads to ${form.toString()}: ${reason}`
  }
  return null
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [address: Address, prefix: number]

/** Services that hand out a machine's credentials, wherever their address lies. */
const METADATA: ReadonlyMap<string, string> = new Map([
  ['169.254.169.254', 'cloud metadata service'],
  ['169.254.170.2', 'container credentials service'],
  ['169.254.170.23', 'container credentials service'],
  ['168.63.129.16', 'cloud platform service'],
  ['100.100.100.200', 'cloud metadata service'],
  ['192.0.0.192', 'cloud metadata service'],
  ['fd00:ec2::254', 'cloud metadata service'],
  ['fd00:ec2::23', 'container credentials service'],
  ['fd20:ce::254', 'cloud metadata service'],
])

const REFUSED_V4: readonly (readonly [network: string, reason: string])[] = [
  ['0.0.0.0/8', 'this network (RFC 791)'],
  ['10.0.0.0/8', 'private network (RFC 1918)'],
  ['100.64.0.0/10', 'shared address space (RFC 6598)'],
  ['127.0.0.0/8', 'loopback (RFC 1122)'],
  ['169.254.0.0/16', 'link-local (RFC 3927)'],
  ['172.16.0.0/12', 'private network (RFC 1918)'],
  ['192.0.0.0/24', 'IETF protocol assignments (RFC 6890)'],
  ['192.0.2.0/24', 'documentation (RFC 5737)'],
  ['192.88.99.0/24', '6to4 relay (RFC 7526)'],
  ['192.168.0.0/16', 'private network (RFC 1918)'],
  ['198.18.0.0/15', 'benchmarking (RFC 2544)'],
  ['198.51.100.0/24', 'documentation (RFC 5737)'],
  ['203.0.113.0/24', 'documentation (RFC 5737)'],
  ['224.0.0.0/4', 'multicast (RFC 5771)'],
  ['255.255.255.255/32', 'broadcast (RFC 919)'],
  ['240.0.0.0/4', 'reserved (RFC 1112)'],
]

const REFUSED_V6: readonly (readonly [network: string, reason: string])[] = [
  ['::/128', 'unspecified (RFC 4291)'],
  ['::1/128', 'loopback (RFC 4291)'],
  ['::/96', 'IPv4-compatible (RFC 4291)'],
  ['64:ff9b:1::/48', 'local-use NAT64 (RFC 8215)'],
  ['100::/64', 'discard-only (RFC 6666)'],
  ['2001::/32', 'Teredo (RFC 4380)'],
  ['2001:2::/48', 'benchmarking (RFC 5180)'],
  ['2001:10::/28', 'ORCHID (RFC 4843)'],
  ['2001::/23', 'IETF protocol assignments (RFC 2928)'],
  ['2001:db8::/32', 'documentation (RFC 3849)'],
  ['2002::/16', '6to4 (RFC 3056)'],
  ['3fff::/20', 'documentation (RFC 9637)'],
  ['fc00::/7', 'unique local (RFC 4193)'],
  ['fe80::/10', 'link-local (RFC 4291)'],
  ['fec0::/10', 'site-local (RFC 3879)'],
  ['ff00::/8', 'multicast (RFC 4291)'],
]

/** All that is routed on the internet today; the rest of IPv6 is refused without being listed. */
const GLOBAL_V6: Network = [ipaddr.IPv6.parse('2000::'), 3]
const NAT64: Network = [ipaddr.IPv6.parse('64:ff9b::'), 96]

const parseNetwork = (text: string): Network => {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch (cause) {
    throw new RangeError(`"${text}" is not a network in CIDR form`, { cause })
  }
}

/** Where in an IPv6 address the IPv4 address stands, in octets. */
const EMBEDDING: readonly { readonly network: Network; readonly at: number; readonly inverted?: true }[] = [
  { network: parseNetwork('::/96'), at: 12 }, // IPv4-compatible (RFC 4291, 2.5.5.1)
  { network: parseNetwork('::ffff:0:0:0/96'), at: 12 }, // IPv4-translated (RFC 2765)
  { network: NAT64, at: 12 }, // RFC 6052, 2.1
  { network: parseNetwork('64:ff9b:1::/48'), at: 12 }, // RFC 8215 with a /96 of it
  { network: parseNetwork('2002::/16'), at: 2 }, // 6to4 (RFC 3056, 2)
  { network: parseNetwork('2001::/32'), at: 4 }, // Teredo, the server (RFC 4380, 4)
  { network: parseNetwork('2001::/32'), at: 12, inverted: true }, // Teredo, the client
]

const REFUSED = [...REFUSED_V4, ...REFUSED_V6].map(([network, reason]) => [parseNetwork(network), reason] as const)

const refusal = (address: Address): string | null => {
  for (const [network, reason] of REFUSED) if (contains(network, address)) return reason
  if (address.kind() === 'ipv4' || contains(NAT64, address)) return null
  return contains(GLOBAL_V6, address) ? null : 'not global unicast (RFC 4291)'
}

/**
 * IPv4 addresses that an IPv6 address leads to by way of a translator or a tunnel: whatever is refused of the one is
 * refused of the other. Teredo hides its client's address by inverting it, and names its server in plain.
 */
const embedded = (address: Address): readonly Address[] => {
  if (address.kind() === 'ipv4') return []
  const bytes = address.toByteArray()
  return EMBEDDING.flatMap(({ network, at, inverted = false }) => {
    if (!contains(network, address)) return []
    const inner = bytes.slice(at, at + 4)
    return [new ipaddr.IPv4(inverted ? inner.map((byte) => byte ^ 0xff) : inner)]
  })
}

/** An IPv4-mapped IPv6 address is the IPv4 address it means: that is what the kernel would dial. */
const canonical = (text: string): Address | null => {
  const plain = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  const family = isIP(plain)
  if (family === 0 || plain.includes('%')) return null
  // ipaddr.js reads ::8.8.8.8 as a mapped address; in the form without dots there is only one reading.
  return ipaddr.process(family === 4 ? plain : new URL(`http://[${plain}]/`).hostname.slice(1, -1))
}

const contains = (network: Network, address: Address): boolean =>
  network[0].kind() === address.kind() && address.match([network[0], network[1]] as [ipaddr.IPv6, number])

const isSingle = ([address, prefix]: Network): boolean => prefix === (address.kind() === 'ipv4' ? 32 : 128)

const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).map((entry) => entry.address.split('%')[0] ?? ''),
  )

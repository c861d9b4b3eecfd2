/**
 * Names: their one canonical form, the operator's static table of them, and their addresses, asked once per run and kept
 * to its end, so that an answer that changes changes nothing.
 */
import { isIP } from 'node:net'
import { until } from '../door/deadline.ts'
import { type DnsAnswer, EgressError, type Resolution } from '../door/egress.ts'

/**
 * Lower case, IDNA to ASCII, without trailing dot or brackets. Decimal, octal and hexadecimal spellings of an IPv4
 * address become its dotted form, as the WHATWG URL standard has it, so no spelling slips past the guard.
 * @throws EgressError unresolvable
 */
export const canonicalHost = (host: string): string => {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  if (isIP(bare) === 6) return bare.toLowerCase()
  const parsed = /[/?#@:\\\s]/.test(bare) ? null : URL.parse(`http://${bare}/`)
  if (!parsed?.hostname) {
    throw new EgressError('unresolvable', `"${host.slice(0, 255)}" is not a host name`)
  }
  return parsed.hostname.replace(/\.$/, '')
}

export type HostTable = (name: string) => readonly string[] | null

/** `name` in canonical form. Names under localhost never leave the machine (RFC 6761, 6.3). */
export const createHostTable = (hosts: Readonly<Record<string, readonly string[]>>): HostTable => {
  const table = new Map(Object.entries(hosts).map(([name, addresses]) => [canonicalHost(name), addresses]))
  return (name) => table.get(name) ?? (/(^|\.)localhost$/.test(name) ? ['127.0.0.1', '::1'] : null)
}

/**
 * Whether a name is listed or below one that is. Such names are the operator's own: the system's resolver does not know
 * them, and whom it asks is not to learn them.
 */
export const isPrivateName = (name: string, hosts: HostTable): boolean => {
  const labels = name.split('.')
  return labels.some((_, index) => hosts(labels.slice(index).join('.')) !== null)
}

export interface ResolverOptions {
  readonly hosts: HostTable
  /** The operator named the resolvers, so they may know names below those of the table. */
  readonly ownServers: boolean
  /** Names at and below it are not looked up: a call of ours would look like one of the target's. */
  readonly never?: string | undefined
  /** One question to the operator's resolvers. */
  readonly query: Query
  /** The same without validation (RFC 4035, 3.2.2). Absent where an address that anybody may have forged will not do. */
  readonly queryUnvalidated?: Query | undefined
  /** Told once for each name that was looked up. */
  readonly resolved: (name: string, addresses: readonly string[], error: unknown) => void
}

type Query = (name: string, type: 'A' | 'AAAA') => Promise<DnsAnswer>

export type Resolver = (name: string, signal: AbortSignal) => Promise<Resolution>

export const createResolver = (options: ResolverOptions): Resolver => {
  const pinned = new Map<string, Promise<Resolution>>()
  return async (name, signal) => {
    const host = canonicalHost(name)
    if (isIP(host)) return { name: host, addresses: [host], source: 'literal' }
    const known = pinned.get(host)
    if (known) return until(known, signal)
    const lookup = lookUp(host, options)
    pinned.set(host, lookup)
    lookup.then(
      (resolution) => options.resolved(host, resolution.addresses, null),
      (error) => {
        options.resolved(host, [], error)
        // A failure may pass, and pins nothing; but not so fast that every request asks again.
        setTimeout(() => pinned.delete(host), FAILURE_KEPT).unref()
      },
    )
    return until(lookup, signal)
  }
}

const FAILURE_KEPT = 10_000
const LONGEST_CHAIN = 16

const lookUp = async (host: string, options: ResolverOptions): Promise<Resolution> => {
  const listed = options.hosts(host)
  if (listed) return { name: host, addresses: listed, source: 'hosts' }
  if (!options.ownServers && isPrivateName(host, options.hosts)) {
    throw new EgressError('unresolvable', `${host} is not in the operator's table of names`)
  }
  if (options.never !== undefined && (host === options.never || host.endsWith(`.${options.never}`))) {
    throw new EgressError('unresolvable', `${host} is for calls from targets, not from the scan`)
  }
  const found = await askBoth(host, options.query)
  if (found.addresses.length > 0) return { name: host, addresses: found.addresses, source: 'dns' }
  if (options.queryUnvalidated && found.said.includes('SERVFAIL')) {
    const unvalidated = await askBoth(host, options.queryUnvalidated)
    const { addresses, said } = unvalidated
    if (addresses.length > 0) return { name: host, addresses, source: 'dns', unvalidated: true }
    // What the zone itself says explains more than that the resolver will not say it.
    if (!said.includes('SERVFAIL') && said.some((rcode) => rcode !== null)) throw unvalidated.failure
  }
  throw found.failure
}

interface Found {
  readonly addresses: readonly string[]
  /** Codes of the two answers, null for none. */
  readonly said: readonly (string | null)[]
  /** What to throw where there is no address. */
  readonly failure: EgressError
}

const askBoth = async (host: string, query: Query): Promise<Found> => {
  const [four, six] = await Promise.allSettled([query(host, 'A'), query(host, 'AAAA')])
  const addresses = [...new Set([...addressesOf(four, host, 'A'), ...addressesOf(six, host, 'AAAA')])]
  const said = [four, six].map((result) => (result.status === 'fulfilled' ? result.value.rcode : null))
  return { addresses, said, failure: failureOf(host, said, four, six) }
}

/** Follows the CNAME chain within the answer; a record beside the chain is not ours. */
const addressesOf = (result: PromiseSettledResult<DnsAnswer>, host: string, type: 'A' | 'AAAA'): string[] => {
  if (result.status === 'rejected' || result.value.rcode !== 'NOERROR') return []
  const { answers } = result.value
  let name = host
  for (let hop = 0; hop < LONGEST_CHAIN; hop += 1) {
    const found = answers.filter((record) => record.type === type && canonical(record.name) === name)
    if (found.length > 0) return found.map((record) => String(record.data)).filter((address) => isIP(address) !== 0)
    const alias = answers.find((record) => record.type === 'CNAME' && canonical(record.name) === name)
    if (!alias) return []
    name = canonical(String(alias.data))
  }
  return []
}

const failureOf = (
  host: string,
  said: Found['said'],
  four: PromiseSettledResult<DnsAnswer>,
  six: PromiseSettledResult<DnsAnswer>,
): EgressError => {
  if (said.includes('NXDOMAIN')) return new EgressError('unresolvable', `${host} does not exist (NXDOMAIN)`)
  const cause = four.status === 'rejected' ? four.reason : six.status === 'rejected' ? six.reason : undefined
  if (cause instanceof EgressError && (cause.code === 'aborted' || cause.code === 'exhausted')) return cause
  const error = said.find((rcode) => rcode !== null && rcode !== 'NOERROR')
  if (error) return new EgressError('unresolvable', `${host}: the resolver answered ${error}`)
  if (cause) return new EgressError('unresolvable', `${host}: the resolver did not answer`, { cause })
  return new EgressError('unresolvable', `${host} has no address`)
}

const canonical = (name: string): string => name.toLowerCase().replace(/\.$/, '')

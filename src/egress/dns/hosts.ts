/** Names: their one canonical form, and the operator's static table of them. */
import { isIP } from 'node:net'
import { EgressError } from '../door/egress.ts'

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

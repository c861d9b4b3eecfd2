/** What kind of address it is, by the IANA special-purpose registries. */
import ipaddr from 'ipaddr.js'

/** Reachable from nowhere but the inside: private, shared, loopback, link-local, unique local. */
export const isPrivate = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  return PRIVATE.has(ipaddr.process(text).range())
}

/** 4 or 6; 0 for what is no address in its usual notation. */
export const familyOf = (text: string): 0 | 4 | 6 =>
  ipaddr.IPv4.isValidFourPartDecimal(text) ? 4 : ipaddr.IPv6.isValid(text) && !text.includes('%') ? 6 : 0

const PRIVATE: ReadonlySet<string> = new Set(['private', 'carrierGradeNat', 'loopback', 'linkLocal', 'uniqueLocal'])

/** The network that providers route as one: /24 of IPv4, /48 of IPv6. '' for what is no address. */
export const networkOf = (text: string): string => {
  if (!ipaddr.isValid(text)) return ''
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv4') return `${address.toByteArray().slice(0, 3).join('.')}.0/24`
  const groups = (address as ipaddr.IPv6).parts.slice(0, 3).map((part) => part.toString(16))
  return `${groups.join(':')}::/48`
}

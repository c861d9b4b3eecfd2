/** The name below which the DNS keeps the names of an address: RFC 1035, 3.5 (`in-addr.arpa`), and RFC 3596, 2.5 (`ip6.arpa`). */
import ipaddr from 'ipaddr.js'

/** @throws Error where the text is no address */
export const reverseName = (address: string): string => {
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? `${parsed.toByteArray().toReversed().join('.')}.in-addr.arpa`
    : `${[...Buffer.from(parsed.toByteArray()).toString('hex')].toReversed().join('.')}.ip6.arpa`
}

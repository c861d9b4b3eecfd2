/** The site's zone with a mail server, on addresses beside that of its resolver: modules of the DNS have something to ask. */
import { type Records, serveDns } from '../network/bed/dns.ts'

const soa = {
  ...{ mname: 'ns1.shop.test', rname: 'hostmaster.shop.test', serial: 7, refresh: 3_600, retry: 600, expire: 86_400 },
  minimum: 60,
}

/** Listens until the process ends. `resolver` is an IPv4 address whose last number leaves room for three more. */
export const serveFaultZone = async (site: string, resolver: string): Promise<void> => {
  const [parent = '', first = '', second = ''] = [1, 2, 3].map((more) =>
    resolver.replace(/\d+$/, (last) => String(Number(last) + more)),
  )
  const records: Records = {
    ' SOA': [{ ...soa, mname: 'ns.test' }],
    ' NS': ['ns.test'],
    'test SOA': [{ ...soa, mname: 'ns.test' }],
    'test NS': ['ns.test'],
    'ns.test A': [parent],
    'shop.test SOA': [soa],
    'shop.test NS': ['ns1.shop.test', 'ns2.shop.test'],
    'ns1.shop.test A': [first],
    'ns2.shop.test A': [second],
    'shop.test A': [site],
    'www.shop.test A': [site],
    'shop.test MX': [{ preference: 10, exchange: 'mail.shop.test' }],
    'mail.shop.test A': [site],
    'shop.test TXT': ['v=spf1 +all'],
    '_mta-sts.shop.test TXT': ['v=STSv1; id=1'],
    'mta-sts.shop.test A': [site],
  }
  const to = { 'ns1.shop.test': first, 'ns2.shop.test': second }
  await serveDns({ address: parent, records, authoritative: true, refers: { zone: 'shop.test', to } })
  for (const address of [first, second]) await serveDns({ address, records, authoritative: true })
  await serveDns({ address: resolver, records })
}

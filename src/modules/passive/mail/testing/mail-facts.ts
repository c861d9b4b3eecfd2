/** Mail facts for tables of cases: a domain that does everything right, changed where the case says so. */
import { caseAbsent, caseLookup, caseSet } from '../../dns/testing/dns-facts.ts'
import type { MailFacts, MxHost, SpfNode, StsFetch } from '../facts.ts'

export const caseTxt = (name: string, ...texts: readonly string[]) =>
  caseLookup(
    name,
    'TXT',
    texts.map((text) => [text]),
  )

export const caseNode = (record: string | readonly string[], change: Partial<SpfNode> = {}): SpfNode => ({
  domain: 'shop.test',
  via: '',
  parent: null,
  rcode: 'NOERROR',
  records: typeof record === 'string' ? [record] : record,
  skipped: null,
  terms: [],
  registered: null,
  ...change,
})

/** SPF facts of the domain alone, or with the nodes below it. */
export const caseSpf = (record: string, ...below: readonly SpfNode[]): MailFacts =>
  caseMail({ txt: caseTxt('shop.test', record), spf: [caseNode(record), ...below] })

const DIGEST = Buffer.alloc(32, 7).toString('base64')

export const caseHost = (change: Partial<MxHost> = {}): MxHost => ({
  name: 'mx.shop.test',
  preference: 10,
  a: caseLookup('mx.shop.test', 'A', ['192.0.2.25']),
  aaaa: caseLookup('mx.shop.test', 'AAAA', []),
  tlsa: caseTlsa([3, 1, 1]),
  tlsaSecurity: caseSet({ name: '_25._tcp.mx.shop.test', type: 'TLSA' }),
  ...change,
})

export const caseTlsa = (...records: readonly (readonly [usage: number, selector: number, matchingType: number])[]) =>
  caseLookup(
    '_25._tcp.mx.shop.test',
    'TLSA',
    records.map(([usage, selector, matchingType]) => ({ usage, selector, matchingType, certificate: DIGEST })),
  )

export const casePolicy = (change: Partial<StsFetch> = {}): StsFetch => ({
  url: 'https://mta-sts.shop.test/.well-known/mta-sts.txt',
  error: null,
  status: 200,
  location: null,
  contentType: 'text/plain',
  certificateError: null,
  body: 'version: STSv1\r\nmode: enforce\r\nmx: *.shop.test\r\nmax_age: 604800\r\n',
  truncated: false,
  ...change,
})

export const caseMail = (change: Partial<MailFacts> = {}): MailFacts => ({
  domain: 'shop.test',
  mx: caseLookup('shop.test', 'MX', [{ preference: 10, exchange: 'mx.shop.test' }]),
  hosts: [caseHost()],
  txt: caseTxt('shop.test', 'v=spf1 mx -all'),
  spf: [caseNode('v=spf1 mx -all', { terms: [{ text: 'mx', rcode: 'NOERROR', found: 1, macro: false }] })],
  dkim: { asked: 60, found: [], base: caseLookup('_domainkey.shop.test', 'TXT', []), wildcard: false },
  dmarc: [caseTxt('_dmarc.shop.test', 'v=DMARC1; p=reject; rua=mailto:dmarc@shop.test')],
  reportConsent: [],
  sts: { record: caseTxt('_mta-sts.shop.test', 'v=STSv1; id=20260101'), policy: casePolicy() },
  tlsRpt: caseTxt('_smtp._tls.shop.test', 'v=TLSRPTv1; rua=mailto:tls@shop.test'),
  bimi: caseAbsent('default._bimi.shop.test', 'TXT'),
  ...change,
})

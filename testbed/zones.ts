/** The DNS of the two shops, as lines of zone files: what is planted in the one and put right in the other. */
import { generateKeyPairSync } from 'node:crypto'

export interface ShopZone {
  /** Lines after SOA and NS. */
  readonly records: readonly string[]
  /** One or two. */
  readonly nameservers: number
  readonly signed: boolean
}

const rsaKey = (bits: number): string =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64')

/** The flawed shop takes mail and lets everybody send it. `*` and four names that do not exist overdraw SPF. */
export const flawedZone = (address: string): ShopZone => ({
  nameservers: 1,
  signed: false,
  records: [
    `@ A ${address}`,
    `* A ${address}`,
    '@ MX 10 mx',
    'mx CNAME smtp',
    'smtp A 192.0.2.25',
    '@ TXT "v=spf1 mx a:a.void.test a:b.void.test a:c.void.test +all"',
    '_dmarc TXT "v=DMARC1; p=none"',
    `default._domainkey TXT "v=DKIM1; p=${rsaKey(1024)}"`,
  ],
})

/** The twin takes no mail and says so; its zone is signed and names its authority. */
export const fixedZone = (address: string): ShopZone => ({
  nameservers: 2,
  signed: true,
  records: [
    `@ A ${address}`,
    '@ MX 0 .',
    '@ TXT "v=spf1 -all"',
    '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:dmarc@shop-fixed.test"',
    '@ CAA 0 issue "ca.example"',
    '@ CAA 0 iodef "mailto:security@shop-fixed.test"',
  ],
})

/**
 * Domains by which certificate authorities are named in CAA records, by words of the issuer's name in certificates.
 * Written from general knowledge of the authorities' practice statements; not compared with the CCADB's list
 * (ccadb.org, "CAA identifiers"). What matches none of them is no finding.
 */
const AUTHORITIES: readonly (readonly [words: RegExp, domains: readonly string[]])[] = [
  [/\blet's encrypt\b|\bISRG\b/i, ['letsencrypt.org']],
  [/\bgoogle trust services\b/i, ['pki.goog', 'google.com']],
  [
    /\bdigicert\b|\bgeotrust\b|\brapidssl\b|\bthawte\b/i,
    [
      'digicert.com',
      'geotrust.com',
      'rapidssl.com',
      'thawte.com',
      'symantec.com',
      'www.digicert.com',
      'digicert.ne.jp',
      'cybertrust.ne.jp',
    ],
  ],
  [
    /\bsectigo\b|\bcomodo\b|\busertrust\b|\bzerossl\b/i,
    ['sectigo.com', 'comodo.com', 'comodoca.com', 'usertrust.com', 'trust-provider.com', 'zerossl.com'],
  ],
  [/\bglobalsign\b/i, ['globalsign.com']],
  [/\bamazon\b/i, ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com', 'aws.amazon.com']],
  [/\bentrust\b/i, ['entrust.net', 'affirmtrust.com', 'sectigo.com', 'ssl.com']],
  [/\bgodaddy\b|\bgo daddy\b|\bstarfield\b/i, ['godaddy.com', 'starfieldtech.com']],
  [/\bbuypass\b/i, ['buypass.com', 'buypass.no']],
  [/\bssl corp(?:oration)?\b|\bssl\.com\b/i, ['ssl.com']],
  [/\bmicrosoft\b/i, ['microsoft.com']],
  [/\bactalis\b/i, ['actalis.it']],
  [/\bcertum\b|\bunizeto\b|\basseco\b/i, ['certum.pl', 'certum.eu', 'yandex.ru']],
  [/\bharica\b|\bhellenic academic\b/i, ['harica.gr']],
  [/\bidentrust\b/i, ['identrust.com']],
  [/\bswisssign\b/i, ['swisssign.com', 'swisssign.net', 'swisssigngroup.com']],
  [/\btelesec\b|\bt-systems\b|\bdeutsche telekom\b/i, ['telesec.de', 'pki.dfn.de', 'dfn.de']],
  [/\bd-trust\b/i, ['d-trust.net', 'dtrust.de', 'd-trust.de', 'dtrust.net', 'bundesdruckerei.de']],
]

/** CAA domains of whoever issued the certificate; null for an authority that is not in the table. */
export const caaDomainsOf = (issuer: string): readonly string[] | null =>
  AUTHORITIES.find(([words]) => words.test(issuer))?.[1] ?? null

import type { Check } from '../../module.ts'
import type { PrivacyFacts } from '../facts.ts'
import { byVendor, define, listOf, overVisit, type Seen, seenIn, vendorFinding, whoIs } from './shared.ts'

const referrer = define('referrer-leak', 'Referrer leak: others are told the full address of the page', 'medium', {
  why: 'Path and query say what a visitor reads, searches or buys; on some sites that alone is sensitive.',
  remediation:
    'Send `Referrer-Policy: strict-origin-when-cross-origin` or stricter, and remove weaker policies from links and tags.',
  references: ['https://www.w3.org/TR/referrer-policy/', 'https://eur-lex.europa.eu/eli/reg/2016/679/oj'],
})
const personal = define(
  'url-personal-data',
  'Personal data in URL: it stands in an address that is sent to others',
  'high',
  {
    why: 'Addresses are logged by everyone on the way and passed on as referrer.',
    remediation:
      'Keep e-mail addresses and tokens out of addresses: send them in the body of a POST to your own server.',
  },
)
const insecure = define(
  'insecure-request',
  'Insecure request: a page over https asks for something over http',
  'medium',
  {
    why: 'Everyone on the way can read what is visited, and change what comes back.',
    remediation: 'Write https in the address, and send `Content-Security-Policy: upgrade-insecure-requests`.',
    references: ['https://www.w3.org/TR/mixed-content/', 'https://www.w3.org/TR/upgrade-insecure-requests/'],
  },
)

const ALL = ['before', 'rejected', 'accepted', 'revoked'] as const

export const requests: Check<'privacy'> = overVisit({
  findings: [referrer, personal, insecure],
  judge: (facts) => [
    ...byVendor(seenIn(facts, ALL).filter((seen) => tells(seen.contact.referrer, facts))).map((group) =>
      vendorFinding(
        referrer,
        group,
        `${whoIs(group[0].party)} is told the address ${group[0].contact.referrer?.slice(0, 200)} as referrer.`,
        {
          text: `Referer: ${group[0].contact.referrer}`,
          mark: group[0].contact.referrer?.slice(0, 1_000) ?? null,
        },
      ),
    ),
    ...byVendor(seenIn(facts, ALL).filter((seen) => !seen.contact.typed && personalIn(seen) !== null)).map((group) =>
      vendorFinding(personal, group, `an address sent to ${whoIs(group[0].party)} holds ${personalIn(group[0])}.`),
    ),
    ...insecureOf(facts),
  ],
})

/** More than the origin, from a page of the site over a policy that browsers do not have by default. */
const tells = (text: string | null, { site }: PrivacyFacts): boolean => {
  const url = text === null ? null : URL.parse(text)
  if (!url || !(url.hostname === site || url.hostname.endsWith(`.${site}`))) return false
  return url.search.length > 1 || url.pathname.length > 1
}

const EMAIL = /[A-Za-z0-9._+-]{1,64}(?:@|%40)[A-Za-z0-9-]{1,63}\.[A-Za-z]{2,20}/

const personalIn = ({ contact }: Seen): string | null => {
  const query = URL.parse(contact.url)?.search ?? ''
  if (EMAIL.test(query)) return 'an e-mail address'
  if (/eyJ[\w-]{10,}\.eyJ[\w-]{10,}\./.test(query)) return 'a token (JWT)'
  return /[?&](?:session|sid|token|access_token|auth)=[\w.-]{16,}/i.test(contact.referrer ?? '')
    ? 'a session token in the referrer'
    : null
}

/** Of the site itself too: each host once. */
const insecureOf = (facts: PrivacyFacts) => {
  const hits = facts.states.flatMap((state) =>
    state.contacts
      .filter(({ url, page, type }) => /^(?:http|ws):/.test(url) && page.startsWith('https:') && type !== 'document')
      .map((contact): Seen => ({ state, contact, party: partyOf(facts, contact.host) })),
  )
  const [first, ...rest] = hits
  if (!first) return []
  const hosts = listOf([...new Set(hits.map(({ contact }) => contact.host))])
  return [
    {
      ...vendorFinding(insecure, [first, ...rest], `asked for over http from a page over https: ${hosts}.`),
      subject: 'http',
    },
  ]
}

const partyOf = (facts: PrivacyFacts, host: string) =>
  facts.parties.find((party) => party.host === host) ?? { host, domain: host, alias: null, own: true, vendor: null }

/** Facts of a site with a fair dialog and nobody else on it; cases change what they are about. */
import { createTrackers } from '../../../knowledge/trackers/trackers.ts'
import {
  type ConsentButton,
  type Contact,
  type CookieRecord,
  type DialogFacts,
  NOTHING_SEEN,
  type Party,
  type PrivacyFacts,
  type StateFacts,
  type StateName,
} from '../facts.ts'

const HOME = 'https://shop.test/'
const trackers = createTrackers()

export const button = (change: Partial<ConsentButton> & Pick<ConsentButton, 'role' | 'text'>): ConsentButton => ({
  selector: 'button',
  width: 120,
  height: 40,
  contrast: 12,
  prominence: 1.2,
  look: 'button',
  fontSize: 16,
  ...change,
})

export const fairDialog = (change: Partial<DialogFacts> = {}): DialogFacts => ({
  tool: null,
  text: 'We use cookies to measure visits. Do you agree?',
  frame: HOME,
  buttons: [button({ role: 'accept', text: 'Accept all' }), button({ role: 'reject', text: 'Reject all' })],
  clicksToReject: 1,
  clicksToAccept: 1,
  preTicked: [],
  wall: false,
  asksToPay: false,
  forgets: { reject: false, accept: false },
  revisit: 'Cookie settings',
  screenshot: null,
  ...change,
})

export const state = (name: StateName, change: Partial<StateFacts> = {}): StateFacts => ({
  ...NOTHING_SEEN,
  name,
  missed: null,
  pages: [{ url: HOME, moment: 'before', error: null }],
  ...change,
})

/** `hosts` become parties, read by the real table of vendors. */
export const privacyFacts = (
  states: Partial<Record<StateName, Partial<StateFacts>>> = {},
  change: Partial<PrivacyFacts> = {},
): PrivacyFacts => {
  const all = (['untouched', 'reject', 'accept', 'revoke'] as const).map((name) => state(name, states[name]))
  const hosts = [...new Set(all.flatMap(({ contacts }) => contacts.map(({ url }) => url)))]
  return {
    browser: '150.0',
    url: HOME,
    site: 'shop.test',
    states: all,
    parties: [...new Map(hosts.map((url) => [URL.parse(url)?.hostname ?? '', partyOf(url)])).values()],
    dialog: fairDialog(),
    policies: {
      read: true,
      links: [
        { kind: 'privacy', label: 'Privacy', url: `${HOME}privacy`, status: 200, error: null },
        { kind: 'imprint', label: 'Imprint', url: `${HOME}imprint`, status: 200, error: null },
      ],
      named: [],
      languages: ['en'],
    },
    gpc: { hosts: [] },
    versions: {},
    cookieTable: null,
    ...change,
  }
}

export const noDialog = (reason = 'no consent dialog was found'): Partial<Record<StateName, Partial<StateFacts>>> => ({
  reject: { missed: reason },
  accept: { missed: reason },
  revoke: { missed: reason },
})

const partyOf = (url: string): Party => {
  const host = URL.parse(url)?.hostname ?? ''
  const vendor = trackers.vendorOf(url)
  const domain = host.split('.').slice(-2).join('.')
  return {
    host,
    domain,
    alias: null,
    own: false,
    vendor: vendor && { ...vendor, tcfId: vendor.tcfId ?? null, source: 'own table' },
  }
}

export const contact = (url: string, change: Partial<Contact> = {}): Contact => ({
  at: 120,
  moment: 'before',
  typed: false,
  url,
  host: URL.parse(url)?.hostname ?? '',
  method: 'GET',
  type: 'script',
  page: HOME,
  from: HOME,
  script: null,
  status: 200,
  failure: null,
  referrer: HOME,
  body: null,
  cookiesSent: [],
  pixel: trackers.pixelOf(url, change.body ?? null),
  listed: null,
  identifiers: [],
  ...change,
})

export const cookie = (name: string, change: Partial<CookieRecord> = {}): CookieRecord => ({
  name,
  domain: 'shop.test',
  path: '/',
  moment: 'before',
  lifetime: 30 * 86_400_000,
  secure: true,
  httpOnly: false,
  sameSite: 'Lax',
  length: 27,
  unique: true,
  by: 'script',
  setBy: `${HOME}app.js`,
  stack: [`at track (${HOME}app.js:3:7)`],
  known: trackers.cookieOf(name, 'shop.test'),
  ...change,
})

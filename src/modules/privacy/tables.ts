/** Who gets what, when; cookies; and what can be judged from one place and one visit. */
import type { FactTable } from '../../contract/findings-file.ts'
import type { CookieRecord, Moment, PrivacyFacts } from './facts.ts'
import { byVendor, firstPartyIn, MOMENTS, seenIn, vendorName } from './judge/shared.ts'

const ALL: readonly Moment[] = ['before', 'rejected', 'accepted', 'revoked']
const SHORT: Readonly<Record<Moment, string>> = {
  before: 'before',
  rejected: 'refused',
  accepted: 'agreed',
  revoked: 'withdrawn',
}
const DAY = 86_400_000
const inDays = (lifetime: number | null): string => (lifetime === null ? 'session' : String(Math.round(lifetime / DAY)))

export const privacyTables = (facts: PrivacyFacts): readonly FactTable[] => [
  whoGetsWhat(facts),
  ...cookiesOf(facts),
  statesOf(facts),
]

const whoGetsWhat = (facts: PrivacyFacts): FactTable => ({
  id: 'who-gets-what',
  module: 'privacy',
  title: 'Who gets what, when',
  columns: ['Company', 'Seat', 'Purpose', 'When', 'What', 'Hosts'],
  rows: byVendor([...seenIn(facts, ALL), ...firstPartyIn(facts, ALL)])
    .slice(0, 100)
    .map((group) => {
      const [{ party }] = group
      const sent = new Set<string>()
      for (const { contact } of group) {
        if (contact.pixel) sent.add(`event ${contact.pixel.event ?? ''}`.trim())
        for (const kind of contact.pixel?.identity ?? []) sent.add(kind)
        for (const label of contact.identifiers) sent.add(label.replace(/@.*$/, ''))
        if (contact.cookiesSent.length > 0) sent.add('its cookies')
        if (contact.referrer) sent.add('page')
      }
      for (const { state, contact } of group)
        for (const leak of state.leaks) if (leak.host === contact.host) sent.add(`typed ${leak.field}`)
      const moments = ALL.filter((moment) => group.some(({ contact }) => contact.moment === moment))
      const legal = party.vendor?.legalEntity
      return [
        legal ? `${vendorName(party)} (${legal})` : vendorName(party),
        party.vendor?.country ?? 'unknown',
        party.vendor?.purposes.join(', ') || 'unknown',
        moments.map((moment) => SHORT[moment]).join(', '),
        ['address, browser', ...sent].slice(0, 8).join(', '),
        [...new Set(group.map(({ contact }) => contact.host))].slice(0, 4).join(', '),
      ]
    }),
})

const cookiesOf = (facts: PrivacyFacts): readonly FactTable[] => {
  const rows = new Map<string, { readonly cookie: CookieRecord; readonly moments: Set<Moment> }>()
  for (const { cookies } of facts.states) {
    for (const cookie of cookies) {
      const key = `${cookie.name} ${cookie.domain}`
      const row = rows.get(key) ?? { cookie, moments: new Set() }
      row.moments.add(cookie.moment)
      rows.set(key, row)
    }
  }
  if (rows.size === 0) return []
  return [
    {
      id: 'privacy-cookies',
      module: 'privacy',
      title: 'Cookies in the browser',
      columns: ['Cookie', 'Domain', 'Set', 'Days asked', 'Days kept', 'Purpose', 'Differs by visitor'],
      rows: [...rows.values()].slice(0, 150).map(({ cookie, moments }) => [
        cookie.name,
        cookie.domain,
        ALL.filter((moment) => moments.has(moment))
          .map((moment) => SHORT[moment])
          .join(', '),
        cookie.asked === undefined ? '' : inDays(cookie.asked),
        inDays(cookie.lifetime),
        cookie.known?.purpose ?? 'unknown',
        cookie.unique ? 'yes' : 'no',
      ]),
    },
  ]
}

/** What was done, and what one look cannot show. */
const statesOf = (facts: PrivacyFacts): FactTable => ({
  id: 'privacy-states',
  module: 'privacy',
  title: 'How privacy was looked at',
  columns: ['State', 'What was done'],
  rows: [
    ...facts.states.map((state) => [
      state.name,
      state.missed ??
        [
          `${state.pages.length} page loads`,
          ...state.presses.map(
            ({ text, by }) => `pressed “${text}” (by ${by === 'rule' ? 'the tool’s rules' : 'its words'})`,
          ),
          `${state.contacts.length + state.dropped} requests to others`,
        ].join('; '),
    ]),
    [
      'limits',
      'One visit, from one place, by one browser: what other regions, devices, times or signed-in visitors are shown was not ' +
        'seen; nor what happens on servers. Third parties that could not be reached were contacted all the same, but what ' +
        `they would have loaded next is unknown. ${MOMENTS.before[0]?.toUpperCase()}${MOMENTS.before.slice(1)} means: until a button of the dialog was pressed.`,
    ],
  ],
})

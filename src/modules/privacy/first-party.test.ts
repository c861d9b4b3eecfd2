import { describe, expect, it } from 'vitest'
import { caseContext, judgeCases } from '../testing/judge-cases.ts'
import { caseSite } from '../testing/site-facts.ts'
import type { Contact, FirstPartyMeasuring, PrivacyFacts } from './facts.ts'
import { firstParty } from './judge/first-party.ts'
import { pixels } from './judge/pixels.ts'
import { recorders } from './judge/recorders.ts'
import { trackers } from './judge/trackers.ts'
import { contact, noDialog, privacyFacts } from './testing/facts.ts'

const OWN: FirstPartyMeasuring = { hosted: true, vendor: 'matomo', name: 'Matomo', purposes: ['analytics'] }
const GOOGLE: FirstPartyMeasuring = {
  ...{ hosted: false, vendor: 'google-analytics', name: 'Google Analytics', purposes: ['analytics'] },
}
const COUNT = 'https://shop.test/js/?idsite=1&rec=1&url=https://shop.test/'
const TAG = 'https://m.shop.test/g/collect?v=2&tid=G-ABCD&cid=1234567890.1700000000&en=page_view'
const PERSON = { identifiers: ['cookie:_pk_id.1@shop.test'] } as const
const FILM = { method: 'POST', type: 'fetch', records: true } as const
const during = (state: 'untouched' | 'reject' | 'accept', url: string, change: Partial<Contact>): PrivacyFacts => ({
  ...privacyFacts({ [state]: { contacts: [contact(url, change)] } }),
  parties: [],
})
const at = (url: string, change: Partial<Contact>) => during('untouched', url, change)

describe('measuring through hosts of the site', () => {
  judgeCases(firstParty, [
    {
      name: 'with an identifier',
      facts: at(COUNT, { measuring: OWN, ...PERSON }),
      expect: ['privacy/first-party-tracker-before-consent'],
    },
    { name: 'that only counts', facts: at(COUNT, { measuring: OWN }), expect: [] },
    { name: 'that is nobody’s', facts: at('https://shop.test/api/x', PERSON), expect: [] },
    {
      name: 'after consent alone',
      facts: during('accept', COUNT, { moment: 'accepted', measuring: OWN, ...PERSON }),
      expect: [],
    },
    {
      name: 'after a refusal',
      facts: during('reject', COUNT, { moment: 'rejected', measuring: OWN, ...PERSON }),
      expect: ['privacy/first-party-tracker-after-reject'],
    },
    {
      name: 'for a vendor, whenever',
      facts: at(TAG, { measuring: GOOGLE, moment: 'accepted' }),
      expect: ['privacy/tracker-first-party'],
    },
    {
      name: 'no dialog: the refusal is not judged',
      facts: { ...privacyFacts(noDialog(), { dialog: null }), parties: [] },
      expect: [],
      unjudged: 'not_applicable',
    },
  ])
})

describe('what else is said of it', () => {
  const ids = (check: typeof pixels, facts: PrivacyFacts): readonly string[] => {
    const judged = check.judge(facts, { site: caseSite() }, caseContext())
    return ('state' in judged ? (judged.findings ?? []) : judged).map(({ definition }) => definition.id)
  }
  const nobody = (host: string): Contact => contact(`https://${host}/r`, FILM)

  it('a vendor’s is a pixel of the vendor, the site’s own is none', () => {
    expect(ids(pixels, at(TAG, { measuring: GOOGLE }))).toEqual(['privacy/pixel-before-consent'])
    expect(ids(pixels, at(COUNT, { measuring: OWN, ...PERSON }))).toEqual([])
  })
  it('no tracker is contacted by it', () => {
    expect(ids(trackers, at(COUNT, { measuring: OWN, ...PERSON }))).toEqual([])
    expect(ids(trackers, at(TAG, { measuring: GOOGLE }))).toEqual([])
  })
  it('a film for the site itself is one, as one for a company that nobody knows; two such are two', () => {
    const found = 'privacy/session-recorder-before-consent'
    expect(ids(recorders, at('https://shop.test/api/r', FILM))).toEqual([found])
    expect(ids(recorders, at('https://shop.test/api/r', { ...FILM, records: false }))).toEqual([])
    expect(ids(recorders, privacyFacts({ untouched: { contacts: [nobody('c.nobody.test')] } }))).toEqual([found])
    const two = privacyFacts({ untouched: { contacts: [nobody('c.nobody.test'), nobody('c.somebody.test')] } })
    expect(ids(recorders, two)).toEqual([found, found])
  })
})

/** Compares what was said of a site with what the testbed knows of it. */
import type { PrivacyPage } from '../../testbed/privacy/page.ts'
import type { Said } from './visit.ts'

/** Statements about who gets something, true of every site that contacts a vendor; rated information or by the seat. */
const ABOUT_VENDORS: readonly string[] = ['vendor-seats', 'vendor-outside', 'beacons', 'gpc-ignored']

/** What follows from a tracker that a refusal does not stop. */
const AFTER_ANY_PRESS: readonly string[] = [
  'tracker-after-reject',
  'tracker-contact-after-reject',
  'pixel-after-reject',
  'cookie-after-reject',
  'session-recorder-after-reject',
  'first-party-tracker-after-reject',
  'tag-manager-before-consent',
  'reject-ineffective',
  'revoke-ineffective',
]
const BEFORE_ANY_PRESS: readonly string[] = [
  'tracker-before-consent',
  'tracker-contact-before-consent',
  'pixel-before-consent',
  'cookie-before-consent',
]

export interface Score {
  readonly missed: readonly string[]
  readonly alarms: readonly string[]
}

export const score = (page: PrivacyPage, said: readonly Said[]): Score => {
  const contacts = page.must.length > 0 || (page.names ?? []).length > 0
  const allowed = [
    ...page.must,
    ...(page.may ?? []),
    ...(contacts ? ABOUT_VENDORS : []),
    ...(page.runs === undefined ? [] : AFTER_ANY_PRESS),
    ...(page.runs === 'always' ? BEFORE_ANY_PRESS : []),
  ]
  return {
    missed: page.must.filter((id) => !said.some((one) => one.id === id)),
    alarms: said
      .filter(({ id }) => !allowed.includes(id))
      .map(({ id, subject, detail }) => `${id} (${subject}): ${detail}`),
  }
}

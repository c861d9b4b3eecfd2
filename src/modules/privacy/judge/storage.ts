import type { Check } from '../../module.ts'
import { byVendor, define, listOf, MOMENTS, overVisit, type Seen, seenIn, vendorFinding, whoIs } from './shared.ts'

const sent = define(
  'storage-identifier',
  'Local storage tracking: an identifier kept by the browser is sent to a third party',
  'high',
  {
    why:
      'localStorage, sessionStorage and IndexedDB need consent like cookies do. A value of at least 64 bits that differs from ' +
      'visitor to visitor and is sent to others recognises people.',
    remediation:
      'Write the value only after consent and remove it on refusal; or keep the vendor’s script out until then. A setting ' +
      'that the page needs does not have to leave the browser.',
  },
)

const KINDS = /^(?:localStorage|sessionStorage|indexedDB):/

/** Values in storage that were seen in requests to others without consent. */
export const storage: Check<'privacy'> = overVisit({
  findings: [sent],
  judge: (facts) =>
    byVendor(seenIn(facts, ['before', 'rejected', 'revoked']).filter((seen) => keysOf(seen).length > 0)).map(
      (group) => {
        const [{ contact, party }] = group
        const keys = [...new Set(group.flatMap(keysOf))]
        return vendorFinding(
          sent,
          group,
          `${listOf(keys)} is sent to ${whoIs(party)} ${MOMENTS[contact.moment]}: ${contact.url.slice(0, 200)}.`,
        )
      },
    ),
})

const keysOf = ({ contact }: Seen): readonly string[] =>
  contact.identifiers.filter((label) => KINDS.test(label)).map((label) => label.replace(/@.*$/, ''))

import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const open: FindingDefinition = {
  id: 'api/old-version-open',
  title: 'Old version of an interface: it gives anybody what the present one asks a sign-in for',
  severity: 'high',
  cwe: 306,
  why: 'A version that nobody looks after was left running beside its successor, without the checks that this one has. Whoever changes the number in an address reads the data of people.',
  remediation:
    'Switch the old version off: remove its routes, or answer 410 Gone to all of them at the gateway. Until then put the same check of the sign-in before both, on the router that they share (Express `app.use("/api", requireAuth)`, Spring `requestMatchers("/api/**").authenticated()`), and list every version that runs.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa9-improper-inventory-management/',
    'https://cwe.mitre.org/data/definitions/306.html',
  ],
}

/** Asked by nobody, twice, and compared with what the account is shown under the present version. */
export const oldVersion: Check<'api'> = {
  findings: [open],
  judge: ({ versions }) =>
    versions === undefined
      ? { state: 'not_tested', reason: 'the run is of a version that did not ask for it' }
      : judged(
          versions,
          versions.hits.map((hit) =>
            findingOf(open, hit, {
              confidence: 'confirmed',
              detail: `Asked without credentials, it shows what ${new URL(hit.present).pathname} shows to the account alone: ${hit.names.slice(0, 5).join(', ')}.`,
            }),
          ),
          { unit: 'operations', absent: 'no operation whose address has a version with others before it was found' },
        ),
}

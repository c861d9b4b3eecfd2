import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const missing: FindingDefinition = {
  id: 'api/sign-in-missing',
  title: 'Missing authentication: an operation that asks for a sign-in answers anybody',
  severity: 'high',
  cwe: 306,
  why: 'The description of the interface says that only who is signed in may call this operation. It answers with data to whoever calls it.',
  remediation:
    'Put the check of the sign-in before every route and name the public ones, rather than the other way round: Express `app.use(requireAuth)` before the router, Spring `anyRequest().authenticated()`, ASP.NET `FallbackPolicy`. Where the operation is public on purpose, say `security: []` in its description.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa2-broken-authentication/',
    'https://cwe.mitre.org/data/definitions/306.html',
  ],
}

const state: FindingDefinition = {
  ...missing,
  id: 'api/sign-in-missing-state',
  title: 'Missing authentication: an operation that asks for a sign-in tells anybody how the service is',
  severity: 'info',
  group: 'disclosure',
  why: 'The description of the interface says that only who is signed in may call this operation. It answers anybody, with nothing but the state or the version of the service.',
  remediation:
    'Where monitors are meant to call it without a sign-in, say `security: []` in its description; else put the check of the sign-in before it.',
}

/** Asked by nobody, twice, and compared with what the run's own account is answered where it has one. */
export const signInMissing: Check<'api'> = {
  findings: [missing, state],
  judge: ({ open }) =>
    judged(
      open,
      open.hits.map((hit) =>
        findingOf(hit.plain ? state : missing, hit, {
          confidence: 'confirmed',
          detail: `Asked without credentials, it answered status ${hit.status} with ${hit.names.slice(0, 5).join(', ')}${hit.names.length > 5 ? ' and more' : ''}.`,
        }),
      ),
      { unit: 'operations', absent: 'no description names an operation that asks for a sign-in' },
    ),
}

import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const override: FindingDefinition = {
  id: 'api/method-override',
  title: 'HTTP method override: a header changes the method of a request',
  severity: 'low',
  cwe: 650,
  why: 'What a firewall, a proxy or a rule allows by its method is carried out as another: a GET may delete.',
  remediation:
    'Remove the override (Express `method-override`, Rails `Rack::MethodOverride`, Spring `HiddenHttpMethodFilter`), or allow it for POST alone and behind a sign-in.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa8-security-misconfiguration/',
    'https://cwe.mitre.org/data/definitions/650.html',
  ],
}
const plainJson: FindingDefinition = {
  id: 'api/json-as-text',
  title: 'CSRF by content type: JSON is read under a type that any form can send',
  severity: 'low',
  cwe: 352,
  why: 'A form on another site can send text/plain with the cookies of a visitor. Only application/json makes the browser ask first.',
  remediation:
    'Take application/json alone and answer others with 415: Express `express.json()` without `type`, FastAPI `strict_content_type`. Set cookies with SameSite=Lax or Strict.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/352.html',
  ],
}

export const content: Check<'api'> = {
  findings: [override, plainJson],
  judge: ({ content: topic }) =>
    judged(
      topic,
      topic.hits.map((hit) =>
        findingOf(hit.kind === 'override' ? override : plainJson, hit, {
          confidence: 'confirmed',
          detail: hit.detail,
          basis: hit.kind,
          // One filter of a whole service obeys the header.
          ...(hit.kind === 'override' ? { subject: hit.kind } : {}),
        }),
      ),
      { unit: 'operations', absent: 'no operation of an interface was found' },
    ),
}

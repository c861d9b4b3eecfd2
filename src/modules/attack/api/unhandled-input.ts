import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const unhandled: FindingDefinition = {
  id: 'api/unhandled-input',
  title: 'Unhandled input: wrong input makes an operation fail',
  severity: 'low',
  cwe: 755,
  why: 'What was never looked at has gone further than it should: into queries, into the file system, into errors that tell of the program.',
  remediation:
    'Validate each request by the schema that describes it, before the code that works with it, and answer 400 or 422: Ajv, Zod, Pydantic, Bean Validation.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa8-security-misconfiguration/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Input_Validation_Cheat_Sheet.html',
  ],
}

export const unhandledInput: Check<'api'> = {
  findings: [unhandled],
  judge: ({ failed }) =>
    judged(
      failed,
      failed.hits.map((hit) =>
        findingOf(unhandled, hit, {
          ...{ confidence: 'confirmed', parameter: hit.parameter, basis: `status ${hit.status}` },
          detail: `${hit.input.charAt(0).toUpperCase()}${hit.input.slice(1)} in ${hit.parameter} is answered with status ${hit.status}, twice; as described it is not.`,
        }),
      ),
      { unit: 'described operations', absent: 'no description of an interface was found' },
    ),
}

import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { FailedHit } from './facts.ts'
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

/** Operations whose errors one handler answers have one flaw: nothing looks at their input before. */
export const unhandledInput: Check<'api'> = {
  findings: [unhandled],
  judge: ({ failed }) =>
    judged(
      failed,
      [...Map.groupBy(failed.hits, (hit) => hit.handler ?? hit).values()].flatMap(([hit, ...others]) =>
        hit === undefined ? [] : [toldOnce(hit, others)],
      ),
      { unit: 'described operations', absent: 'no description of an interface was found' },
    ),
}

const toldOnce = (hit: FailedHit, others: readonly FailedHit[]): Finding => {
  const what = `${hit.input.charAt(0).toUpperCase()}${hit.input.slice(1)} in ${hit.parameter} is answered with status ${hit.status}, twice; as described it is not.`
  const more =
    others.length === 1 ? ' One more operation fails alike.' : ` ${others.length} more operations fail alike.`
  return {
    ...findingOf(unhandled, hit, {
      ...{ confidence: 'confirmed', parameter: hit.parameter, basis: `status ${hit.status}` },
      detail: others.length === 0 ? what : `${what}${more}`,
    }),
    ...(others.length === 0
      ? {}
      : { places: others.map(({ url, method, parameter }) => ({ url, method, parameter })) }),
    ...(hit.handler === undefined ? {} : { cause: hit.handler }),
  }
}

import type { Check, FindingDefinition } from '../../module.ts'
import { findingAt, judgeProbed, parameterOf } from '../insertion-points/verdict.ts'

const definition: FindingDefinition = {
  id: 'injection/serialized-object',
  title: 'Insecure deserialization: a value that visitors can change is a serialised object',
  severity: 'medium',
  cwe: 502,
  why: 'Whoever can change a serialised object may choose which classes the server builds from it; with the right ones on the server, that runs code.',
  remediation:
    'Send data as JSON and check it against a schema. Where the format has to stay, sign it (HMAC) and check the signature before reading.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Deserialization_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/502.html',
  ],
}

/** By the value's beginning alone: whether it is signed cannot be told without sending an object of our own. */
export const serializedObject: Check<'injection', 'crawl'> = {
  findings: [definition],
  judge: (facts) =>
    judgeProbed(facts, (point) =>
      point.hits.flatMap((hit) =>
        hit.proof === 'marker'
          ? [
              findingAt(point, definition, {
                confidence: 'tentative',
                detail: `The value of ${parameterOf(point.at)} begins like a ${hit.format}: ${hit.beginning}…`,
              }),
            ]
          : [],
      ),
    ),
}

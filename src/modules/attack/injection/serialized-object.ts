import type { Check, FindingDefinition } from '../../module.ts'
import type { ProbedPoint } from '../insertion-points/facts.ts'
import { findingAt, judgeProbed, parameterOf } from '../insertion-points/verdict.ts'
import type { InjectionHit } from './facts.ts'
import { isProven, listeningCheck } from './proven.ts'

const builtDefinition: FindingDefinition = {
  id: 'injection/deserialization',
  title: 'Insecure deserialization: objects that a visitor sends are built on the server',
  severity: 'critical',
  cwe: 502,
  why:
    'The server builds whatever object a visitor writes, and its classes act while they are built. With classes that most ' +
    'applications bring along, an attacker runs programs on the server.',
  remediation:
    'Read data as data: JSON without names of classes, checked against a schema; `json` in place of `pickle`, `yaml.safe_load`, ' +
    '`JSON.parse`. Where objects have to be read, allow classes from a list (`ObjectInputFilter`) and sign what goes to visitors.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Deserialization_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/502.html',
  ],
}

/** An object of ours called us while the server built it. */
export const deserialization = listeningCheck('deserialization', builtDefinition)

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

/** By the value's beginning alone, where no object of ours was built: it may be signed, or its language may have none that calls. */
export const serializedObject: Check<'injection', 'crawl'> = {
  findings: [definition],
  judge: (facts) => {
    const built = facts.points.filter(({ hits }) => hits.some((one) => one.kind === 'deserialization' && isProven(one)))
    const marked = facts.points.filter(({ hits }) => hits.some(({ proof }) => proof === 'marker'))
    return judgeProbed(facts, (point) =>
      point.hits.flatMap((hit) =>
        hit.proof === 'marker' &&
        !built.some((one) => isSame(one, point)) &&
        marked.find((one) => isSame(one, point)) === point
          ? [
              findingAt(point, definition, {
                confidence: 'tentative',
                detail: `The value of ${parameterOf(point.at)} begins like a ${hit.format}: ${hit.beginning}…`,
              }),
            ]
          : [],
      ),
    )
  },
}

/** A cookie goes with every request, and is one value on all of them. */
const isSame = (one: ProbedPoint<InjectionHit>, other: ProbedPoint<InjectionHit>): boolean =>
  one === other || (one.at.place === 'cookie' && other.at.place === 'cookie' && one.at.name === other.at.name)

import type { Check, FindingDefinition } from '../../module.ts'
import { findingAt, judgeProbed, parameterOf } from '../insertion-points/verdict.ts'

const definition: FindingDefinition = {
  id: 'sqli/database-error',
  title: 'SQL error message: input brings out an error text of the database',
  severity: 'medium',
  cwe: 209,
  why:
    'The page shows what the database says when input upsets it: names of tables, columns and software, and a channel ' +
    'that an injection would read its answers from.',
  remediation:
    'Show a plain error page and write the details to a log: `display_errors = Off` in PHP, a handler for all exceptions ' +
    'elsewhere. Then find out why this input reached the database in a form it could not take.',
  references: [
    'https://owasp.org/www-community/Improper_Error_Handling',
    'https://cwe.mitre.org/data/definitions/209.html',
  ],
}

/** Where the injection itself is proven, that finding speaks; this one is for a message alone. */
export const databaseError: Check<'sqli', 'crawl'> = {
  findings: [definition],
  judge: (facts) =>
    judgeProbed(facts, (point) => {
      const message = point.hits.find((hit) => hit.technique === 'message')
      // A place that was asked anew has it twice.
      if (!message || message.toggles || point.hits.some((hit) => hit.technique !== 'message')) return []
      return [
        findingAt(point, definition, {
          confidence: 'firm',
          detail: `A value with quotes in ${parameterOf(point.at)} brings out an error of ${message.dbms}.`,
          ...(message.handler === undefined ? {} : { cause: message.handler }),
          proof: { excerpt: message.excerpt, mark: message.mark, replay: message.replay, basis: message.dbms },
        }),
      ]
    }),
}

/** What was run, what was held back and why: for the report's appendix. */
import type { FactTable } from '../../../contract/findings-file.ts'
import type { TemplatesFacts } from './facts.ts'

export const templateTables = (facts: TemplatesFacts): readonly FactTable[] => {
  const { counts, requests, heldBack, refused, skips } = facts
  const rows = [
    ['Templates selected', counts.selected],
    ['Run', counts.run],
    ['For products that were not seen', counts.notFitting],
    ['For products whose own files are not there', counts.pruned],
    ['Not runnable here: a value is missing', counts.skipped],
    ['Without an answer', counts.failed],
    ['Not begun: time ran out', counts.late],
    ['Matches that a control refuted', counts.refuted],
    ['Requests named by templates', requests.named],
    ['Requests sent', requests.sent],
  ] as const
  const reasons = [
    ...heldBack.map(({ tier, reason, templates }) => [`${tier}: ${reason}`, String(templates)]),
    ...refused.map(({ reason, templates }) => [`never run: ${reason}`, String(templates)]),
    ...skips.map(({ reason, templates }) => [`not runnable: ${reason}`, String(templates)]),
  ]
  return [
    {
      id: 'templates',
      module: 'templates',
      title: facts.full ? 'Templates: the whole allowed catalogue' : 'Templates: what fits the site',
      columns: ['What', 'Number'],
      rows: rows.map(([what, number]) => [what, String(number)]),
    },
    ...(reasons.length === 0
      ? []
      : [
          {
            id: 'templates-held-back',
            module: 'templates',
            title: 'Templates that were held back',
            columns: ['Why', 'Templates'],
            rows: reasons,
          },
        ]),
  ]
}

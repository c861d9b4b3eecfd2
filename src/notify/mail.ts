/** E-mail about runs, over the operator's mail server. */
import { z } from 'zod'
import { SEVERITIES } from '../contract/finding.ts'
import { Counts } from '../contract/run.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same for every attempt, so that a repeat is one message in the reader's mailbox. */
  readonly messageId: string
}
/** Resolves once the server has taken it; rejects with a sentence otherwise. */
export type SendMail = (mail: Mail) => Promise<void>

const Told = z.object({
  data: z.object({
    id: z.string(),
    domain: z.string(),
    tier: z.string(),
    status: z.string(),
    grade: z.string().nullable(),
    counts: Counts,
    open_counts: Counts,
    error_detail: z.string().nullable(),
    new_critical: z.number().optional(),
  }),
})

/** `baseUrl`: where people reach the service; null leaves the link out. */
export const mailOf = (
  { id, event, payload, address }: { id: string; event: string; payload: string; address: string },
  baseUrl: string | null,
): Mail => {
  const { data } = Told.parse(JSON.parse(payload))
  const counts = SEVERITIES.map((severity) => `${severity} ${data.open_counts[severity]}`).join(', ')
  const critical = data.new_critical ?? 0
  const subject =
    event === 'scan.new_critical'
      ? `${data.domain}: ${critical === 1 ? 'a new critical finding' : `${critical} new critical findings`}`
      : data.status === 'done'
        ? `${data.domain}: scan finished, grade ${data.grade ?? 'unknown'}`
        : `${data.domain}: scan ${data.status}`
  const lines = [
    `The ${data.tier} scan of ${data.domain} ${data.status === 'done' ? 'has finished' : `ended ${data.status}`}.`,
    ...(data.error_detail === null ? [] : [data.error_detail]),
    '',
    ...(data.grade === null ? [] : [`Grade:    ${data.grade}`]),
    `Open:     ${counts}`,
    `Run:      ${data.id}`,
    ...(baseUrl === null ? [] : [`Details:  ${baseUrl}/runs/${data.id}`]),
    '',
    'What was found is not in this message, because mail is read by others too.',
  ]
  // A header of one line: the name of a domain has no line break, and nothing else of the target stands in it.
  return { to: address, subject: subject.slice(0, 200), text: `${lines.join('\n')}\n`, messageId: `${id}@sonde` }
}

/** E-mail about runs and findings, over the operator's mail server. */
import { z } from 'zod'
import { SEVERITIES } from '../contract/finding.ts'
import type { Language } from '../contract/language.ts'
import { Counts } from '../contract/run.ts'
import { type MailWords, mailWords } from './words.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same for every attempt, so that a repeat is one message in the reader's mailbox. */
  readonly messageId: string
}
/** Resolves once the server has taken it; rejects with a sentence otherwise. */
export type SendMail = (mail: Mail) => Promise<void>

const AboutRun = z.object({
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
const AboutFindings = z.object({
  data: z.object({ total: z.int(), findings: z.array(z.object({ domain: z.string() })) }),
})
const AboutMention = z.object({
  data: z.object({
    ...{ domain_id: z.string(), fingerprint: z.string(), domain: z.string(), by: z.string(), total: z.int() },
  }),
})

type Letter = Pick<Mail, 'subject' | 'text'>

interface Told {
  readonly id: string
  readonly event: string
  /** JSON. */
  readonly payload: string
  readonly address: string
  readonly language: Language
}

/** `baseUrl`: where people reach the service; null leaves the link out. */
export const mailOf = ({ id, event, payload, address, language }: Told, baseUrl: string | null): Mail => {
  const { subject, text } = letterOf(event, JSON.parse(payload), mailWords(language), baseUrl)
  // A header of one line: names of people may hold anything.
  const line = subject.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 200)
  return { to: address, subject: line.toWellFormed(), text, messageId: `${id}@sonde` }
}

const letterOf = (event: string, told: unknown, w: MailWords, baseUrl: string | null): Letter => {
  if (event === 'finding.overdue') return overdue(AboutFindings.parse(told).data, w, baseUrl)
  if (event === 'finding.mentioned') return mentioned(AboutMention.parse(told).data, w, baseUrl)
  return aboutRun(event, AboutRun.parse(told).data, w, baseUrl)
}

const lettered = (lines: readonly (string | null)[]): string => `${lines.filter((line) => line !== null).join('\n')}\n`

const aboutRun = (
  event: string,
  data: z.infer<typeof AboutRun>['data'],
  w: MailWords,
  baseUrl: string | null,
): Letter => {
  const { domain, tier, status, grade } = data
  const counts = SEVERITIES.map((severity) => `${w.severity[severity]} ${data.open_counts[severity]}`).join(', ')
  const subject =
    event === 'scan.new_critical'
      ? w.newCritical(domain, data.new_critical ?? 0)
      : status === 'done'
        ? w.finished(domain, grade)
        : w.ended(domain, status)
  const text = lettered([
    status === 'done' ? w.finishedText(tier, domain) : w.endedText(tier, domain, status),
    data.error_detail,
    '',
    grade === null ? null : `${w.lines.grade} ${grade}`,
    `${w.lines.open} ${counts}`,
    `${w.lines.run} ${data.id}`,
    baseUrl === null ? null : `${w.lines.details} ${baseUrl}/runs/${data.id}`,
    '',
    w.notHere,
  ])
  return { subject, text }
}

/** Domains that a message names. */
const MOST_NAMED = 10

const overdue = (
  { total, findings }: z.infer<typeof AboutFindings>['data'],
  w: MailWords,
  baseUrl: string | null,
): Letter => {
  const domains = [...new Set(findings.map(({ domain }) => domain))]
  const named = domains.slice(0, MOST_NAMED).join(', ')
  const text = lettered([
    w.overdueText(total),
    '',
    `${w.lines.domains} ${named}${domains.length > MOST_NAMED ? ', …' : ''}`,
    baseUrl === null ? null : `${w.lines.details} ${baseUrl}/findings?overdue=1`,
    '',
    w.notHere,
  ])
  return { subject: w.overdue(total), text }
}

const mentioned = (
  { domain_id, fingerprint, domain, by, total }: z.infer<typeof AboutMention>['data'],
  w: MailWords,
  baseUrl: string | null,
): Letter => ({
  subject: w.mentioned(by, domain),
  text: lettered([
    w.mentionedText(by, total),
    '',
    baseUrl === null ? null : `${w.lines.finding} ${baseUrl}/findings/${domain_id}/${fingerprint}`,
    w.commentNotHere,
  ]),
})

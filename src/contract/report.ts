/** The report of a run: made by itself once the run has its result, and again whenever somebody asks. */
import { z } from 'zod'
import { LANGUAGES } from './language.ts'

export const REPORT_STATES = ['none', 'pending', 'ready', 'failed'] as const

/** Of the newest rendering. */
export const ReportState = z
  .strictObject({
    state: z
      .enum(REPORT_STATES)
      .describe(
        'none: no PDF was asked for; pending: it is being made; failed: the PDF cannot be made, `reason` says why',
      ),
    reason: z.string().nullable().describe('Why it failed, a sentence'),
    version: z
      .int()
      .min(1)
      .nullable()
      .describe('Number of the newest rendering; while it is pending the files are those of the one before'),
  })
  .describe('State of the report; it does not decide how the run ends')
export type ReportState = z.infer<typeof ReportState>

export const NO_REPORT: ReportState = { state: 'none', reason: null, version: null }

/** Parts that a report has where they are asked for; the cover and the management summary always stand. */
export const REPORT_SECTIONS = ['method', 'findings', 'tables', 'checks'] as const
export type ReportSection = (typeof REPORT_SECTIONS)[number]

/** Without the annexes, which findings.json holds as well. */
export const USUAL_SECTIONS: readonly ReportSection[] = ['method', 'findings']

/** The body of a request to make the report again. */
export const AskReport = z.strictObject({
  language: z
    .enum(LANGUAGES)
    .default('en')
    .describe(
      'Of the report; findings.json and SARIF stay English, and so does what a check saw. de: German, with the texts of all findings',
    ),
  sections: z
    .array(z.enum(REPORT_SECTIONS))
    .refine((all) => new Set(all).size === all.length, 'must not name a part twice')
    .optional()
    .describe(
      'Beside the summary; by default method and findings (with the remediation plan). Annexes: tables (what was seen of TLS, services, pages …), checks (each that was made)',
    ),
  texts: z
    .strictObject({
      introduction: z
        .string()
        .trim()
        .min(1)
        .max(4000)
        .regex(/^[^\p{Cs}\p{Cc}]*(?:[\n\r\t][^\p{Cs}\p{Cc}]*)*$/u, 'must be text without control characters')
        .optional()
        .describe('Stands before the management summary, as plain text; an empty line begins a paragraph'),
    })
    .default({})
    .describe('Words of your own'),
})
export type AskReport = z.infer<typeof AskReport>

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

const TEXT = /^[^\p{Cs}\p{Cc}]*(?:[\n\r\t][^\p{Cs}\p{Cc}]*)*$/u
const LINE = /^[^\p{Cs}\p{Cc}]*$/u
const prose = () => z.string().trim().min(1).max(4000).regex(TEXT, 'must be text without control characters')
const line = (most: number) =>
  z.string().trim().min(1).max(most).regex(LINE, 'must be one line without control characters')

/** A line of the table of versions. */
const HistoryLine = z.strictObject({
  version: line(20),
  date: z.iso.date(),
  author: line(200).optional(),
  changes: line(300),
})

/** Plain text; in `introduction` and `scope` an empty line begins a paragraph. */
export const OwnTexts = z.strictObject({
  introduction: prose()
    .optional()
    .describe('Stands before the management summary, as plain text; an empty line begins a paragraph'),
  scope: prose().optional().describe('What was agreed to be tested and what was not; stands after the contents'),
  authoriser: line(200).optional().describe('Who authorised the test; stands on the cover'),
  tester: line(200).optional().describe('Who answers for the test; stands on the cover'),
  history: z.array(HistoryLine).max(20).optional().describe('Versions of the document; stands after the scope'),
})
export type OwnTexts = z.infer<typeof OwnTexts>

/** WCAG 2.2, contrast ratio against white, 1 to 21, of `#RRGGBB`. */
export const contrastWithWhite = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
}
/** Contrast that WCAG 2.2 (1.4.3) asks of text. */
const READABLE = 4.5
const Colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a colour as #1b7a78')
  .refine((colour) => !/^#[0-9a-f]{6}$/i.test(colour) || contrastWithWhite(colour) >= READABLE, {
    message: 'is too pale to be read on white',
  })
export const ReportColours = z.strictObject({
  accent: Colour.optional().describe('Of rules and small headings'),
  dark: Colour.optional().describe('Of the cover and of headings'),
})
export type ReportColours = z.infer<typeof ReportColours>

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
  texts: OwnTexts.default({}).describe('Words of your own'),
  colours: ReportColours.optional().describe('Of your house; each has to be dark enough to be read on white'),
})
export type AskReport = z.infer<typeof AskReport>

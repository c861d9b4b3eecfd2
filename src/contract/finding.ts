import { z } from 'zod'
import { AskLanguage } from './language.ts'
import { Cursor, pageSize, queryInteger } from './query.ts'
import { Uuid } from './run.ts'
import { Triage } from './triage.ts'

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export const Severity = z.enum(SEVERITIES)
export type Severity = z.infer<typeof Severity>
/** Negative when `a` is the graver one: sorts the gravest first. */
export const compareSeverity = (a: Severity, b: Severity): number => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b)

export const Confidence = z
  .enum(['confirmed', 'firm', 'tentative'])
  .describe('confirmed: a stranger can replay the proof; firm: the evidence allows one reading; tentative: a hint')
export type Confidence = z.infer<typeof Confidence>

export const Location = z
  .strictObject({
    url: z.string().optional(),
    method: z.string().optional(),
    parameter: z.string().optional(),
    host: z.string().optional(),
    port: z.int().min(0).max(65535).optional(),
  })
  .describe('Where: an address with method and parameter, or a host with port')
export type Location = z.infer<typeof Location>

const CvssScore = z.strictObject({ vector: z.string(), score: z.number().min(0).max(10) })
export const Cvss = z.strictObject({
  v4_0: CvssScore.nullable(),
  v3_1: CvssScore.nullable(),
  v3_0: CvssScore.optional().describe('Where the source gives a vector of version 3.0 and no newer one'),
  v2_0: CvssScore.optional().describe('Where the source gives a vector of version 2.0 and no newer one'),
})
export type Cvss = z.infer<typeof Cvss>

export const CveMatch = z.strictObject({
  id: z.string().regex(/^CVE-\d{4}-\d{4,}$/),
  match: z.enum(['certain', 'possible']),
  epss: z.strictObject({ score: z.number().min(0).max(1), percentile: z.number().min(0).max(1) }).nullable(),
  kev: z.strictObject({ date_added: z.string(), ransomware: z.boolean() }).nullable(),
})
export type CveMatch = z.infer<typeof CveMatch>

/** What convinces: shown in the report, the web page and the machine formats. Already redacted. */
export const Proof = z.strictObject({
  excerpt: z.string().max(8192).describe('The decisive part of what was seen, as text'),
  mark: z.string().max(1024).nullable().describe('The part of the excerpt that decides'),
  replay: z.string().max(8192).nullable().describe('A command that shows the same again'),
  basis: z
    .string()
    .max(256)
    .optional()
    .describe('What stays the same from run to run; a decision about the finding rests on it. Absent: on the mark'),
})
export type Proof = z.infer<typeof Proof>

export const SeverityShift = z
  .strictObject({ base: Severity, reason: z.string() })
  .describe("The severity before the site's context changed it, and why it did")
export type SeverityShift = z.infer<typeof SeverityShift>

export const Finding = z.strictObject({
  id: Uuid,
  check_id: z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/),
  module: z.string(),
  title: z.string(),
  severity: Severity,
  shift: SeverityShift.nullable(),
  confidence: Confidence,
  location: Location,
  places: z.array(Location).describe('Every place of the same problem, the first being `location`'),
  detail: z.string().describe('What was seen here, in a sentence'),
  description: z.string().describe('Why it matters'),
  remediation: z.string(),
  references: z.array(z.url()),
  cwe: z.int().positive().nullable(),
  owasp: z.array(z.string()).describe('OWASP Top 10 categories, e.g. A02:2025'),
  cvss: Cvss.nullable(),
  cvss_reason: z.string().nullable().optional().describe('Why no vector applies; null where one does'),
  standard: z
    .string()
    .nullable()
    .optional()
    .describe('Item of the OWASP Web Security Testing Guide (WSTG-INPV-05) or ASVS (ASVS-4.0.3-14.2.3)'),
  cve: z.array(CveMatch),
  proof: Proof.nullable(),
  evidence: z.array(Uuid).describe('Ids of evidence artifacts'),
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('The same problem in the next run has the same one'),
  formerly: z
    .array(z.string())
    .optional()
    .describe('Fingerprints that earlier versions gave to the same problem; absent where there are none'),
  status: z.enum(['new', 'recurring']).describe("Against the domain's last finished run"),
  triage: Triage,
})
export type Finding = z.infer<typeof Finding>

/** A finding of the domain's last finished run that is gone, where its check ran again. */
export const ResolvedFinding = Finding.pick({
  check_id: true,
  title: true,
  severity: true,
  location: true,
  fingerprint: true,
})
export type ResolvedFinding = z.infer<typeof ResolvedFinding>

export const CoverageState = z.enum(['pass', 'fail', 'not_applicable', 'not_tested', 'blocked', 'inconclusive'])
export type CoverageState = z.infer<typeof CoverageState>

export const Coverage = z
  .strictObject({
    module: z.string(),
    check_id: z.string(),
    title: z.string().describe('The problem looked for'),
    state: CoverageState,
    reason: z
      .string()
      .nullable()
      .describe('Why it is neither pass nor fail; of a pass or a fail, what it does not speak for'),
    asked: z
      .int()
      .min(0)
      .optional()
      .describe('Insertion points or pages that it asked in full, where some were not; absent where it counts none'),
    known: z
      .int()
      .min(0)
      .optional()
      .describe('Those that it applies to; an address that nobody has read counts as one'),
    reasons: z
      .array(z.strictObject({ reason: z.string(), count: z.int().min(1) }))
      .max(3)
      .optional()
      .describe('What kept the others, the largest first'),
    reason_kind: z
      .enum(['scanner_fault'])
      .optional()
      .describe('scanner_fault: the scanner itself failed here, which says nothing about the site'),
    fault_id: z
      .string()
      .regex(/^F-[0-9a-f]{8}$/)
      .optional()
      .describe(
        "Of a fault of the scanner: the operator's log has its stack under this id. The same fault has the same id",
      ),
  })
  .describe('What became of one check: "clean" and "could not look" are two things')
export type Coverage = z.infer<typeof Coverage>

/** Whole results in one file, by the name that `format` takes: media type, and what a saved file ends with. */
export const FILE_FORMATS = {
  sarif: { type: 'application/sarif+json; charset=utf-8', extension: 'sarif' },
  defectdojo: { type: 'application/json; charset=utf-8', extension: 'json' },
  csv: { type: 'text/csv; charset=utf-8; header=present', extension: 'csv' },
  junit: { type: 'application/xml; charset=utf-8', extension: 'xml' },
} as const
export type FileFormat = keyof typeof FILE_FORMATS

export const ListFindings = z.strictObject({
  severity: Severity.optional().describe('Of this severity alone'),
  module: z.string().max(64).optional().describe('Of this module alone'),
  confidence: Confidence.optional(),
  language: AskLanguage,
  format: z
    .enum(['json', 'sarif', 'defectdojo', 'csv', 'junit'])
    .default('json')
    .describe('json: a page of the list; the others: all of a done run as one file'),
  version: queryInteger(1, 2 ** 31 - 1)
    .optional()
    .describe('With a file format: the rendering whose findings and decisions it shows; without it those of now'),
  limit: pageSize(25, 100),
  cursor: Cursor,
})
export type ListFindings = z.infer<typeof ListFindings>

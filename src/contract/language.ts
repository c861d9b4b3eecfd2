/** Languages that people read findings and reports in (BCP 47). What is stored, and what programs read, is English. */
import { z } from 'zod'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** Of a query whose answer holds texts of findings. */
export const AskLanguage = z
  .enum(LANGUAGES)
  .default('en')
  .describe(
    'de: title, description, remediation and fixed reasons in German; what was seen, and what a source or a template says, stays English',
  )

/** The whole query of an endpoint that takes nothing else. */
export const InLanguage = z.strictObject({ language: AskLanguage })

/** In which language an organisation is written to, and its reports are made by themselves. */
export const ReadingLanguage = z.strictObject({ language: z.enum(LANGUAGES) })
export type ReadingLanguage = z.infer<typeof ReadingLanguage>

export type PdfErrorKind =
  /** A program or font that the report needs is not installed. */
  | 'program_missing'
  | 'tex_failed'
  | 'deadline_exceeded'
  | 'canceled'
  | 'too_large'
  /** What was written cannot be opened as a PDF. */
  | 'unreadable'

/** Why there is no PDF, in a sentence that an operator can act on. */
export class PdfError extends Error {
  readonly kind: PdfErrorKind
  constructor(kind: PdfErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PdfError'
    this.kind = kind
  }
}

/** An organisation's logo as the report uses it. */
export interface LogoFile {
  readonly extension: 'png' | 'pdf'
  readonly contentType: 'image/png' | 'application/pdf'
  readonly body: Buffer
}

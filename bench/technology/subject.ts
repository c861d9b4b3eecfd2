/** A real server or application that the benchmark starts. */
export interface Subject {
  readonly name: string
  readonly port: number
  /** A file without which it is not installed. */
  readonly needs: string
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface Place {
  readonly address: string
  /** Empty, and removed afterwards. */
  readonly folder: string
  /** With one page. */
  readonly www: string
}

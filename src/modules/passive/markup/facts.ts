import type { FurtherPages } from '../../documents.ts'

/** A script or stylesheet that a page takes from elsewhere. */
export interface ExternalResource {
  readonly page: string
  readonly element: 'script' | 'stylesheet'
  readonly url: string
  readonly integrity: boolean
}

export interface MarkupFacts extends FurtherPages {
  /** Documents read, and how many of them were cut by a bound. */
  readonly documents: number
  readonly truncated: number
  /** Each address once, at most 200: the inventory for the appendix. */
  readonly external: readonly ExternalResource[]
}

import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { BlockPage } from '../../../page/block-page.ts'

export type Category = 'xss' | 'sqli' | 'path-traversal' | 'command' | 'xxe'

export interface Sample {
  readonly kind: 'probe' | 'control'
  readonly category: Category
  readonly url: string
  /** Null where no answer came: the connection was cut. */
  readonly status: number | null
  readonly location: string
  readonly title: string
  /** The first 2 KiB of the body where it is a refusal or another page, else ''. */
  readonly text: string
  /** Share of words in common with the page as everybody sees it, 0 to 1. */
  readonly likeness: number
  readonly evidence: EvidenceRef | null
}

export interface RecognisedProduct {
  readonly id: string
  readonly name: string
  readonly kind: 'edge' | 'firewall' | 'bot-defence'
  readonly certainty: 'confirmed' | 'firm'
  readonly signals: readonly string[]
}

export interface WafFacts {
  readonly url: string
  readonly products: readonly RecognisedProduct[]
  readonly samples: readonly Sample[]
  /** Null where nothing was blocked. */
  readonly blockPage: BlockPage | null
  /** True where the ordinary request was answered with a challenge or a refusal. */
  readonly challenged: boolean
}

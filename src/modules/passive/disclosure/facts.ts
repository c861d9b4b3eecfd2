import type { HeaderPairs } from '../../../egress/door/egress.ts'

/** One answer to a question of this module. Null in the facts means that it could not be asked. */
export interface Fetched {
  readonly url: string
  readonly status: number
  readonly headers: HeaderPairs
  /** Decoded text, at most 256 KiB. */
  readonly body: string
  readonly truncated: boolean
}

export interface ScriptFacts extends Fetched {
  /** Where its source map is said to be, absolute; 'inline' for one inside the script; null for none. */
  readonly mapUrl: string | null
}

export interface SourceMapFacts {
  readonly scriptUrl: string
  /** The script's own address when the map is inline. */
  readonly url: string
  /** Names of the sources, at most 50. */
  readonly sources: readonly string[]
  /** How many of them come with their text. */
  readonly withContent: number
  /** The texts, joined, at most 256 KiB. */
  readonly text: string
}

export interface DisclosureFacts {
  /** Same-host scripts that the pages load, at most 20. */
  readonly scripts: readonly ScriptFacts[]
  /** Scripts that were named but could not be fetched. */
  readonly unfetched: number
  readonly maps: readonly SourceMapFacts[]
  readonly robots: Fetched | null
  /** /.well-known/security.txt, redirects on the host followed. */
  readonly securityTxt: Fetched | null
  /** /security.txt, the legacy place. */
  readonly securityTxtAtRoot: Fetched | null
  /** A path whose percent-encoding is no UTF-8. */
  readonly malformed: Fetched | null
  /** Folders seen in the pages' own addresses, at most five. */
  readonly folders: readonly Fetched[]
}

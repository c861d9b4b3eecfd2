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

/** An answer to any module of an active run that tells something. */
export interface SeenText extends Fetched {
  readonly method: string
  readonly contentType: string
  /** Id of the module that asked. */
  readonly module: string
  /** The request as a command. */
  readonly replay: string
  /** Where the same was told as well. */
  readonly also: readonly string[]
}

export interface Seen {
  /** Answers of the site to all modules of the run. */
  readonly answers: number
  /** Of them, contents that were new, and read. */
  readonly contents: number
  /** Not read, as the bounds of time and number were met. */
  readonly unread: number
  /** An earlier attempt had answers that this one did not see. */
  readonly resumed: boolean
  /** In words, what the crawl was cut off before; absent where it came to its end. */
  readonly cutOff?: string
  readonly texts: readonly SeenText[]
}

export interface DisclosureFacts {
  /** Of an active run. */
  readonly seen?: Seen
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

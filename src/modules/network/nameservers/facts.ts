import type { LeftOut } from '../../../protocols/dns/left-out.ts'

export interface TransferFacts {
  readonly server: string
  readonly address: string
  /** refused: an answer without the zone · transferred: the zone came · failed: no answer that could be read. */
  readonly outcome: 'refused' | 'transferred' | 'failed'
  /** It was not asked, and why. */
  readonly left?: LeftOut['why']
  /** Code of the answer, or why there is none. */
  readonly detail: string
  /** Records received, at most as many as the bound allows; the rest was not read. */
  readonly records: number
  /** The first names with their types and data, as text. */
  readonly sample: readonly string[]
  /** Names that lead to private addresses or speak of the inside. */
  readonly internal: readonly string[]
  /** Names of address records and aliases, at most 500. */
  readonly hosts: readonly string[]
}

export interface RecursionFacts {
  readonly server: string
  readonly address: string
  /** The foreign name asked for. */
  readonly asked: string
  readonly rcode: string | null
  readonly error: string | null
  /** It was not asked, and why. */
  readonly left?: LeftOut['why']
  /** Answered twice with addresses of a name that the server does not serve. */
  readonly open: boolean
  readonly answer: readonly string[]
}

/** guess: a usual name that the DNS knows · nsec: the zone's own chain of names · transfer: the zone itself. */
export interface FoundHost {
  readonly name: string
  readonly source: 'guess' | 'nsec' | 'transfer'
  /** Aliases and addresses, as the resolver has them. */
  readonly answer: readonly string[]
}

export interface HostsFacts {
  readonly found: readonly FoundHost[]
  /** Usual names that were asked for, and links of the chain that were followed. */
  readonly guessed: number
  readonly links: number
  /** What was not looked for to the end, and why. */
  readonly left: readonly string[]
}

export interface NameserversFacts {
  readonly zone: string
  /** Absent in facts of versions that did not look for them. */
  readonly hosts?: HostsFacts
  readonly transfers: readonly TransferFacts[]
  readonly recursion: readonly RecursionFacts[]
}

import type { Lookup } from '../../../protocols/dns/ask.ts'
import type { SetCheck } from '../../../protocols/dns/security.ts'

export type NameSource = 'host' | 'certificate' | 'page' | 'policy' | 'script' | 'link' | 'mx' | 'ns' | 'srv'

/** A name that was seen, and where. */
export interface SeenName {
  readonly name: string
  readonly sources: readonly NameSource[]
  /** The page or record that names it first. */
  readonly seenAt: string
}

/**
 * A name whose end nobody seems to hold. registrable: its registrable domain does not exist · vanished: the target at
 * a service does not resolve · page: the service shows its page for unclaimed names.
 */
export interface Candidate {
  readonly name: string
  readonly sources: readonly NameSource[]
  readonly seenAt: string
  readonly kind: 'registrable' | 'vanished' | 'page'
  /** Alias chain, without the name itself. */
  readonly aliases: readonly string[]
  /** What one would have to claim: a domain, or the name at the service. */
  readonly target: string
  readonly service: string | null
  readonly guarded: boolean
  readonly looks: readonly Look[]
}

/** One look at a candidate. Two that agree make a finding. */
export interface Look {
  /** Milliseconds since the start of the run's module. */
  readonly after: number
  readonly unclaimed: boolean
  /** The counter-question, which has to be answered for the look to count: the suffix or the service itself is there. */
  readonly control: boolean
  readonly evidence: string
}

export interface NamesFacts {
  readonly host: string
  readonly domain: string
  /** Names of the domain itself with what they resolve to. */
  readonly own: readonly (SeenName & { readonly lookup: Lookup })[]
  /** Registrable domains of others that pages and policies lean on, and how many of them were asked. */
  readonly others: { readonly seen: number; readonly asked: number }
  /** Suspects beyond the bound, at which nobody looked. */
  readonly passedOver: number
  readonly candidates: readonly Candidate[]
  /** TLSA records of the site, and whether they are signed. */
  readonly tlsa: Lookup
  readonly tlsaSecurity: SetCheck
}

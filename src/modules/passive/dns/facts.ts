import type { Lookup } from '../../../protocols/dns/ask.ts'
import type { DenialFacts, KeyOfZone, Link, Security, SetCheck } from '../../../protocols/dns/security.ts'

export interface DnssecFacts {
  /** Of the zone that holds the site. */
  readonly state: Security
  readonly reason: string
  readonly links: readonly Link[]
  readonly sets: readonly SetCheck[]
  /** How the zone denies a name; null when no such answer was seen. */
  readonly denial: DenialFacts | null
  /** Keys in the zone itself, whether or not the parent vouches for them. */
  readonly published: readonly KeyOfZone[]
  /** The resolver's own view of the zone: code of a plain question, of one with checking disabled, and its AD bit. */
  readonly resolver: {
    readonly plain: string | null
    readonly unchecked: string | null
    readonly authenticated: boolean
  }
}

export interface ServerAnswer {
  readonly address: string
  readonly rcode: string | null
  readonly authoritative: boolean
  readonly serial: number | null
  /** The NS set as this server gives it, sorted. */
  readonly ns: readonly string[] | null
  readonly error: { readonly code: string; readonly message: string } | null
}

export interface Nameserver {
  readonly name: string
  readonly addresses: readonly string[]
  /** Why it has no address. */
  readonly error: string | null
  /** The DNS says that there is none; false also where the question went unanswered. */
  readonly absent: boolean
  readonly answers: readonly ServerAnswer[]
}

export interface DnsFacts {
  readonly host: string
  /** Apex of the zone that holds the host. */
  readonly zone: string
  /** Registrable domain of the host, or the host where there is none. */
  readonly domain: string
  readonly soa: Lookup
  readonly ns: Lookup
  /** Addresses of host, registrable domain and its www name, A and AAAA. */
  readonly addresses: readonly Lookup[]
  readonly nameservers: readonly Nameserver[]
  /** What the parent zone's server delegates to; null where it was not learned. */
  readonly delegation: { readonly parent: string; readonly server: string; readonly ns: readonly string[] } | null
  /** From the host upwards, to the first name that has CAA records or the registrable domain. */
  readonly caa: readonly Lookup[]
  /** Random names below the registrable domain, A. */
  readonly wildcard: readonly Lookup[]
  readonly dnssec: DnssecFacts
}

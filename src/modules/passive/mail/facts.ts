import type { Lookup } from '../../../protocols/dns/ask.ts'
import type { SetCheck } from '../../../protocols/dns/security.ts'

/** One record of the SPF evaluation: the domain's own first, then those that it includes or redirects to. */
export interface SpfNode {
  readonly domain: string
  /** Term that led here; '' for the domain itself. */
  readonly via: string
  /** Place of the node above in the list; null for the first. */
  readonly parent: number | null
  readonly rcode: string | null
  /** Texts of all SPF records of the name. */
  readonly records: readonly string[]
  /** Set where the name was not asked: a macro, a loop, or beyond the bound. */
  readonly skipped: 'macro' | 'loop' | 'bound' | null
  /** What each of its terms a, mx and exists found: the number of records. */
  readonly terms: readonly SpfTermFacts[]
  /** Registrable domain of the name, asked when the name does not exist; null otherwise. */
  readonly registered: Lookup | null
}

export interface SpfTermFacts {
  readonly text: string
  /** Null where it was not asked because of a macro. */
  readonly rcode: string | null
  readonly found: number
  readonly macro: boolean
}

export interface DkimSelector {
  readonly selector: string
  readonly text: string
  readonly alias: string | null
}

export interface MxHost {
  readonly name: string
  readonly preference: number
  readonly a: Lookup
  readonly aaaa: Lookup
  /** TLSA records of port 25, and whether they are signed. */
  readonly tlsa: Lookup
  readonly tlsaSecurity: SetCheck
}

export interface StsFetch {
  readonly url: string
  readonly error: { readonly code: string; readonly message: string } | null
  readonly status: number | null
  readonly location: string | null
  readonly contentType: string
  readonly certificateError: string | null
  /** At most 64 KiB. */
  readonly body: string
  /** True when there was more. */
  readonly truncated: boolean
}

export interface MailFacts {
  /** Registrable domain of the site: the part behind the @. */
  readonly domain: string
  readonly mx: Lookup
  readonly hosts: readonly MxHost[]
  readonly txt: Lookup
  readonly spf: readonly SpfNode[]
  readonly dkim: {
    readonly asked: number
    readonly found: readonly DkimSelector[]
    /** `_domainkey` itself: NXDOMAIN means that no selector exists. */
    readonly base: Lookup
    /** A selector that nobody chose answers too: what was found proves nothing. */
    readonly wildcard: boolean
  }
  /** `_dmarc` of the domain and upwards, in the order of the tree walk, to the first that has a record. */
  readonly dmarc: readonly Lookup[]
  /** Records with which others allow reports to be sent to them. */
  readonly reportConsent: readonly Lookup[]
  readonly sts: { readonly record: Lookup; readonly policy: StsFetch | null }
  readonly tlsRpt: Lookup
  readonly bimi: Lookup
}

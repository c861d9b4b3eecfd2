/** The inventory that the crawl leaves to the modules that probe: requests worth sending and the places in them. */
import type { HeaderPairs } from '../../egress/egress.ts'

/** Where in a request a value stands. */
export type Place = 'query' | 'form' | 'multipart' | 'json' | 'xml' | 'path' | 'cookie' | 'header' | 'fragment'

/** A request that was seen or composed, with an example value in every place. Sent as it is, it answers as in ordinary use. */
export interface CrawlRequest {
  readonly method: string
  /** Absolute, in scope, with the query. */
  readonly url: string
  /** The request's own: Content-Type, X-Requested-With, cookies of the page. Never the run's credentials. */
  readonly headers: HeaderPairs
  readonly body: string | null
  /**
   * 'reads' may be repeated freely; 'writes' may store something (a comment, a sign-in) and is probed only where the
   * module's rules allow it. What could delete, order, pay, subscribe or sign out is never in the inventory.
   */
  readonly effect: 'reads' | 'writes'
  /** Pages that hold the link, the form or the script, at most five. */
  readonly seenOn: readonly string[]
}

/** One place that takes input: what xss, sqli and injection put their probes into. */
export interface InsertionPoint {
  /** Index into `requests`. */
  readonly request: number
  readonly place: Place
  /**
   * The parameter's name. For 'json' a JSON pointer (RFC 6901), for 'path' the index of the segment, counted from 0,
   * for 'xml' the element's path with indices ("/order[1]/id[1]") or the attribute's ("/order[1]/@id").
   */
  readonly name: string
  /** Example value, decoded; '' where none is known. */
  readonly value: string
}

export interface CrawledPage {
  readonly url: string
  readonly status: number
  /** Lower case media type without parameters. */
  readonly contentType: string
}

export interface CrawlFacts {
  readonly requests: readonly CrawlRequest[]
  /** One a place and URL shape, at most 2,000. */
  readonly points: readonly InsertionPoint[]
  readonly pages: readonly CrawledPage[]
  /** 'none' without credentials; 'lost' says that what was seen later was seen signed out. */
  readonly session: 'none' | 'live' | 'lost'
}

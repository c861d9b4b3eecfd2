import type { EvidenceRef } from '../module.ts'
import type { ProbingFacts } from '../probing/facts.ts'

/** Where in a page the value comes out. */
export interface Context {
  readonly kind: 'text' | 'raw-text' | 'comment' | 'attribute' | 'url' | 'handler' | 'script'
  /** Element around it, '' where none is. */
  readonly tag: string
  readonly attribute: string | null
  /** The quote around it: of the attribute, or of the text in a script; '/*' and '//' for comments in scripts. */
  readonly quote: '"' | "'" | '`' | '' | '/*' | '//'
}

/** A payload as the server answered it, and what a browser made of that. */
export interface ReflectedHit {
  readonly kind: 'reflected'
  readonly context: Context
  readonly payload: string
  /** Read by the HTML standard's rules, the answer holds the payload's script where it would run. */
  readonly parsed: boolean
  /** 'load' without any act of the visitor, 'click' after a click on what the payload made; null where nothing ran. */
  readonly ran: 'load' | 'click' | null
  /** The page's policy kept the browser from running it. */
  readonly refused: boolean
  /** Why no browser looked, null where one did. */
  readonly unproven: string | null
  readonly excerpt: string
  readonly mark: string
  readonly replay: string
  readonly screenshot: EvidenceRef | null
}

/** Elements of a visitor without script. */
export interface MarkupHit {
  readonly kind: 'markup'
  readonly payload: string
  readonly excerpt: string
  readonly mark: string
  readonly replay: string
}

export interface RedirectHit {
  readonly kind: 'redirect'
  readonly trials: readonly {
    readonly payload: string
    readonly host: string
    readonly location: string
    readonly replay: string
  }[]
}

/** A header line that the payload made. */
export interface HeaderHit {
  readonly kind: 'header'
  readonly trials: readonly {
    readonly payload: string
    readonly name: string
    readonly seen: boolean
    readonly replay: string
  }[]
}

/** A script of the page itself ran what stood behind the # of its address. */
export interface FragmentHit {
  readonly url: string
  readonly payload: string
  readonly screenshot: EvidenceRef | null
}

export type XssHit = ReflectedHit | MarkupHit | RedirectHit | HeaderHit

export interface XssFacts extends ProbingFacts<XssHit> {
  /** Why no browser proved anything, null where one was there. */
  readonly browser: string | null
  readonly fragments: { readonly pages: number; readonly hits: readonly FragmentHit[] }
}

import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { ProbedPlace, ProbingFacts, Shortfall } from '../insertion-points/facts.ts'

/** Where in a page the value comes out. */
export interface Context {
  /**
   * 'raw-text': an element that holds text alone, or that keeps what is in it from running. 'script-url': behind
   * `javascript:`. 'dropped': in what the parser leaves out. 'xml': a document that is no HTML.
   */
  readonly kind:
    | 'text'
    | 'raw-text'
    | 'comment'
    | 'attribute'
    | 'attribute-name'
    | 'tag-name'
    | 'end-tag'
    | 'url'
    | 'script-url'
    | 'srcdoc'
    | 'handler'
    | 'script'
    | 'template'
    | 'dropped'
    | 'xml'
  /** Element around it, '' where none is; '!' for a comment that the first bracket ends. */
  readonly tag: string
  readonly attribute: string | null
  /** The quote around it: of the attribute, or of the text in a script; '/' for a regular expression, '/*' and '//' for comments in scripts. */
  readonly quote: '"' | "'" | '`' | '' | '/' | '/*' | '//'
  /** The quote of the attribute that holds the script. */
  readonly outer?: '"' | "'" | '`' | ''
  /** Within the document of a frame that stands in an attribute. */
  readonly inner?: Context
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
  /** It takes a token of the visitor's own session beside it, which another site does not know, or a header that it cannot send. */
  readonly guarded?: boolean
  /** The page that the answer leads to, where it came out there; absent where in the answer itself. */
  readonly behind?: string
  /** Who is shown it there when that page is asked for again; absent where nobody is, or it was not asked for. */
  readonly kept?: 'anyone' | 'account'
  /** It ran there again, in another browser session. */
  readonly ranAgain?: true
  /** The number with which its script calls. */
  readonly nonce?: number
  readonly excerpt: string
  readonly mark: string
  readonly replay: string
  /** The shortest address that shows it in any browser, `alert` in place of our call; null where it takes more than a link. */
  readonly address: string | null
  readonly screenshot: EvidenceRef | null
  /** The host of the script, where it came from one that the value names. */
  readonly foreign?: string
  /** The error page that shows it, see insertion-points/handler.ts; absent where none is known. */
  readonly handler?: string
}

/** What a page takes from a host that the value names, or sends there; seen in Chromium. */
export interface ForeignHit {
  readonly kind: 'foreign'
  /** Rules of style; what relative addresses begin with; where a form goes; the document of a frame. */
  readonly what: 'style' | 'base' | 'form' | 'frame'
  readonly host: string
  readonly context: Context
  readonly payload: string
  readonly excerpt: string
  readonly mark: string
  readonly replay: string
  /** The address that shows it; null where it takes a form. */
  readonly address: string | null
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
  /** 'page': a script or a refresh of the page went there in Chromium. */
  readonly by: 'header' | 'page'
  readonly trials: readonly {
    readonly payload: string
    readonly host: string
    readonly location: string
    readonly replay: string
  }[]
}

/** What the run's own sign-in was asked with another address to go on to. */
export interface AfterSignIn {
  readonly name: string
  readonly url: string
  /** None where it led nowhere else. */
  readonly trials: readonly { readonly payload: string; readonly host: string; readonly location: string }[]
  /** The page went there in a browser; absent where an answer named it. */
  readonly by?: 'page'
}

/** What a server, before any page, writes into the head of its answer of the path that it was asked for. */
export type ServerPathHit = { /** Root of the site. */ readonly url: string } & (
  | Pick<RedirectHit, 'kind' | 'trials'>
  | {
      readonly kind: 'header'
      readonly trials: readonly { readonly payload: string; readonly name: string; readonly replay: string }[]
    }
)

export interface ServerPathFacts {
  /** Sites that answered. */
  readonly asked: number
  /** Those that the crawl has seen and that were not asked. */
  readonly left: number
  readonly hits: readonly ServerPathHit[]
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

/** A script that was sent and called us from where it ran. */
export interface BlindHit {
  readonly at: ProbedPlace
  readonly payload: string
  readonly replay: string
  readonly call: { readonly from: string; readonly agent: string; readonly detail: string }
}

export interface BlindFacts {
  readonly planted: number
  readonly hits: readonly BlindHit[]
}

/** Where a page's own script took the value from. */
export type DomSource = 'fragment' | 'query' | 'path' | 'referrer' | 'window-name' | 'message' | 'storage' | 'cookie'

/** A script of the page itself ran what an attacker can put before it, or went where that said. Only what a browser did. */
export interface DomHit {
  readonly kind: 'script' | 'redirect'
  /** Without fragment. */
  readonly page: string
  readonly source: DomSource
  /** Of the parameter, the key in storage or the cookie; null where the source has one place only. */
  readonly name: string | null
  /** What the value was given to: markup, code, an address. */
  readonly sink: string
  /** Places in files of scripts that give it there; absent where they are not known, or the page holds some of that code itself. */
  readonly by?: string
  /** What has to be opened. */
  readonly address: string
  /** What has to be open before, where the page hears of a change alone; absent elsewhere. */
  readonly opened?: string
  /** The site that has to send the message; absent where any may. */
  readonly from?: string
  /** What has to be sent to the window, as JSON. */
  readonly message: string | null
  readonly payload: string
  readonly ran: 'load' | 'click'
  /** What a visitor does there for it, in words: `press "Preview"`; absent where nothing. */
  readonly deeds?: readonly string[]
  readonly screenshot: EvidenceRef | null
  /** Pages with the same scripts, where the value got as far. */
  readonly alsoOn: readonly string[]
}

export interface DomFacts {
  readonly pages: number
  /** Pages that time did not reach. */
  readonly left: number
  /** Pages among those looked at that were not asked in full, by reason; absent where all were. */
  readonly short?: readonly Shortfall[]
  /** Parameters that scripts of pages with a field for a password read; absent where none do. */
  readonly atPassword?: readonly ReadAtPassword[]
  readonly hits: readonly DomHit[]
}

export interface ReadAtPassword {
  readonly name: string
  /** Of the page. */
  readonly path: string
}

/** Sent once, seen later at another address or by another visitor. */
export interface StoredHit {
  readonly at: ProbedPlace
  /** Where it came out. */
  readonly page: string
  readonly context: Context
  readonly payload: string
  /** False where no browser was there to run it: it stands where one would. */
  readonly ran: boolean
  /** 'other': by another identity of the run than the one that sent it. */
  readonly seenBy: 'anyone' | 'account' | 'other'
  /** Which one; absent where it is none. */
  readonly viewer?: string
  readonly excerpt: string
  readonly mark: string
  readonly replay: string
  /** What somebody does on the page for it, in words; absent where nothing, or only with what was stored itself. */
  readonly deed?: string
  readonly screenshot: EvidenceRef | null
}

export interface StoredFacts {
  /** Places that may store something and were sent a word. */
  readonly planted: number
  /** Pages in which the words were looked for. */
  readonly pages: number
  readonly hits: readonly StoredHit[]
  /** Pages, and what their scripts ask for, in which nobody looked: there are too many. Absent in facts of earlier versions. */
  readonly left?: number
  /** Places whose word shows on a page and that were sent no script: there are too many. */
  readonly untried?: number
  /** The time for it was over before all was looked for, sent anew and tried. */
  readonly isCut?: true
  /** Identities as whom nobody looked: they could not be signed in. */
  readonly absent?: readonly string[]
}

/** Said over a WebSocket, and run by a page that was open elsewhere and listened. */
export interface MessageHit extends Pick<StoredHit, 'at' | 'page' | 'payload' | 'excerpt' | 'mark' | 'replay'> {
  /** 'account': by a page that is open signed in with the same account. */
  readonly seenBy: 'anyone' | 'account'
  readonly screenshot: EvidenceRef | null
}

export interface MessageFacts {
  /** Kinds of messages that pages say. */
  readonly known: number
  /** Kinds of which each place was said with a script while a page listened. */
  readonly asked: number
  /** By reason, the others. */
  readonly left: Readonly<Record<string, number>>
  readonly hits: readonly MessageHit[]
}

/** What came in a header, out of a cache, to a request without that header. */
export interface CachedHit {
  readonly url: string
  readonly header: string
  readonly rounds: readonly { readonly word: string; readonly excerpt: string; readonly replay: string }[]
}

export interface CachedFacts {
  /** Pages that were asked. */
  readonly pages: number
  /** Of those, pages that came out of a cache which tells copies apart by a parameter of ours. */
  readonly kept: number
  readonly hits: readonly CachedHit[]
  /** Pages that were not asked: there are too many, or the first came out of no cache. Absent in facts of earlier versions. */
  readonly left?: number
}

export type XssHit = ReflectedHit | ForeignHit | MarkupHit | RedirectHit | HeaderHit

export interface XssFacts extends ProbingFacts<XssHit> {
  /** Why no browser proved anything, null where one was there. */
  readonly browser: string | null
  readonly stored: StoredFacts
  readonly dom: DomFacts
  /** Null where there is no listener that a target could call. */
  readonly blind: BlindFacts | null
  /** Absent where the time was over before. */
  readonly cached?: CachedFacts
  /** Absent where the time was over before, and in facts of earlier versions. */
  readonly messages?: MessageFacts
  /** Absent where the run signs in by no requests. */
  readonly afterSignIn?: readonly AfterSignIn[]
  /** The time was over before the sign-in was asked with usual names that nothing on the site shows. */
  readonly unnamedLeft?: true
  /** Absent of a run of one place, and in facts of earlier versions. */
  readonly serverPaths?: ServerPathFacts
}

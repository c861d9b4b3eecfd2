/** The inventory of a crawl: what can be asked of the site, and where a value can be put in. Plain JSON. */
import type { Operation } from '../../../contract/described.ts'
import type { PlannedRequest } from '../../../contract/sending.ts'
import type { Effect } from '../../../safety/effect.ts'

/** How it became known. */
export type Source =
  /** The operator says that the site begins there, or the run's identity is proven there. */
  | 'start'
  | 'link'
  | 'form'
  | 'script'
  | 'browser'
  | 'sitemap'
  | 'robots'
  | 'redirect'
  | 'openapi'
  | 'description'
  | 'wsdl'
  | 'graphql'
  /** A page tells people of it. */
  | 'told'
  | 'well-known'

export type Encoding = 'none' | 'urlencoded' | 'multipart' | 'json' | 'xml' | 'text'

export interface Field {
  readonly name: string
  readonly value: string
  /** Of the form's input; 'text' where it is unknown. */
  readonly type: string
  /** It stands with another button of the form than the one that is pressed. */
  readonly far?: true
  /** Of a field for files: the kinds that it takes (HTML, 4.10.5.1.17), at most 200 characters; absent where it names none. */
  readonly accept?: string
}

/** How a request says who asks (RFC 7617, RFC 6750). */
export type Scheme = 'Basic' | 'Bearer'

/** Where a token against forged requests stands, to be read anew before it is used: never its value. */
export interface TokenSource {
  /** Address of the page or answer that names it. */
  readonly page: string
  /** `member`: of an answer of JSON; `variable`: of a script, or an attribute of an element. */
  readonly kind: 'meta' | 'header' | 'member' | 'cookie' | 'field' | 'variable'
  readonly name: string
}

/** By what a request that was refused is taken: beside what its own fields hold (CWE-352). */
export interface AntiForgery {
  /** Names of the headers that the token comes back in. */
  readonly headers: readonly string[]
  /** Null where it was enough to say that a script of the site's own sends it. */
  readonly token: TokenSource | null
}

/** One request that the site takes, with values that it accepts. */
export interface RequestTemplate {
  /** Stable between runs: method, shape, encoding and names. */
  readonly id: string
  readonly method: string
  /** Absolute, with example values in path and query. */
  readonly url: string
  /** The address with what varies replaced: see `shapeOf`. */
  readonly shape: string
  readonly encoding: Encoding
  /** By which it is told who asks, as its answer says or a script does: nobody's name is kept. Absent where neither did. */
  readonly scheme?: Scheme
  /** Of urlencoded and multipart bodies. */
  readonly fields: readonly Field[]
  /** How many fields, or a body's end, are left out as they are too many; absent where none is. */
  readonly unlisted?: number
  /** Of json, xml and text bodies. */
  readonly body: string | null
  /** Where it needs others than the media type of its encoding: SOAP names its action. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Indices of the segments of its path that a description names as parameters; absent where none does. */
  readonly variables?: readonly number[]
  readonly source: Source
  /** Addresses of pages that make this request; the first five. */
  readonly seenOn: readonly string[]
  /** True when the crawl has sent it, or a page did by itself. */
  readonly sent: boolean
  /** Why it must not be sent: it would log out, delete, order, pay, subscribe or upload. Null where it may be. */
  readonly harm: string | null
  /** What sending it was seen to do, or what its form tells; absent where its method says it. See `effectOf`. */
  readonly effect?: Effect
  /** How often it may be sent in all, because it may write; absent where it may be sent freely. */
  readonly bound?: number
  /** Why it is bounded; with `bound`. */
  readonly boundBy?: string
  /** How often the crawl has sent it to learn what it does, or its pages have though it may write; absent where nobody has. */
  readonly tried?: number
  /** Pages that said the same before and after it was sent to learn what it does; absent where it was not, or none did. */
  readonly watched?: readonly string[]
  /** Pages that show what it was sent; absent where none was seen to. */
  readonly shownOn?: readonly string[]
  /** What a form around the content of many pages, which is sent from others, would put into the address of this one. */
  readonly offered?: readonly (readonly [name: string, value: string])[]
  /** Absent where it was taken without, or was not by what is known. */
  readonly antiForgery?: AntiForgery
  /** It leads to a sign-in in place of an answer of its own, as somebody else would get; absent where it does not. */
  readonly turnedAway?: true
  /** Another identity of the run is led to it alone, and it is asked as that one; absent where the run's own is. */
  readonly as?: string
}

/** What forms are filled with where they say nothing: it may as well be the marker. */
export const MADE_UP = 'test'

export type Place =
  | 'query'
  | 'path'
  | 'form'
  | 'json'
  | 'xml'
  | 'multipart'
  /** Name of the file in a part of a multipart body. */
  | 'file-name'
  /** Content of that file. */
  | 'file'
  /** Name of one more parameter, of the query or of an urlencoded body. */
  | 'name'
  /** The whole of a body that is a text: YAML, CSV, lines; its name is the media type. */
  | 'body'
  /** Name of a parameter that the request has, its value kept. */
  | 'own-name'
  /** Name of a member within an object of a body of JSON, its value kept: the JSON Pointer of the member; of one more member that of an object that has none, and `/`. */
  | 'json-name'
  | 'header'
  | 'cookie'

/** How a value stands in another, which a program unpacks. */
export interface Packing {
  /**
   * Outermost first: `base64`, `url` for one more percent-encoding, the JSON Pointer (RFC 6901) of a member; of the header
   * Authorization its scheme, and then `user` or `password`; `number` before the ending of a name.
   */
  readonly steps: readonly string[]
  /** What holds it, as it was found. */
  readonly whole: string
}

/** One place of one request that takes a value. */
export interface InsertionPoint {
  /** `<request id>:<place>:<name>`, and behind them the steps to a value within. */
  readonly id: string
  /** Id of the request. */
  readonly request: string
  readonly place: Place
  /**
   * Query or field name; JSON Pointer (RFC 6901); index of the path segment from 0, one beyond the last for a segment that is
   * put behind; header or cookie name; XML element path; nothing for the name of a parameter.
   */
  readonly name: string
  readonly example: string
  /** Absent where the value is the whole of the parameter. */
  readonly within?: Packing
  /** True where the request was not seen with it, but others of the site: its page may read it all the same. */
  readonly guessed?: true
  /** Of a cookie: the program that is asked sets it, one of few. */
  readonly own?: true
  /** Of a cookie: it stands in quotes, which say how its signs are written. */
  readonly quoted?: true
}

export interface CrawledUrl {
  readonly url: string
  readonly status: number
  readonly contentType: string
  readonly title: string
  readonly depth: number
  readonly source: Source
}

export interface ApiDescription {
  readonly url: string
  /** For example "OpenAPI 3.0.3". */
  readonly kind: string
  readonly title: string
  readonly operations: number
  readonly excerpt: string
}

export interface GraphqlFacts {
  readonly url: string
  readonly introspection: boolean
  /** "Did you mean …" in the answer to a misspelt field. */
  readonly suggestion: string | null
  readonly types: number
  readonly queries: readonly string[]
  readonly mutations: readonly string[]
  readonly excerpt: string
}

/** Whether the run's credentials were seen to work. */
export interface SessionFacts {
  /** none: the run has no credentials; unproven: no page differs with and without them. */
  readonly state: 'none' | 'live' | 'lost' | 'unproven'
  /** The page that differs. */
  readonly canary: string | null
  readonly withThem: string | null
  readonly withoutThem: string | null
  /** How often it was proven. */
  readonly proofs: number
  /** Addresses fetched after the last proof, when it was lost. */
  readonly doubtful: readonly string[]
}

export interface BrowserFacts {
  readonly version: string | null
  /** Why there was none. */
  readonly reason: string | null
  readonly pages: number
  readonly clicks: number
  readonly states: number
  readonly failures: readonly string[]
  /** Of the first pages: what the running page has under the names that were asked for, and how it was built. */
  readonly running: readonly RunningPage[]
  /** Addresses at which pages have opened a WebSocket, as http; absent in runs of earlier versions. */
  readonly sockets?: readonly string[]
}

export interface RunningPage {
  readonly url: string
  /** By expression, e.g. `jQuery.fn.jquery`; `[object]` for what is no text. */
  readonly globals: Readonly<Record<string, string>>
  /** The document after its scripts ran, at most 64 KiB. */
  readonly html: string
}

/** An address that scripts alone name, where the server answers all it does not know with one page. */
export interface GuessedPage {
  readonly page: ScriptedPage
  readonly row: CrawledUrl
  readonly standsApart: boolean
}

export interface ScriptedPage {
  readonly url: string
  /** Equal on pages whose scripts differ in nothing but values. */
  readonly code: string
  /** Equal on pages that are built and labelled exactly alike; absent where nothing tells. */
  readonly built?: string
  /** What the page is called, where a field on it is called the same: it belongs to a program of that name, and is no record. */
  readonly own?: string
}

/** What became of something that the crawl has learned of. */
export type Fate =
  /** Fetched, sent, or opened in the browser. */
  | 'asked'
  /** Another stands for it at the same method, route and parameters, and both were seen to be alike: it counts as asked. */
  | 'merged'
  /** On purpose or by a bound: a sample that leaves it out, an operator's pattern, harm that it would do, a full list. */
  | 'left_out'
  /** Time, budget or session ended before it was its turn. */
  | 'cut_off'

/** An address, a form or an operation (of a description, a script) that the crawl knows of, or a page for the browser. */
export interface ReachRow {
  readonly kind: 'address' | 'form' | 'operation' | 'browser_page'
  readonly method: string
  readonly url: string
  readonly fate: Fate
  /** The address that stands for it, of what was merged. */
  readonly with?: string
  /** Why it was not asked, in a few words that rows of one cause share; null of what was asked. */
  readonly reason: string | null
  /** What an operation was answered, the best of several answers. */
  readonly status?: number
  /**
   * False where nothing that an active check asks for can lie behind it: a picture, an archive, the end of the session. Only
   * what holds something keeps a check from its pass.
   */
  readonly holds: boolean
}

/** Of a run of one place, whose page whatever asks there opens itself. */
export const NOT_FOLLOWED = 'a run of one place follows nothing'
/** Why pages were never opened in the browser. */
export const UNOPENED = 'the time for the browser was over'
/** Of pages that were opened in the browser: so much was never done there. */
export const PRESSED_IN_PART = 'things to press beyond what is done on one page'

/** How many rows there are of each kind, fate, reason and worth, those that found no room among the rows included. */
export type ReachCount = Pick<ReachRow, 'kind' | 'fate' | 'reason' | 'holds'> & { readonly count: number }

/** What the crawl has learned of and what became of it: the part of a run's reach that it knows. */
export interface ReachFacts {
  /** At most 10,000, what was not asked before what was. */
  readonly rows: readonly ReachRow[]
  readonly counts: readonly ReachCount[]
}

/** An operation of a description, as what judges interfaces needs it. */
export interface DescribedOperation
  extends Pick<Operation, 'method' | 'path' | 'name' | 'signIn' | 'answer' | 'readOnly' | 'forAdministrators'> {
  /** Id of the request by which it is asked; null where it was never listed. */
  readonly request: string | null
  /** The best status that it was answered; null where it was not. */
  readonly status: number | null
}

/** What another identity of the run is led to alone. */
export interface OfOther {
  /** As requests name it. */
  readonly as: string
  readonly requests: readonly RequestTemplate[]
  readonly points: readonly InsertionPoint[]
}

export interface CrawlFacts {
  /** Stands in values that may be stored; absent where nothing may be. */
  readonly marker?: string
  /** What an active run would send; of a dry run alone. */
  readonly planned?: readonly PlannedRequest[]
  readonly urls: readonly CrawledUrl[]
  readonly requests: readonly RequestTemplate[]
  readonly points: readonly InsertionPoint[]
  /** Places that found no room in the list; absent where all did. */
  readonly pointsLeft?: number
  /** Pages among `urls` that run scripts; absent in facts of older runs. */
  readonly scripted?: readonly ScriptedPage[]
  /** What each other identity is led to alone; absent where the run has no other, or that is nothing. */
  readonly others?: readonly OfOther[]
  /** Folders out of which its pages have their scripts, style sheets and pictures, at most 200; absent in facts of older runs. */
  readonly folders?: readonly string[]
  readonly apis: readonly ApiDescription[]
  readonly graphql: readonly GraphqlFacts[]
  /** Operations that were described, at most 2,000; absent in facts of older runs. */
  readonly operations?: readonly DescribedOperation[]
  readonly session: SessionFacts
  readonly browser: BrowserFacts
  /** Hosts of the same registrable domain that the site links to; they are not crawled. */
  readonly otherHosts: readonly string[]
  /** Addresses left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>
  /** Each thing that it has learned of, with its fate; absent in facts of older runs. */
  readonly reach?: ReachFacts
  /** The bound that ended the crawl early, null when it saw all it found. */
  readonly cut: string | null
}

import type { Delays } from '../insertion-points/delays.ts'
import type { ProbedPlace, ProbingFacts } from '../insertion-points/facts.ts'

export type InjectionKind =
  | 'command'
  | 'code'
  | 'template'
  | 'traversal'
  | 'xxe'
  | 'ldap'
  | 'xpath'
  | 'nosql'
  | 'ssrf'
  | 'inclusion'
  | 'serialized'
  | 'deserialization'
  | 'host'

interface Seen {
  readonly payload: string
  readonly excerpt: string
  readonly replay: string
}

/** Products of random numbers that only an interpreter could have worked out. */
export interface ComputedHit {
  readonly kind: 'command' | 'code' | 'template' | 'inclusion' | 'deserialization'
  readonly proof: 'computed'
  /** The syntax that worked, for a person. */
  readonly flavour: string
  readonly computed: readonly (Seen & { readonly expected: string; readonly seen: boolean })[]
}

export interface WaitedHit extends Delays {
  readonly kind: 'command' | 'template' | 'deserialization'
  readonly proof: 'waited'
  readonly flavour: string
}

/** Words of files that every machine of a kind has and everyone may read, or of programs that are run and never served. */
export interface FileHit {
  readonly kind: 'traversal' | 'xxe' | 'ssrf'
  readonly proof: 'file'
  readonly flavour: string
  readonly files: readonly (Seen & { readonly path: string; readonly mark: string })[]
  /** The same way to a file that does not exist: true when it showed the same words. */
  readonly controlShows: boolean
}

/** The page told true questions from false ones. */
export interface AnswersHit {
  readonly kind: 'ldap' | 'xpath' | 'nosql' | 'code' | 'deserialization' | 'traversal' | 'ssrf' | 'xxe'
  readonly proof: 'answers'
  readonly flavour: string
  readonly apart: number
  readonly noise: number
  readonly trials: readonly {
    readonly question: string
    readonly truth: boolean
    readonly answer: 'true' | 'false' | 'neither'
  }[]
  /** What a question that cannot be read brought. */
  readonly malformed: 'true' | 'false' | 'neither'
  readonly excerpt: string
  readonly replay: string
}

export interface SerializedHit {
  readonly kind: 'serialized'
  readonly proof: 'marker'
  readonly format: string
  /** The first characters of the value. */
  readonly beginning: string
}

/** Addresses of our own, known to nobody but this place, were called. */
export interface CalledHit {
  readonly kind: 'ssrf' | 'xxe' | 'command' | 'code' | 'deserialization'
  readonly proof: 'called'
  readonly flavour: string
  /** One for each address that the place was given. */
  readonly calls: readonly {
    readonly payload: string
    /** A name that was looked up, or a request that came. */
    readonly protocol: 'dns' | 'http'
    readonly from: string
    readonly detail: string
    readonly agent: string
    readonly replay: string
  }[]
  /** An address in a parameter that nobody reads was called as well: something in front follows whatever it sees. */
  readonly controlCalled: boolean
}

/** What servers behind a proxy take their own name from. */
export const FORWARDED_HOST = 'X-Forwarded-Host'
/**
 * `Host` chooses the site, so it is another only where the target of the request names the site itself: servers go by that and ignore the
 * header (RFC 9112, 3.2.2), and programs behind them that read it are told apart.
 */
export const HOST = 'Host'

/** Addresses of the answer led to hosts that this header had named, at one of its places or beside a form. */
export interface HostHit {
  readonly kind: 'host'
  readonly proof: 'host'
  /** Absent: FORWARDED_HOST. */
  readonly header?: string
  readonly links: readonly { readonly payload: string; readonly excerpt: string; readonly replay: string }[]
  /** A host in a header that nobody reads was repeated as well. */
  readonly controlShows: boolean
}

/** The error of the system named a path outside of the folder in which the program looks for names. */
export interface OpenedHit {
  readonly kind: 'traversal'
  readonly proof: 'opened'
  readonly flavour: string
  /** In which a name without a way out was looked for; with a slash at its end. */
  readonly folder: string
  /** `path`: where the name was looked for, as the error says. */
  readonly names: readonly (Seen & { readonly path: string })[]
}

export type InjectionHit =
  | ComputedHit
  | WaitedHit
  | FileHit
  | AnswersHit
  | CalledHit
  | SerializedHit
  | HostHit
  | OpenedHit

/** Files of ours came back from the site as what their names say: worked out by an interpreter, or as a page. */
export interface UploadHit {
  readonly at: ProbedPlace
  readonly as: 'program' | 'page'
  /** Each in a file of its own, which stays on the site. */
  readonly files: readonly (Seen & { readonly url: string; readonly expected: string })[]
}

export interface UploadFacts {
  /** Fields of forms that take a file and may be sent, and those that were asked. */
  readonly known: number
  readonly asked: number
  /** Of these, those whose programs and whose pages were found again: a kind that was not sent or not taken shows nothing. */
  readonly found: Readonly<Record<UploadHit['as'], number>>
  readonly hits: readonly UploadHit[]
}

/** Entries of archives, or files, that were written above the folder which they are kept in. */
export interface ArchiveHit {
  readonly at: ProbedPlace
  /** Each of a sending of its own, under a name that nobody has; it stays on the site. */
  readonly entries: readonly {
    /** The name that it was sent with. */
    readonly path: string
    readonly url: string
    readonly mark: string
    readonly replay: string
    /** It is no address: the answer says where the file was written. */
    readonly told?: true
  }[]
}

export interface ArchiveFacts {
  /** Fields of forms that take a file and may be sent, and those that were asked. */
  readonly known: number
  readonly asked: number
  /** Of these, those that refused what was sent, or of which a file was found again. */
  readonly told: number
  readonly hits: readonly ArchiveHit[]
}

/** A file that is refused, handed out under a name with a null byte in it. */
export interface NullByteHit {
  readonly url: string
  readonly endings: readonly string[]
  /** Targets that brought the same file, where a name of no file does not. */
  readonly files: readonly { readonly target: string; readonly replay: string }[]
  readonly excerpt: string
}

export interface NullByteFacts {
  /** Files that are refused for their name, and those that were asked for so and answered. */
  readonly known: number
  readonly asked: number
  readonly hits: readonly NullByteHit[]
}

/** What was stored as a formula begins a cell of a table. */
export interface FormulaHit {
  readonly at: ProbedPlace
  /** Each stored by a request of its own. */
  readonly cells: readonly {
    readonly formula: string
    readonly table: string
    readonly excerpt: string
    readonly replay: string
  }[]
}

export interface FormulaFacts {
  /** Tables for spreadsheets that the crawl saw, and those of them that were read. */
  readonly tables: number
  readonly read: number
  /** Places that may store what people fill in, and those that took a formula. */
  readonly known: number
  readonly asked: number
  readonly hits: readonly FormulaHit[]
}

/** A server handed out files from outside of a folder, by the path of the request alone. */
export interface FolderHit extends FileHit {
  /** Its address, with a slash at the end. */
  readonly folder: string
}

export interface FolderFacts {
  /** Folders that pages have their files from, or lie in. */
  readonly known: number
  /** Of them, those that were asked all and answered each time, or where it showed. */
  readonly asked: number
  readonly hits: readonly FolderHit[]
}

export interface InjectionFacts extends ProbingFacts<InjectionHit> {
  /** True where the run had addresses for calls from the target. */
  readonly listened: boolean
  /** Absent where the run ended before, and in facts of older runs. */
  readonly uploads?: UploadFacts
  /** Absent where the run ended before, and in facts of older runs. */
  readonly folders?: FolderFacts
  /** Likewise. */
  readonly archives?: ArchiveFacts
  readonly uploadNames?: ArchiveFacts
  readonly nullBytes?: NullByteFacts
  readonly formulas?: FormulaFacts
  /** Only in facts of older runs, where no place names the ways that were left: places that were asked for no files. */
  readonly withoutPaths?: number
}

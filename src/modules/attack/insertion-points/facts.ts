/** What every probing module keeps of its work, hits aside. */

export interface ProbedPlace {
  /** Without the query where that is the place: the parameter names it. */
  readonly url: string
  readonly method: string
  readonly place: string
  readonly name: string
  /** How its value is packed in the parameter, as a person reads it; absent where it is the whole of it. */
  readonly within?: string
  /** Parameters of the address, with their values, that choose the program which answers; absent where there are none. */
  readonly route?: string
  /** What the body says is to be done, of an address that answers for many procedures: "method=search"; absent where it does not. */
  readonly procedure?: string
  /**
   * Of a program that answers at many addresses alike, its path with `*` for the word by which they differ: its flaws are the same
   * wherever they were seen. Absent where it is not known to be one.
   */
  readonly program?: string
  /** Of a variable of GraphQL the argument that it is given to; absent of all else. */
  readonly argument?: string
  /** Nobody was seen to send it there: that the program takes it from the address as well was tried. Absent where it was seen. */
  readonly guessed?: true
}

/** In place of a way: none was gone to its end. */
export const EVERY_WAY = '*'

/** A part of a module's work that was not done at a place, though the place was asked otherwise. */
export interface LeftWay {
  /** As the module names it: "boolean", "traversal". Checks that rest on it have no answer here. */
  readonly way: string
  /** In a few words that places of one cause share. */
  readonly reason: string
}

/** So many of what one cause kept from being asked. */
export interface Shortfall {
  readonly reason: string
  readonly count: number
}

/** Why a place whose request may write was not asked in full, in words that follow its number. */
export const BOUND = 'stopped at the limit for requests that may write'
export const DELETED = 'that delete or close what others ask about, and come last'
/** See remembered.ts. */
export const KEPT = 'left alone: what their forms are sent is kept for whoever is signed in'

/** Why a place of another identity was not asked in full, in words that follow its number. */
export const OTHER_LOST = 'of another identity alone, whose session was lost'

/** See limits.ts. */
export const LIMITED = 'refused by a limit of their own, with status 429 and Retry-After'

/** See guarded.ts. */
export const GUARDED = 'of a sign-in that has shut the scanner out, as guards against guessing do after a few failures'

/** Why a place was asked with some values only, in words that follow its number. */
export const FILTERED = 'where the application refuses signs that questions are made of'

/** Why a place was not asked though much was sent there, in words that follow its number. */
export const TURNED_AWAY = 'refused even with their own values'

/** Why none of a form's few requests was spent on a place, in words that follow its number. */
export const SPARED =
  'of tokens against forged requests and of what chooses the program, on which none of the requests that may write is spent'

/** Why a token was not asked to the end, in words that follow its number. */
export const COMPARED = 'of tokens against forged requests, where another value is refused, whatever it is'

/** Likewise why a place keeps its own value. */
export const SIGNS_IN_BY = 'of what the run itself signs in by: another value there would lock its account out'

/** Why what costs most was not asked of a place, in words that follow its number. */
export const FIRST_ONLY = 'asked the first questions only, as time or requests ended'

/** Why headers and cookies of a page were not asked to the end, in words that follow their number. */
export const USUAL =
  'of headers and cookies of which some values stand out on every page, asked in every way on a few of them'

export interface ProbedPoint<Hit> {
  /** Id of the insertion point; absent in facts of older runs. */
  readonly id?: string
  readonly at: ProbedPlace
  /**
   * 'tested' to the end; everything else says why not, and what was found before still holds. 'cut': the time ran out on it.
   * 'fault': the scanner itself failed on it. 'unstable' only in facts of older runs.
   */
  readonly end: 'tested' | 'cut' | 'blocked' | 'unstable' | 'unreachable' | 'failed' | 'session-lost' | 'fault'
  readonly reason: string | null
  /** Id of the fault of ours, where `end` is 'fault'. */
  readonly fault?: string
  readonly requests: number
  readonly hits: readonly Hit[]
  /** Id of the place that was asked in its stead, and whose end this is; absent where it was asked itself. */
  readonly with?: string
  /** Absent where every way was gone. */
  readonly leftWays?: readonly LeftWay[]
}

export interface WrittenValue {
  /** As the request names it: a JSON Pointer in JSON, "path 2" for the second segment of a path, "body" for one that is none of these. */
  readonly field: string
  /** Its first characters. */
  readonly value: string
}

export interface ProbingFacts<Hit> {
  readonly points: readonly ProbedPoint<Hit>[]
  /** Places that the budget or the time did not reach. */
  readonly left: number
  /** What ended it before the last place, null where nothing did; absent in facts of older runs. */
  readonly cut?: string | null
  /** Id of a fault of ours in what follows the places; absent where there was none. */
  readonly fault?: string
  /** Places that were left alone because asking them could do harm, by reason; absent in facts of older runs. */
  readonly leftAlone?: Readonly<Record<string, number>>
  /** What the crawl knew of and did not read, so that nobody knows which places it holds; absent in facts of older runs. */
  readonly unread?: readonly Shortfall[]
  /** How often requests that may write were sent by all modules up to here, by request; absent where none was. */
  readonly written?: Readonly<Record<string, number>>
  /** What they were filled with that does not hold the marker of the run, by request; absent where that is nothing. */
  readonly writtenValues?: Readonly<Record<string, readonly WrittenValue[]>>
  /** Requests whose form shows again what it held before the run wrote into it; absent where that is none. */
  readonly putBack?: readonly string[]
  /** True when the session was lost before the first place: all were probed signed out. */
  readonly sessionLost: boolean
}

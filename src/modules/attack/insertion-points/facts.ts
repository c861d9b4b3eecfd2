/** What every probing module keeps of its work, hits aside. */

export interface ProbedPlace {
  /** Without the query where that is the place: the parameter names it. */
  readonly url: string
  readonly method: string
  readonly place: string
  readonly name: string
}

export interface ProbedPoint<Hit> {
  readonly at: ProbedPlace
  /**
   * 'tested' to the end; everything else says why not, and what was found before still holds. 'cut': the time ran out on it.
   * 'fault': the scanner itself failed on it.
   */
  readonly end: 'tested' | 'cut' | 'blocked' | 'unstable' | 'unreachable' | 'failed' | 'session-lost' | 'fault'
  readonly reason: string | null
  /** Id of the fault of ours, where `end` is 'fault'. */
  readonly fault?: string
  readonly requests: number
  readonly hits: readonly Hit[]
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
  /** True when the session was lost before the first place: all were probed signed out. */
  readonly sessionLost: boolean
}

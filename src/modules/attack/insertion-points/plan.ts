/** What a module asks of places, and in which order; run.ts carries it out. */
import type { ProbingFacts } from './facts.ts'
import type { ProbePoint } from './inventory.ts'
import type { Probe } from './prober.ts'
import type { Promising } from './screening.ts'

/** What `probe` asks: everything, what tells most with a request each, or all else. */
export type Part = 'whole' | 'first' | 'rest'

export interface Plan<Hit> {
  /** What a person reads while it runs: "SQL injection". */
  readonly what: string
  readonly wants: (point: ProbePoint) => boolean
  /**
   * Hits are handed over as they are found, so that a place which is blocked half way keeps them. 'whole': of a first part, that nothing is left
   * for the rest.
   */
  readonly probe: (probe: Probe, found: (hit: Hit) => void, part: Part) => Promise<void> | Promise<'whole' | undefined>
  /** It proves what reads a value. Few values are read by two interpreters: what another such module has proven is asked when all others were. */
  readonly interprets?: true
  /**
   * All places are asked a first part before the rest of any: where they are many; 'unbounded': but for what may be sent a few times only; 'bounded':
   * that alone, and 'all': that too, however few places there are, as the first field would use up what all have.
   */
  readonly inParts?: 'all' | 'unbounded' | 'bounded'
  /**
   * Headers and cookies of a request, and fields that change nothing, are probed as one place first, and apart only where an
   * answer stands out from the one to meaningless values, or something is found. For work that finds nothing without such an
   * answer.
   */
  readonly groups?: boolean
  /** It finds by how answers differ: where the run itself changed a page meanwhile, its places are asked once more. */
  readonly compares?: boolean
  /** What it stores is looked for elsewhere: fields of requests that may write are asked each alone, so that it is told apart. */
  readonly stores?: boolean
  /** Of many places, which are asked first, by what the first questions have shown; by default what changes answers. */
  readonly promising?: Promising
  /** What tells one flaw of a place from another; by default no two hits are known to be of one. */
  readonly kindOf?: (hit: Hit) => string
  /** What several places asked as one have shown, asked of one of them by the same alone. */
  readonly again?: (probe: Probe, shown: Hit, found: (hit: Hit) => void) => Promise<void>
  /** That a value which the page shows as it was sent is worth asking alone, though nothing else of the answer changes. */
  readonly shows?: boolean
  /**
   * What costs more and promises less: asked where all of `probe` was, once every place was asked by that. `ways` are those of the
   * checks that rest on it, `unless` tells of hits with which a place is done before.
   */
  readonly last?: {
    readonly ways: readonly string[]
    readonly unless: (hits: readonly Hit[]) => boolean
    readonly probe: (probe: Probe, found: (hit: Hit) => void) => Promise<void>
  }
  /** Of headers and cookies of a request beyond those that are asked all: what tells of their values with a request or two. */
  readonly brief?: (probe: Probe, found: (hit: Hit) => void) => Promise<void>
  /** Of the word or file name at the end of a path that the program seems to take for its own name. */
  readonly named?: (probe: Probe, found: (hit: Hit) => void) => Promise<void>
  /** Facts of the module as its checks need them for findings, from what its places have shown so far; by default that. */
  readonly soFar?: (facts: ProbingFacts<Hit>) => unknown
  /** Seconds, times the run's factor, that the module takes for what follows its places. */
  readonly after?: number
  /** Of these so many that the places get as well, as it stands: what they are for is done, or is little. */
  readonly spared?: () => number
  /** Seconds after which no place is begun any more, and how long one that was begun may still take; by default of the run's time. */
  readonly time?: { readonly places: number; readonly grace: number }
  /** Once, before all places: what a form's few requests are worth most for. What it proves of a place is told, and it is asked no more. */
  readonly beforehand?: (
    at: (point: ProbePoint) => Probe,
    points: readonly ProbePoint[],
    proven: (point: ProbePoint) => void,
  ) => Promise<void>
  /** Once, after all places: what was found only by then. */
  readonly afterwards?: (
    at: (point: ProbePoint) => Probe,
    points: readonly ProbePoint[],
  ) => Promise<readonly { readonly point: ProbePoint; readonly hit: Hit }[]>
}

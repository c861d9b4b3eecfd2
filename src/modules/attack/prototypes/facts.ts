import type { ProbedPlace } from '../insertion-points/facts.ts'

/** A property of all objects showed in answers to other requests. */
export interface PrototypeHit {
  readonly at: ProbedPlace
  readonly way: string
  /** With another number each. */
  readonly trials: readonly {
    readonly payload: string
    /** The request whose answer showed it. */
    readonly from: string
    readonly excerpt: string
    readonly replay: string
  }[]
  readonly undone: boolean
  /** It showed still, when it was set back. */
  readonly controlShows: boolean
}

/** What the module has seen. */
export interface PrototypesFacts {
  /** Requests with an object of JSON, and those that were asked. */
  readonly known: number
  readonly asked: number
  /** Of the others, those whose requests that may write others had used up; absent where there are none. */
  readonly short?: number
  /**
   * Of those asked, where a member that nobody asked for showed in an answer and those that lead to the prototype did not: left out, or merged
   * where nothing shows it. Absent where there are none.
   */
  readonly swallowed?: number
  /** Pages that were answered before, and by errors of the server once all was asked; absent where there are none. */
  readonly broken?: readonly string[]
  readonly hits: readonly PrototypeHit[]
  /** The site failed with all answers once a property was sent there, so that no more was asked; absent where it did not. */
  readonly failing?: ProbedPlace
}

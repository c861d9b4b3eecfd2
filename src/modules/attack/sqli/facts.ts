import type { ProbingFacts } from '../insertion-points/facts.ts'

/** A value that only the database could have computed, asked for twice with other numbers. */
export interface Computed {
  readonly payload: string
  /** Not part of the payload. */
  readonly expected: string
  readonly seen: boolean
  readonly excerpt: string
  readonly replay: string
}

export interface ErrorHit {
  readonly technique: 'error'
  readonly dbms: string
  readonly computed: readonly Computed[]
}

/** A database's own error text that a quote brings out and a doubled quote does not, or brings out too. */
export interface MessageHit {
  readonly technique: 'message'
  readonly dbms: string
  readonly payload: string
  readonly excerpt: string
  readonly mark: string
  /** The same value with the quote doubled: true when the message is gone. */
  readonly toggles: boolean
  readonly replay: string
  /** The error page that shows it, see handler.ts; absent where none is known. */
  readonly handler?: string
}

export interface BooleanTrial {
  readonly predicate: string
  readonly truth: boolean
  /** Which of the two reference pages came back. */
  readonly answer: 'true' | 'false' | 'neither'
}

export interface BooleanHit {
  readonly technique: 'boolean'
  readonly boundary: string
  /** What is false ends in an error, and all else does not: fewer trials tell as much. */
  readonly byErrors?: true
  /** Of a form that may be sent a few times only: likewise. */
  readonly few?: true
  /** Likeness of the true page and the false page, 0 to 1. */
  readonly apart: number
  /** How far the unchanged page is from itself, 0 to 1. */
  readonly noise: number
  readonly trials: readonly BooleanTrial[]
  /** What a predicate that is no SQL brought back. */
  readonly malformed: BooleanTrial['answer']
  readonly truePayload: string
  readonly falsePayload: string
  readonly trueExcerpt: string
  readonly falseExcerpt: string
  readonly replay: string
}

export interface TimeTrial {
  /** Seconds asked for. */
  readonly delay: number
  /** Milliseconds that the answer took. */
  readonly ms: number
}

export interface TimeHit {
  readonly technique: 'time' | 'stacked'
  readonly dbms: string
  readonly payload: string
  /** Milliseconds of ordinary answers. */
  readonly baseline: readonly number[]
  readonly trials: readonly TimeTrial[]
  readonly replay: string
}

export interface UnionHit {
  readonly technique: 'union'
  readonly columns: number
  /** Another column of the same result, behind the name of one. */
  readonly listed?: true
  readonly computed: readonly Computed[]
}

/** Stored at the place, computed in a statement behind another page. */
export interface LaterHit {
  readonly technique: 'later'
  readonly dbms: string
  /** It was worked out while the value was written, by the statement that the place itself is in. */
  readonly written?: true
  /** Address of the page that shows what was computed. */
  readonly page: string
  readonly computed: readonly Computed[]
}

/** Stored at the place, put as a question into a statement behind another page. */
export interface LaterAnswersHit extends Omit<BooleanHit, 'technique'> {
  readonly technique: 'later-answers'
  /** Address of the page that answers. */
  readonly page: string
}

export type SqliHit = ErrorHit | MessageHit | BooleanHit | TimeHit | UnionHit | LaterHit | LaterAnswersHit

export type SqliFacts = ProbingFacts<SqliHit>

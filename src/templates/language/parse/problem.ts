/** What is wrong with a template, with its place in the file. */

export interface Problem {
  /**
   * `error`: the template cannot run. `defect`: it runs, but a part of it can never hold or find anything. `warning`: it
   * runs, but something in it has no effect.
   */
  readonly level: 'error' | 'defect' | 'warning'
  /** Counted from 1; 0 where the place is not known. */
  readonly line: number
  /** `http[0].matchers[1].type`; '' for the file. */
  readonly path: string
  /** What is wrong, in a sentence. */
  readonly message: string
}

/** Refused by policy: the template may be right, but a scanner of this kind does not run it. */
export interface Refusal {
  readonly code: RefusalCode
  readonly line: number
  readonly reason: string
}

export type RefusalCode =
  | 'code'
  | 'file'
  | 'race'
  | 'pipeline'
  | 'fuzzing'
  | 'signature'
  | 'whois'
  | 'websocket'
  | 'function'

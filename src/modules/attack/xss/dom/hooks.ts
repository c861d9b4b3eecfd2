/** What in-page/sinks.ts tells, and what in-page/notes.ts reads. */

/** Name of the binding that takes `sink`, `value` and what code gave it there. */
export const SINK = 'qxsink'

export interface PageNotes {
  /** Sources of the functions that listen to messages. */
  readonly listeners: readonly string[]
  /** Names of parameters that were asked for, there or not. */
  readonly names: readonly string[]
  /** Keys read from storage. */
  readonly keys: readonly string[]
  /** Cookies that its scripts may read, where they read any; none that look like a session. */
  readonly cookies: readonly string[]
  /** How what stands behind the # of its links to itself begins, as `page/` of `#page/news`; at most 4. */
  readonly anchors: readonly string[]
  /** There is something that can be pressed or typed into. */
  readonly pressable: boolean
  /** It hears of another part behind the # while it is open. */
  readonly follows: boolean
  /** Its scripts send the reader elsewhere now and then. */
  readonly moves: boolean
  /** Its own scripts, their beginning. */
  readonly code: string
  /** What tells the page's scripts from those of another. */
  readonly scripts: string
  /** Its document was next to empty: scripts drew what it shows, by its address. */
  readonly drawn: boolean
  /** It asks for a password. */
  readonly password: boolean
  /** Some of its scripts are files of their own. */
  readonly files: boolean
  /** Members of ours that stand in the prototype of all objects. */
  readonly polluted: readonly string[]
}

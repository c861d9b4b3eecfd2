/** One face for both engines: SQL in plain sight, `$1` parameters, the same JavaScript types in the rows. */

/**
 * Rows hold: int2 to int8 → number, timestamptz → Date, bytea → Buffer, json and jsonb → parsed, text[] → string[].
 * Parameters: Date, Buffer, string[], number, boolean, null, and strings (json goes in as JSON.stringify's text).
 * NUL characters in string parameters are stored as U+FFFD, since the text of PostgreSQL cannot hold them.
 */
export interface Queryable {
  /** Without `params` the text may hold several statements; the answer is then the last one's rows. */
  readonly query: <Row>(sql: string, params?: readonly unknown[]) => Promise<Row[]>
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgres'
  /**
   * Commits what `work` did, or rolls it back when it throws. Keep it short and never wait for the network inside:
   * the embedded engine has one connection, and everybody else waits. Queries inside must go through `tx`.
   */
  readonly transaction: <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>
  /**
   * Calls back for every NOTIFY on the channel; returns the function that stops it. An empty payload where the
   * channel has payloads means that messages may have been missed: look at everything again.
   */
  readonly listen: (channel: Channel, onMessage: (payload: string) => void) => Promise<() => Promise<void>>
  /**
   * Copies the files of the embedded engine into `db` of the folder, as of one moment; who waits for the connection waits
   * for no longer than that copy takes. The copy opens as an embedded database of its own. Null on PostgreSQL.
   */
  readonly snapshot: ((folder: string) => Promise<void>) | null
  readonly close: () => Promise<void>
}

/** runs_queued, deliveries, login_tests, reports_due, call_watches: no payload; run_events: "runId:seq"; run_cancel: run id. */
export type Channel =
  | ('runs_queued' | 'run_events' | 'run_cancel' | 'deliveries' | 'login_tests' | 'reports_due')
  | 'call_watches'

/** An error the engine reports, with its SQLSTATE. */
export class DatabaseError extends Error {
  readonly code: string
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'DatabaseError'
    this.code = code
  }
}

/**
 * The seam between a worker and where its runs are kept. `run.ts` brings a run to its end by this alone; the database is
 * behind it for a worker (database-runs.ts), the interface of the service for an agent (src/agent).
 */
import type { Assignment } from '../contract/assignment.ts'
import type { Slice } from '../contract/pace.ts'
import type { ErrorKind } from '../contract/run.ts'
import type { Beat } from '../store/heartbeat.ts'
import type { ScanEnd } from '../store/lease.ts'
import type { Stop } from './heartbeat.ts'
import type { Calls, ChildMessage } from './supervise.ts'

export interface RunSource {
  /** The next run for this worker, or null where none waits or none may be taken now; `light`: of those that take little. */
  readonly lease: (wanted: { readonly light: boolean }) => Promise<HeldRun | null>
}

/** A run whose lease this worker has. */
export interface HeldRun {
  readonly runId: string
  /** As registered. */
  readonly domain: string
  /** It sends no probe and opens no browser: it mostly waits for answers. */
  readonly light: boolean
  /** Attempts started before this one. */
  readonly attempts: number
  /** Extends the lease by the `lease` of the worker's timing. */
  readonly heartbeat: () => Promise<Beat | 'lost'>
  /** Gives the lease back: the run is taken again, and its attempt does not count. */
  readonly release: () => Promise<'released' | 'lost'>
  /** The run at work, until `stop` says that it has to end. */
  readonly open: (stop: Stop) => OpenRun
}

/**
 * What becomes of a run at work. Every write is fenced by the lease and waits for an outage as long as the lease can hold;
 * all of them throw `LeaseLost` where it does not any more.
 */
export interface OpenRun {
  /** How an agent's scan ended that is only to be brought to its end here; null: it is to be scanned. */
  readonly scanned: ScanEnd | null
  /** Begins the attempt, and finds out whether the run may send active requests. Throws `Stopped` when `stop` aborts meanwhile. */
  readonly start: () => Promise<void>
  /** What the next scan process is told beside the settings of this machine. */
  readonly orders: () => Promise<Orders>
  /** Hands over calls from targets that are heard where the run is kept; null: none are. Known once the orders have been asked for. */
  readonly calls: () => Calls | null
  /** A part of the pace of an address, of which no other run has the same now. */
  readonly slice: (address: string) => Promise<Slice>
  /** Keeps what one scan process says. `onFailure` is told as soon as something could not be kept. */
  readonly inbox: (onFailure: (error: unknown) => void) => Inbox
  /** A scan process died while these modules were at work; `again`: another is started. */
  readonly died: (
    death: { readonly modules: readonly string[]; readonly detail: string },
    again: boolean,
  ) => Promise<void>
  /** After a whole scan. `canceling`: a cancel came in between, and the run is to be ended so. */
  readonly complete: () => Promise<'done' | 'canceling'>
  readonly fail: (failure: { readonly kind: ErrorKind; readonly detail: string }) => Promise<void>
  readonly cancel: () => Promise<void>
}

export interface Orders {
  readonly assignment: Assignment
  /** Of the first attempt. */
  readonly startedAt: Date
  /** As of the spec. */
  readonly activeRefused: string | null
  /** Base64url; signs the Sonde-Run header where the home of the run has its own key for it. */
  readonly trafficKey?: string
}

/** Messages of one scan process, kept in their order. */
export interface Inbox {
  readonly push: (message: ChildMessage) => void
  /** Resolves when everything pushed so far is kept; rejects with the first failure. */
  readonly settled: () => Promise<void>
}

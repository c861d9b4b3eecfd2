/**
 * What the worker and the scan child say to each other, over the child's IPC channel.
 * Everything from the child has passed redaction before it is sent.
 */
import type { DescribedInterface } from '../contract/described.ts'
import type { AuditEntry } from '../contract/event.ts'
import type { Coverage } from '../contract/finding.ts'
import type { SignIn } from '../contract/identity.ts'
import type { Slice } from '../contract/pace.ts'
import type { ErrorKind, Phase, RunOptions } from '../contract/run.ts'
import type { Credentials } from '../egress/door/credentials.ts'
import type { EgressSettings } from '../egress/door/settings.ts'
import type { OobHit, OobRun } from '../egress/oob/out-of-band.ts'
import type { ModuleSettings, ScanTarget } from '../modules/module.ts'
import type { JudgedFinding } from './judge.ts'

export type { ModuleSettings }

export type OwnCredentials = Credentials & {
  readonly signIn?: SignIn
  /** The line of refresh tokens that it goes on; absent where it has none. */
  readonly lineage?: string
}

export interface RunSpec {
  readonly runId: string
  readonly target: ScanTarget
  readonly options: RunOptions
  readonly egress: EgressSettings
  readonly settings?: ModuleSettings
  /** Whoever has started it says what part of an address's pace it has; absent: it is alone with all addresses. */
  readonly paced?: true
  /** Absent where the worker has no listener for calls from targets. */
  readonly outOfBand?: OobRun
  /** Descriptions that people have brought of the domain's interfaces; absent where there are none. */
  readonly descriptions?: readonly DescribedInterface[]
  /** With `signIn`, how they are come by or proven. */
  readonly credentials: OwnCredentials
  /** Identities of the domain as whom the run looks: the first is whose credentials those are. Absent where they were given, or are none. */
  readonly identities?: readonly {
    readonly name: string
    readonly role: string
    /** Null of the first. */
    readonly credentials: OwnCredentials | null
  }[]
  /** Milliseconds since the epoch of the first attempt's start. */
  readonly now: number
  /** Folder of the imported knowledge feeds. */
  readonly knowledge?: string
  /** Wall-clock seconds for the whole scan. */
  readonly deadline: number
  /** Why the run may send nothing active after all: its active modules then end blocked. Null where it may. */
  readonly activeRefused: string | null
  /** Facts of modules that an earlier attempt completed; they are not collected again. */
  readonly completed: Readonly<Record<string, { readonly facts: unknown; readonly outcome: ModuleOutcome }>>
  /** Modules one of which ended a child before this one: they run one at a time, so that the next end names it. */
  readonly suspects?: readonly string[]
  /** Modules that ended their children too often, each with the fault's id: they are not begun. */
  readonly leftOut?: Readonly<Record<string, string>>
  /** Of those, what each had offered last (`ctx.soFar`) before its child ended. */
  readonly offered?: Readonly<Record<string, unknown>>
}

/** How a module ended. */
export interface ModuleOutcome {
  readonly state: 'completed' | 'failed' | 'skipped' | 'blocked'
  readonly reason: string | null
  /** It failed because this machine ran out of descriptors, ports or buffers: no answer, and nobody's fault but ours. */
  readonly exhausted?: true
  readonly duration_ms: number
  readonly requests: number
  /** Id of the fault of ours that it ended with; absent where it ended otherwise. */
  readonly fault?: string
  /**
   * The session of the run could not be begun anew: so many of its requests were asked since the last proof or were refused; 0 where only a module
   * that it builds on had such. Absent where there was a session to the end.
   */
  readonly auth_lost?: number
}

export type ToChild =
  | { readonly type: 'start'; readonly spec: RunSpec }
  | { readonly type: 'cancel' }
  /** Nothing more is to be sent to anybody; `why` is a sentence. The scan ends with what it has. */
  | { readonly type: 'silence'; readonly why: string }
  /** A target called an address of this run. */
  | { readonly type: 'called'; readonly hit: OobHit }
  /** All calls that had come when the child asked with this number have been told. */
  | { readonly type: 'heard'; readonly n: number }
  /** The part of an address's pace that was asked for with this number; null: nobody could tell. */
  | { readonly type: 'paced'; readonly n: number; readonly slice: Slice | null }

export type FromChild =
  | { readonly type: 'progress'; readonly phase: Phase; readonly detail: string; readonly progress: number }
  | { readonly type: 'audit'; readonly entries: readonly AuditEntry[] }
  | {
      readonly type: 'module'
      readonly module: string
      readonly outcome: ModuleOutcome
      /** Of a module that did not complete what it had offered by then, or null. */
      readonly facts: unknown
      readonly findings: readonly JudgedFinding[]
      readonly coverage: readonly Coverage[]
    }
  /** What a module that still goes on has found; its own message, at its end, takes the place of it. */
  | { readonly type: 'found'; readonly module: string; readonly findings: readonly JudgedFinding[] }
  /** The facts that these findings are judged by. Kept by the worker while the run is at work: should the child die, they are all that is left. */
  | { readonly type: 'offered'; readonly module: string; readonly facts: unknown }
  | {
      readonly type: 'evidence'
      readonly id: string
      readonly module: string
      readonly filename: string
      readonly contentType: string
      readonly body: Uint8Array
    }
  /** The provider has replaced the refresh token of this line. */
  | { readonly type: 'token_replaced'; readonly lineage: string; readonly token: string }
  /** A fault of ours that was held: for the operator's log and figures. Frames and message are without secrets. */
  | {
      readonly type: 'fault'
      readonly module: string
      readonly id: string
      readonly where: string
      readonly stack: string
    }
  /** Which modules are at work from now on, those that are being judged included. */
  | { readonly type: 'working'; readonly modules: readonly string[] }
  /** Asks to be told once all calls that came until now are told. */
  | { readonly type: 'heard'; readonly n: number }
  /** Asks for a part of the pace of this IP address, which other runs may be on, too. */
  | { readonly type: 'pace'; readonly n: number; readonly address: string }
  /** Every few seconds: the child is not stuck. */
  | { readonly type: 'alive' }
  | { readonly type: 'ended'; readonly result: 'completed' | 'canceled' }
  | { readonly type: 'ended'; readonly result: 'failed'; readonly error: { kind: ErrorKind; detail: string } }
